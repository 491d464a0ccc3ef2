//! Conditions of the table as settings: what sets each and reads it back.

use super::Guard;
use oversleep_recording::plan::{Condition, Scope, Typed, Value};
use oversleep_sys::Refusal;

/// What sets a condition and reads it back.
pub struct Setting {
    /// Key of its row in the table of conditions.
    pub condition: &'static str,
    /// Sets a value until the guard is dropped.
    pub apply: fn(&Value) -> Result<Guard<Value>, Refusal>,
    /// Sets a value on a thread that ends with it, and therefore need not be able to leave it.
    pub apply_for_life: fn(&Value) -> Result<Guard<Value>, Refusal>,
    /// Reads the value in force; an error also where only the guard knows it.
    pub read: fn() -> Result<Value, Refusal>,
}

/// Every setting in the order in which they are applied, which [the module](super) explains.
const SETTINGS: [Setting; 11] = [
    super::affinity::SETTING,
    super::timer_slack::SETTING,
    super::nice::SETTING,
    super::qos::SETTING,
    super::multimedia::SETTING,
    super::policy::SETTING,
    super::memory_lock::SETTING,
    super::throttling::SETTING,
    super::latency_hold::SETTING,
    super::timer_resolution::SETTING,
    super::priority_class::SETTING,
];

/// Returns the settings of this scope with their rows, in the order in which they are to be applied.
pub fn of_scope(scope: Scope) -> impl Iterator<Item = (&'static Condition, &'static Setting)> {
    static ALL: &[Setting] = &SETTINGS;
    let rows = ALL.iter().filter_map(|setting| Some((Condition::named(setting.condition)?, setting)));
    rows.filter(move |(row, _)| row.scope == scope)
}

impl Setting {
    /// Returns a setting of the condition with this key that is applied in the same way for a time and for life.
    pub(super) const fn new(
        condition: &'static str,
        apply: fn(&Value) -> Result<Guard<Value>, Refusal>,
        read: fn() -> Result<Value, Refusal>,
    ) -> Self {
        Self { condition, apply, apply_for_life: apply, read }
    }

    /// Returns the value in force: as it is read now, or as it was when it was set.
    pub fn in_force(&self, guard: Option<&Guard<Value>>) -> Option<Value> {
        (self.read)().ok().or_else(|| guard.map(Guard::obtained))
    }
}

/// Applies a value of the type that a setting has.
pub(super) fn apply<A: Typed, T: Typed>(
    value: &Value,
    apply: impl FnOnce(A) -> Result<Guard<T>, Refusal>,
) -> Result<Guard<Value>, Refusal> {
    match A::from_value(value) {
        Some(asked) => apply(asked).map(|guard| guard.map(T::value)),
        None => Err(Refusal::Unavailable(format!("this setting has no value '{value}'"))),
    }
}

/// Returns the value of a setting that cannot be read: only its guard knows what the system accepted.
pub(super) fn unread() -> Result<Value, Refusal> {
    Err(Refusal::Unavailable("the system does not report this setting".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::System;
    use oversleep_recording::plan::CONDITIONS;

    #[test]
    fn every_condition_that_is_set_has_a_setting() {
        let known = |scope| of_scope(scope).count();
        let with_setting: Vec<_> = SETTINGS.iter().map(|setting| setting.condition).collect();
        assert_eq!([Scope::Thread, Scope::Turn, Scope::Process].map(known).iter().sum::<usize>(), SETTINGS.len());
        for row in CONDITIONS.iter().filter(|row| row.scope != Scope::Run) {
            // How processors are given out is no setting of its own.
            assert!(with_setting.contains(&row.key) || row.needs == "affinity", "{}", row.key);
        }
    }

    #[test]
    fn a_setting_is_only_there_on_the_systems_of_its_row() {
        for setting in &SETTINGS {
            let row = Condition::named(setting.condition).unwrap();
            if System::HERE.is_some_and(|here| !row.systems.contains(&here)) {
                let refused = (setting.apply)(&row.kind.example()).map(drop);
                assert!(matches!(refused, Err(Refusal::Unavailable(_))), "{}: {refused:?}", row.key);
            }
        }
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        for setting in &SETTINGS {
            let text = Value::Phase(oversleep_recording::plan::Phase::BackToBack);
            assert!(matches!((setting.apply)(&text).map(drop), Err(Refusal::Unavailable(_))), "{}", setting.condition);
        }
    }
}

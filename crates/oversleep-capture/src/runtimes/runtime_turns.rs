//! The parts of a plan: the turns of one runtime's programs and of their primitives, which belong together.

use super::launch::Launch;
use oversleep_recording::plan::{Plan, Turn};
use std::ops::Range;

/// Consecutive turns of one runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuntimeTurns<'a> {
    turns: Range<usize>,
    /// Programs that printed nothing when the part was first started, each with a line that says so: the part was set
    /// aside.
    silent: Vec<(&'a str, String)>,
}

impl<'a> RuntimeTurns<'a> {
    /// Splits a plan into parts. Turns of primitives belong to the programs before them.
    pub(super) fn split(plan: &Plan, launches: &'a [Launch]) -> Vec<Self> {
        let mut parts: Vec<(Option<&str>, Self)> = Vec::new();
        for (index, turn) in plan.turns.iter().enumerate() {
            let runtime = launch_of(plan, turn, launches).map(Launch::runtime);
            match parts.last_mut() {
                Some((known, part)) if runtime.is_none() || known.is_none() || *known == runtime => {
                    part.turns.end = index + 1;
                    *known = known.or(runtime);
                }
                _ => parts.push((runtime, Self { turns: index..index + 1, silent: Vec::new() })),
            }
        }
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// Returns its turns.
    pub(super) fn turns<'p>(&self, plan: &'p Plan) -> &'p [Turn] {
        plan.turns.get(self.turns.clone()).unwrap_or_default()
    }

    /// Returns the programs that sleep in it, in the order of `launches`.
    pub(super) fn launches(&self, plan: &Plan, launches: &'a [Launch]) -> Vec<&'a Launch> {
        let sleeps = |launch: &&Launch| {
            let is_it = |turn| launch_of(plan, turn, launches).is_some_and(|other| other.method() == launch.method());
            self.turns(plan).iter().any(is_it)
        };
        launches.iter().filter(sleeps).collect()
    }

    /// Sets it aside, because these programs printed nothing.
    pub(super) fn aside(self, silent: Vec<(&'a str, String)>) -> Self {
        Self { silent, ..self }
    }

    /// Returns the programs because of which it was set aside.
    pub(super) fn into_silent(self) -> Vec<(&'a str, String)> {
        self.silent
    }

    /// Returns whether it was set aside.
    pub(super) fn is_aside(&self) -> bool {
        !self.silent.is_empty()
    }
}

/// Returns the program that sleeps in this turn; `None` for a primitive.
fn launch_of<'a>(plan: &Plan, turn: &Turn, launches: &'a [Launch]) -> Option<&'a Launch> {
    let name = &plan.cells.get(turn.cell as usize)?.method;
    launches.iter().find(|launch| launch.method() == name)
}

#[cfg(test)]
mod tests {
    use super::super::plan::{SleepCounts, runtimes};
    use super::*;
    use oversleep_recording::plan::Conditions;
    use oversleep_recording::runtimes::Api;
    use oversleep_sys::units::Nanos;

    #[test]
    fn a_part_has_all_turns_of_a_runtime_and_of_its_primitives() {
        let names = ["perl-select", "perl-usleep", "shell-read"];
        let apis: Vec<_> = names.iter().filter_map(|name| Api::from_name(name)).collect();
        let launches: Vec<_> = apis.iter().map(|api| Launch::Api(api)).collect();
        let plan = runtimes(&apis, &[Nanos::MILLISECOND], SleepCounts { sleeps: Some(6) }, &Conditions::default());
        let parts = RuntimeTurns::split(&plan, &launches);
        let in_part = |part: &RuntimeTurns<'_>| -> Vec<String> {
            part.launches(&plan, &launches).iter().map(|launch| launch.method().to_owned()).collect()
        };
        assert_eq!(parts.iter().map(in_part).collect::<Vec<_>>(), [names[..2].to_vec(), names[2..].to_vec()]);
        let native = |index: usize| apis[index].native.name();
        let cells = |part: &RuntimeTurns<'_>| -> Vec<&str> {
            part.turns(&plan).iter().map(|turn| plan.cells[turn.cell as usize].method.as_str()).collect()
        };
        assert_eq!(cells(&parts[0])[..4], [names[0], names[1], native(0), native(1)]);
        assert_eq!(cells(&parts[1])[..2], [names[2], native(2)]);
        assert_eq!(parts.iter().map(|part| part.turns(&plan).len()).sum::<usize>(), plan.turns.len());
    }

    #[test]
    fn turns_of_primitives_alone_and_an_empty_plan_have_no_programs() {
        let plan = runtimes(&[], &[], SleepCounts::default(), &Conditions::default());
        assert_eq!(RuntimeTurns::split(&plan, &[]), []);
        let api = Api::from_name("perl-select").expect("a row");
        let plan = runtimes(&[api], &[Nanos::MILLISECOND], SleepCounts::default(), &Conditions::default());
        let parts = RuntimeTurns::split(&plan, &[]);
        assert_eq!((parts.len(), parts[0].launches(&plan, &[]).len()), (1, 0));
    }
}

//! Conditions of the whole process, such as locked memory, a latency hold or Windows' timer resolution.

use super::condition_group::unobtained;
use oversleep_os::settings::{Guard, Setting, of_scope};
use oversleep_recording::Note;
use oversleep_recording::plan::{Condition, Conditions, Scope, Value};

/// Conditions in force for the process, until dropped.
#[derive(Default)]
pub(crate) struct ProcessWide {
    held: Vec<(&'static str, Value, Guard<Value>)>,
    /// Values that were refused, so that they are not tried again at every turn.
    refused: Vec<(&'static str, Value)>,
}

impl ProcessWide {
    /// Applies the conditions that stay for the whole run, if any cell asks for them.
    pub(crate) fn apply<'a>(conditions: impl Iterator<Item = &'a Conditions>, note: &mut Note) -> Self {
        let all: Vec<_> = conditions.collect();
        let mut process = Self::default();
        for (row, setting) in of_scope(Scope::Process) {
            let asked =
                all.iter().find_map(|conditions| row.get(conditions).filter(|value| *value != Value::Truth(false)));
            process.switch(row, setting, asked, note);
        }
        process
    }

    /// Applies the conditions that the next turn requests, releases the others, and fills in those in force.
    pub(crate) fn settle(&mut self, asked: &Conditions, obtained: &mut Conditions, note: &mut Note) {
        for (row, setting) in of_scope(Scope::Turn) {
            self.switch(row, setting, row.get(asked), note);
        }
        for (row, setting) in of_scope(Scope::Turn).chain(of_scope(Scope::Process)) {
            setting.in_force(self.guard(row)).iter().for_each(|value| row.set(obtained, value));
        }
    }

    /// Releases any other value of a condition and applies this one.
    fn switch(&mut self, row: &'static Condition, setting: &Setting, asked: Option<Value>, note: &mut Note) {
        self.held.retain(|(key, held, _)| *key != row.key || asked.as_ref() == Some(held));
        let Some(asked) = asked.filter(|_| self.guard(row).is_none()) else { return };
        if self.refused.contains(&(row.key, asked.clone())) {
            return;
        }
        match (setting.apply)(&asked) {
            Ok(guard) => self.held.push((row.key, asked, guard)),
            Err(refusal) => {
                note.unavailable.push(unobtained(row.name, &refusal));
                self.refused.push((row.key, asked));
            }
        }
    }

    fn guard(&self, row: &Condition) -> Option<&Guard<Value>> {
        self.held.iter().find(|(key, ..)| *key == row.key).map(|(.., guard)| guard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::Refusal;

    fn halved(asked: &Value) -> Result<Guard<Value>, Refusal> {
        match asked {
            Value::Number(asked @ 0..) => Guard::new(Ok(Value::Number(asked / 2)), || ()),
            _ => Err(Refusal::Unavailable("below zero".into())),
        }
    }

    #[test]
    fn a_setting_follows_the_turns_and_a_refusal_is_told_once() {
        let read = || Err(Refusal::Unavailable("nobody knows".into()));
        let setting = Setting { condition: "threads", apply: halved, apply_for_life: halved, read };
        let row = Condition::named("threads").unwrap();
        let (mut process, mut note) = (ProcessWide::default(), Note::default());
        let mut to = |asked: Option<i64>, note: &mut Note| {
            process.switch(row, &setting, asked.map(Value::Number), note);
            setting.in_force(process.guard(row))
        };
        assert_eq!(to(Some(8), &mut note), Some(Value::Number(4)));
        assert_eq!(to(None, &mut note), None);
        assert_eq!(to(Some(-1), &mut note), None);
        assert_eq!(to(Some(2), &mut note), Some(Value::Number(1)));
        assert_eq!(to(Some(-1), &mut note), None);
        assert_eq!(note.unavailable.len(), 1);
        assert_eq!((note.unavailable[0].what.as_str(), note.unavailable[0].why.as_str()), ("threads", "below zero"));
    }
}

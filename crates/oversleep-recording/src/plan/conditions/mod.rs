//! The conditions under which a cell sleeps: one row each, which everything that asks for, keeps, shows or compares conditions
//! reads.

#[macro_use]
mod named;

mod classes;
mod load;
mod requested;
mod rows;
mod value;

pub use classes::{PriorityClass, Qos};
pub use load::{Load, LoadKind, Phase};
pub use requested::RequestedConditions;
pub use rows::{CONDITIONS, Conditions};
pub use value::{Typed, Value, ValueKind};

use super::Policy;
use crate::catalog::System;

/// A condition: its name, its values, and how it is requested, set, stored and shown.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct Condition {
    /// Name in code and in the table of settings: that of the field of [`Conditions`].
    pub key: &'static str,
    /// Name in sentences.
    pub name: &'static str,
    /// What its values can be.
    pub kind: ValueKind,
    /// What it belongs to.
    pub scope: Scope,
    /// Systems that have it.
    pub systems: &'static [System],
    /// Option of the command line, without dashes; empty if none asks for it.
    pub option: &'static str,
    /// Python's argument; empty if none asks for it.
    pub keyword: &'static str,
    /// The option's letter.
    pub short: Option<char>,
    /// What stands for a value in the option's help.
    pub value_name: &'static str,
    /// Help of the option.
    pub help: &'static str,
    /// Value in force where none is asked for, as the option has it; empty if that is the system's affair.
    pub usual: &'static str,
    /// Key of the condition without which this one means nothing; empty if there is none.
    pub needs: &'static str,
    /// Whether several values can be asked for, each of which makes cells of its own.
    pub several: bool,
    /// Whether programs that are started under it have it too.
    pub inherited: bool,
    /// Whether simulated kernels know it.
    pub simulated: bool,
    /// Whether schedules heed it.
    pub scheduled: bool,
    /// Column of tables.
    pub column: &'static str,
    /// Whether tables have it as requested and as obtained: not where the two cannot differ.
    pub read_back: bool,
    show: Show,
    get: fn(&Conditions) -> Option<Value>,
    set: fn(&mut Conditions, &Value),
}

/// What a condition belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// A setting of each sleeping thread.
    Thread,
    /// A setting of the process while cells that ask for it take their turns.
    Turn,
    /// A setting of the process for the whole run, if any cell asks for it.
    Process,
    /// How the run is made: nothing is set.
    Run,
}

/// How a condition is shown.
#[derive(Clone, Copy)]
enum Show {
    /// Not at all.
    Hidden,
    /// By the value; the text says what is missing where there is none.
    Value(&'static str),
    /// By this text and the value.
    Labelled(&'static str),
    /// By the value and this text.
    Counted(&'static str),
    /// By one of two texts: what is in force, or what is not.
    Either(&'static str, &'static str),
    /// By what this returns of the requested and the obtained conditions.
    By(fn(&Conditions, &Conditions) -> Option<String>),
}

impl Condition {
    /// Returns the row with this key.
    pub fn named(key: &str) -> Option<&'static Self> {
        CONDITIONS.iter().find(|row| row.key == key)
    }

    /// Returns the value that these conditions state.
    pub fn get(&self, conditions: &Conditions) -> Option<Value> {
        (self.get)(conditions)
    }

    /// States a value; one of another kind states nothing.
    pub fn set(&self, conditions: &mut Conditions, value: &Value) {
        (self.set)(conditions, value);
    }

    /// Returns the value with which the option asks for what these conditions state: empty if the option takes none; `None` if
    /// nothing is stated but what is so without the option.
    pub fn option_value(&self, conditions: &Conditions) -> Option<String> {
        let value = self.get(conditions)?;
        let offered = match (self.kind, &value) {
            (ValueKind::Name { names, .. }, Value::Name(name)) => names.contains(name),
            _ => !self.option.is_empty(),
        };
        value.option().filter(|written| offered && (self.usual.is_empty() || written != self.usual))
    }

    /// Returns the requested value with the obtained one; `None` if it was not requested.
    fn shown(&self, asked: &Conditions, got: &Conditions) -> Option<String> {
        let (label, full): (_, &dyn Fn(&Value) -> String) = match self.show {
            Show::Hidden => return None,
            Show::By(show) => return show(asked, got),
            Show::Either(so, not) => {
                self.get(asked)?;
                return Some(if self.get(got) == Some(Value::Truth(true)) { so } else { not }.to_owned());
            }
            Show::Value(label) => (label, &|value| value.to_string()),
            Show::Labelled(label) => (label, &move |value| format!("{label} {value}")),
            Show::Counted(label) => (label, &move |value| format!("{value} {label}")),
        };
        let (asked, got) = (self.get(asked)?, self.get(got));
        let wanted = if matches!(self.show, Show::Counted(_)) { full(&asked) } else { asked.to_string() };
        Some(match got {
            Some(got) if got == asked => full(&got),
            Some(got) => format!("{} (asked {wanted})", full(&got)),
            None => format!("no {label} (asked {wanted})"),
        })
    }
}

impl Conditions {
    /// Name of what busy threads do.
    pub const LOAD_KIND: &str = "kind of load";

    /// Returns the same conditions without a statement about tracing.
    #[must_use]
    pub fn without_tracing(&self) -> Self {
        Self { traced: None, ..self.clone() }
    }

    /// States what the others state.
    pub fn add(&mut self, others: &Self) {
        for row in CONDITIONS {
            row.get(others).iter().for_each(|value| row.set(self, value));
        }
    }

    /// Returns the requested settings with the obtained values: `slack 1 ns`, `other (asked fifo 80)` where the request
    /// was refused; `default` where nothing was requested.
    pub fn name(&self, obtained: Option<&Self>) -> String {
        let got = obtained.unwrap_or(self);
        let mut parts: Vec<String> = CONDITIONS.iter().filter_map(|row| row.shown(self, got)).collect();
        // Nobody asked for it here, but whoever started the program did (`chrt`, `oversleep tune`).
        let inherited = got.policy.filter(|policy| self.policy.is_none() && *policy != Policy::Other);
        parts.extend(inherited.map(|policy| format!("{policy} inherited")));
        if parts.is_empty() { "default".to_owned() } else { parts.join(", ") }
    }

    /// Returns the conditions that are stated, each by its name in sentences with its value. Always in the same order.
    pub fn stated(&self) -> Vec<(&'static str, Value)> {
        // What no threads do is not stated.
        let idle = self.load.is_some_and(|load| load.threads == 0);
        let rows = CONDITIONS.iter().filter(|row| !(idle && row.name == Self::LOAD_KIND));
        rows.filter_map(|row| Some((row.name, row.get(self)?))).collect()
    }

    /// Returns the options that ask for the settings of threads and of the process, each with its value, which is empty for an
    /// option that takes none.
    pub fn settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let rows = CONDITIONS.iter().filter(|row| row.scope != Scope::Run);
        rows.filter_map(|row| Some((row.option, row.option_value(self)?)))
    }

    /// Returns whether the policy is known to be a real-time one.
    pub fn is_real_time(&self) -> bool {
        self.policy.is_some_and(Policy::is_real_time)
    }

    /// Returns the thread's priority among real-time threads; 0 for none, as far as is known.
    pub fn real_time_priority(&self) -> i32 {
        self.policy.map_or(0, Policy::real_time_priority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    #[test]
    fn names_options_letters_and_columns_are_each_one_conditions() {
        let facts: [fn(&Condition) -> String; 5] = [
            |row| row.key.to_owned(),
            |row| row.name.to_owned(),
            |row| row.option.to_owned(),
            |row| row.short.map(String::from).unwrap_or_default(),
            |row| row.column.to_owned(),
        ];
        for fact in facts {
            let mut all: Vec<String> = CONDITIONS.iter().map(fact).filter(|fact| !fact.is_empty()).collect();
            let number = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), number, "{all:?}");
        }
        for row in CONDITIONS {
            assert!(!row.name.is_empty() && !row.column.is_empty(), "{}", row.key);
            assert!(row.needs.is_empty() || Condition::named(row.needs).is_some(), "{}", row.key);
            assert_eq!(row.value_name.is_empty(), matches!(row.kind, ValueKind::Truth), "{}", row.key);
        }
    }

    #[test]
    fn what_an_option_asks_for_is_what_it_is_asked_for_with() {
        let mut all = Conditions::default();
        for row in CONDITIONS {
            row.set(&mut all, &row.kind.example());
            assert_eq!(row.get(&all), Some(row.kind.example()), "{}", row.key);
            if row.option.is_empty() {
                continue;
            }
            let written = row.option_value(&all).unwrap_or_else(|| panic!("{}", row.key));
            let read = row.kind.parse(&written).unwrap_or_else(|why| panic!("{}: {why}", row.key));
            match &read {
                // A list of processors has no order.
                Value::Cpus(cpus) => assert_eq!(*cpus, [0, 1, 2, 3, 9]),
                read => assert_eq!(*read, row.kind.example(), "{}", row.key),
            }
        }
        let (runtime, deadline, period) = (Nanos::from_micros(100), Nanos::from_micros(800), Nanos::MILLISECOND);
        for policy in [
            Policy::Other,
            Policy::Batch,
            Policy::Idle,
            Policy::Rr { priority: 1 },
            Policy::Deadline { runtime, deadline, period },
        ] {
            let value = Value::Policy(policy);
            assert_eq!(ValueKind::Policy.parse(&value.option().unwrap()), Ok(value));
        }
    }

    #[test]
    fn what_cannot_be_asked_for_is_refused_with_what_can() {
        let error = |key: &str, text: &str| Condition::named(key).unwrap().kind.parse(text).unwrap_err();
        assert_eq!(error("nice", "20"), "it is not a whole number from -20 to 19");
        assert!(error("nice", "1,2").starts_with("it takes one value, for all rows"));
        assert!(error("load", "257").ends_with("to 256: busy threads; for a number of sleeps use --count"));
        assert!(error("timer_slack", "0ns").contains("longer than zero"));
        assert!(error("latency_hold", "-1us").contains("negative"));
        assert!(error("load_kind", "neighbour").ends_with("there are spin, memory, syscalls, timers, runtime"));
        for wrong in ["", "a", "3-1", "-1", "0-99999999", "1,,2"] {
            assert_eq!(error("affinity", wrong), format!("'{wrong}' is not a list of processors; write 0, 0,2 or 0-3"));
        }
        assert_eq!(ValueKind::Cpus.parse("0-2,7,1"), Ok(Value::Cpus(vec![0, 1, 2, 7])));
        assert_eq!(ValueKind::Policy.parse("80"), Ok(Value::Policy(Policy::Fifo { priority: 80 })));
        for wrong in ["100", "-1", "realtime", ""] {
            assert!(ValueKind::Policy.parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_what_is_stated_is_returned() {
        assert!(Conditions::default().stated().is_empty());
        let slack = |ns| Conditions { timer_slack: Some(Nanos::new(ns)), nice: Some(3), ..Conditions::default() };
        let names = |conditions: &Conditions| conditions.stated().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(&slack(1)), ["niceness", "timer slack"]);
        assert_eq!(slack(1).stated(), slack(1).stated());
        assert_ne!(slack(1).stated(), slack(2).stated());
        let load =
            |threads| Conditions { load: Some(Load { threads, kind: LoadKind::Memory }), ..Conditions::default() };
        assert_eq!((names(&load(0)), names(&load(1))), (vec!["load"], vec!["load", Conditions::LOAD_KIND]));
    }

    #[test]
    fn conditions_are_shown_as_obtained_with_what_was_asked() {
        let asked = Conditions {
            policy: Some(Policy::Fifo { priority: 80 }),
            nice: Some(-5),
            affinity: Some(vec![0, 2]),
            one_cpu_each: Some(true),
            memory_locked: Some(true),
            threads: Some(4),
            load: Some(Load { threads: 2, kind: LoadKind::Spin }),
            traced: Some(false),
            ..Conditions::default()
        };
        let got = Conditions {
            policy: Some(Policy::Other),
            affinity: Some(vec![2]),
            memory_locked: Some(false),
            threads: Some(3),
            load: Some(Load { threads: 1, kind: LoadKind::Neighbour }),
            ..Conditions::default()
        };
        assert_eq!(
            asked.name(Some(&got)),
            "other (asked fifo 80), no nice (asked -5), cpu 0,2 one each, memory not locked, busy neighbour, \
         3 threads (asked 4 threads), beside traced"
        );
        assert_eq!(
            asked.name(None),
            "fifo 80, nice -5, cpu 0,2 one each, memory locked, 2 busy, 4 threads, beside traced"
        );
        let inherited = Conditions { policy: Some(Policy::Batch), ..Conditions::default() };
        assert_eq!(Conditions::default().name(Some(&inherited)), "batch inherited");
        assert_eq!(Conditions::default().name(None), "default");
    }
}

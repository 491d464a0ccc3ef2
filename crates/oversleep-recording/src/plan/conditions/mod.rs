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
}

#[cfg(test)]
mod tests;

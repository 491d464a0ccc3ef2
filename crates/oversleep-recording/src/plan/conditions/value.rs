//! Values of conditions, whatever their type: what they can be, how options write them, how they are shown.

use super::{Load, LoadKind, Phase};
use crate::plan::{Policy, parse};
use crate::{cpus, exact_time};
use oversleep_sys::units::Nanos;
use std::fmt;
use std::str::FromStr;

/// A value of a condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Whether something is so.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A time.
    Time(Nanos),
    /// One of several names.
    Name(&'static str),
    /// Any text.
    Text(String),
    /// Processors.
    Cpus(Vec<u32>),
    /// A scheduling policy.
    Policy(Policy),
    /// What happens between two sleeps.
    Phase(Phase),
}

/// What the values of a condition can be.
#[derive(Debug, Clone, Copy)]
pub enum ValueKind {
    /// Only that it is so: an option without a value.
    Truth,
    /// A whole number.
    Number {
        /// Lowest.
        from: i64,
        /// Highest.
        to: i64,
        /// What a number outside the range may be meant as; empty if nothing.
        hint: &'static str,
    },
    /// A time, in nanoseconds where it has no unit of its own.
    Time {
        /// Whether it may be zero.
        zero: bool,
    },
    /// One of several names.
    Name {
        /// What they name.
        what: &'static str,
        /// The names that can be asked for.
        names: &'static [&'static str],
    },
    /// Any text.
    Text,
    /// Processors.
    Cpus,
    /// A scheduling policy.
    Policy,
    /// What happens between two sleeps.
    Phase,
}

impl ValueKind {
    /// Parses a value as an option has it.
    ///
    /// # Errors
    /// A line that says what is wrong and what can be written instead.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Truth => Ok(Value::Truth(true)),
            Self::Number { from, to, hint } => match text.trim().parse() {
                Ok(number) if (from..=to).contains(&number) => Ok(Value::Number(number)),
                _ if text.contains(',') => {
                    Err("it takes one value, for all rows; measure once for each, and compare the recordings"
                        .to_owned())
                }
                _ => Err(format!("it is not a whole number from {from} to {to}{hint}")),
            },
            Self::Time { zero } => {
                let read = if zero { parse::request(text) } else { parse::positive(text) };
                read.map(Value::Time).map_err(|error| error.to_string())
            }
            Self::Name { what, names } => match names.iter().find(|name| **name == text.trim()) {
                Some(name) => Ok(Value::Name(name)),
                None => Err(format!("'{text}' is not a {what}; there are {}", names.join(", "))),
            },
            Self::Text => Ok(Value::Text(text.to_owned())),
            Self::Cpus => match cpus::parse_list(text) {
                Some(cpus) if !cpus.is_empty() => Ok(Value::Cpus(cpus)),
                _ => Err(format!("'{text}' is not a list of processors; write 0, 0,2 or 0-3")),
            },
            Self::Policy => policy(text).map(Value::Policy),
            Self::Phase => Phase::from_str(text).map(Value::Phase).map_err(|error| error.to_string()),
        }
    }

    /// Returns a value of this kind, for tests that go through the whole table.
    pub fn example(self) -> Value {
        match self {
            Self::Truth => Value::Truth(true),
            Self::Number { to, .. } => Value::Number(to),
            Self::Time { .. } => Value::Time(Nanos::from_micros(7)),
            Self::Name { names, .. } => Value::Name(names[names.len() - 1]),
            Self::Text => Value::Text("Pro Audio, \"loud\"".to_owned()),
            Self::Cpus => Value::Cpus(vec![3, 0, 1, 2, 9]),
            Self::Policy => Value::Policy(Policy::Fifo { priority: 80 }),
            Self::Phase => Value::Phase(Phase::Random { window: Nanos::MILLISECOND }),
        }
    }
}

/// Parses a scheduling policy; a bare number is a FIFO priority, as cyclictest's `-p` takes it.
fn policy(text: &str) -> Result<Policy, String> {
    match text.trim().parse::<i32>() {
        Ok(0) => Ok(Policy::Other),
        Ok(priority @ 1..=99) => Ok(Policy::Fifo { priority }),
        Ok(priority) => Err(format!("{priority} is not a FIFO priority; use 1 to 99")),
        Err(_) => text.parse().map_err(|error| format!("{error}")),
    }
}

impl Value {
    /// Returns the value as an option has it: empty where the option takes none, `None` where no option asks for it.
    pub fn option(&self) -> Option<String> {
        Some(match self {
            Self::Truth(truth) => return truth.then(String::new),
            Self::Time(time) => exact_time(*time),
            Self::Policy(Policy::Fifo { priority }) => format!("fifo:{priority}"),
            Self::Policy(Policy::Rr { priority }) => format!("rr:{priority}"),
            Self::Policy(Policy::Deadline { runtime, deadline, period }) => {
                format!("deadline:{}/{}/{}", exact_time(*runtime), exact_time(*deadline), exact_time(*period))
            }
            Self::Phase(Phase::Random { window }) => format!("random:{}", exact_time(*window)),
            Self::Phase(Phase::Warm { .. }) => return None,
            shown => shown.to_string(),
        })
    }
}

/// Writes the value for people.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Time(time) => write!(f, "{time}"),
            Self::Name(name) => f.write_str(name),
            Self::Text(text) => f.write_str(text),
            Self::Cpus(cpus) => f.write_str(&cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",")),
            Self::Policy(policy) => write!(f, "{policy}"),
            Self::Phase(Phase::BackToBack) => f.write_str("back-to-back"),
            Self::Phase(Phase::Random { window }) => write!(f, "random within {window}"),
            Self::Phase(Phase::Warm { lead }) => write!(f, "awake {lead} before"),
        }
    }
}

/// A type that a condition's value can have.
pub trait Typed: Sized {
    /// Returns the value.
    fn value(&self) -> Value;

    /// Returns the value as this type; `None` if it is another one.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! typed {
    ($($type:ty, |$own:ident| $value:expr, $pattern:pat => $back:expr;)*) => {
        $(impl Typed for $type {
            fn value(&self) -> Value {
                let $own = self;
                $value
            }

            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    $pattern => $back,
                    _ => None,
                }
            }
        })*
    };
}

typed! {
    bool, |own| Value::Truth(*own), Value::Truth(truth) => Some(*truth);
    i32, |own| Value::Number((*own).into()), Value::Number(number) => i32::try_from(*number).ok();
    u16, |own| Value::Number((*own).into()), Value::Number(number) => u16::try_from(*number).ok();
    u32, |own| Value::Number((*own).into()), Value::Number(number) => u32::try_from(*number).ok();
    Nanos, |own| Value::Time(*own), Value::Time(time) => Some(*time);
    String, |own| Value::Text(own.clone()), Value::Text(text) => Some(text.clone());
    Vec<u32>, |own| Value::Cpus(own.clone()), Value::Cpus(cpus) => Some(cpus.clone());
    Policy, |own| Value::Policy(*own), Value::Policy(policy) => Some(*policy);
    Phase, |own| Value::Phase(*own), Value::Phase(phase) => Some(*phase);
    // What the threads do is a row of its own, which follows this one.
    Load, |own| Value::Number(own.threads.into()),
        Value::Number(number) => Some(Self { threads: u16::try_from(*number).ok()?, kind: LoadKind::Spin });
}

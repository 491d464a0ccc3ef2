//! Conversion of conditions to columns and back.

use super::ColumnKind;
use super::pattern::{read_phase, write_phase};
use crate::plan::{CONDITIONS, Condition, Conditions, LoadKind, Policy, Value, ValueKind};
use oversleep_sys::units::Nanos;

/// A value that is not valid in its column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` in column {column} is not {expected}")]
pub struct ConditionsError {
    /// Name of the column, without `asked_`.
    pub column: &'static str,
    /// Text in the column.
    pub text: String,
    /// Description of valid values.
    pub expected: String,
}

/// A column of conditions.
#[derive(Debug, Clone, Copy)]
pub struct ConditionColumn {
    /// Its name, for requested conditions preceded by `asked_` where tables also have the obtained ones.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnKind,
    /// Whether tables have it as requested and as obtained.
    pub read_back: bool,
}

/// Returns every column of conditions.
pub fn condition_columns() -> impl Iterator<Item = ConditionColumn> {
    CONDITIONS.iter().flat_map(columns)
}

/// Returns a condition's columns: one, and for policies another with their priority.
fn columns(row: &Condition) -> impl Iterator<Item = ConditionColumn> {
    let kind = match row.kind {
        ValueKind::Truth => ColumnKind::Truth,
        ValueKind::Number { .. } | ValueKind::Time { .. } => ColumnKind::Number,
        ValueKind::Name { .. } | ValueKind::Text | ValueKind::Cpus | ValueKind::Policy | ValueKind::Phase => {
            ColumnKind::Text
        }
    };
    let column = ConditionColumn { name: row.column, kind, read_back: row.read_back };
    let priority = ConditionColumn { name: "priority", kind: ColumnKind::Number, ..column };
    [column].into_iter().chain(matches!(row.kind, ValueKind::Policy).then_some(priority))
}

/// Returns the values of [`condition_columns`]; empty texts where nothing is stated.
pub fn write_conditions(conditions: &Conditions) -> Vec<String> {
    CONDITIONS.iter().flat_map(|row| write(row, row.get(conditions))).collect()
}

/// Parses the values of [`condition_columns`]; an empty one means that nothing is stated.
///
/// # Errors
/// The first column with an invalid value.
pub fn read_conditions(values: &[&str]) -> Result<Conditions, ConditionsError> {
    let mut conditions = Conditions::default();
    let mut values = values.iter().copied();
    for row in CONDITIONS {
        let text = values.next().unwrap_or_default();
        let priority = if matches!(row.kind, ValueKind::Policy) { values.next().unwrap_or_default() } else { "" };
        match text {
            // In tables without a kind, no busy thread means no load.
            "" if row.name == Conditions::LOAD_KIND => {
                conditions.load = conditions.load.filter(|load| load.threads > 0);
            }
            "" => {}
            text => {
                let value = read(row, text, priority)?;
                row.set(&mut conditions, &value);
                if row.get(&conditions).is_none_or(|read| read != value) && row.name != Conditions::LOAD_KIND {
                    return Err(wrong(row.column, text, "a whole number that fits"));
                }
            }
        }
    }
    Ok(conditions)
}

fn write(row: &Condition, value: Option<Value>) -> Vec<String> {
    let text = match value {
        Some(Value::Policy(policy)) => return write_policy(policy).into(),
        Some(Value::Time(time)) => time.get().to_string(),
        Some(Value::Cpus(cpus)) => write_cpus(&cpus),
        Some(Value::Phase(phase)) => write_phase(phase),
        Some(value) => value.to_string(),
        None => return columns(row).map(|_| String::new()).collect(),
    };
    vec![text]
}

fn read(row: &Condition, text: &str, priority: &str) -> Result<Value, ConditionsError> {
    let error = |expected: &str| wrong(row.column, text, expected);
    match row.kind {
        ValueKind::Truth => match text.to_ascii_lowercase().as_str() {
            "true" => Ok(Value::Truth(true)),
            "false" => Ok(Value::Truth(false)),
            _ => Err(error("true or false")),
        },
        ValueKind::Number { .. } => number(row.column, text).map(Value::Number),
        ValueKind::Time { .. } => number(row.column, text).map(|ns| Value::Time(Nanos::new(ns))),
        ValueKind::Name { what, names } => {
            // Experiments have kinds of load that nobody can ask for.
            let known = LoadKind::NAMES.iter().filter(|_| row.name == Conditions::LOAD_KIND);
            let found = names.iter().chain(known).find(|name| **name == text.trim());
            found
                .map(|name| Value::Name(name))
                .ok_or_else(|| error(&format!("a {what}, such as {}", names[..2].join(" or "))))
        }
        ValueKind::Text => Ok(Value::Text(text.to_owned())),
        ValueKind::Cpus => read_cpus(text).map(Value::Cpus).ok_or_else(|| error("a list of processors, such as 0-3,8")),
        ValueKind::Policy => read_policy(text, priority).map(Value::Policy),
        ValueKind::Phase => match read_phase(text) {
            Ok(Some(phase)) => Ok(Value::Phase(phase)),
            _ => Err(error("a phase, such as back-to-back or random:10ms")),
        },
    }
}

fn wrong(column: &'static str, text: &str, expected: &str) -> ConditionsError {
    ConditionsError { column, text: crate::text::escaped(text, 60), expected: expected.to_owned() }
}

fn number(column: &'static str, text: &str) -> Result<i64, ConditionsError> {
    // Programs that store all numbers as floats write 1.0 where a column has gaps.
    let whole = text.strip_suffix(".0").unwrap_or(text);
    whole.parse().map_err(|_| wrong(column, text, "a whole number that fits"))
}

fn write_policy(policy: Policy) -> [String; 2] {
    match policy {
        Policy::Fifo { priority } => ["fifo".to_owned(), priority.to_string()],
        Policy::Rr { priority } => ["rr".to_owned(), priority.to_string()],
        Policy::Deadline { runtime, deadline, period } => {
            [format!("deadline:{}ns/{}ns/{}ns", runtime.get(), deadline.get(), period.get()), String::new()]
        }
        Policy::Other | Policy::Batch | Policy::Idle => [policy.to_string(), String::new()],
    }
}

fn read_policy(policy: &str, priority: &str) -> Result<Policy, ConditionsError> {
    let asked = match priority {
        "" if matches!(policy, "fifo" | "rr") => {
            return Err(wrong("policy", policy, "enough: a real-time policy needs its number in column priority"));
        }
        "" => policy.to_owned(),
        priority => format!("{policy}:{}", number("priority", priority)?),
    };
    asked.parse().map_err(|_| wrong("policy", policy, "a policy, such as other, fifo or rr"))
}

fn write_cpus(cpus: &[u32]) -> String {
    let mut out = String::new();
    let mut rest = cpus;
    while let Some(&first) = rest.first() {
        let run = rest.windows(2).take_while(|two| two[0].checked_add(1) == Some(two[1])).count();
        if !out.is_empty() {
            out.push(',');
        }
        out += &if run == 0 { first.to_string() } else { format!("{first}-{}", rest[run]) };
        rest = &rest[run + 1..];
    }
    out
}

/// Most processors in a list: Linux's own limit (`CONFIG_NR_CPUS`). A range up to the end of `u32` would fill the memory.
const MOST_CPUS: usize = 1 << 13;

fn read_cpus(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (u32, u32) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        if from > to || (to - from) as usize + cpus.len() >= MOST_CPUS {
            return None;
        }
        cpus.extend(from..=to);
    }
    Some(cpus)
}

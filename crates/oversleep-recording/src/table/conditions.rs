//! Conversion of conditions to columns and back.

use super::CONDITION_COLUMNS;
use crate::plan::{Conditions, Load, LoadKind, Policy};
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
    pub expected: &'static str,
}

/// Returns the values of [`CONDITION_COLUMNS`].
pub fn write_conditions(conditions: &Conditions) -> [String; CONDITION_COLUMNS.len()] {
    let (policy, priority) = conditions.policy.map(write_policy).unwrap_or_default();
    let number = |nanos: Option<Nanos>| nanos.map(|nanos| nanos.get().to_string()).unwrap_or_default();
    [
        policy,
        priority,
        conditions.nice.map(|nice| nice.to_string()).unwrap_or_default(),
        conditions.affinity.as_deref().map(write_cpus).unwrap_or_default(),
        number(conditions.timer_slack),
        number(conditions.latency_hold),
        conditions.memory_locked.map(|locked| locked.to_string()).unwrap_or_default(),
        conditions.load.map(|load| load.threads.to_string()).unwrap_or_default(),
        conditions.load.map(|load| load_kind_name(load.kind).to_owned()).unwrap_or_default(),
        conditions.threads.map(|threads| threads.to_string()).unwrap_or_default(),
    ]
}

/// Parses the values of [`CONDITION_COLUMNS`]; an empty one means that nothing is stated.
///
/// # Errors
/// The first column with an invalid value.
pub fn read_conditions(values: &[&str; CONDITION_COLUMNS.len()]) -> Result<Conditions, ConditionsError> {
    let [policy, priority, nice, cpus, slack, hold, locked, load, kind, threads] = *values;
    Ok(Conditions {
        policy: read_policy(policy, priority)?,
        nice: number(2, nice)?,
        affinity: if cpus.is_empty() { None } else { Some(read_cpus(cpus)?) },
        timer_slack: number(4, slack)?.map(Nanos::new),
        latency_hold: number(5, hold)?.map(Nanos::new),
        memory_locked: truth(6, locked)?,
        load: read_load(load, kind)?,
        threads: number(9, threads)?,
        ..Conditions::default()
    })
}

fn wrong(column: usize, text: &str, expected: &'static str) -> ConditionsError {
    let text = crate::text::escaped(text, 60);
    ConditionsError { column: CONDITION_COLUMNS[column], text, expected }
}

fn number<T: std::str::FromStr>(column: usize, text: &str) -> Result<Option<T>, ConditionsError> {
    if text.is_empty() {
        return Ok(None);
    }
    // Programs that store all numbers as floats write 1.0 where a column has gaps.
    let whole = text.strip_suffix(".0").unwrap_or(text);
    whole.parse().map(Some).map_err(|_| wrong(column, text, "a whole number that fits"))
}

fn truth(column: usize, text: &str) -> Result<Option<bool>, ConditionsError> {
    match text {
        "" => Ok(None),
        "true" | "True" | "TRUE" => Ok(Some(true)),
        "false" | "False" | "FALSE" => Ok(Some(false)),
        _ => Err(wrong(column, text, "true or false")),
    }
}

fn write_policy(policy: Policy) -> (String, String) {
    let name = |name: &str| (name.to_owned(), String::new());
    match policy {
        Policy::Other => name("other"),
        Policy::Batch => name("batch"),
        Policy::Idle => name("idle"),
        Policy::Fifo { priority } => ("fifo".to_owned(), priority.to_string()),
        Policy::Rr { priority } => ("rr".to_owned(), priority.to_string()),
        Policy::Deadline { runtime, deadline, period } => {
            name(&format!("deadline:{}ns/{}ns/{}ns", runtime.get(), deadline.get(), period.get()))
        }
    }
}

fn read_policy(policy: &str, priority: &str) -> Result<Option<Policy>, ConditionsError> {
    if policy.is_empty() {
        return Ok(None);
    }
    let asked = match number::<i32>(1, priority)? {
        Some(priority) => format!("{policy}:{priority}"),
        None => policy.to_owned(),
    };
    asked.parse().map(Some).map_err(|_| wrong(0, policy, "a policy, such as other, fifo or rr"))
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

fn read_cpus(text: &str) -> Result<Vec<u32>, ConditionsError> {
    let expected = "a list of processors, such as 0-3,8";
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (Ok(from), Ok(to)) = (from.trim().parse::<u32>(), to.trim().parse::<u32>()) else {
            return Err(wrong(3, text, expected));
        };
        if from > to || (to - from) as usize + cpus.len() >= MOST_CPUS {
            return Err(wrong(3, text, expected));
        }
        cpus.extend(from..=to);
    }
    Ok(cpus)
}

const KINDS: [(&str, LoadKind); 6] = [
    ("spin", LoadKind::Spin),
    ("memory", LoadKind::Memory),
    ("syscalls", LoadKind::Syscalls),
    ("timers", LoadKind::Timers),
    ("neighbour", LoadKind::Neighbour),
    ("runtime", LoadKind::Runtime),
];

/// Returns the name of a kind of load, as tables have it.
pub fn load_kind_name(kind: LoadKind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or("spin", |(name, _)| name)
}

/// Parses a number of busy threads; in tables without a kind, 0 means none.
fn read_load(load: &str, kind: &str) -> Result<Option<Load>, ConditionsError> {
    let Some(threads) = number(7, load)? else { return Ok(None) };
    if kind.is_empty() {
        return Ok((threads > 0).then_some(Load { threads, kind: LoadKind::Spin }));
    }
    let found = KINDS.iter().find(|(name, _)| *name == kind);
    let (_, kind) = found.ok_or_else(|| wrong(8, kind, "spin, memory, syscalls, timers, neighbour or runtime"))?;
    Ok(Some(Load { threads, kind: *kind }))
}

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
    // A new condition needs a column, or is one that a table has once.
    let Conditions {
        policy,
        nice,
        affinity,
        one_cpu_each: _,
        timer_slack,
        memory_locked,
        latency_hold,
        timer_resolution,
        priority_class,
        multimedia_task,
        qos,
        unthrottled,
        load,
        threads,
        phase: _,
        traced: _,
    } = conditions;
    let (policy, priority) = policy.map(write_policy).unwrap_or_default();
    let nanos = |nanos: &Option<Nanos>| text(nanos.map(Nanos::get));
    [
        policy,
        priority,
        text(*nice),
        affinity.as_deref().map(write_cpus).unwrap_or_default(),
        nanos(timer_slack),
        nanos(latency_hold),
        text(*memory_locked),
        text(load.map(|load| load.threads)),
        text(load.map(|load| load.kind)),
        text(*threads),
        nanos(timer_resolution),
        text(*priority_class),
        text(multimedia_task.as_deref()),
        text(*qos),
        text(*unthrottled),
    ]
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Parses the values of [`CONDITION_COLUMNS`]; an empty one means that nothing is stated.
///
/// # Errors
/// The first column with an invalid value.
pub fn read_conditions(values: &[&str; CONDITION_COLUMNS.len()]) -> Result<Conditions, ConditionsError> {
    let [
        policy,
        priority,
        nice,
        cpus,
        slack,
        hold,
        locked,
        load,
        kind,
        threads,
        resolution,
        class,
        task,
        qos,
        unthrottled,
    ] = *values;
    Ok(Conditions {
        policy: read_policy(policy, priority)?,
        nice: number(2, nice)?,
        affinity: if cpus.is_empty() { None } else { Some(read_cpus(cpus)?) },
        timer_slack: number(4, slack)?.map(Nanos::new),
        latency_hold: number(5, hold)?.map(Nanos::new),
        memory_locked: truth(6, locked)?,
        load: read_load(load, kind)?,
        threads: number(9, threads)?,
        timer_resolution: number(10, resolution)?.map(Nanos::new),
        priority_class: named(11, class, "a priority class, such as normal or high")?,
        multimedia_task: (!task.is_empty()).then(|| task.to_owned()),
        qos: named(13, qos, "a quality-of-service class, such as utility")?,
        unthrottled: truth(14, unthrottled)?,
        one_cpu_each: None,
        phase: None,
        traced: None,
    })
}

fn named<T: std::str::FromStr>(
    column: usize,
    text: &str,
    expected: &'static str,
) -> Result<Option<T>, ConditionsError> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| wrong(column, text, expected))
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
        None if matches!(policy, "fifo" | "rr") => {
            return Err(wrong(0, policy, "enough: a real-time policy needs its number in column priority"));
        }
        None => policy.to_owned(),
    };
    let parsed: Policy = asked.parse().map_err(|_| wrong(0, policy, "a policy, such as other, fifo or rr"))?;
    if priority.is_empty() && parsed.is_real_time() && !policy.contains([':', ' ']) {
        return Err(wrong(0, policy, "enough: a real-time policy needs its number in column priority"));
    }
    Ok(Some(parsed))
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

/// Parses a number of busy threads; in tables without a kind, 0 means none.
fn read_load(load: &str, kind: &str) -> Result<Option<Load>, ConditionsError> {
    let Some(threads) = number(7, load)? else { return Ok(None) };
    if kind.is_empty() {
        return Ok((threads > 0).then_some(Load { threads, kind: LoadKind::Spin }));
    }
    let kind = kind.parse().map_err(|_| wrong(8, kind, "a kind of load, such as spin or memory"))?;
    Ok(Some(Load { threads, kind }))
}

//! A recording as a table for other programs: the columns of CSV and JSON lines, one row per sample.
//!
//! A row contains everything that distinguishes its sample: method, request, every condition as it was read back, and,
//! under `asked_…`, as it was requested. The writers and readers of such tables share this list of columns.

mod conditions;
mod pattern;

pub use conditions::{ConditionsError, load_kind_name, read_conditions, write_conditions};
pub use pattern::{PatternError, read_pattern, read_phase, write_pattern};

use crate::plan::{Cell, Conditions};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// A whole number.
    Number,
    /// Text.
    Text,
    /// `true` or `false`.
    Truth,
}

use ColumnKind::{Number, Text, Truth};

/// The columns that differ from sample to sample, and those that have been with them since the first version.
pub const SAMPLE_COLUMNS: [(&str, ColumnKind); 12] = [
    ("method", Text),
    ("thread", Number),
    ("cpu", Number),
    ("load", Number),
    ("clock", Text),
    ("sequence", Number),
    ("requested_ns", Number),
    ("deadline_ns", Number),
    ("start_ns", Number),
    ("end_ns", Number),
    ("oversleep_ns", Number),
    ("flags", Number),
];

/// The columns that are the same for all samples of a thread of a cell.
pub const CELL_COLUMNS: [(&str, ColumnKind); 26] = [
    ("cell", Number),
    ("pattern", Text),
    ("policy", Text),
    ("priority", Number),
    ("nice", Number),
    ("cpus", Text),
    ("timer_slack_ns", Number),
    ("latency_hold_ns", Number),
    ("memory_locked", Truth),
    ("load_kind", Text),
    ("threads", Number),
    ("asked_policy", Text),
    ("asked_priority", Number),
    ("asked_nice", Number),
    ("asked_cpus", Text),
    ("asked_timer_slack_ns", Number),
    ("asked_latency_hold_ns", Number),
    ("asked_memory_locked", Truth),
    ("asked_load", Number),
    ("asked_load_kind", Text),
    ("asked_threads", Number),
    ("one_cpu_each", Truth),
    ("phase", Text),
    ("traced", Truth),
    ("condition", Text),
    ("periods", Number),
];

/// The columns of conditions; those of requested conditions are prefixed with `asked_`.
pub const CONDITION_COLUMNS: [&str; 10] = [
    "policy",
    "priority",
    "nice",
    "cpus",
    "timer_slack_ns",
    "latency_hold_ns",
    "memory_locked",
    "load",
    "load_kind",
    "threads",
];

/// Returns the load stated in a cell's rows: the number of busy threads that ran, or else the number requested.
pub fn load(cell: &Cell, obtained: Option<&Conditions>) -> u16 {
    let ran = obtained.and_then(|obtained| obtained.load);
    ran.or(cell.conditions.load).map_or(0, |load| load.threads)
}

/// Returns the values of [`CELL_COLUMNS`]; empty texts where nothing was requested or read back. `periods` is the number of
/// periods planned, if the cell is a schedule ([`Plan::periods`](crate::plan::Plan::periods)).
pub fn cell_values(cell: &Cell, periods: Option<u64>, obtained: Option<&Conditions>) -> [String; CELL_COLUMNS.len()] {
    let asked = write_conditions(&cell.conditions);
    let got = obtained.map(write_conditions).unwrap_or_default();
    let [policy, priority, nice, cpus, slack, hold, locked, _, kind, threads] = got;
    let [a_policy, a_priority, a_nice, a_cpus, a_slack, a_hold, a_locked, a_load, a_kind, a_threads] = asked;
    let truth = |value: Option<bool>| value.map(|value| value.to_string()).unwrap_or_default();
    let Conditions { one_cpu_each, phase, traced, .. } = &cell.conditions;
    [
        cell.id.to_string(),
        write_pattern(cell.pattern),
        policy,
        priority,
        nice,
        cpus,
        slack,
        hold,
        locked,
        kind,
        threads,
        a_policy,
        a_priority,
        a_nice,
        a_cpus,
        a_slack,
        a_hold,
        a_locked,
        a_load,
        a_kind,
        a_threads,
        truth(*one_cpu_each),
        phase.map(pattern::write_phase).unwrap_or_default(),
        truth(*traced),
        cell.conditions.name(obtained),
        periods.map(|periods| periods.to_string()).unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests;

//! A recording as a table for other programs: the columns of CSV and JSON lines, one row per sample.
//!
//! A row contains everything that distinguishes its sample: method, request, every condition as it was read back, and,
//! under `asked_…`, as it was requested. The writers and readers of such tables share this list of columns.

mod conditions;
mod pattern;

pub use conditions::{ConditionsError, read_conditions, write_conditions};
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
pub const CELL_COLUMNS: [(&str, ColumnKind); 36] = [
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
    ("timer_resolution_ns", Number),
    ("priority_class", Text),
    ("multimedia_task", Text),
    ("qos", Text),
    ("unthrottled", Truth),
    ("asked_timer_resolution_ns", Number),
    ("asked_priority_class", Text),
    ("asked_multimedia_task", Text),
    ("asked_qos", Text),
    ("asked_unthrottled", Truth),
];

/// The columns of conditions; those of requested conditions are prefixed with `asked_`.
pub const CONDITION_COLUMNS: [&str; 15] = [
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
    "timer_resolution_ns",
    "priority_class",
    "multimedia_task",
    "qos",
    "unthrottled",
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
    let truth = |value: Option<bool>| value.map(|value| value.to_string()).unwrap_or_default();
    let Conditions { one_cpu_each, phase, traced, .. } = &cell.conditions;
    let condition = |values: &[String], column: &str| {
        let place = CONDITION_COLUMNS.iter().position(|known| *known == column);
        place.map_or_else(String::new, |place| values[place].clone())
    };
    CELL_COLUMNS.map(|(column, _)| match column {
        "cell" => cell.id.to_string(),
        "pattern" => write_pattern(cell.pattern),
        "one_cpu_each" => truth(*one_cpu_each),
        "phase" => phase.map(pattern::write_phase).unwrap_or_default(),
        "traced" => truth(*traced),
        "condition" => cell.conditions.name(obtained),
        "periods" => periods.map(|periods| periods.to_string()).unwrap_or_default(),
        of_condition => match of_condition.strip_prefix("asked_") {
            Some(column) => condition(&asked, column),
            None => condition(&got, of_condition),
        },
    })
}

#[cfg(test)]
mod tests;

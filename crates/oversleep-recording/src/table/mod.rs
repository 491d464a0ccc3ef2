//! A recording as a table for other programs: the columns of CSV and JSON lines, one row per sample.
//!
//! A row contains everything that distinguishes its sample: method, request, every condition as it was read back, and,
//! under `asked_…`, as it was requested. The writers and readers of such tables share this list of columns.

mod conditions;
mod pattern;

pub use conditions::{ConditionColumn, ConditionsError, condition_columns, read_conditions, write_conditions};
pub use pattern::{PatternError, read_pattern, write_pattern};

use crate::plan::{Cell, Conditions};
use std::sync::LazyLock;

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

use ColumnKind::{Number, Text};

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

/// The columns that are the same for all samples of a thread of a cell. Conditions come as they were obtained, then as they
/// were requested.
pub static CELL_COLUMNS: LazyLock<Vec<(String, ColumnKind)>> = LazyLock::new(|| {
    let entry = |name: &str, kind| (name.to_owned(), kind);
    let asked = condition_columns().map(|column| (asked_name(&column), column.kind));
    let obtained = condition_columns().filter(of_cell).map(|column| entry(column.name, column.kind));
    let first = [entry("cell", Number), entry("pattern", Text)].into_iter();
    first.chain(obtained).chain(asked).chain([entry("condition", Text), entry("periods", Number)]).collect()
});

/// Returns the name of a column of requested conditions.
pub fn asked_name(column: &ConditionColumn) -> String {
    if column.read_back { format!("asked_{}", column.name) } else { column.name.to_owned() }
}

/// Returns whether a column of obtained conditions is one of a cell's, rather than one of its samples' or none.
fn of_cell(column: &ConditionColumn) -> bool {
    column.read_back && !SAMPLE_COLUMNS.iter().any(|(name, _)| *name == column.name)
}

/// Returns the load stated in a cell's rows: the number of busy threads that ran, or else the number requested.
pub fn load(cell: &Cell, obtained: Option<&Conditions>) -> u16 {
    let ran = obtained.and_then(|obtained| obtained.load);
    ran.or(cell.conditions.load).map_or(0, |load| load.threads)
}

/// Returns the values of [`CELL_COLUMNS`]; empty texts where nothing was requested or read back. `periods` is the number of
/// periods planned, if the cell is a schedule ([`Plan::periods`](crate::plan::Plan::periods)).
pub fn cell_values(cell: &Cell, periods: Option<u64>, obtained: Option<&Conditions>) -> Vec<String> {
    let got = write_conditions(obtained.unwrap_or(&Conditions::default()));
    let obtained_values = condition_columns().zip(got).filter(|(column, _)| of_cell(column)).map(|(_, value)| value);
    let first = [cell.id.to_string(), write_pattern(cell.pattern)].into_iter();
    let last = [cell.conditions.name(obtained), periods.map(|periods| periods.to_string()).unwrap_or_default()];
    first.chain(obtained_values).chain(write_conditions(&cell.conditions)).chain(last).collect()
}

#[cfg(test)]
mod tests;

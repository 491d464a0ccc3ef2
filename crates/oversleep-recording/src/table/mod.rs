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
mod tests {
    use super::pattern::read_phase;
    use super::*;
    use crate::plan::{CONDITIONS, Load, LoadKind, Pattern, Phase, Policy};
    use oversleep_sys::units::Nanos;

    fn back(conditions: &Conditions) -> Conditions {
        let written = write_conditions(conditions);
        read_conditions(&written.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
    }

    /// Returns conditions of which each is stated.
    fn all() -> Conditions {
        let mut all = Conditions::default();
        for row in CONDITIONS {
            row.set(&mut all, &row.kind.example());
        }
        all
    }

    #[test]
    fn every_condition_comes_back() {
        let all = all();
        let written = write_conditions(&all);
        assert_eq!(written[..6], ["fifo", "80", "19", "3,0-2,9", "true", "7000"]);
        assert_eq!(back(&all), all);
        assert_eq!(back(&Conditions::default()), Conditions::default());
        for kind in LoadKind::ALL {
            let one = Conditions { load: Some(Load { threads: 1, kind }), ..Conditions::default() };
            assert_eq!(back(&one), one);
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        let times = [Nanos::from_micros(100), Nanos::from_micros(800), Nanos::MILLISECOND];
        let [runtime, deadline, period] = times;
        for policy in [Policy::Other, Policy::Batch, Policy::Idle, Policy::Deadline { runtime, deadline, period }] {
            let one = Conditions { policy: Some(policy), ..Conditions::default() };
            assert_eq!(back(&one), one);
        }
    }

    #[test]
    fn every_condition_has_a_column() {
        let columns: Vec<&str> = CELL_COLUMNS.iter().map(|(name, _)| name.as_str()).collect();
        let stated = serde_json::to_value(all()).unwrap();
        for name in stated.as_object().unwrap().keys() {
            let column = if name == "affinity" { "cpus" } else { name };
            assert!(columns.contains(&column) || column == "load", "{name}");
        }
        let cell = Cell { conditions: all(), ..Cell::new(3, "nap", Pattern::fixed(Nanos::MILLISECOND)) };
        let values = cell_values(&cell, Some(7), Some(&all()));
        for (column, value) in columns.iter().zip(&values) {
            assert!(!value.is_empty(), "{column}");
        }
    }

    #[test]
    fn every_pattern_and_phase_comes_back() {
        let ms = Nanos::MILLISECOND;
        for pattern in [
            Pattern::Fixed { requested: ms },
            Pattern::Periodic { period: ms },
            Pattern::Random { from: Nanos::new(3), to: ms },
            Pattern::Aligned { to: ms },
        ] {
            assert_eq!(read_pattern(&write_pattern(pattern), ms), Ok(pattern));
        }
        for phase in [Phase::BackToBack, Phase::Random { window: ms }, Phase::Warm { lead: ms }] {
            assert_eq!(read_phase(&pattern::write_phase(phase)), Ok(Some(phase)));
        }
        assert_eq!(read_phase(""), Ok(None));
    }

    #[test]
    fn what_is_no_condition_is_refused_by_its_column() {
        let with = |column: &str, text: &'static str| {
            let value = |known: ConditionColumn| match known.name {
                name if name == column => text,
                "policy" if column == "priority" => "fifo",
                "load" if column == "load_kind" => "1",
                _ => "",
            };
            read_conditions(&condition_columns().map(value).collect::<Vec<_>>())
        };
        for (column, text) in [
            ("policy", "soon"),
            ("policy", "fifo"),
            ("priority", "x"),
            ("nice", "1e9"),
            ("nice", "9999999999"),
            ("cpus", "0-4294967295"),
            ("cpus", "5-2"),
            ("timer_slack_ns", "NaN"),
            ("memory_locked", "yes"),
            ("load", "70000"),
            ("load_kind", "sleepy"),
            ("timer_resolution_ns", "often"),
            ("priority_class", "urgent"),
            ("qos", "best"),
            ("unthrottled", "maybe"),
            ("phase", "full-moon"),
        ] {
            let error = with(column, text).unwrap_err();
            assert_eq!((error.column, error.text.as_str()), (column, text));
        }
        for text in ["fixed:1", "random:1ns", "random:x..y", "aligned:0ns", "hourly", ""] {
            assert_eq!(read_pattern(text, Nanos::ZERO), Err(PatternError(text.to_owned())), "{text}");
        }
    }
}

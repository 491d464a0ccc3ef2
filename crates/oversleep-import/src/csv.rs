//! Sleeps from any program that writes a table: a header, then one row per sleep.
//!
//! Fields are separated by commas, semicolons or tabs. Columns: `requested_ns`, and either `start_ns,end_ns` or
//! `start_mono_ns,end_mono_ns`, the latter optionally together with `start_real_ns,end_real_ns`; optionally
//! `deadline_ns`, `method`, `thread`, `cpu`, `sequence`, `flags`, and every condition in our own tables
//! ([`oversleep_recording::table`]). Times may be in `_us`, `_ms` or `_s` instead, and a [`Mapping`] says what columns
//! with other names hold. Other columns are ignored. If a table has times of the wall clock and of the monotonic clock,
//! each pair becomes a [`Bracket`](oversleep_recording::Bracket), which shows steps and drift between the two.

use super::Records;
use oversleep_recording::plan::Plan;
use oversleep_recording::text::escaped;
use oversleep_recording::{Flags, Meta, Origin, Recording, Sample};
use oversleep_sys::units::Nanos;
use std::io::Read;
use std::rc::Rc;

mod cells;
mod columns;
mod error;
mod growth;
mod json_lines;
mod periods;
mod shared_fields;
mod table;
mod text;
mod units;

pub use error::{Count, CsvError};
pub(super) use table::{JSON_LINES, TABLES};
pub use units::{Mapping, TimeUnit};

/// Reads a table as a recording; `file` is kept as its origin.
///
/// If the table numbers its cells, those are the cells. Otherwise there is one cell per method × request × conditions
/// if requests repeat; if nearly every row has another request, there is one cell per method × conditions, whose
/// pattern is [`Pattern::Aligned`](oversleep_recording::plan::Pattern::Aligned) (every sleep due at a whole second of
/// the wall clock) or [`Pattern::Random`](oversleep_recording::plan::Pattern::Random).
pub fn read(input: impl Read, file: &str) -> Result<Recording, CsvError> {
    let mut table = table::Table::open(file, FORMAT, input, &Mapping::default(), 0)?;
    let mut recording = Recording::new(table.meta().clone());
    table.rows_into(&mut recording).map_err(|(why, _)| why)?;
    Ok(recording)
}

/// Name of this format.
const FORMAT: &str = "csv";

/// A sleep as a row of the table, with times in ns.
#[derive(Debug, Clone)]
struct SleepRow {
    method: Rc<str>,
    requested: i64,
    deadline: Option<i64>,
    start: i64,
    end: i64,
    real: Option<(i64, i64)>,
    thread: u16,
    cpu: u16,
    sequence: Option<u64>,
    flags: Option<u16>,
    /// Oversleep that the row states.
    oversleep: Option<i64>,
    /// Number of the row's set of fields in [`shared_fields::SharedFields`].
    field_set: u32,
}

impl SleepRow {
    fn sample(&self, cell: u32, sequence: u64) -> Sample {
        let first = if sequence == 0 { Flags::FIRST } else { Flags::default() };
        Sample {
            cell,
            thread: self.thread,
            sequence,
            requested: Nanos::new(self.requested),
            deadline: self.deadline.map(Nanos::new),
            start: Nanos::new(self.start),
            end: Nanos::new(self.end),
            cpu_start: self.cpu,
            cpu_end: self.cpu,
            flags: self.flags.map_or(first, Flags),
            ..Sample::BLANK
        }
    }

    /// Returns the distance, in ns, from the sleep's deadline to the nearest whole second of the wall clock.
    fn off_second(&self) -> Option<i64> {
        let (start, _) = self.real?;
        let rest = start.saturating_add(self.requested).rem_euclid(1_000_000_000);
        Some(rest.min(1_000_000_000 - rest))
    }
}

/// Returns the beginning of a text as an error quotes it.
fn shown(text: &str) -> String {
    escaped(text, 60)
}

/// Refuses times beyond ±146 years, which would overflow when subtracted, and rows that cannot be sleeps.
fn check(row: &SleepRow) -> Result<(), &'static str> {
    let sane = |ns: i64| ns.unsigned_abs() < 1 << 62;
    let real = row.real.is_none_or(|(start, end)| sane(start) && sane(end));
    if !(sane(row.requested) && sane(row.start) && sane(row.end) && row.deadline.is_none_or(sane) && real) {
        return Err("a time beyond 146 years");
    }
    if row.requested < 0 {
        return Err("a request below zero");
    }
    if row.end < row.start { Err("the sleep ends before it starts") } else { Ok(()) }
}

fn meta(file: &str, format: &str, plan: Plan) -> Meta {
    let origin = Origin::Imported { format: format.into(), file: super::without_folder(file) };
    Meta::new(concat!("oversleep ", env!("CARGO_PKG_VERSION")), origin, plan)
}

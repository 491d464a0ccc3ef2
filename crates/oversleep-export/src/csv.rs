//! Samples as comma-separated values, one line per sample.

use super::rows::{RowFormat, Rows, SharedText};
use oversleep_recording::Sample;
use oversleep_recording::plan::{Cell, Conditions};
use oversleep_recording::table::{CELL_COLUMNS, SAMPLE_COLUMNS, cell_values, load};
use std::io::{self, Write};

/// Writes samples as CSV. `start_ns` and `end_ns` are on the method's own clock, which `clock` names.
pub type Csv<W> = Rows<W, CsvForm>;

/// Format of a row: a line of comma-separated values.
#[derive(Debug, Clone, Copy, Default)]
pub struct CsvForm;

/// Returns the first line: the names of the columns, separated by commas.
pub fn header() -> String {
    let of_cell = CELL_COLUMNS.iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = SAMPLE_COLUMNS.iter().map(|(name, _)| *name).chain(of_cell).collect();
    names.join(",")
}

impl RowFormat for CsvForm {
    fn head(&self) -> String {
        header() + "\n"
    }

    fn shared(&self, cell: &Cell, periods: Option<u64>, obtained: Option<&Conditions>) -> SharedText {
        let fields: Vec<String> = cell_values(cell, periods, obtained).iter().map(|field| quoted(field)).collect();
        SharedText {
            begin: format!("{},", quoted(&cell.method)),
            middle: format!(",{},{},", load(cell, obtained), cell.clock.name()),
            end: format!(",{}\n", fields.join(",")),
        }
    }

    fn row(&self, shared: &SharedText, sample: &Sample, out: &mut dyn Write) -> io::Result<()> {
        let SharedText { begin, middle, end } = shared;
        let Sample { thread, sequence, flags, .. } = sample;
        let cpu = sample.cpu().map_or_else(String::new, |cpu| cpu.to_string());
        let deadline = sample.deadline.map(|deadline| deadline.get().to_string()).unwrap_or_default();
        let (requested, start, ended) = (sample.requested.get(), sample.start.get(), sample.end.get());
        let (late, flags) = (sample.oversleep().get(), flags.0);
        write!(
            out,
            "{begin}{thread},{cpu}{middle}{sequence},{requested},{deadline},{start},{ended},{late},{flags}{end}"
        )
    }
}

fn quoted(field: &str) -> String {
    // A line that begins with `#` would be read as a comment.
    if field.contains([',', '"', '\r', '\n']) || field.starts_with('#') {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

//! Reads files as recordings: our own, and those of other programs. One file per format.
//!
//! ```
//! use oversleep_import as import;
//! use oversleep_recording::Recording;
//!
//! let table = "requested_ns,start_ns,end_ns\n1000000,0,1058000\n";
//! let mut source = import::open("sleeps.csv", table.as_bytes())?;
//! let mut recording = Recording::new(source.meta().clone()); // or any other sink
//! let ending = source.read_into(&mut recording);
//! assert!(ending.remark().is_none() && recording.samples.len() == 1);
//! # Ok::<(), import::ImportError>(())
//! ```
//!
//! To add a format: a file with its `Importer`, and a line in `IMPORTERS`.

pub mod asked;
mod buckets;
mod contradiction;
pub mod csv;
mod cyclictest_histogram;
mod cyclictest_lines;
mod cyclictest_verbose;
mod error;
mod getopt;
mod hlog;
mod hyperfine;
mod jitterdebugger;
mod jitterdebugger_samples;
mod json;
mod json_figures;
mod line_reader;
mod ltp;
mod oslat;
mod perf_sched;
mod recording;
mod rt_command;
mod rt_tests;
mod rtla;
mod rtla_analysis;
mod rtla_top;
mod segments;
mod shown_names;
mod streamed;
mod stress_ng;
mod values;
mod whole_file;

pub use error::{Ending, ImportError};
pub use getopt::GivenOption;
pub use rt_command::cyclictest_options;

use oversleep_recording::{Meta, Origin, Sink};
use std::io::{BufRead, Cursor, Read};
use std::path::Path;
use whole_file::has;

/// Every format, in the order in which they are tried. Tables come last because nothing marks them: any file that no
/// other format recognises is read as a table, and the error then says what a table needs.
const IMPORTERS: &[Importer] = &[
    recording::RECORDINGS,
    rt_tests::RT_TESTS,
    cyclictest_histogram::CYCLICTEST_HISTOGRAM,
    cyclictest_verbose::CYCLICTEST_VERBOSE,
    cyclictest_lines::CYCLICTEST_LINES,
    jitterdebugger::JITTERDEBUGGER,
    jitterdebugger_samples::JITTERDEBUGGER_CSV,
    rtla::RTLA,
    rtla_analysis::RTLA_ANALYSIS,
    rtla_top::RTLA_TOP,
    oslat::OSLAT,
    hlog::HLOG,
    stress_ng::STRESS_NG,
    hyperfine::HYPERFINE,
    perf_sched::SCHED_TIMEHIST,
    perf_sched::SCHED_SCRIPT,
    ltp::LTP_TIMERS,
    csv::JSON_LINES,
    jitterdebugger_samples::JITTERDEBUGGER_RAW,
    csv::TABLES,
];

/// Number of bytes at the beginning of a file from which its format is recognised.
const START: u64 = 4096;

/// First bytes of a text in UTF-8 as some editors and spreadsheets save it. No format has them.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// The text of a file.
type Input<'a> = Box<dyn BufRead + 'a>;

/// A file whose head was read, or why it was not.
type Opened<'a> = Result<Box<dyn Records + 'a>, ImportError>;

/// A format that can be read.
#[derive(Clone, Copy)]
struct Importer {
    /// Name of the format as shown to users, such as `csv`.
    name: &'static str,
    /// Returns whether a file that begins with this (at most 4096 bytes, all of a shorter file) has the format.
    sniff: fn(&[u8]) -> bool,
    /// Whether the format has columns that a mapping can name.
    is_table: bool,
    /// Reads the head of a file, which errors call by this name.
    read: for<'a> fn(&str, Input<'a>, &ImportOptions) -> Opened<'a>,
}

impl Importer {
    const fn new(
        name: &'static str,
        sniff: fn(&[u8]) -> bool,
        read: for<'a> fn(&str, Input<'a>, &ImportOptions) -> Opened<'a>,
    ) -> Self {
        Self { name, sniff, is_table: false, read }
    }
}

/// What users state about a file because the file does not.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Names of a table's columns.
    pub columns: csv::Mapping,
    /// Whether the file is one of several, so that the columns may be those of another.
    pub among_others: bool,
}

/// A file whose head has been read, but not its samples.
pub trait Records {
    /// Returns the head. After [`Records::read_into`] it has every cell, including those found while reading.
    fn meta(&self) -> &Meta;
    /// Passes all samples and notes to `sink` and returns how the file ended.
    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending;
    /// Returns remarks on the file's contents for users, one line each.
    fn remarks(&self) -> &[String] {
        &[]
    }
}

/// An open file of a recognised format.
pub struct ImportedFile<'a> {
    format: &'static str,
    records: Box<dyn Records + 'a>,
}

/// Returns a file's name without its folder, which a recording should not disclose.
fn without_folder(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned())
}

impl ImportedFile<'_> {
    /// Returns the name of the file's format.
    pub fn format(&self) -> &'static str {
        self.format
    }

    /// Returns the head; after [`ImportedFile::read_into`] it has every cell, including those found while reading.
    pub fn meta(&self) -> &Meta {
        self.records.meta()
    }

    /// Returns remarks on the file's contents for users, one line each.
    pub fn remarks(&self) -> &[String] {
        self.records.remarks()
    }

    /// Passes all samples and notes to `sink` and returns how the file ended. Must be called only once.
    pub fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        self.records.read_into(sink)
    }
}

/// Opens the segments of `serve` in a folder, which are one recording.
pub fn open_segments(folder: &Path) -> Result<ImportedFile<'static>, ImportError> {
    let records = segments::SegmentedRecording::open(folder)?;
    Ok(ImportedFile { format: recording::NAME, records: Box::new(records) })
}

/// Recognises the format of `input` from its first bytes and reads its head. `name` is the name of the file, for errors
/// and as the recording's origin.
pub fn open<'a>(name: &str, input: impl BufRead + 'a) -> Result<ImportedFile<'a>, ImportError> {
    open_with(name, input, &ImportOptions::default())
}

/// Returns whether a file has columns that a mapping can name, by the head that it was read with.
pub fn is_table(meta: &Meta) -> bool {
    let Origin::Imported { format, .. } = &meta.origin else { return false };
    IMPORTERS.iter().any(|importer| importer.is_table && importer.name == format)
}

/// Does the same as [`open`], with options that state what the file does not.
pub fn open_with<'a>(
    name: &str,
    mut input: impl BufRead + 'a,
    options: &ImportOptions,
) -> Result<ImportedFile<'a>, ImportError> {
    let mut start = Vec::new();
    let unreadable = |source| ImportError::Read { name: name.to_owned(), source };
    input.by_ref().take(START).read_to_end(&mut start).map_err(unreadable)?;
    if start.starts_with(&BYTE_ORDER_MARK) {
        start.drain(..BYTE_ORDER_MARK.len());
    }
    if start.is_empty() {
        return Err(ImportError::Nothing { name: name.to_owned() });
    }
    if is_utf16(&start) {
        return Err(ImportError::Utf16 { name: name.to_owned() });
    }
    if let Some((what, instead)) = unsupported(&start) {
        return Err(ImportError::NotRead { name: name.to_owned(), what, instead });
    }
    let Some(importer) = IMPORTERS.iter().find(|importer| (importer.sniff)(&start)) else {
        let known = IMPORTERS.iter().map(|importer| importer.name).collect();
        return Err(ImportError::Unknown { name: name.to_owned(), known });
    };
    if importer.is_table && is_binary(&start) {
        return Err(ImportError::Binary { name: name.to_owned() });
    }
    let surplus = match (options.columns.is_empty(), options.columns.request()) {
        (false, _) => Some("it has no columns to name"),
        (true, Some(_)) => Some("it says itself what was asked for; leave out --asked"),
        (true, None) => None,
    };
    if let Some(why) = surplus.filter(|_| !options.among_others && !importer.is_table) {
        return Err(ImportError::NoTable { name: name.to_owned(), format: importer.name, why });
    }
    let whole = Cursor::new(start).chain(input);
    Ok(ImportedFile { format: importer.name, records: (importer.read)(name, Box::new(whole), options)? })
}

/// Returns whether the first line has a byte that no text has.
fn is_binary(start: &[u8]) -> bool {
    start.iter().take_while(|byte| **byte != b'\n').any(|byte| *byte == 0)
}

/// Returns whether text begins with UTF-16's byte order mark, or with two ASCII letters in UTF-16.
fn is_utf16(start: &[u8]) -> bool {
    match *start {
        // A recording of which the first or second byte has changed.
        [_, _, 0xFF, 0xFF, ..] => false,
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => a.is_ascii_graphic() && b.is_ascii_graphic(),
        _ => false,
    }
}

/// Returns what a file is that begins with `start`, if it is of a kind that is not read, and what to read instead.
fn unsupported(start: &[u8]) -> Option<(&'static str, &'static str)> {
    const SAMPLES: &str = "read the recording or a table of sleeps instead";
    let first = start.trim_ascii_start();
    match start {
        [0x1F, 0x8B, ..] => Some(("data compressed by gzip", "decompress it first")),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(("data compressed by zstd", "decompress it first")),
        [b'P', b'K', 3, 4, ..] => Some(("a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV")),
        [b'P', b'A', b'R', b'1', ..] => Some(("a table in Parquet", SAMPLES)),
        [0x89, b'P', b'N', b'G', ..] => Some(("a picture (PNG)", SAMPLES)),
        _ if start.starts_with(b"PERFILE2") => Some((
            "perf's own recording",
            "write it as text first: perf sched timehist -i FILE, or perf script -i FILE",
        )),
        _ if has(start, "Max delay ms") || has(start, "run-time") && has(start, "sched-in") => {
            Some(("a summary by perf sched", "read what perf sched timehist writes, or perf script"))
        }
        _ if first.starts_with(b"[{") => Some((
            "a list in JSON",
            "give each of its documents a file of its own, or write one object per line (JSON lines)",
        )),
        _ if first.starts_with(b"{") && has(start, "\"format\"") && has(start, "\"tool\": \"oversleep") => {
            Some(("a document of figures (--json of oversleep)", SAMPLES))
        }
        _ if first.starts_with(b"<svg") || first.starts_with(b"<?xml") => {
            Some(("a picture (SVG) or other XML", SAMPLES))
        }
        _ if has(start, " Percentile TotalCount 1/(1-Percentile)") => Some((
            "HdrHistogram's list of percentiles (.hgrm)",
            "read the log (.hlog), the recording or a table of sleeps instead",
        )),
        _ if first.starts_with(b"# HELP ") || first.starts_with(b"# TYPE ") => {
            Some(("a file of metrics (Prometheus)", SAMPLES))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;

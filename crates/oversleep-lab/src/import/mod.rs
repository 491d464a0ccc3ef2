//! Files as recordings: our own, and other programs'. A file per format.
//!
//! ```
//! use oversleep_lab::import;
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
//! To add a format: a file with its [`Importer`], and a line in [`IMPORTERS`].

pub mod csv;
mod cyclictest_histogram;
mod cyclictest_lines;
mod cyclictest_verbose;
mod error;
mod hlog;
mod hyperfine;
mod jitterdebugger;
mod jitterdebugger_samples;
mod ltp;
mod oslat;
mod perf_sched;
mod recording;
mod rt_command;
mod rt_tests;
mod rtla;
mod stress_ng;
mod values;
mod whole;

pub use error::{Ending, ImportError};

use oversleep_recording::{Meta, Sink};
use std::io::{BufRead, Cursor, Read};

/// Every format, in the order in which they are tried. A table has no mark of its own and comes last: what nobody else
/// recognises is read as one, and its errors say what a table needs.
pub const IMPORTERS: &[&dyn Importer] = &[
    &recording::Recordings,
    &rt_tests::RtTests,
    &cyclictest_histogram::CyclictestHistogram,
    &cyclictest_verbose::CyclictestVerbose,
    &cyclictest_lines::CyclictestLines,
    &jitterdebugger::Jitterdebugger,
    &jitterdebugger_samples::JitterdebuggerCsv,
    &rtla::Rtla,
    &oslat::Oslat,
    &hlog::Hlog,
    &stress_ng::StressNg,
    &hyperfine::Hyperfine,
    &perf_sched::Timehist,
    &perf_sched::SchedScript,
    &ltp::LtpTimers,
    &csv::Lines,
    &jitterdebugger_samples::JitterdebuggerRaw,
    &csv::Tables,
];

/// Bytes at a file's beginning that tell its format.
const START: u64 = 4096;

/// A format that can be read.
pub trait Importer: Sync {
    /// Returns what people call it, such as `csv`.
    fn name(&self) -> &'static str;
    /// Says whether a file that begins with `start` (at most 4096 bytes, all of a shorter file) has this format.
    fn sniff(&self, start: &[u8]) -> bool;
    /// Returns whether its columns may have names of their own, which a mapping tells.
    fn is_table(&self) -> bool {
        false
    }
    /// Reads the head of `input`, which `name` stands for in errors.
    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        options: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError>;
}

/// What people say of a file that it does not say itself.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Which columns of a table hold what.
    pub columns: csv::Mapping,
}

/// A file whose head has been read, and whose samples have not.
pub trait Records {
    /// Returns what the head says. After [`Records::read_into`] it has every cell, those found on the way included.
    fn meta(&self) -> &Meta;
    /// Hands all samples and notes to `sink` and says how the file ended.
    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending;
    /// Returns what people should be told of the file's contents, a line each.
    fn remarks(&self) -> &[String] {
        &[]
    }
}

/// An open file of a recognised format.
pub struct Source<'a> {
    format: &'static str,
    records: Box<dyn Records + 'a>,
}

impl Source<'_> {
    /// Returns the name of its format.
    pub fn format(&self) -> &'static str {
        self.format
    }

    /// Returns what the head says; after [`Source::read_into`] with every cell found on the way.
    pub fn meta(&self) -> &Meta {
        self.records.meta()
    }

    /// Returns what people should be told of the file's contents, a line each.
    pub fn remarks(&self) -> &[String] {
        self.records.remarks()
    }

    /// Hands all samples and notes to `sink` and says how the file ended. To be called once.
    pub fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        self.records.read_into(sink)
    }
}

/// Recognises the format of `input` from its first bytes and reads its head. `name` is the file's, for errors and as
/// the recording's origin.
pub fn open<'a>(name: &str, input: impl BufRead + 'a) -> Result<Source<'a>, ImportError> {
    open_with(name, input, &ImportOptions::default())
}

/// Does the same with what people say of the file.
pub fn open_with<'a>(
    name: &str,
    mut input: impl BufRead + 'a,
    options: &ImportOptions,
) -> Result<Source<'a>, ImportError> {
    let mut start = Vec::new();
    let unreadable = |source| ImportError::Read { name: name.to_owned(), source };
    input.by_ref().take(START).read_to_end(&mut start).map_err(unreadable)?;
    if start.is_empty() {
        return Err(ImportError::Nothing { name: name.to_owned() });
    }
    if is_utf16(&start) {
        return Err(ImportError::Utf16 { name: name.to_owned() });
    }
    let Some(importer) = IMPORTERS.iter().find(|importer| importer.sniff(&start)) else {
        let known = IMPORTERS.iter().map(|importer| importer.name()).collect();
        return Err(ImportError::Unknown { name: name.to_owned(), known });
    };
    if !options.columns.is_empty() && !importer.is_table() {
        return Err(ImportError::NoTable { name: name.to_owned(), format: importer.name() });
    }
    let whole = Cursor::new(start).chain(input);
    Ok(Source { format: importer.name(), records: importer.read(name, Box::new(whole), options)? })
}

/// Whether text begins with the mark of UTF-16, or with two letters of it.
fn is_utf16(start: &[u8]) -> bool {
    match *start {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => a.is_ascii_graphic() && b.is_ascii_graphic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;

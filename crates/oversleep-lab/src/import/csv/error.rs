//! Why a table could not be read, in words that say what to change.

use super::text::{LONGEST, TooLong};
use std::io;

/// Why a table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// The system refused.
    #[error("{0}")]
    Io(io::Error),
    /// The csv library found something that has no line here.
    #[error("not readable as CSV: {0}")]
    Csv(csv::Error),
    /// A column without which nothing can be said.
    #[error(
        "the header lacks `{column}`; needed are requested_ns and start_ns,end_ns (or start_mono_ns,end_mono_ns), also in \
         _us, _ms or _s; the command line's --columns takes other names; {seen}"
    )]
    Column {
        /// The column.
        column: &'static str,
        /// What the first line looks like instead.
        seen: String,
    },
    /// A row of more or fewer fields than the header.
    #[error("line {line}: {found} where the header has {expected}")]
    Fields {
        /// Line in the file, from 1.
        line: u64,
        /// How many fields it has.
        found: Count,
        /// How many the header has.
        expected: u64,
    },
    /// Bytes that are no text.
    #[error("line {line}: this is not text in UTF-8")]
    Binary {
        /// Line in the file, from 1.
        line: u64,
    },
    /// A row without an end.
    #[error("line {line} does not end within {} MiB, so this is not a table (or a quotation mark is left open)", LONGEST >> 20)]
    Long {
        /// Line in the file, from 1.
        line: u64,
    },
    /// A field that is no number of nanoseconds.
    #[error("line {line}: `{text}` in column {column} is not {expected}")]
    Number {
        /// Line in the file, from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
        /// What should.
        expected: &'static str,
    },
    /// A field without anything in it.
    #[error("line {line}: column {column} is empty")]
    Missing {
        /// Line in the file, from 1.
        line: u64,
        /// The column's name.
        column: String,
    },
    /// A row that cannot be a sleep.
    #[error("line {line}: {why}")]
    Row {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// A row whose conditions cannot be read.
    #[error("line {line}: {why}")]
    Told {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A column that was named and is not there.
    #[error("no column is called `{column}`; {seen}")]
    Mapped {
        /// The column.
        column: String,
        /// What the first line looks like.
        seen: String,
    },
    /// Sleeps that last another power of ten than they were asked to.
    #[error(
        "sleeps last {factor} times as long as asked: {start} and {end} count in another unit than {requested}; \
         say which with --columns start={start}:UNIT,end={end}:UNIT,requested={requested}:UNIT"
    )]
    Unit {
        /// By how much.
        factor: &'static str,
        /// The column of starts.
        start: String,
        /// The column of ends.
        end: String,
        /// The column of requests.
        requested: String,
    },
    /// Ends that count in another unit than starts.
    #[error(
        "{end} is {factor} times {start} in nearly every row: the two count in different units; \
         say which with --columns start={start}:UNIT,end={end}:UNIT"
    )]
    Mixed {
        /// By how much.
        factor: &'static str,
        /// The column of starts.
        start: String,
        /// The column of ends.
        end: String,
    },
    /// A line that is no object.
    #[error("line {line}: {why}")]
    Json {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A header and nothing else.
    #[error("a header and no rows")]
    Empty,
    /// Comments without end.
    #[error("no header in the first MiB, comments alone")]
    Headless,
    /// Nothing at all.
    #[error("nothing in it: no recording and no table")]
    Nothing,
}

/// A number of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u64);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(count) = self;
        write!(f, "{count} field{}", if *count == 1 { "" } else { "s" })
    }
}

impl CsvError {
    /// Makes one of the library's error, at a line where it names none.
    pub(super) fn at(error: csv::Error, line: u64) -> Self {
        let of = |pos: &Option<csv::Position>| pos.as_ref().map_or(line, csv::Position::line);
        match error.kind() {
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                Self::Fields { line: of(pos), found: Count(*len), expected: *expected_len }
            }
            csv::ErrorKind::Utf8 { pos, .. } => Self::Binary { line: of(pos) },
            csv::ErrorKind::Io(_) => match error.into_kind() {
                csv::ErrorKind::Io(error) => Self::io(error, line),
                _ => Self::Empty,
            },
            _ => Self::Csv(error),
        }
    }

    /// Makes one of a refused read while this line was being read.
    pub(super) fn io(error: io::Error, line: u64) -> Self {
        if let Some(told) = super::lines::no_object(&error) {
            return told;
        }
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
        if let Some(TooLong) = inner { Self::Long { line } } else { Self::Io(error) }
    }
}

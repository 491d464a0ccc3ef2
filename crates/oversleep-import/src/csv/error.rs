//! Errors of tables, worded to say what to change.

use super::text::{LONGEST, TooLong};
use std::io;

/// Reason why a table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// The system refused to read.
    #[error("{0}")]
    Io(io::Error),
    /// Any other error of the csv library.
    #[error("not readable as CSV: {0}")]
    Csv(csv::Error),
    /// A column is missing that every table needs.
    #[error(
        "the header lacks `{column}` (a table needs requested_ns, start_ns and end_ns; --columns takes other names and units; without \
         starts, requested_ms and took_ms; `explain --asked 5ms` takes one request for all rows); \
         {seen}"
    )]
    Column {
        /// Name of the column.
        column: &'static str,
        /// What the first line looks like instead.
        seen: String,
    },
    /// A row has more or fewer fields than the header.
    #[error("line {line}: {found} where the header has {expected}")]
    Fields {
        /// Line in the file, from 1.
        line: u64,
        /// Number of its fields.
        found: Count,
        /// Number of the header's fields.
        expected: u64,
    },
    /// Some bytes are not UTF-8 text.
    #[error("line {line}: this is not text in UTF-8")]
    Binary {
        /// Line in the file, from 1.
        line: u64,
    },
    /// A row does not end.
    #[error("line {line} does not end within {} MiB, so this is not a table (or a quotation mark is left open)", LONGEST >> 20)]
    Long {
        /// Line in the file, from 1.
        line: u64,
    },
    /// A field is not a number of the expected kind.
    #[error("line {line}: `{text}` in column {column} is not {expected}")]
    Number {
        /// Line in the file, from 1.
        line: u64,
        /// Name of the column.
        column: String,
        /// Text of the field.
        text: String,
        /// What is expected there.
        expected: &'static str,
    },
    /// A field is empty.
    #[error("line {line}: column {column} is empty")]
    Missing {
        /// Line in the file, from 1.
        line: u64,
        /// Name of the column.
        column: String,
    },
    /// A row cannot be a sleep.
    #[error("line {line}: {why}")]
    Row {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// The conditions of a row cannot be read.
    #[error("line {line}: {why}")]
    Conditions {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A column named in a mapping does not exist.
    #[error("no column is called `{column}`; {seen}")]
    Mapped {
        /// Name of the column.
        column: String,
        /// What the first line looks like.
        seen: String,
    },
    /// Two columns hold the same thing.
    #[error("columns `{first}` and `{second}` both give {field}; {advice}")]
    Contradictory {
        /// What both give, such as `end`.
        field: String,
        /// Name of one of the columns.
        first: String,
        /// Name of the other.
        second: String,
        /// What to do.
        advice: &'static str,
    },
    /// A mapping and the usual names take one column for two things.
    #[error("column `{column}` is taken both for {first} and for {second}; each needs a column of its own (--columns)")]
    Shared {
        /// Name of the column.
        column: String,
        /// One field.
        first: &'static str,
        /// The other field.
        second: &'static str,
    },
    /// The last line has no line end.
    #[error("line {line}: it has no end; if the file is whole, add a line end")]
    Cut {
        /// Line in the file, from 1.
        line: u64,
    },
    /// Sleeps last a thousand or a million times longer or shorter than the request that was stated.
    #[error(
        "sleeps last {factor} times as long as --asked says: correct it, or say in which unit the times are, as in --columns \
         start={start}:us,end={end}:us"
    )]
    StatedUnit {
        /// Factor by which they do.
        factor: &'static str,
        /// Name of the column of starts.
        start: String,
        /// Name of the column of ends.
        end: String,
    },
    /// Sleeps last a thousand or a million times longer or shorter than requested.
    #[error(
        "sleeps last {factor} times as long as asked: {start} and {end} count in another unit than {requested}; \
         say which with --columns start={start}:UNIT,end={end}:UNIT,requested={requested}:UNIT"
    )]
    Unit {
        /// Factor by which they do.
        factor: &'static str,
        /// Name of the column of starts.
        start: String,
        /// Name of the column of ends.
        end: String,
        /// Name of the column of requests.
        requested: String,
    },
    /// Sleeps last longer by a thousand or a million times of what is added to the request.
    #[error(
        "where {requested} grows by 1, {end} minus {start} grows by {factor}: {start} and {end} count in another unit than \
         {requested}; say which with --columns start={start}:UNIT,end={end}:UNIT,requested={requested}:UNIT"
    )]
    Growth {
        /// Factor by which they do.
        factor: &'static str,
        /// Name of the column of starts.
        start: String,
        /// Name of the column of ends.
        end: String,
        /// Name of the column of requests.
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
    /// No sleep of the table takes any time.
    #[error(
        "{end} equals {start} in all {rows} rows: so no sleep took any time, and there is nothing to explain; were they written with too \
             few digits, or are other columns meant (--columns)?"
    )]
    Instant {
        /// Number of rows.
        rows: usize,
        /// Name of the column of starts.
        start: String,
        /// Name of the column of ends.
        end: String,
    },
    /// A column and the caller both say what was asked for.
    #[error("what was asked for is in the table (column `{column}`) and in --asked; leave out --asked")]
    Asked {
        /// Name of the column.
        column: String,
    },
    /// A line is not a JSON object.
    #[error("line {line}: {why}")]
    Json {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// There is too much of something.
    #[error("more than {0}")]
    TooMuch(&'static str),
    /// There is a header but no rows.
    #[error("a header and no rows")]
    Empty,
    /// There is no header in the first MiB, only comments.
    #[error("no header in the first MiB, comments alone")]
    Headless,
    /// The file is empty.
    #[error("it is empty: no recording and no table; copy it again from where it was made, or measure again")]
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
    /// Converts an error of the csv library that occurred in the row that begins in this line.
    pub(super) fn at(error: csv::Error, line: u64) -> Self {
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                Self::Fields { line, found: Count(*len), expected: *expected_len }
            }
            csv::ErrorKind::Utf8 { .. } => Self::Binary { line },
            csv::ErrorKind::Io(_) => match error.into_kind() {
                csv::ErrorKind::Io(error) => Self::io(error, line),
                _ => Self::Empty,
            },
            _ => Self::Csv(error),
        }
    }

    /// Converts an error of reading that occurred at this line.
    pub(super) fn io(error: io::Error, line: u64) -> Self {
        if let Some(told) = super::json_lines::no_object(&error) {
            return told;
        }
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
        if let Some(TooLong) = inner { Self::Long { line } } else { Self::Io(error) }
    }
}

//! Errors of reading a file, and the ways a readable file ended.

use super::csv::CsvError;
use oversleep_recording::file::{ReadError, Tail};
use oversleep_recording::text::short;
use std::io;

/// Reason why a file could not be read. Each error names the file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refused to read.
    #[error("cannot read {name}: {source}")]
    Read {
        /// Name of the file.
        name: String,
        /// Error of the system.
        source: io::Error,
    },
    /// The file is empty.
    #[error("{name}: {}", CsvError::Nothing)]
    Nothing {
        /// Name of the file.
        name: String,
    },
    /// The file is text in UTF-16, which spreadsheets save as "Unicode".
    #[error("{name}: this is text in UTF-16; save it as UTF-8")]
    Utf16 {
        /// Name of the file.
        name: String,
    },
    /// The file is of a kind that is known and not read.
    #[error("{name}: this is {what}, which is not read; {instead}")]
    NotRead {
        /// Name of the file.
        name: String,
        /// What the file is.
        what: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// The file is not text, and no importer recognises it.
    #[error(
        "{name}: this is neither a recording nor text, or its beginning is damaged; name a recording (.arrows) or a table of sleeps"
    )]
    Binary {
        /// Name of the file.
        name: String,
    },
    /// No importer recognises the file.
    #[error("{name}: of no known format ({})", known.join(", "))]
    Unknown {
        /// Name of the file.
        name: String,
        /// Names of the known formats.
        known: Vec<&'static str>,
    },
    /// Columns were mapped, or a request was stated for all rows, but the file is not a table.
    #[error("{name}: this is not a table (read as {format}), so {why}")]
    NoTable {
        /// Name of the file.
        name: String,
        /// The format that was recognised.
        format: &'static str,
        /// What does not go with it.
        why: &'static str,
    },
    /// A recording is damaged or too new.
    #[error(transparent)]
    Recording(#[from] ReadError),
    /// Another program's file has an error.
    #[error("{name}: {} (read as {format}){}", short(why), counted(*sound))]
    Foreign {
        /// Name of the file.
        name: String,
        /// The format that was recognised.
        format: &'static str,
        /// What is wrong, where, and what is expected there.
        why: String,
        /// Number of sleeps before the error, which can be used; 0 if none can.
        sound: u64,
    },
    /// A table has an error.
    #[error("{name}: {}{}", short(&why.to_string()), sound(*rows))]
    Table {
        /// Name of the file.
        name: String,
        /// What is wrong, in which line, and what is expected there.
        why: Box<CsvError>,
        /// Number of valid rows before the error.
        rows: u64,
    },
}

impl ImportError {
    /// Returns whether the part before the error can be used.
    pub fn has_sound_part(&self) -> bool {
        match self {
            Self::Foreign { sound, .. } => *sound > 0,
            Self::Table { rows, .. } => *rows > 0,
            Self::Recording(ReadError::Damaged { batch, .. }) => *batch > 1,
            _ => false,
        }
    }

    /// Adds a clause to the error of another program's file.
    pub(super) fn with(mut self, clause: &str) -> Self {
        if let Self::Foreign { why, .. } = &mut self {
            *why = format!("{why}; {clause}");
        }
        self
    }

    /// Adds the number of sleeps before the error to the error of another program's file.
    pub(super) fn with_sound(mut self, counted: u64) -> Self {
        if let Self::Foreign { sound, .. } = &mut self {
            *sound = counted;
        }
        self
    }
}

fn counted(sound: u64) -> String {
    if sound == 0 { String::new() } else { format!("; sleeps counted before that: {sound}") }
}

fn sound(rows: u64) -> String {
    if rows == 0 { String::new() } else { format!("; sound rows before that: {rows}") }
}

/// How a file ended. Everything before the end has been passed to the sink.
#[derive(Debug)]
pub enum Ending {
    /// As it should.
    Complete,
    /// Between two batches: the run that wrote it was killed.
    Unfinished,
    /// Within a batch, which is left out.
    Torn {
        /// Beginning of that batch, in bytes from the beginning of the file.
        offset: u64,
    },
    /// At an error in the file.
    Broken(ImportError),
}

impl Ending {
    /// Returns a remark to show about a file that ended early without an error; `None` if it is complete.
    pub fn remark(&self) -> Option<String> {
        match self {
            Self::Unfinished => {
                Some("the run that made this recording did not end properly; it is whole up to then".to_owned())
            }
            Self::Torn { offset } => {
                Some(format!("the recording breaks off at byte {offset}; it is whole up to there"))
            }
            Self::Complete | Self::Broken(_) => None,
        }
    }
}

impl From<Tail> for Ending {
    fn from(tail: Tail) -> Self {
        match tail {
            Tail::Closed => Self::Complete,
            Tail::Open => Self::Unfinished,
            Tail::Torn { offset } => Self::Torn { offset },
        }
    }
}

//! Why a file could not be read, and how one that could be read ended.

use super::csv::CsvError;
use oversleep_recording::file::{ReadError, Tail};
use std::io;

/// Why a file could not be read. Each names the file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refused.
    #[error("cannot read {name}: {source}")]
    Read {
        /// The file.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// It is empty.
    #[error("{name}: {}", CsvError::Nothing)]
    Nothing {
        /// The file.
        name: String,
    },
    /// It is text in UTF-16, as spreadsheets save it when asked for "Unicode".
    #[error("{name}: this is text in UTF-16; save it as UTF-8")]
    Utf16 {
        /// The file.
        name: String,
    },
    /// No importer recognises it.
    #[error("{name}: of no known format ({})", known.join(", "))]
    Unknown {
        /// The file.
        name: String,
        /// The names of the formats that are known.
        known: Vec<&'static str>,
    },
    /// It was said which columns hold what, and it has no columns.
    #[error("{name}: this is no table (read as {format}), so it has no columns to name")]
    NoTable {
        /// The file.
        name: String,
        /// The format it was recognised as.
        format: &'static str,
    },
    /// A recording that is damaged or too new.
    #[error(transparent)]
    Recording(#[from] ReadError),
    /// Another program's file with something wrong in it.
    #[error("{name}: {why} (read as {format}){}", counted(*sound))]
    Foreign {
        /// The file.
        name: String,
        /// The format it was taken for.
        format: &'static str,
        /// What is wrong, where, and what is expected there.
        why: String,
        /// Sleeps counted before that, which can be used; 0 if none can.
        sound: u64,
    },
    /// A table with something wrong in it.
    #[error("{name}: {why}{}", sound(*rows))]
    Table {
        /// The file.
        name: String,
        /// What is wrong, in which line, and what is expected there.
        why: CsvError,
        /// Sound rows before that.
        rows: u64,
    },
}

impl ImportError {
    /// Returns whether what stands before the fault can be used.
    pub fn has_sound_part(&self) -> bool {
        match self {
            Self::Foreign { sound, .. } => *sound > 0,
            Self::Table { rows, .. } => *rows > 0,
            Self::Recording(ReadError::Damaged { batch, .. }) => *batch > 1,
            _ => false,
        }
    }

    /// Returns the fault of another program's file before which `sound` sleeps were counted.
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

/// How a file ended. Whatever stands before the end is in the sink.
#[derive(Debug)]
pub enum Ending {
    /// Properly.
    Complete,
    /// Between two batches: the run that made it was killed.
    Unfinished,
    /// Within a batch, which is left out.
    Torn {
        /// Where the batch begins, in bytes from the file's beginning.
        offset: u64,
    },
    /// Something is wrong in it.
    Broken(ImportError),
}

impl Ending {
    /// Returns what people should be told of a file that ended without being damaged; `None` if nothing.
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

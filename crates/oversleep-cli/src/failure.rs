//! Why a command ends without success: one clear line and an exit code.

use oversleep_lab::recording::file::{ReadError, WriteError};
use std::fmt::Display;
use std::io;

/// What went wrong, sorted by what the caller of the program can do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check that was asked for failed (exit 1). Its lines are already shown.
    Check,
    /// The request makes no sense (exit 2).
    Usage(String),
    /// It could not be measured, read or written (exit 3).
    Trouble(String),
    /// Whoever read our output has gone: nothing to say, and nobody to say it to (exit 0).
    ReaderGone,
}

impl Failure {
    pub(crate) fn usage(text: impl Display) -> Self {
        Self::Usage(text.to_string())
    }

    pub(crate) fn trouble(text: impl Display) -> Self {
        Self::Trouble(text.to_string())
    }

    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::ReaderGone => 0,
            Self::Check => 1,
            Self::Usage(_) => 2,
            Self::Trouble(_) => 3,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Check | Self::ReaderGone => None,
            Self::Usage(text) | Self::Trouble(text) => Some(text),
        }
    }
}

/// A usage error in one line, tip included; help and version are shown and end the program as they should.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        if !error.use_stderr() {
            error.exit();
        }
        let text = error.render().to_string();
        let told = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
        let told: Vec<_> = told.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
        Self::Usage(told.join("; ").trim_start_matches("error: ").to_owned())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ReaderGone } else { Self::trouble(error) }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::trouble(error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::trouble(error)
    }
}

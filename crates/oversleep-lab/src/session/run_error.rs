//! Errors of runs.

use oversleep_capture::runtimes::StartError;
use oversleep_recording::file::WriteError;
use std::io;
use std::path::PathBuf;

/// Reason why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording's file cannot be made or written.
    #[error(transparent)]
    Keep(#[from] WriteError),
    /// No thread can be started.
    #[error("cannot start a thread to sleep in: {0}")]
    Thread(io::Error),
    /// No temporary folder can be made.
    #[error("cannot make a temporary folder in {}: {}", .within.display(), without_path(.error))]
    Folder {
        /// The folder in which it was to be.
        within: PathBuf,
        /// Reason.
        error: io::Error,
    },
    /// The machine does not allow this run; with the reason.
    #[error("{0}")]
    Refused(String),
}

impl From<StartError> for RunError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Thread(error) => Self::Thread(error),
            StartError::Folder { within, error } => Self::Folder { within, error },
        }
    }
}

/// Returns an error without the path that was tried: its last part is made up.
fn without_path(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or_default().to_owned()
}

//! Errors of runs.

use oversleep_recording::file::WriteError;
use std::io;

/// Reason why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording's file cannot be made or written.
    #[error(transparent)]
    Keep(#[from] WriteError),
    /// No thread can be started.
    #[error("cannot start a thread to sleep in: {0}")]
    Thread(io::Error),
    /// The machine does not allow this run; with the reason.
    #[error("{0}")]
    Refused(String),
}

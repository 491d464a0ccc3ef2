//! Why a run could not begin or go on.

use oversleep_recording::file::WriteError;
use std::io;

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording's file cannot be made.
    #[error(transparent)]
    Keep(#[from] WriteError),
    /// No thread can be started to sleep in.
    #[error("cannot start a thread to sleep in: {0}")]
    Thread(io::Error),
    /// The machine does not allow what the run is about.
    #[error("{0}")]
    Refused(String),
}

//! What can go wrong with a recording's file, and what the reader can do now.

use std::io;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// It is there already, and recordings are never overwritten unasked.
    #[error("{path} exists already; name another file with --out, or replace it with --force")]
    Exists {
        /// The file.
        path: String,
    },
    /// Another run is writing it.
    #[error("{path} is being written by another run; name another file with --out, or wait for its end")]
    Busy {
        /// The file.
        path: String,
    },
    /// The folder does not allow it.
    #[error("cannot create {path}: {source}; name a place where you may write")]
    Create {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Writing failed on the way; what was written before is whole.
    #[error("writing {path} stopped after {written} samples: {source}; what was written before is readable")]
    Write {
        /// The file.
        path: String,
        /// Samples on disk.
        written: u64,
        /// What the system said.
        source: io::Error,
    },
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {path}: {source}")]
    Open {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path} is not a recording of oversleep: {why}")]
    Foreign {
        /// The file.
        path: String,
        /// How that is known.
        why: String,
    },
    /// It was written by a later version.
    #[error(
        "{path} has format {format}, and this oversleep reads up to {known}; use the newer version that wrote it ({tool})"
    )]
    TooNew {
        /// The file.
        path: String,
        /// Its format.
        format: u32,
        /// The newest this version reads.
        known: u32,
        /// What wrote it.
        tool: String,
    },
    /// What stands before the first batch has changed: what was asked for, and of which machine.
    #[error("{path} is damaged at byte 0, in its description: {why}; no sample of it can be told what it belongs to")]
    DamagedHead {
        /// The file.
        path: String,
        /// How that is known.
        why: String,
    },
    /// It is damaged in the middle.
    #[error(
        "{path} is damaged at byte {offset}, in batch {batch}: {why}; {}",
        sound(*samples, *batch)
    )]
    Damaged {
        /// The file.
        path: String,
        /// Where.
        offset: u64,
        /// The number of the batch there, from 1.
        batch: u64,
        /// How that is known.
        why: String,
        /// Samples read so far.
        samples: u64,
    },
}

/// What stands before the damage.
fn sound(samples: u64, batch: u64) -> String {
    match samples {
        0 if batch > 1 => format!("sound batches before that, none of samples: {}", batch - 1),
        0 => "nothing stands before that".to_owned(),
        _ => format!("sound samples before that: {samples}"),
    }
}

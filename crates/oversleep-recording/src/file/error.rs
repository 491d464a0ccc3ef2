//! Errors of recording files, with what the user can do.

use crate::text::short;
use std::io;
use std::path::Path;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file exists already, and recordings are never overwritten unless requested.
    #[error("{path} exists already; name another file with --out, or replace it with --force")]
    Exists {
        /// Path of the file.
        path: String,
    },
    /// Another run is writing the file.
    #[error("{path} is being written by another run; name another file with --out, or wait for its end")]
    Busy {
        /// Path of the file.
        path: String,
    },
    /// The system did not allow the file to be created.
    #[error("cannot create {path}: {}", not_created(Path::new(path), source))]
    Create {
        /// Path of the file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// A write failed; everything before it is readable.
    #[error("writing {path} stopped after {written} samples: {source}; {}", remains(*written))]
    Write {
        /// Path of the file.
        path: String,
        /// Number of samples on disk.
        written: u64,
        /// The system's error.
        source: io::Error,
    },
}

/// Why a file is no recording: there is too little of it.
pub(super) const CUT: &str = "it ends before its description is complete";
/// Why a file is no recording: it begins differently.
pub(super) const OTHER: &str = "it is from another program, or its beginning is damaged";
/// What to do about a file of which nothing can be used.
pub(super) const AGAIN: &str = "copy it again from where it was made, or measure again";

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused to open or read the file.
    #[error("cannot read {path}: {source}")]
    Open {
        /// Path of the file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not a recording.
    #[error("{path} is not a recording of oversleep: {}", short(why))]
    Foreign {
        /// Path of the file.
        path: String,
        /// Reason.
        why: String,
    },
    /// The file was written by a newer version.
    #[error(
        "{path} has format {format}, and this oversleep reads up to {known}; use the newer version that wrote it ({})",
        short(tool)
    )]
    TooNew {
        /// Path of the file.
        path: String,
        /// Format of the file.
        format: u32,
        /// Newest format that this version reads.
        known: u32,
        /// Program that wrote the file, with version.
        tool: String,
    },
    /// The part before the first batch, with the plan and the machine, has changed.
    #[error(
        "{path} is damaged at byte 0, in its description: {}; without it no sample can be read: {}",
        short(why),
        AGAIN
    )]
    DamagedHead {
        /// Path of the file.
        path: String,
        /// Reason.
        why: String,
    },
    /// The file is damaged after its head.
    #[error(
        "{path} is damaged at byte {offset}, in batch {batch}: {}; {}",
        short(why),
        sound(*samples, *batch)
    )]
    Damaged {
        /// Path of the file.
        path: String,
        /// Offset of the damage, in bytes.
        offset: u64,
        /// Number of the damaged batch, from 1.
        batch: u64,
        /// Reason.
        why: String,
        /// Number of samples read before the damage.
        samples: u64,
    },
}

/// Says why a file could not be created and what to do, with what the system's error leaves out: what it is that does not exist,
/// and what the path names already.
pub fn not_created(path: &Path, source: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        _ if path.is_dir() => "it is a folder; name a file in it".to_owned(),
        Some(folder) if source.kind() == io::ErrorKind::NotFound && !folder.exists() => {
            format!("the folder '{}' does not exist; make it, or name another place", folder.display())
        }
        _ if source.kind() == io::ErrorKind::AlreadyExists => {
            "it is a device or a pipe, not a file; name a file".to_owned()
        }
        _ => format!("{source}; name a place where you may write"),
    }
}

/// Describes what remains of a recording that could not be written completely.
const fn remains(written: u64) -> &'static str {
    if written == 0 { "no sample was kept" } else { "what was written before is readable" }
}

/// Describes what can be read before the damage.
fn sound(samples: u64, batch: u64) -> String {
    match samples {
        0 if batch > 1 => format!("undamaged batches before that, none with samples: {}", batch - 1),
        0 => format!("no sample comes before that: {AGAIN}"),
        _ => format!("undamaged samples before that: {samples}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::LONGEST_REASON;

    #[test]
    fn what_an_error_quotes_is_bounded() {
        let (path, long) = (|| "x".to_owned(), || "y".repeat(LONGEST_REASON * 100));
        for error in [
            ReadError::Foreign { path: path(), why: long() },
            ReadError::TooNew { path: path(), format: 9, known: 1, tool: long() },
            ReadError::DamagedHead { path: path(), why: long() },
            ReadError::Damaged { path: path(), offset: 1, batch: 1, why: long(), samples: 0 },
        ] {
            assert!(error.to_string().len() < LONGEST_REASON + 300, "{error:?}");
        }
    }
}

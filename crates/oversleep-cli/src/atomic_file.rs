//! Files that are written completely or not at all.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name and renamed when complete. Until then, an existing file of its name
/// stays as it is.
pub(crate) struct AtomicFile {
    /// Path as the user gave it.
    named: PathBuf,
    /// The same path with symbolic links resolved, so that renaming does not replace a link.
    path: PathBuf,
    /// Temporary path to write to; `None` for a pipe or a device, which is written directly.
    hidden: Option<PathBuf>,
}

impl AtomicFile {
    /// Chooses the temporary path for the file `named`; creates nothing yet.
    pub(crate) fn new(named: &Path) -> Self {
        let path = fs::canonicalize(named).unwrap_or_else(|_| named.to_owned());
        let is_replaced = !path.exists() || path.metadata().is_ok_and(|metadata| metadata.is_file());
        let hidden = is_replaced.then(|| {
            let mut hidden = path.as_os_str().to_owned();
            hidden.push(format!(".{}.part", std::process::id()));
            PathBuf::from(hidden)
        });
        Self { named: named.to_owned(), path, hidden }
    }

    /// Returns the path as the user gave it.
    pub(crate) fn named(&self) -> &Path {
        &self.named
    }

    /// Returns the path to write to.
    pub(crate) fn place(&self) -> &Path {
        self.hidden.as_deref().unwrap_or(&self.path)
    }

    /// Creates the file at the path to write to.
    pub(crate) fn create(&self) -> io::Result<File> {
        File::create(self.place())
    }

    /// Renames the complete file to its final name.
    pub(crate) fn keep(&self) -> io::Result<()> {
        self.hidden.as_ref().map_or(Ok(()), |hidden| fs::rename(hidden, &self.path))
    }

    /// Returns the failure that the file could not be written.
    pub(crate) fn refused(&self, error: impl std::fmt::Display) -> Failure {
        Failure::trouble(format!("cannot write {}: {error}", self.named.display()))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // After a rename the temporary path no longer exists, and removing it fails harmlessly.
        if let Some(hidden) = &self.hidden {
            let _ = fs::remove_file(hidden);
        }
    }
}

//! Files that are written completely or not at all, and temporary ones, with failures that name them.

use crate::failure::Failure;
use oversleep_lab::session;
use oversleep_recording::file::not_created;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::Builder;

/// A [`session::AtomicFile`] and the path as the user gave it.
pub(crate) struct AtomicFile {
    named: PathBuf,
    file: session::AtomicFile,
}

impl AtomicFile {
    /// Creates the temporary file next to the file `named`.
    pub(crate) fn create(named: &Path) -> Result<(Self, File), Failure> {
        let (file, opened) =
            session::AtomicFile::create(named).map_err(|error| refused(named, not_created(named, &error)))?;
        Ok((Self { named: named.to_owned(), file }, opened))
    }

    /// Returns the path to write to.
    pub(crate) fn place(&self) -> &Path {
        self.file.place()
    }

    /// Renames the complete file to its final name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        let Self { named, file } = self;
        file.keep().map_err(|error| refused(&named, error))
    }

    /// Returns the failure that the file could not be written.
    pub(crate) fn refused(&self, error: impl Display) -> Failure {
        refused(&self.named, error)
    }
}

/// Writes a file completely or not at all, so that a reader never finds half of it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let (made, mut file) = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|error| made.refused(error))?;
    drop(file);
    made.keep()
}

/// Writes a file of a random name into the folder for temporary files, readable only by its owner, and returns its path.
pub(crate) fn write_temporary(prefix: &str, suffix: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let folder = std::env::temp_dir();
    let made = Builder::new().prefix(prefix).suffix(suffix).tempfile_in(&folder).and_then(|mut file| {
        file.write_all(bytes)?;
        Ok(file.keep()?.1)
    });
    made.map_err(|error| Failure::trouble(format!("cannot write a file in {}: {error}", folder.display())))
}

fn refused(named: &Path, error: impl Display) -> Failure {
    Failure::trouble(format!("cannot write {}: {error}", named.display()))
}

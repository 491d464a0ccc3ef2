//! Files that are written whole or not at all.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file that takes its name when it is whole. Until then, and if it never is, what has that name stays.
pub(crate) struct Beside {
    /// What was asked for.
    named: PathBuf,
    /// The same without links, so that a link stays one.
    path: PathBuf,
    /// Where it is written meanwhile; a pipe or a device takes what comes.
    hidden: Option<PathBuf>,
}

impl Beside {
    /// Begins with the name of the file.
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

    /// Returns the name that it is to have.
    pub(crate) fn named(&self) -> &Path {
        &self.named
    }

    /// Returns where to write.
    pub(crate) fn place(&self) -> &Path {
        self.hidden.as_deref().unwrap_or(&self.path)
    }

    /// Opens what is written.
    pub(crate) fn create(&self) -> io::Result<File> {
        File::create(self.place())
    }

    /// Gives it its name.
    pub(crate) fn keep(&self) -> io::Result<()> {
        self.hidden.as_ref().map_or(Ok(()), |hidden| fs::rename(hidden, &self.path))
    }

    /// Says that it could not be written.
    pub(crate) fn refused(&self, error: impl std::fmt::Display) -> Failure {
        Failure::trouble(format!("cannot write {}: {error}", self.named.display()))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // After it has its name there is nothing here.
        if let Some(hidden) = &self.hidden {
            let _ = fs::remove_file(hidden);
        }
    }
}

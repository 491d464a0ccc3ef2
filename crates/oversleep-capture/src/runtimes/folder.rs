//! The temporary folder in which scripts are written and built.

use super::settings::StartError;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// The folders that are there now. [`remove_folders`] removes them where no destructor does.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary folder, removed when this is dropped.
pub(super) struct Folder(TempDir);

impl Folder {
    pub(super) fn create() -> Result<Self, StartError> {
        let within = std::env::temp_dir();
        let made = tempfile::Builder::new().prefix("oversleep-").tempdir_in(&within);
        let folder = made.map_err(|error| StartError::Folder { within, error })?;
        folders().push(folder.path().to_owned());
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        folders().retain(|path| path != self.path());
    }
}

/// Removes the temporary folders of programs, for a process that is about to exit without unwinding. The programs must have
/// been ended.
pub fn remove_folders() {
    for path in folders().drain(..) {
        // Nobody is left to tell that it cannot be removed.
        let _ = fs::remove_dir_all(path);
    }
}

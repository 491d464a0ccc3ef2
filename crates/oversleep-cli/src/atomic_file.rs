//! Files that are written completely or not at all, and temporary ones.

use crate::failure::Failure;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that is written under a temporary name and renamed when complete. Until then, an existing file of its name
/// stays as it is. Without [`AtomicFile::keep`] the temporary file is removed.
pub(crate) struct AtomicFile {
    /// Path as the user gave it.
    named: PathBuf,
    target: Target,
}

enum Target {
    /// A file that is replaced, or does not exist yet.
    Replaced {
        /// Path to write to.
        temporary: TempPath,
        /// Final path, with symbolic links resolved, so that renaming does not replace a link.
        path: PathBuf,
    },
    /// A pipe or a device, which is written directly.
    Direct(PathBuf),
}

impl AtomicFile {
    /// Creates the temporary file beside the file `named`.
    pub(crate) fn create(named: &Path) -> Result<(Self, File), Failure> {
        let created = resolved(named).and_then(|path| Self::create_at(named, path));
        created.map_err(|error| refused(named, error))
    }

    fn create_at(named: &Path, path: PathBuf) -> io::Result<(Self, File)> {
        let is_replaced = !path.exists() || path.metadata().is_ok_and(|metadata| metadata.is_file());
        let folder = path.parent().filter(|_| is_replaced && path.file_name().is_some());
        let Some(folder) = folder else {
            let file = File::create(&path)?;
            return Ok((Self { named: named.to_owned(), target: Target::Direct(path) }, file));
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let (file, temporary) = create_random(folder, ".oversleep-", ".part", Readers::All)?.into_parts();
        Ok((Self { named: named.to_owned(), target: Target::Replaced { temporary, path } }, file))
    }

    /// Returns the path to write to.
    pub(crate) fn place(&self) -> &Path {
        match &self.target {
            Target::Replaced { temporary, .. } => temporary,
            Target::Direct(path) => path,
        }
    }

    /// Renames the complete file to its final name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        match self.target {
            Target::Replaced { temporary, path } => {
                temporary.persist(path).map_err(|refusal| refused(&self.named, refusal.error))
            }
            Target::Direct(_) => Ok(()),
        }
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

/// Writes a file of a random name into the folder for temporary files, and returns its path.
pub(crate) fn write_temporary(prefix: &str, suffix: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let folder = std::env::temp_dir();
    let made = create_random(&folder, prefix, suffix, Readers::Owner).and_then(|mut file| {
        file.write_all(bytes)?;
        Ok(file.keep()?.1)
    });
    made.map_err(|error| Failure::trouble(format!("cannot write a file in {}: {error}", folder.display())))
}

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// Only its owner: in a folder that others use too.
    Owner,
    /// Everyone whom the user's settings for new files allow.
    All,
}

/// Creates a file whose name is random. It never existed before, so that a symbolic link under that name is not
/// followed.
fn create_random(folder: &Path, prefix: &str, suffix: &str, readers: Readers) -> io::Result<NamedTempFile<File>> {
    let mut named = Builder::new();
    named.prefix(prefix).suffix(suffix);
    match readers {
        Readers::Owner => named.tempfile_in(folder),
        Readers::All => named.make_in(folder, |path| File::options().write(true).create_new(true).open(path)),
    }
}

fn refused(named: &Path, error: impl Display) -> Failure {
    Failure::trouble(format!("cannot write {}: {error}", named.display()))
}

/// Returns the path with symbolic links resolved, or as it is if nothing has that name.
fn resolved(named: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(named) {
        // A link of that name leads nowhere, and renaming would replace it.
        Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_symlink() => {
            Err(io::Error::other("it is a symbolic link to a file that does not exist"))
        }
        Err(error) if named.is_symlink() => Err(error),
        Err(_) => Ok(named.to_owned()),
        Ok(path) => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody can know the name beforehand, nor that of a second file at the same time.
    #[test]
    fn temporary_files_of_one_name_are_different_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let (first, mut file) = AtomicFile::create(&path).unwrap();
        let (second, _) = AtomicFile::create(&path).unwrap();
        assert_ne!(first.place(), second.place());
        file.write_all(b"first").unwrap();
        first.keep().unwrap();
        drop(second);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

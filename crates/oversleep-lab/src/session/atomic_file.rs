//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that is written under a temporary name and renamed when complete. Until then, an existing file of its name
/// stays as it is. Without [`AtomicFile::keep`] the temporary file is removed.
#[derive(Debug)]
pub struct AtomicFile(Target);

#[derive(Debug)]
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
    /// Creates the temporary file beside the file `named`. Its name is random, and it never existed before: a symbolic
    /// link under that name is not followed. Names that begin with a dot are ignored by engines that read folders.
    ///
    /// # Errors
    /// If the file cannot be created, or `named` is a symbolic link to nothing.
    pub fn create(named: &Path) -> io::Result<(Self, File)> {
        let path = resolved(named)?;
        let is_replaced = !path.exists() || path.metadata().is_ok_and(|metadata| metadata.is_file());
        let folder = path.parent().filter(|_| is_replaced && path.file_name().is_some());
        let Some(folder) = folder else {
            let file = File::create(&path)?;
            return Ok((Self(Target::Direct(path)), file));
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Not the library's own file, which nobody else may read.
        let create = |path: &Path| File::options().write(true).create_new(true).open(path);
        let made: NamedTempFile<File> = Builder::new().prefix(".oversleep-").suffix(".part").make_in(folder, create)?;
        let (file, temporary) = made.into_parts();
        Ok((Self(Target::Replaced { temporary, path }), file))
    }

    /// Returns the path to write to.
    pub fn place(&self) -> &Path {
        match &self.0 {
            Target::Replaced { temporary, .. } => temporary,
            Target::Direct(path) => path,
        }
    }

    /// Renames the complete file to its final name.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn keep(self) -> io::Result<()> {
        match self.0 {
            Target::Replaced { temporary, path } => temporary.persist(path).map_err(|refusal| refusal.error),
            Target::Direct(_) => Ok(()),
        }
    }
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
    use std::io::Write;

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

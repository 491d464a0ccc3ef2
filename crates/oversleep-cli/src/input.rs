//! A file that is read, or standard input in its place.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// What stands for standard input, as in `cat -`.
const STANDARD: &str = "-";

/// Enough for a flush of a recording to be read at once.
const BUFFER: usize = 1 << 20;

/// An open input, and what errors call it.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Box<dyn BufRead>,
}

impl Input {
    /// Opens it, once: what was read of a pipe does not come again.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if is_standard(path) {
            let bytes = BufReader::with_capacity(BUFFER, io::stdin());
            return Ok(Self { name: "standard input".to_owned(), bytes: Box::new(bytes) });
        }
        let name = path.display().to_string();
        let file = open(path).map_err(|error| Failure::trouble(format!("cannot read {name}: {error}")))?;
        Ok(Self { name, bytes: Box::new(BufReader::with_capacity(BUFFER, file)) })
    }
}

/// Whether `path` is `-`; `./-` is a file of that name.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(io::Error::other("it is a folder")) } else { Ok(file) }
}

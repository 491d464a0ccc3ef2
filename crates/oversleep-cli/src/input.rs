//! Input files, and standard input in place of one.

use crate::failure::Failure;
use crate::say::say;
use oversleep_lab::session::{Archive, Archived};
use oversleep_recording::file::{Segments, WriteError};
use oversleep_recording::plan::Kind;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The name that stands for standard input, as in `cat -`.
const STANDARD: &str = "-";

/// Name of standard input in the file system, where it has one.
const STANDARD_PATH: &str = "/dev/stdin";

/// Size of the read buffer in bytes. The larger reads of recordings bypass it.
const BUFFER: usize = 1 << 16;

/// An open input, and its name in messages.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Box<dyn BufRead>,
}

impl Input {
    /// Opens a file or standard input. Open an input only once: what was read from a pipe cannot be read again.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Self::open_located(&locate(Some(path))?)
    }

    /// Opens what [`locate`] returned, if that is no folder.
    pub(crate) fn open_located(path: &Path) -> Result<Self, Failure> {
        if is_standard(path) {
            let bytes = BufReader::with_capacity(BUFFER, io::stdin());
            return Ok(Self { name: "standard input".to_owned(), bytes: Box::new(bytes) });
        }
        let name = path.display().to_string();
        let file = open(path).map_err(|error| {
            let instead = not_there(path, &error).unwrap_or_default();
            Failure::trouble(format!("cannot read {name}: {error}{instead}"))
        })?;
        Ok(Self { name, bytes: Box::new(BufReader::with_capacity(BUFFER, file)) })
    }
}

/// Returns the path of what is read: the file named or standard input, a folder of segments, the newest recording in another
/// folder, or the last recording in the user's state folder, or that of this name there; says which it is where it was looked for.
/// The path stands for the same file when it is located again, whatever recordings are made in the meantime.
pub(crate) fn locate(path: Option<&Path>) -> Result<PathBuf, Failure> {
    let Some(path) = path else {
        let last = last(1, |_| true)?.remove(0);
        say!("the last recording{}", described(&last));
        return Ok(last.path);
    };
    if let Some(kept) = kept_under(path) {
        say!("the recording kept: {}", kept.display());
        return Ok(kept);
    }
    if path.is_dir() && Segments::in_folder(path).list().is_ok_and(|segments| !segments.is_empty()) {
        return Ok(path.to_owned());
    }
    let newest = if path.is_dir() { Archive::in_folder(path).newest() } else { None };
    if let Some(newest) = &newest {
        say!("the newest recording: {}", newest.display());
    }
    Ok(newest.unwrap_or_else(|| path.to_owned()))
}

/// Returns the recording of this name in the user's state folder, if nothing here has the name: `oversleep list recordings`
/// shows names without the folder.
fn kept_under(name: &Path) -> Option<PathBuf> {
    let is_name = name.file_name() == Some(name.as_os_str());
    let archive = Archive::of_user().filter(|_| is_name && !is_standard(name) && !name.exists())?;
    Some(archive.folder().join(name)).filter(|kept| kept.is_file())
}

/// Returns what to name in place of a file that does not exist: one that has the ending too, or what a number stands for.
fn not_there(path: &Path, error: &io::Error) -> Option<String> {
    if error.kind() != io::ErrorKind::NotFound {
        return None;
    }
    let with_ending = PathBuf::from(format!("{}.arrows", path.display()));
    if with_ending.is_file() {
        return Some(format!("; did you mean {}?", with_ending.display()));
    }
    if path.extension().is_some_and(|ending| ending == "arrows") {
        return Some("; `oversleep list recordings` shows those that were kept".to_owned());
    }
    let is_number = path.to_str().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    is_number.then(|| "; recordings have no numbers: name the file, as `oversleep list recordings` shows it".to_owned())
}

/// Refuses to write over a file that is read: one of these paths of [`locate`], or the file that standard input is redirected
/// from, where the system has a name for it. Every command that reads files and writes one calls this first, and reads the
/// same paths.
pub(crate) fn refuse_overwriting<'a>(
    out: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    // What does not exist yet, and what is a device, cannot be lost.
    let Some(out) = out.filter(|out| out.is_file()) else { return Ok(()) };
    let Ok(replaced) = out.canonicalize() else { return Ok(()) };
    for input in inputs {
        let read = if is_standard(input) { Path::new(STANDARD_PATH) } else { input };
        // Of a folder, its segments are read.
        if read.canonicalize().is_ok_and(|read| read == replaced || Some(&*read) == replaced.parent()) {
            return Err(Failure::usage(format!("{} would be written over itself; name another file", out.display())));
        }
    }
    Ok(())
}

/// Refuses to replace a file that exists, unless `force` is given, as `measure --out` does. What is a device or a folder is
/// not replaced.
pub(crate) fn refuse_replacing(out: Option<&Path>, force: bool) -> Result<(), Failure> {
    match out.filter(|out| !force && out.is_file()) {
        Some(out) => Err(Failure::trouble(WriteError::Exists { path: out.display().to_string() })),
        None => Ok(()),
    }
}

/// Returns the path of a recording after what it is of, if that is no sleeps: the command may be meant for those before it.
fn described(recording: &Archived) -> String {
    let path = recording.path.display();
    let kind = match recording.meta() {
        Some(meta) if meta.plan.kind == Kind::Clocks => "a survey of clocks",
        Some(meta) if meta.plan.kind == Kind::Stalls => "one of stalls",
        _ => return format!(": {path}"),
    };
    format!(", {kind}: {path}; for one of sleeps name its file, as `oversleep list recordings` shows it")
}

/// Returns the last recording of sleeps in the user's state folder, and says which that is.
pub(crate) fn last_of_sleeps() -> Result<PathBuf, Failure> {
    let last = last_recordings(1)?.remove(0);
    say!("the last recording: {}", last.display());
    Ok(last)
}

/// Returns the last `count` recordings of sleeps in the user's state folder, the newest first. A survey of clocks has none, and is
/// passed over.
pub(crate) fn last_recordings(count: usize) -> Result<Vec<PathBuf>, Failure> {
    let mut passed_over = false;
    let found = last(count, |recording| {
        let of_clocks = recording.meta().is_some_and(|meta| meta.plan.kind == Kind::Clocks);
        passed_over |= of_clocks;
        !of_clocks
    });
    if passed_over && found.is_ok() {
        say!("recordings of clocks are passed over: they have no sleeps");
    }
    found.map(|found| found.into_iter().map(|recording| recording.path).collect())
}

/// Returns the last `count` recordings in the user's state folder that are wanted, the newest first.
fn last(count: usize, mut wanted: impl FnMut(&Archived) -> bool) -> Result<Vec<Archived>, Failure> {
    let archive =
        Archive::of_user().ok_or_else(|| Failure::usage("no home folder is known; name the recording's file"))?;
    let folder = archive.folder().display().to_string();
    let found = archive.recordings().map_err(|error| Failure::trouble(format!("cannot read {folder}: {error}")))?;
    let found: Vec<Archived> = found.into_iter().filter(|recording| wanted(recording)).take(count).collect();
    match found.len() {
        0 => Err(Failure::trouble(format!("there is no recording in {folder} yet; measure first, or name a file"))),
        few if few < count => Err(Failure::trouble(format!(
            "there is only {few} recording in {folder}; measure again, or name the files"
        ))),
        _ => Ok(found),
    }
}

/// Returns whether `path` is `-`; `./-` is a file of that name.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        Err(io::Error::other("it is a folder without recordings; name a file"))
    } else {
        Ok(file)
    }
}

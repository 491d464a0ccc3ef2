//! The state folder: keeps the newest recordings of runs for which no file was named.

use etcetera::BaseStrategy;
use oversleep_import as import;
use oversleep_recording::Meta;
use oversleep_recording::file::{WriteError, Writer};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Number of recordings that are kept.
pub const MOST_FILES: usize = 20;
/// Total size of the recordings that are kept, in bytes; the newest is kept whatever its size.
const MOST_BYTES: u64 = 1 << 30;
/// A file changed this recently may still be written to: a run flushes about every second or more often.
const IN_USE: Duration = Duration::from_secs(60);
/// Number of runs that may begin in the same second and still get distinct names.
const RUNS_A_SECOND: u32 = 100;

/// The folder in which recordings are kept unless another place is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    folder: PathBuf,
}

/// A recording in the state folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// Path of the file.
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
    /// When the run began (`20261122T170557Z`), and its number among the runs that began in the same second.
    began: (String, u32),
    changed: SystemTime,
}

impl Archived {
    /// Returns the recording's head; `None` if it cannot be read.
    pub fn meta(&self) -> Option<Meta> {
        head(&self.path)
    }
}

/// Returns the head of a recording; `None` if the file is none.
fn head(path: &Path) -> Option<Meta> {
    let bytes = BufReader::new(File::open(path).ok()?);
    Some(import::open(&path.display().to_string(), Box::new(bytes)).ok()?.meta().clone())
}

impl Archive {
    /// Returns the user's state folder: `$XDG_STATE_HOME/oversleep`, by default `~/.local/state/oversleep`, on Windows
    /// `%LOCALAPPDATA%\oversleep`; `None` where no home folder is known.
    pub fn of_user() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        let folder = base.state_dir().unwrap_or_else(|| base.cache_dir());
        // A relative HOME would put the folder into the current directory.
        folder.is_absolute().then(|| Self::in_folder(&folder.join("oversleep")))
    }

    /// Returns the archive in this folder, which need not exist yet.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the recordings, newest first; none if the folder does not exist. Other files in it are ignored.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn recordings(&self) -> io::Result<Vec<Archived>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found: Vec<_> = entries.filter_map(|entry| Archived::from_entry(&entry.ok()?)).collect();
        found.sort_by(|a, b| b.began.cmp(&a.began));
        Ok(found)
    }

    /// Returns the newest recording in the folder; where none is named as an archive names them, the one (`.arrows`) that was
    /// written last. `None` if the folder has none, or cannot be read.
    pub fn newest(&self) -> Option<PathBuf> {
        if let Some(newest) = self.recordings().ok()?.into_iter().next() {
            return Some(newest.path);
        }
        let files = fs::read_dir(&self.folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let is_recording = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "arrows");
        let mut files: Vec<_> = files
            .filter(is_recording)
            .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
            .collect();
        files.sort();
        files.into_iter().rev().map(|(_, path)| path).find(|path| head(path).is_some())
    }

    /// Returns the path of a new recording of a run that begins at `began`, without extension. Files of a run that
    /// keeps no recording are named after it too.
    pub fn stem(&self, began: &str) -> PathBuf {
        let stamp: String = began.chars().filter(char::is_ascii_alphanumeric).collect();
        self.folder.join(format!("oversleep-{stamp}"))
    }

    /// Creates a recording, and removes the oldest ones beyond the limits.
    ///
    /// # Errors
    /// If the folder or the file cannot be made.
    pub(super) fn create(&self, meta: &Meta) -> Result<Writer, WriteError> {
        let made = self.create_named(meta)?;
        self.prune(SystemTime::now(), MOST_FILES, MOST_BYTES);
        Ok(made)
    }

    fn create_named(&self, meta: &Meta) -> Result<Writer, WriteError> {
        // An error of the folder is reported as such: that of the file would only say that it is missing.
        fs::create_dir_all(&self.folder)
            .map_err(|source| WriteError::Create { path: self.folder.display().to_string(), source })?;
        let stem = self.stem(meta.started.as_deref().unwrap_or_default());
        let path = |number: u32| {
            let number = if number > 1 { format!("-{number}") } else { String::new() };
            PathBuf::from(format!("{}{number}.arrows", stem.display()))
        };
        let create = |number| Writer::create(&path(number), meta, false);
        let mut made = create(1);
        for number in 2..=RUNS_A_SECOND {
            if !matches!(made, Err(WriteError::Exists { .. })) {
                break;
            }
            made = create(number);
        }
        made
    }

    /// Removes the oldest recordings, with the traces that belong to them, until the limits are met. Recordings that
    /// may still be written to stay.
    fn prune(&self, now: SystemTime, most_files: usize, most_bytes: u64) {
        let Ok(recordings) = self.recordings() else { return };
        let mut bytes = 0;
        for (at, recording) in recordings.iter().enumerate() {
            bytes += recording.bytes;
            let idle = now.duration_since(recording.changed).is_ok_and(|idle| idle > IN_USE);
            if at > 0 && idle && (at >= most_files || bytes > most_bytes) {
                // A recording that cannot be removed is not a reason not to measure.
                let _ = fs::remove_file(&recording.path);
                self.remove_late_sleeps(&recording.path);
            }
        }
    }

    /// Removes the traces around late sleeps of a recording: `NAME-late-1.txt` and so on.
    fn remove_late_sleeps(&self, recording: &Path) {
        let (Some(stem), Ok(entries)) = (recording.file_stem(), fs::read_dir(&self.folder)) else { return };
        let prefix = format!("{}-late-", stem.to_string_lossy());
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.strip_suffix(".txt").is_some_and(|stem| stem.starts_with(&prefix)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Archived {
    /// Returns the recording that a file of the folder is, judged by its name; `None` for other files.
    fn from_entry(entry: &fs::DirEntry) -> Option<Self> {
        let name = entry.file_name().into_string().ok()?;
        let stem = name.strip_prefix("oversleep-")?.strip_suffix(".arrows")?;
        let (stamp, number) = stem.split_once('-').unwrap_or((stem, "1"));
        let began = (stamp.to_owned(), number.parse().ok()?);
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(Self { path: entry.path(), bytes: metadata.len(), began, changed: metadata.modified().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[&str]) -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), "samples").unwrap();
        }
        let archive = Archive::in_folder(folder.path());
        (folder, archive)
    }

    fn names(archive: &Archive) -> Vec<String> {
        let name = |found: Archived| found.path.file_name().unwrap().to_string_lossy().into_owned();
        archive.recordings().unwrap().into_iter().map(name).collect()
    }

    #[test]
    fn the_newest_comes_first_and_other_files_are_nobody_s_business() {
        let (_folder, archive) = archive(&[
            "oversleep-20261121T000000Z.arrows",
            "oversleep-20261122T000000Z.arrows",
            "oversleep-20261122T000000Z-2.arrows",
            "oversleep-20261122T000000Z-10.arrows",
            "oversleep-20261122T000000Z-late-1.txt",
            "mine.arrows",
        ]);
        let stamps = ["22T000000Z-10", "22T000000Z-2", "22T000000Z", "21T000000Z"];
        assert_eq!(names(&archive), stamps.map(|stamp| format!("oversleep-202611{stamp}.arrows")));
        assert!(archive.recordings().unwrap()[0].path.ends_with("oversleep-20261122T000000Z-10.arrows"));
        assert!(Archive::in_folder(Path::new("/no/such/folder")).recordings().unwrap().is_empty());
    }

    #[test]
    fn the_newest_twenty_stay_with_what_belongs_to_them() {
        let files: Vec<String> = (10..35).map(|day| format!("oversleep-202611{day}T000000Z.arrows")).collect();
        let mut all: Vec<&str> = files.iter().map(String::as_str).collect();
        all.extend(["oversleep-20261110T000000Z-late-1.txt", "oversleep-20261134T000000Z-late-1.txt", "mine.arrows"]);
        let (folder, archive) = archive(&all);
        archive.prune(SystemTime::now(), MOST_FILES, MOST_BYTES);
        assert_eq!(names(&archive).len(), 25, "what was just written may still be written to");
        archive.prune(SystemTime::now() + 2 * IN_USE, MOST_FILES, MOST_BYTES);
        let left = names(&archive);
        assert_eq!((left.len(), left[19].as_str()), (20, "oversleep-20261115T000000Z.arrows"));
        let there = |file: &str| folder.path().join(file).exists();
        assert!(!there("oversleep-20261110T000000Z-late-1.txt") && there("oversleep-20261134T000000Z-late-1.txt"));
        assert!(there("mine.arrows"));
    }
}

//! Recordings to read: files, standard input, folders of segments, and those in the user's state folder.

use super::{Archive, Archived, Copies, Notice};
use oversleep_import::{self as import, Ending, ImportError, ImportOptions, ImportedFile};
use oversleep_recording::file::{Segments, is_being_written};
use oversleep_recording::plan::Kind;
use oversleep_recording::{Content, Meta, Note, Sample, Sink, Wakes, plan::Cell};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The name that stands for standard input, as in `cat -`.
const STANDARD: &str = "-";

/// Size of the read buffer in bytes. The larger reads of recordings bypass it.
const BUFFER: usize = 1 << 16;

/// A recording to read, as its user names it.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// A file or folder, `-` for standard input, or the name of a recording in the state folder; `None`: the last one there.
    pub path: Option<PathBuf>,
    /// Whether the part of a damaged file before the damage is used.
    pub partial: bool,
    /// What the user states about a table.
    pub options: ImportOptions,
}

/// What was read, but samples and notes.
#[derive(Debug)]
pub struct ReadRecording {
    /// Head, with every cell.
    pub meta: Meta,
    /// A remark on how the recording ended, unless it is complete.
    pub ending: Option<String>,
    /// Remarks on what was left out of it.
    pub remarks: Vec<String>,
}

/// Reason why an input could not be found or read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The state folder is not known.
    #[error("no home folder is known; name the recording's file")]
    NoHome,
    /// The state folder cannot be read.
    #[error("cannot read {folder}: {source}")]
    StateFolder {
        /// Path of the folder.
        folder: String,
        /// Error of the system.
        source: io::Error,
    },
    /// There is no recording in the state folder.
    #[error("there is no recording in {folder} yet; measure first, or name a file")]
    NoRecording {
        /// Path of the folder.
        folder: String,
    },
    /// There are fewer recordings in the state folder than are needed.
    #[error("there is only {found} recording in {folder}; measure again, or name the files")]
    TooFew {
        /// How many there are.
        found: usize,
        /// Path of the folder.
        folder: String,
    },
    /// The recording cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The recording was read before.
    #[error("{0}")]
    Copy(String),
}

impl Input {
    /// Returns the input with the path of what is read: the file named or standard input, a folder of segments, the newest recording
    /// in another folder, or the last recording in the user's state folder, or that of this name there. `notice` receives which it is
    /// where it was looked for. The path stands for the same file when it is located again, whatever recordings are made in the
    /// meantime.
    ///
    /// # Errors
    /// If the last recording is wanted and there is none.
    pub fn located(&self, notice: Notice<'_>) -> Result<Self, InputError> {
        Ok(Self { path: Some(locate(self.path.as_deref(), notice)?), ..self.clone() })
    }

    /// Reads the recording into the sink that `make` returns for its head. With `copies`, a copy of one of those is refused.
    ///
    /// # Errors
    /// If there is no such recording, it cannot be read, or it is a copy.
    pub fn read_into<'a, S: Sink + 'a>(
        &self,
        copies: Option<&mut Copies>,
        notice: Notice<'_>,
        make: impl FnOnce(&Meta) -> &'a mut S,
    ) -> Result<ReadRecording, InputError> {
        let located = locate(self.path.as_deref(), notice)?;
        let (name, mut source) = self.open(&located)?;
        let sink = make(source.meta());
        let (ending, checksum) = if copies.is_some() {
            let mut checksum = ChecksumSink { sink, content: Content::new(source.meta()) };
            (source.read_into(&mut checksum), checksum.content.checksum())
        } else {
            (source.read_into(sink), None)
        };
        let ending = match ending {
            Ending::Broken(error) if self.partial && error.has_sound_part() => Some(format!("{error}, which are used")),
            Ending::Broken(error) => return Err(error.into()),
            ending => ending.remark().map(|remark| {
                let grows = is_being_written(&located);
                format!(
                    "{name}: {}",
                    if grows { "it is being written, and whole up to now".to_owned() } else { remark }
                )
            }),
        };
        if let Some(copies) = copies {
            copies.refuse(&name, checksum).map_err(InputError::Copy)?;
        }
        let remarks = source.remarks().iter().map(|remark| format!("{name}: {remark}")).collect();
        Ok(ReadRecording { meta: source.meta().clone(), ending, remarks })
    }

    /// Returns the name of what [`locate`] found, for messages, and its head.
    fn open(&self, located: &Path) -> Result<(String, ImportedFile<'static>), ImportError> {
        if located.is_dir() {
            return Ok((located.display().to_string(), import::open_segments(located)?));
        }
        let (name, bytes) = open_bytes(located)?;
        let source = import::open_with(&name, bytes, &self.options)?;
        Ok((name, source))
    }
}

/// Opens a file or standard input; returns its name in messages, and its bytes. What was read from a pipe cannot be read again.
///
/// # Errors
/// If the file cannot be opened, or is a folder.
pub fn open_bytes(path: &Path) -> Result<(String, Box<dyn BufRead>), ImportError> {
    if is_standard(path) {
        return Ok(("standard input".to_owned(), Box::new(BufReader::with_capacity(BUFFER, io::stdin()))));
    }
    let name = path.display().to_string();
    match File::open(path).and_then(|file| Ok((file.metadata()?.is_dir(), file))) {
        Ok((false, file)) => Ok((name, Box::new(BufReader::with_capacity(BUFFER, file)))),
        Ok((true, _)) => Err(ImportError::Read { name, source: io::Error::other("it is a folder; name a file") }),
        Err(error) => {
            let source = match instead(path, &error) {
                Some(instead) => io::Error::new(error.kind(), format!("{error}{instead}")),
                None => error,
            };
            Err(ImportError::Read { name, source })
        }
    }
}

/// Returns whether `path` is `-`; `./-` is a file of that name.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

fn locate(path: Option<&Path>, notice: Notice<'_>) -> Result<PathBuf, InputError> {
    let Some(path) = path else {
        let last = last(1, |_| true)?.remove(0);
        notice(&format!("the last recording{}", described(&last)));
        return Ok(last.path);
    };
    if let Some(kept) = kept_under(path) {
        notice(&format!("the recording kept: {}", kept.display()));
        return Ok(kept);
    }
    if path.is_dir() && Segments::in_folder(path).list().is_ok_and(|segments| !segments.is_empty()) {
        return Ok(path.to_owned());
    }
    let newest = if path.is_dir() { Archive::in_folder(path).newest() } else { None };
    if let Some(newest) = &newest {
        notice(&format!("the newest recording: {}", newest.display()));
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
fn instead(path: &Path, error: &io::Error) -> Option<String> {
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

/// Returns the path of a recording after what it is of, if that is no sleeps: the command may be meant for those before it.
fn described(recording: &Archived) -> String {
    let path = recording.path.display();
    let kind = match recording.meta().map(|meta| meta.plan.kind) {
        Some(Kind::Clocks) => "a survey of clocks",
        Some(Kind::Stalls) => "one of stalls",
        _ => return format!(": {path}"),
    };
    format!(", {kind}: {path}; for one of sleeps name its file, as `oversleep list recordings` shows it")
}

/// Returns the last `count` recordings of sleeps in the user's state folder, the newest first. A survey of clocks has none, and is
/// passed over.
///
/// # Errors
/// If there are fewer.
pub fn last_recordings(count: usize, notice: Notice<'_>) -> Result<Vec<PathBuf>, InputError> {
    let mut passed_over = false;
    let found = last(count, |recording| {
        let of_clocks = recording.meta().is_some_and(|meta| meta.plan.kind == Kind::Clocks);
        passed_over |= of_clocks;
        !of_clocks
    })?;
    if passed_over {
        notice("recordings of clocks are passed over: they have no sleeps");
    }
    Ok(found.into_iter().map(|recording| recording.path).collect())
}

/// Returns the last `count` recordings in the user's state folder that are wanted, the newest first.
fn last(count: usize, mut wanted: impl FnMut(&Archived) -> bool) -> Result<Vec<Archived>, InputError> {
    let archive = Archive::of_user().ok_or(InputError::NoHome)?;
    let folder = archive.folder().display().to_string();
    let found = match archive.recordings() {
        Ok(found) => found,
        Err(source) => return Err(InputError::StateFolder { folder, source }),
    };
    let found: Vec<Archived> = found.into_iter().filter(|recording| wanted(recording)).take(count).collect();
    match found.len() {
        0 => Err(InputError::NoRecording { folder }),
        few if few < count => Err(InputError::TooFew { found: few, folder }),
        _ => Ok(found),
    }
}

/// A sink that passes a recording on and computes the checksum that its copies have too.
struct ChecksumSink<'a> {
    sink: &'a mut dyn Sink,
    content: Content,
}

impl Sink for ChecksumSink<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        self.content.samples(batch);
        self.sink.samples(batch);
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.content.wakes(wakes);
        self.sink.wakes(wakes);
    }

    fn cell(&mut self, cell: &Cell) {
        self.sink.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.content.note(note);
        self.sink.note(note);
    }

    fn flush(&mut self) {
        self.sink.flush();
    }
}

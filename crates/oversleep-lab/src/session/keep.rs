//! The file in which a run's recording is kept.

use super::{Archive, Notice};
use crate::capture::sleeps::Stop;
use oversleep_recording::file::{WriteError, Writer};
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};
use std::path::{Path, PathBuf};

/// Where a recording is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Keep {
    /// Not kept.
    #[default]
    Nowhere,
    /// A new file in the user's state folder, named after the time at which the run began.
    Archive,
    /// A new file in this folder, named in the same way; only the newest files there are kept.
    Folder(PathBuf),
    /// This file.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Whether an existing file is replaced.
        replace: bool,
    },
}

/// A recording's file while it is written. Without a file, samples and notes are ignored.
#[derive(Default)]
pub(super) struct Kept {
    writer: Option<Writer>,
    clocks: bool,
    /// Ends the run when the file can no longer be written to; only for a file that was asked for by name.
    stop: Option<Stop>,
}

impl Kept {
    /// Creates the file. If a file that was asked for by name can later no longer be written to, `stop` ends the run.
    /// For any other file the run goes on, and `notice` receives the reason.
    ///
    /// # Errors
    /// If a file that was asked for by name cannot be made.
    pub(super) fn create(keep: &Keep, meta: &Meta, stop: &Stop, notice: Notice<'_>) -> Result<Self, WriteError> {
        let clocks = meta.plan.is_clocks();
        match keep {
            Keep::Nowhere => Ok(Self::default()),
            Keep::File { path, replace } => {
                let writer = Writer::create(path, meta, *replace)?;
                Ok(Self { writer: Some(writer), clocks, stop: Some(stop.clone()) })
            }
            Keep::Archive | Keep::Folder(_) => {
                let refused = |why: String| notice(&format!("oversleep: {why}; measuring without keeping the samples"));
                let archive =
                    if let Keep::Folder(folder) = keep { Some(Archive::in_folder(folder)) } else { Archive::of_user() };
                let writer = match archive {
                    None => Err("no home folder is known to keep a recording in".to_owned()),
                    Some(archive) => archive.create(meta).map_err(|error| error.to_string()),
                };
                Ok(Self { writer: writer.map_err(refused).ok(), clocks, stop: None })
            }
        }
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> Option<&Path> {
        self.writer.as_ref().map(Writer::path)
    }

    /// Closes the file and reports its path to `notice`.
    ///
    /// # Errors
    /// If a file that was asked for by name could not be written completely. For any other file `notice` receives the
    /// error.
    pub(super) fn finish(self, notice: Notice<'_>) -> Result<(), WriteError> {
        let Some(writer) = self.writer else { return Ok(()) };
        let path = writer.path().display().to_string();
        match writer.finish() {
            Ok(_) if self.clocks => notice(&format!("readings kept in {path}")),
            Ok(samples) => notice(&format!("{samples} samples kept in {path}")),
            Err(error) if self.stop.is_some() => return Err(error),
            Err(error) => notice(&format!("oversleep: {error}")),
        }
        Ok(())
    }

    /// Passes something to the writer, and ends the run if writing failed.
    fn give(&mut self, give: impl FnOnce(&mut Writer)) {
        let Some(writer) = &mut self.writer else { return };
        give(writer);
        if let Some(stop) = self.stop.as_ref().filter(|stop| writer.failed() && !stop.stopped()) {
            stop.stop();
        }
    }
}

impl Sink for Kept {
    fn samples(&mut self, batch: &[Sample]) {
        self.give(|writer| writer.samples(batch));
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.give(|writer| writer.wakes(wakes));
    }

    fn note(&mut self, note: &Note) {
        self.give(|writer| writer.note(note));
    }

    fn flush(&mut self) {
        self.give(Writer::flush);
    }
}

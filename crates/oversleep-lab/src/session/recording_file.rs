//! The file in which a run's recording is kept.

use super::run::Opened;
use super::{Archive, Notice};
use oversleep_capture::sleeps::Stop;
use oversleep_recording::file::{Segments, WriteError, Writer};
use oversleep_recording::plan::{Cell, Kind};
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};
use oversleep_sys::units::Nanos;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a recording is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Keep {
    /// Not kept.
    #[default]
    Nowhere,
    /// A new file in the user's state folder, named after the time at which the run began.
    Archive,
    /// The next of the segments in this folder, of which only the newest are kept.
    Segments(PathBuf),
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
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and none excludes another")]
pub(super) struct RecordingFile<'a> {
    output: Option<Writer>,
    clocks: bool,
    /// Whether the file is removed at the end if it has no samples. Sleeps that never ended are a reason to keep it.
    only_with_samples: bool,
    /// Whether a file of that name may have been there before.
    replaces: bool,
    /// Whether anything was measured.
    has_results: bool,
    /// Thins out readings of clocks; only for segments.
    thinned: Option<ThinnedReadings>,
    /// Ends the run when the file can no longer be written to; only for a file that was asked for by name.
    stop: Option<Stop>,
    /// Says that the file can no longer be written to; only for other files, with which the run goes on.
    failure: Option<FailureNotice<'a>>,
}

/// Keeps readings of clocks every 30 seconds and at the end: each second's would take as much as its samples.
#[derive(Debug, Default)]
struct ThinnedReadings {
    /// When the last readings that were kept were made.
    last: Option<Nanos>,
}

impl ThinnedReadings {
    /// Least time between readings.
    const EVERY: Nanos = Nanos::from_secs(30);

    /// Returns the note without readings that follow others too soon.
    fn note(&mut self, note: &Note) -> Note {
        let mut note = note.clone();
        if let Some(now) = note.brackets.last().map(|bracket| bracket.monotonic) {
            if note.end.is_none() && self.last.is_some_and(|last| now.saturating_sub(last) < Self::EVERY) {
                note.brackets.clear();
            } else {
                self.last = Some(now);
            }
        }
        note
    }
}

/// Says at once that a file can no longer be written to: the end of the run can be far off.
pub(super) struct FailureNotice<'a> {
    notice: Notice<'a>,
    opened: Option<Opened<'a>>,
}

impl FailureNotice<'_> {
    fn send(&self, path: &Path) {
        // First what others may look up once they have read the notice.
        if let Some(opened) = self.opened {
            opened(None);
        }
        (self.notice)(&format!("oversleep: {} can no longer be written to; measuring without it", path.display()));
    }
}

impl<'a> RecordingFile<'a> {
    /// Creates the file. If a file that was asked for by name can later no longer be written to, `stop` ends the run.
    /// For any other file the run goes on, `notice` receives the reason, and `opened` no path.
    ///
    /// # Errors
    /// If a file that was asked for by name cannot be made.
    pub(super) fn create(
        keep: &Keep,
        meta: &Meta,
        stop: &Stop,
        notice: Notice<'a>,
        opened: Option<Opened<'a>>,
    ) -> Result<Self, WriteError> {
        let clocks = meta.plan.kind == Kind::Clocks;
        match keep {
            Keep::Nowhere => Ok(Self::default()),
            Keep::File { path, replace } => {
                let output = Some(Writer::create(path, meta, *replace)?);
                let stop = Some(stop.clone());
                Ok(Self { output, clocks, replaces: *replace, stop, ..Self::default() })
            }
            Keep::Archive | Keep::Segments(_) => {
                let refused = |why: String| notice(&format!("oversleep: {why}; measuring without keeping the samples"));
                let output = match keep {
                    Keep::Segments(folder) => {
                        Segments::in_folder(folder).create(meta).map_err(|error| error.to_string())
                    }
                    _ => Archive::of_user()
                        .ok_or_else(|| "no home folder is known to keep a recording in".to_owned())
                        .and_then(|archive| archive.create(meta).map_err(|error| error.to_string())),
                };
                // Surveys of clocks and stalls are notes.
                let only_with_samples = *keep == Keep::Archive && meta.plan.kind.has_sleeps();
                let output = output.map_err(refused).ok();
                let failure = Some(FailureNotice { notice, opened });
                let thinned = matches!(keep, Keep::Segments(_)).then(ThinnedReadings::default);
                Ok(Self { output, clocks, only_with_samples, thinned, failure, ..Self::default() })
            }
        }
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output.as_ref().map(Writer::path)
    }

    /// Closes the file and reports its path to `notice`; returns the path. A file of the state folder in which there are
    /// no samples is removed: commands without a file name read the last recording, and this one says nothing. If nothing
    /// was measured, an existing file that was to be replaced stays as it was.
    ///
    /// # Errors
    /// If a file that was asked for by name could not be written completely. For any other file `notice` receives the
    /// error.
    pub(super) fn finish(self, notice: Notice<'_>) -> Result<Option<PathBuf>, WriteError> {
        let Some(output) = self.output else { return Ok(None) };
        let path = output.path().to_owned();
        if output.is_untouched() && !self.has_results {
            notice(&format!("oversleep: nothing was measured; {} stays as it was", path.display()));
            return Ok(None);
        }
        // A pipe or a device such as `/dev/null` takes what is written, and keeps nothing that could be read again.
        let done = if path.is_file() { "kept in" } else { "written to" };
        let is_named = self.stop.is_some();
        match output.finish() {
            Ok(0) if self.only_with_samples && fs::remove_file(&path).is_ok() => {
                notice("the recording would be empty and is not kept");
                return Ok(None);
            }
            Ok(_) if self.clocks => notice(&format!("readings {done} {}", path.display())),
            Ok(samples) => notice(&format!("{samples} samples {done} {}", path.display())),
            Err(error) if is_named => return Err(error),
            Err(error) => notice(&format!("oversleep: {error}")),
        }
        Ok(Some(path))
    }

    /// Closes the file after a run that failed: it is removed if this run made it and nothing was measured.
    pub(super) fn abandon(self) {
        if let Some(path) = self.path().filter(|path| !self.has_results && !self.replaces && path.is_file()) {
            let _ = fs::remove_file(path);
        }
    }

    /// Passes something to the file. If writing failed, ends the run or says so.
    fn give(&mut self, give: impl FnOnce(&mut dyn Sink)) {
        let Some(output) = &mut self.output else { return };
        give(output);
        if let Some(failure) = self.failure.take_if(|_| output.failed()) {
            failure.send(output.path());
        }
        if let Some(stop) = self.stop.as_ref().filter(|stop| output.failed() && !stop.stopped()) {
            stop.stop();
        }
    }
}

impl Sink for RecordingFile<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        self.has_results |= !batch.is_empty();
        self.give(|file| file.samples(batch));
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.has_results |= !wakes.wakes.is_empty();
        self.give(|file| file.wakes(wakes));
    }

    fn cell(&mut self, cell: &Cell) {
        self.give(|file| file.cell(cell));
    }

    fn note(&mut self, note: &Note) {
        self.only_with_samples &= note.hung.is_empty();
        self.has_results |= has_results(note);
        match self.thinned.as_mut().map(|thinned| thinned.note(note)) {
            Some(thinned) => self.give(|file| file.note(&thinned)),
            None => self.give(|file| file.note(note)),
        }
    }

    fn flush(&mut self) {
        // An existing file is replaced only by something that was measured.
        if self.has_results || self.output.as_ref().is_some_and(|output| !output.is_untouched()) {
            self.give(|file| file.flush());
        }
    }
}

/// Returns whether this note has something that was measured, besides the samples.
fn has_results(note: &Note) -> bool {
    let is_empty = note.hung.is_empty() && note.watched.is_empty() && note.stall_windows.is_empty();
    !is_empty || note.clocks.is_some() || note.lost > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::ClockName;
    use oversleep_recording::{Bracket, End};

    #[test]
    fn readings_of_clocks_are_kept_now_and_then_and_the_rest_of_notes_always() {
        let note = |second, end| {
            let at = Nanos::from_secs(second);
            let bracket = Bracket { clock: ClockName::Realtime, monotonic: at, width: Nanos::new(40), reading: at };
            Note { lost: 1, brackets: vec![bracket], end, ..Note::default() }
        };
        let mut thinned = ThinnedReadings::default();
        let mut kept = Note::default();
        (0..120).for_each(|second| kept.absorb(thinned.note(&note(second, None))));
        kept.absorb(thinned.note(&note(119, Some(End::Complete))));
        let at: Vec<_> = kept.brackets.iter().map(|bracket| bracket.monotonic).collect();
        assert_eq!(at, [0, 30, 60, 90, 119].map(Nanos::from_secs));
        assert_eq!((kept.lost, kept.end), (121, Some(End::Complete)));
    }
}

//! The file that a run's recording is kept in.

use super::Notice;
use oversleep_recording::file::{WriteError, Writer};
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};
use std::path::{Path, PathBuf};

/// Where a recording goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Keep {
    /// Nowhere.
    #[default]
    Nowhere,
    /// Into a new file in the current folder, named after the time at which the run began.
    ByTime,
    /// Into this file.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether a file that is there already is replaced.
        replace: bool,
    },
}

/// A recording's file while it is written. Without one everything is taken and nothing kept.
#[derive(Default)]
pub(super) struct Kept {
    writer: Option<Writer>,
    clocks: bool,
}

impl Kept {
    /// Creates the file. One that was not asked for by name stops no run: `notice` is told why there is none.
    ///
    /// # Errors
    /// If a file that was asked for by name cannot be made.
    pub(super) fn create(keep: &Keep, meta: &Meta, notice: Notice<'_>) -> Result<Self, WriteError> {
        let clocks = meta.plan.is_clocks();
        match keep {
            Keep::Nowhere => Ok(Self::default()),
            Keep::File { path, replace } => Ok(Self { writer: Some(Writer::create(path, meta, *replace)?), clocks }),
            Keep::ByTime => {
                let writer = by_time(meta);
                let writer = writer
                    .map_err(|error| notice(&format!("oversleep: {error}; measuring without keeping the samples")))
                    .ok();
                Ok(Self { writer, clocks })
            }
        }
    }

    /// Returns where it is kept.
    pub(super) fn path(&self) -> Option<&Path> {
        self.writer.as_ref().map(Writer::path)
    }

    /// Closes the file and tells `notice` where it is.
    pub(super) fn finish(self, notice: Notice<'_>) {
        let Some(writer) = self.writer else { return };
        let path = writer.path().display().to_string();
        match writer.finish() {
            Ok(_) if self.clocks => notice(&format!("readings kept in {path}")),
            Ok(samples) => notice(&format!("{samples} samples kept in {path}")),
            Err(error) => notice(&format!("oversleep: {error}")),
        }
    }
}

/// Runs that begin in the same second and still find a name of their own.
const RUNS_A_SECOND: u32 = 100;

fn by_time(meta: &Meta) -> Result<Writer, WriteError> {
    let mut made = Writer::create(&default_name(meta, 1), meta, false);
    for number in 2..=RUNS_A_SECOND {
        if !matches!(made, Err(WriteError::Exists { .. })) {
            break;
        }
        made = Writer::create(&default_name(meta, number), meta, false);
    }
    made
}

/// Returns `oversleep-20261121T104522Z.arrows`, or `oversleep-20261121T104522Z-2.arrows`.
fn default_name(meta: &Meta, number: u32) -> PathBuf {
    let stamp: String = meta.started.iter().flat_map(|time| time.chars()).filter(char::is_ascii_alphanumeric).collect();
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    PathBuf::from(format!("oversleep-{stamp}{number}.arrows"))
}

impl Sink for Kept {
    fn samples(&mut self, batch: &[Sample]) {
        if let Some(writer) = &mut self.writer {
            writer.samples(batch);
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        if let Some(writer) = &mut self.writer {
            writer.wakes(wakes);
        }
    }

    fn note(&mut self, note: &Note) {
        if let Some(writer) = &mut self.writer {
            writer.note(note);
        }
    }

    fn flush(&mut self) {
        if let Some(writer) = &mut self.writer {
            writer.flush();
        }
    }
}

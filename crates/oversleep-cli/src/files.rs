//! Where a recording goes.

use crate::args::Keep;
use crate::failure::Failure;
use crate::input::is_standard;
use crate::say::say;
use oversleep_recording::file::{WriteError, Writer};
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};
use std::path::PathBuf;

/// A recording's file, if one is kept and could be made. Trouble with a file that was not asked for by name never stops a
/// measurement.
pub(crate) struct Kept {
    writer: Option<Writer>,
    /// There are readings of clocks, and no samples.
    readings: bool,
}

impl Kept {
    /// Creates the file: one that was asked for by name, or nothing is measured; else, if that fails, says so and goes on
    /// without.
    pub(crate) fn create(keep: &Keep, meta: &Meta) -> Result<Self, Failure> {
        let readings = meta.plan.is_clocks();
        if keep.no_save {
            return Ok(Self { writer: None, readings });
        }
        if keep.out.as_deref().is_some_and(is_standard) {
            return Err(Failure::usage(
                "--out -: standard output is the results', so name a file (./- is one of that name); \
                 --no-save --csv writes every sample to standard output",
            ));
        }
        if let Some(path) = &keep.out {
            return Ok(Self { writer: Some(Writer::create(path, meta, keep.force)?), readings });
        }
        // Two runs may begin in the same second: the later one takes another name.
        let mut made = Writer::create(&default_name(meta, 1), meta, false);
        for number in 2..=RUNS_A_SECOND {
            if !matches!(made, Err(WriteError::Exists { .. })) {
                break;
            }
            made = Writer::create(&default_name(meta, number), meta, false);
        }
        match made {
            Ok(writer) => Ok(Self { writer: Some(writer), readings }),
            Err(error) => {
                say!("oversleep: {error}; measuring without keeping the samples");
                Ok(Self { writer: None, readings })
            }
        }
    }

    /// Where it is kept.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.writer.as_ref().map(|writer| writer.path().to_owned())
    }

    /// Closes the file and says where it is.
    pub(crate) fn finish(self) {
        let Some(writer) = self.writer else { return };
        let path = writer.path().display().to_string();
        match writer.finish() {
            Ok(_) if self.readings => say!("readings kept in {path}"),
            Ok(samples) => say!("{samples} samples kept in {path}"),
            Err(error) => say!("oversleep: {error}"),
        }
    }
}

/// Runs that find a name of their own if they begin in the same second.
const RUNS_A_SECOND: u32 = 100;

/// `oversleep-20261121T104522Z.arrows`, or `oversleep-20261121T104522Z-2.arrows`, in the current folder.
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

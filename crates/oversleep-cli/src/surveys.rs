//! Recordings without sleeps: stalls of processors, readings of clocks.

use crate::args::Output;
use crate::failure::Failure;
use crate::show;
use oversleep_lab::analysis::{Summariser, clocks, stalls};
use oversleep_lab::report;
use oversleep_recording::document::clocks::Clocks;
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};
use std::io::Write;

/// Takes what such a recording holds beside its figures; of any other, nothing.
pub(crate) struct Surveys {
    stalls: stalls::Stalls,
}

impl Surveys {
    /// For a recording that begins like this.
    pub(crate) fn new(meta: &Meta) -> Self {
        Self { stalls: stalls::Stalls::new(meta) }
    }

    /// Whether this is how the recording is shown.
    pub(crate) fn shows(meta: &Meta) -> bool {
        meta.plan.is_stalls() || meta.plan.is_clocks()
    }

    /// Shows it, as its run did.
    pub(crate) fn show(self, meta: &Meta, summary: Summariser, output: &Output) -> Result<(), Failure> {
        if meta.plan.is_clocks() {
            output.no_checks("a survey of clocks has no sleeps to check")?;
            return show_clocks(&clocks::document(meta, summary.notes()), output.json, false);
        }
        show_stalls(meta, summary, self.stalls, output)
    }
}

impl Sink for Surveys {
    fn samples(&mut self, batch: &[Sample]) {
        self.stalls.samples(batch);
    }

    /// Nothing is scheduled in such a recording.
    fn wakes(&mut self, _: &Wakes) {}

    fn note(&mut self, note: &Note) {
        self.stalls.note(note);
    }
}

/// Shows stalls: accounts, figures, causes, the worst.
pub(crate) fn show_stalls(
    meta: &Meta,
    summary: Summariser,
    stalls: stalls::Stalls,
    output: &Output,
) -> Result<(), Failure> {
    let note = summary.notes().clone();
    let cells = summary.finish();
    let found = stalls::document(&note, &cells, stalls.finish());
    let mut out = anstream::stdout().lock();
    if output.json {
        show::json(&mut out, &report::stalls::document(meta, &note, &found, &cells))?;
    } else {
        write!(out, "{}", report::stalls::report(meta, &note, &found, &cells, output.look()))?;
    }
    out.flush()?;
    drop(out);
    if cells.iter().all(|cell| cell.raw.n == 0) && !note.watched.is_empty() {
        // Not a stall: the best result there is.
        return Ok(());
    }
    show::verdict(&cells, output)
}

/// Shows clocks: cost, steps, drift; between all pairs if `every_pair`.
pub(crate) fn show_clocks(found: &Clocks, json: bool, every_pair: bool) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    if json {
        show::json(&mut out, found)?;
    } else {
        write!(out, "{}", report::clocks::text(found, every_pair))?;
    }
    Ok(out.flush()?)
}

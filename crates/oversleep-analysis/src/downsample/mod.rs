//! Reduces a long recording to two parts of bounded size.
//!
//! Estimators need one of two things. Those that compare neighbours (for a sawtooth's jumps, the turns of a run queue,
//! a daemon's period, first calls) need sleeps without gaps: `head` keeps the *first* sleeps of every thread of every
//! cell, as a shorter run of the same plan would have them. Those that need the whole run (for a change in the middle,
//! a drift, rare stalls) need sleeps *spread* over it: `spread` keeps one of every 2^k, chosen by a fixed hash so that
//! it cannot coincide with a rhythm of the machine, and `latest` adds the latest of all. Contiguous stretches spread
//! over the run would serve neither: the gaps hide jumps, and stretches at equal distances alias frequencies.
//!
//! Recordings up to [`WHOLE`] samples are kept as they are.

mod brackets;
mod head;
mod keys;
mod latest;
mod spread;

use brackets::Brackets;
use head::Head;
use keys::Keys;
use latest::Latest;
use oversleep_recording::document::Coverage;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Recording, Sample, Sink};
use spread::Spread;
use std::collections::BTreeMap;

/// Most samples of a recording that is kept whole; of a longer one each part keeps at most half as many.
pub const WHOLE: usize = 1 << 18;

/// Keeps a recording whole, or two parts of it. Its memory does not grow with the recording: at most [`WHOLE`] samples,
/// and some 3 KiB per thread of each cell.
#[derive(Debug)]
pub struct Downsampler {
    meta: Meta,
    note: Note,
    brackets: Brackets,
    bound: usize,
    seen: u64,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Whole(Vec<Sample>),
    Parts(Box<PartSamplers>),
}

/// The samplers of both parts, and what numbers the samples for them.
#[derive(Debug)]
struct PartSamplers {
    keys: Keys,
    head: Head,
    spread: Spread,
    latest: Latest,
}

/// A sample, with its numbers in its thread and in its cell.
#[derive(Debug, Clone, Copy)]
struct Placed {
    /// Its number among the usable samples of its cell's thread, from 0.
    ordinal: u64,
    /// Its number among the usable samples of its cell, from 0.
    place: u64,
    sample: Sample,
}

/// A recording, or two parts of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Downsampled {
    /// Everything, or the first sleeps of every thread of every cell.
    pub first: Recording,
    /// Sleeps spread over the whole run, and the latest of all; `None` where `first` is everything.
    pub spread: Option<SpreadSample>,
    /// Number of samples in the whole recording.
    pub samples: u64,
}

/// Sleeps spread over a run.
#[derive(Debug, Clone, PartialEq)]
pub struct SpreadSample {
    /// The sleeps. Its notes contain only the first clock bracketing.
    pub recording: Recording,
    /// For each cell, by number, the places of its sleeps among all of the cell's usable ones, from 0, ascending.
    pub places: BTreeMap<u32, Vec<u64>>,
}

impl Downsampled {
    /// Returns how much of the recording was kept.
    pub fn coverage(&self) -> Coverage {
        let spread = self.spread.as_ref().map_or(0, |spread| spread.recording.samples.len());
        Coverage { samples: self.samples, first: self.first.samples.len() as u64, spread: spread as u64 }
    }
}

impl Downsampler {
    /// Creates it for a recording that begins with `meta`.
    pub fn new(meta: &Meta) -> Self {
        Self::with_bound(meta, WHOLE)
    }

    /// Creates it with another bound than [`WHOLE`], at least 16.
    pub fn with_bound(meta: &Meta, bound: usize) -> Self {
        let bound = bound.max(16);
        Self {
            meta: meta.clone(),
            note: Note::default(),
            // An imported table with both clocks in every row has two bracketings per row.
            brackets: Brackets::new(2 * bound),
            bound,
            seen: 0,
            stage: Stage::Whole(Vec::new()),
        }
    }

    /// Returns the notes so far, without bracketings.
    pub fn notes(&self) -> &Note {
        &self.note
    }

    /// Returns what it kept.
    pub fn finish(self) -> Downsampled {
        let Self { meta, mut note, brackets, seen, stage, .. } = self;
        note.brackets = brackets.finish();
        match stage {
            Stage::Whole(samples) => {
                Downsampled { first: Recording { meta, samples, note }, spread: None, samples: seen }
            }
            Stage::Parts(parts) => {
                let PartSamplers { head, spread, latest, .. } = *parts;
                let brief = Note { brackets: note.brackets.first().copied().into_iter().collect(), ..note.clone() };
                let (samples, places) = in_order(latest.beside(spread.finish()));
                let recording = Recording { meta: meta.clone(), samples, note: brief };
                let first = Recording { meta, samples: head.finish(), note };
                Downsampled { first, spread: Some(SpreadSample { recording, places }), samples: seen }
            }
        }
    }

    fn part(&mut self) {
        let Stage::Whole(samples) = &mut self.stage else { return };
        let samples = std::mem::take(samples);
        let mut parts = PartSamplers {
            keys: Keys::default(),
            head: Head::new(self.bound / 2),
            spread: Spread::new(self.bound / 2),
            latest: Latest::default(),
        };
        let cells = self.meta.plan.cells.len();
        for sample in &samples {
            parts.take(sample, cells);
        }
        self.stage = Stage::Parts(Box::new(parts));
    }
}

impl PartSamplers {
    #[inline]
    fn take(&mut self, sample: &Sample, cells: usize) {
        let usable = !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED);
        if !usable || sample.cell as usize >= cells {
            return;
        }
        let (key, ordinal, place) = self.keys.next(sample.cell, sample.thread);
        let placed = Placed { ordinal, place, sample: *sample };
        self.head.take(key, &placed.sample);
        self.spread.take(key, &placed);
        self.latest.take(key, &placed);
    }
}

/// Sorts samples by cell and place; returns them and each cell's places.
fn in_order(mut kept: Vec<Placed>) -> (Vec<Sample>, BTreeMap<u32, Vec<u64>>) {
    kept.sort_unstable_by_key(|placed| (placed.sample.cell, placed.place));
    let mut places: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for placed in &kept {
        places.entry(placed.sample.cell).or_default().push(placed.place);
    }
    (kept.into_iter().map(|placed| placed.sample).collect(), places)
}

impl Sink for Downsampler {
    fn samples(&mut self, batch: &[Sample]) {
        self.seen += batch.len() as u64;
        if let Stage::Whole(samples) = &mut self.stage {
            if samples.len() + batch.len() <= self.bound {
                samples.extend_from_slice(batch);
                return;
            }
            self.part();
        }
        let cells = self.meta.plan.cells.len();
        if let Stage::Parts(parts) = &mut self.stage {
            for sample in batch {
                parts.take(sample, cells);
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        self.brackets.take(&note.brackets);
        // What was recorded around traced sleeps is kept, however long the recording, because it is explained later.
        self.note.absorb(Note { traced_sleeps: note.traced_sleeps.clone(), ..note.without_details() });
    }
}

#[cfg(test)]
mod tests;

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

mod head;
mod latest;
mod spread;

use head::Head;
use latest::Latest;
use oversleep_recording::document::Coverage;
use oversleep_recording::plan::{Cell, ClockName};
use oversleep_recording::{Bracket, Flags, Meta, Note, Recording, Sample, Sink};
use spread::Spread;
use std::collections::{BTreeMap, HashMap};

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

/// At most `bound` bracketings: every reading of each clock, or every second, fourth, and so on.
#[derive(Debug)]
struct Brackets {
    bound: usize,
    every: u64,
    kept: Vec<(u64, Bracket)>,
    counts: Vec<(ClockName, u64)>,
}

impl Brackets {
    fn new(bound: usize) -> Self {
        Self { bound, every: 1, kept: Vec::new(), counts: Vec::new() }
    }

    fn take(&mut self, brackets: &[Bracket]) {
        for bracket in brackets {
            let number = self.number(bracket.clock);
            if number.is_multiple_of(self.every) {
                self.kept.push((number, *bracket));
            }
            // As there are few clocks, this removes about half.
            while self.kept.len() > self.bound {
                self.every *= 2;
                let every = self.every;
                self.kept.retain(|(number, _)| number.is_multiple_of(every));
            }
        }
    }

    /// Returns the number of this clock's next reading, from 0.
    fn number(&mut self, clock: ClockName) -> u64 {
        if let Some((_, count)) = self.counts.iter_mut().find(|(known, _)| *known == clock) {
            *count += 1;
            return *count;
        }
        self.counts.push((clock, 0));
        0
    }

    fn finish(self) -> Vec<Bracket> {
        self.kept.into_iter().map(|(_, bracket)| bracket).collect()
    }
}

/// Numbers the threads of cells, and counts the samples of each.
#[derive(Debug, Default)]
struct Keys {
    known: HashMap<(u32, u16), usize>,
    /// Samples so far, by key.
    counts: Vec<u64>,
    /// Samples so far, by cell.
    places: HashMap<u32, u64>,
    /// The thread of the previous sample: samples of one thread follow each other in runs.
    last: Option<Last>,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    cell: u32,
    thread: u16,
    key: usize,
    /// The cell's count of samples, not yet written back to `places`.
    place: u64,
}

impl Keys {
    /// Returns the key of this thread of this cell, and the numbers of its next sample: in the thread, and in the cell.
    #[inline]
    fn next(&mut self, cell: u32, thread: u16) -> (usize, u64, u64) {
        let last = match &mut self.last {
            Some(last) if last.cell == cell && last.thread == thread => last,
            _ => self.turn_to(cell, thread),
        };
        let (key, place) = (last.key, last.place);
        last.place += 1;
        let ordinal = self.counts[key];
        self.counts[key] += 1;
        (key, ordinal, place)
    }

    fn turn_to(&mut self, cell: u32, thread: u16) -> &mut Last {
        if let Some(last) = self.last.take() {
            self.places.insert(last.cell, last.place);
        }
        let fresh = self.counts.len();
        let key = *self.known.entry((cell, thread)).or_insert(fresh);
        if key == fresh {
            self.counts.push(0);
        }
        let place = self.places.get(&cell).copied().unwrap_or(0);
        self.last.insert(Last { cell, thread, key, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::{Cell, ClockName, Kind, Pattern, Plan};
    use oversleep_recording::{Bracket, Origin};
    use oversleep_sys::units::Nanos;

    fn meta(cells: u32) -> Meta {
        let cell = |id| Cell::new(id, "nanosleep", Pattern::fixed(Nanos::MILLISECOND));
        let plan = Plan { kind: Kind::Measure, cells: (0..cells).map(cell).collect(), turns: Vec::new(), seed: 0 };
        Meta::new("test", Origin::Imported { format: "test".to_owned(), file: String::new() }, plan)
    }

    fn sample(cell: u32, thread: u16, number: u64) -> Sample {
        let start = Nanos::new(number.cast_signed() * 2_000_000);
        let end = start + Nanos::MILLISECOND + Nanos::new(57_000);
        Sample { cell, thread, sequence: number, requested: Nanos::MILLISECOND, start, end, ..Sample::BLANK }
    }

    fn numbers(samples: &[Sample], cell: u32, thread: u16) -> Vec<u64> {
        samples.iter().filter(|own| own.cell == cell && own.thread == thread).map(|own| own.sequence).collect()
    }

    #[test]
    fn up_to_the_bound_everything_is_kept_as_it_came() {
        let mut downsampler = Downsampler::with_bound(&meta(1), 100);
        let samples: Vec<Sample> = (0..100).map(|number| sample(0, (number % 3) as u16, number)).collect();
        samples.chunks(7).for_each(|batch| downsampler.samples(batch));
        let made = downsampler.finish();
        assert_eq!(made.first.samples, samples);
        assert_eq!(made.spread, None);
        assert_eq!(made.coverage(), Coverage { samples: 100, first: 100, spread: 0 });
    }

    #[test]
    fn beyond_it_the_first_sleeps_of_every_thread_stay_without_a_gap() {
        let mut downsampler = Downsampler::with_bound(&meta(3), 1_000);
        for number in 0..10_000 {
            downsampler.samples(&[sample(0, 0, number), sample(0, 1, number)]);
            if number % 500 == 0 {
                downsampler.samples(&[sample(1, 0, number / 500)]);
            }
        }
        // A cell whose turn comes last still gets room.
        (0..5_000).for_each(|number| downsampler.samples(&[sample(2, 0, number)]));
        let made = downsampler.finish();
        assert_eq!(made.samples, 25_020);
        let first = &made.first.samples;
        assert!(first.len() <= 500 && first.len() >= 300, "{}", first.len());
        let long = [(0, 0), (0, 1), (2, 0)].map(|(cell, thread)| {
            let kept = numbers(first, cell, thread);
            assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
            kept.len()
        });
        assert!(long.iter().all(|&kept| kept == long[0]), "{long:?}");
        assert_eq!(numbers(first, 1, 0).len(), 20, "a cell of few sleeps is whole");
    }

    #[test]
    fn the_others_are_spread_evenly_one_of_each_stratum() {
        let mut downsampler = Downsampler::with_bound(&meta(2), 1_000);
        for number in 0..9_999 {
            downsampler.samples(&[sample(0, 0, number)]);
        }
        (0..11).for_each(|number| downsampler.samples(&[sample(1, 0, number)]));
        let spread = downsampler.finish().spread.unwrap();
        let kept = numbers(&spread.recording.samples, 0, 0);
        let mut strata: Vec<u64> = kept.iter().map(|number| number / 32).collect();
        strata.dedup();
        assert!(kept.len() - strata.len() <= 3, "the latest are at most one in a hundred more");
        assert_eq!(strata, (0..=9_998 / 32).collect::<Vec<_>>());
        // Not always the same place within the stratum.
        let places: std::collections::BTreeSet<u64> = kept.iter().map(|number| number % 32).collect();
        assert!(places.len() > 20, "{places:?}");
        assert_eq!(spread.places[&0], kept);
        assert_eq!(numbers(&spread.recording.samples, 1, 0).len(), 11);
    }

    #[test]
    fn joined_strata_hold_what_wider_ones_would_have() {
        let kept = |bound: usize| {
            let mut spread = Spread::new(bound);
            for ordinal in 0..4_096 {
                spread.take(0, &Placed { ordinal, place: ordinal, sample: sample(0, 0, ordinal) });
            }
            spread.finish().remove(0).iter().map(|placed| placed.ordinal).collect::<Vec<_>>()
        };
        let (few, many) = (kept(100), kept(1_000));
        assert!(few.len() < many.len());
        assert!(few.iter().all(|ordinal| many.contains(ordinal)));
    }

    #[test]
    fn the_latest_are_among_them() {
        let mut downsampler = Downsampler::with_bound(&meta(1), 10_000);
        let stalls = [20_011, 44_444, 71_234];
        for number in 0..100_000 {
            let mut own = sample(0, 0, number);
            if stalls.contains(&number) {
                own.end += Nanos::SECOND;
            }
            downsampler.samples(&[own]);
        }
        let spread = downsampler.finish().spread.unwrap();
        let kept = numbers(&spread.recording.samples, 0, 0);
        assert!(stalls.iter().all(|stall| kept.contains(stall)));
        assert!(kept.is_sorted() && kept.windows(2).all(|pair| pair[0] < pair[1]), "in order and none twice");
        assert!(kept.len() <= 5_000 + 32);
    }

    #[test]
    fn failed_and_foreign_samples_are_counted_but_not_kept_beyond_the_bound() {
        let mut downsampler = Downsampler::with_bound(&meta(1), 100);
        for number in 0..400 {
            let flags = if number % 4 == 0 { Flags::FAILED } else { Flags::default() };
            downsampler.samples(&[Sample { flags, ..sample(0, 0, number) }, sample(7, 0, number)]);
        }
        let made = downsampler.finish();
        assert_eq!(made.samples, 800);
        let all = made.first.samples.iter().chain(&made.spread.as_ref().unwrap().recording.samples);
        assert!(all.clone().count() > 50 && all.into_iter().all(|own| own.cell == 0 && own.flags == Flags::default()));
    }

    #[test]
    fn bracketings_stay_bounded_and_spread() {
        let mut downsampler = Downsampler::with_bound(&meta(1), 100);
        for second in 0..10_000 {
            let bracket =
                |clock| Bracket { clock, monotonic: Nanos::SECOND * second, width: Nanos::ZERO, reading: Nanos::ZERO };
            let brackets = vec![bracket(ClockName::Realtime), bracket(ClockName::Tai)];
            downsampler.note(&Note { brackets, lost: 1, ..Note::default() });
        }
        let note = downsampler.finish().first.note;
        assert_eq!(note.lost, 10_000);
        assert!((100..=200).contains(&note.brackets.len()), "{}", note.brackets.len());
        let of = |clock| note.brackets.iter().filter(|own| own.clock == clock).count();
        assert_eq!(of(ClockName::Realtime), of(ClockName::Tai));
        assert!(note.brackets.last().unwrap().monotonic > Nanos::SECOND * 9_800);
    }
}

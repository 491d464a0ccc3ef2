//! The traced cells of a recording: their sleeps, split into parts, and the untraced sleeps beside them.

use super::{Breakdown, TimedSleep, counters, join, switches};
use oversleep_figures::quantile::{Fraction, of_sorted};
use oversleep_recording::plan::{Cell, Conditions};
use oversleep_recording::trace::{ThreadCounters, Tier};
use oversleep_recording::{Flags, Recording, Sample, TracedSleeps, Tracing};
use oversleep_sys::units::Nanos;
use std::ops::Range;

/// What a recording holds of one traced cell.
#[derive(Debug, Clone)]
pub struct TracedCell<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// Identifier of the untraced cell that was measured in turns with it.
    pub untraced_cell: u32,
    /// How it was traced.
    pub tracing: &'a Tracing,
    /// The conditions as read back.
    pub obtained: Conditions,
    /// The traced sleeps, split into parts.
    pub breakdowns: Vec<Breakdown>,
    /// Oversleeps of the untraced blocks, in order of time.
    pub untraced: Vec<Nanos>,
    /// How much later each traced block was than the untraced block beside it, by their medians.
    pub shifts: Vec<Nanos>,
    /// How often one switch's next thread was not the next switch's previous one: threads hidden from the trace ran.
    pub breaks: u64,
    /// Number of events lost, at least: where the kernel gives no number, a gap counts as one.
    pub lost: u64,
    /// Number of sleeps that a signal or an error ended, traced or not. They are in no figure.
    pub interrupted: u64,
}

/// Splits the sleeps of every traced cell of a recording, in the plan's order.
pub fn traced_cells(recording: &Recording) -> Vec<TracedCell<'_>> {
    let pairs = recording.meta.plan.traced_pairs().into_iter();
    pairs.filter_map(|(untraced, traced)| traced_cell(recording, untraced, traced)).collect()
}

/// Splits the sleeps of one traced cell. `untraced`: the cell measured in turns with it. `None` if it was not traced.
pub fn traced_cell<'a>(recording: &'a Recording, untraced: &Cell, traced: &'a Cell) -> Option<TracedCell<'a>> {
    let tracing = recording.note.tracing.iter().find(|tracing| tracing.cell == traced.id)?;
    let (beside, own) =
        (CellSamples::from_recording(recording, untraced), CellSamples::from_recording(recording, traced));
    let mut of_cell = TracedCell {
        cell: traced,
        untraced_cell: untraced.id,
        tracing,
        obtained: own.obtained.cloned().unwrap_or_default(),
        breakdowns: Vec::new(),
        untraced: beside.sleeps().map(|slept| slept.oversleep()).collect(),
        shifts: shifts(recording, &beside, &own),
        breaks: 0,
        lost: 0,
        interrupted: beside.interrupted() + own.interrupted(),
    };
    for block in blocks(recording, traced.id) {
        let in_block = own.range(&numbers(block)).iter().filter(|sample| usable(sample));
        let counted = |sample: &Sample| {
            usize::try_from(sample.sequence - block.first)
                .map_or_else(|_| ThreadCounters::default(), |at| block.counted.during(at))
        };
        let sleeps: Vec<TimedSleep> = in_block.map(|sample| own.slept(sample, counted(sample))).collect();
        of_cell.split(block, &sleeps);
    }
    Some(of_cell)
}

impl TracedCell<'_> {
    fn split(&mut self, block: &TracedSleeps, sleeps: &[TimedSleep]) {
        let own = &block.own;
        match self.tracing.tier {
            Tier::Events => {
                let (breakdowns, breaks) = join::join(&block.events, &own.switches, block.tid, sleeps);
                self.breakdowns.extend(breakdowns);
                self.breaks += breaks;
                self.lost += block.events.gaps.iter().map(|gap| gap.records.max(1)).sum::<u64>();
            }
            Tier::Switches => self.breakdowns.extend(switches::join(&own.switches, own.lost, sleeps)),
            Tier::Counters | Tier::Slack => self.breakdowns.extend(counters::join(sleeps)),
        }
    }
}

fn blocks(recording: &Recording, cell: u32) -> impl Iterator<Item = &TracedSleeps> {
    recording.note.traced_sleeps.iter().filter(move |block| block.cell == cell)
}

fn numbers(block: &TracedSleeps) -> Range<u64> {
    block.first..block.first.saturating_add(block.sleeps)
}

/// The samples of a cell in order, and what is needed to turn them into sleeps.
struct CellSamples<'a> {
    cell: &'a Cell,
    obtained: Option<&'a Conditions>,
    samples: Vec<&'a Sample>,
}

impl<'a> CellSamples<'a> {
    fn from_recording(recording: &'a Recording, cell: &'a Cell) -> Self {
        let mut samples: Vec<&Sample> = recording.of_cell(cell.id).filter(|sample| sample.thread == 0).collect();
        samples.sort_by_key(|sample| sample.sequence);
        let obtained = recording.note.obtained.iter().rfind(|note| note.cell == cell.id && note.thread == 0);
        Self { cell, obtained: obtained.map(|note| &note.conditions), samples }
    }

    fn range(&self, numbers: &Range<u64>) -> &[&'a Sample] {
        let at = |number: u64| self.samples.partition_point(|sample| sample.sequence < number);
        let (from, until) = (at(numbers.start), at(numbers.end));
        self.samples.get(from..until).unwrap_or_default()
    }

    fn slept(&self, sample: &Sample, counted: ThreadCounters) -> TimedSleep {
        TimedSleep::from_sample(sample, Some(self.cell), self.obtained, counted)
    }

    fn sleeps(&self) -> impl Iterator<Item = TimedSleep> {
        let usable = self.samples.iter().filter(|sample| usable(sample));
        usable.map(|sample| self.slept(sample, ThreadCounters::default()))
    }

    fn interrupted(&self) -> u64 {
        self.samples.iter().filter(|sample| !usable(sample)).count() as u64
    }

    /// Returns the median oversleep of a whole block in ns; `None` if the run ended before the block did.
    fn median(&self, numbers: &Range<u64>) -> Option<i64> {
        let block = self.range(numbers);
        if block.len() as u64 != numbers.end - numbers.start {
            return None;
        }
        let usable = block.iter().filter(|sample| usable(sample));
        let mut late: Vec<i64> =
            usable.map(|sample| self.slept(sample, ThreadCounters::default()).oversleep().get()).collect();
        late.sort_unstable();
        of_sorted(&late, Fraction::P50)
    }
}

/// Returns whether a sample shows what the timer did: not if a signal or an error ended the sleep.
fn usable(sample: &Sample) -> bool {
    !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED)
}

/// Returns how much later each traced block was than the untraced block of the same turn, by their medians.
fn shifts(recording: &Recording, untraced: &CellSamples<'_>, traced: &CellSamples<'_>) -> Vec<Nanos> {
    let turns = |cell: u32| {
        let mut begin = 0_u64;
        let of_cell = recording.meta.plan.turns.iter().filter(move |turn| turn.cell == cell);
        of_cell.map(move |turn| {
            let numbers = begin..begin.saturating_add(turn.sleeps);
            begin = numbers.end;
            numbers
        })
    };
    let was_traced: Vec<Range<u64>> = blocks(recording, traced.cell.id).map(numbers).collect();
    let pairs = turns(untraced.cell.id).zip(turns(traced.cell.id));
    let pairs =
        pairs.filter(|(_, numbers)| was_traced.binary_search_by_key(&numbers.start, |known| known.start).is_ok());
    let shift = |(beside, own): (Range<u64>, Range<u64>)| {
        let (traced, untraced) = (traced.median(&own)?, untraced.median(&beside)?);
        Some(Nanos::new(traced.saturating_sub(untraced)))
    };
    pairs.filter_map(shift).collect()
}

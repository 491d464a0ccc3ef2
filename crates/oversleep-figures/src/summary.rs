//! Figures of each cell.

use super::accumulate::{Accumulator, SPAN};
use super::quantile::{Fraction, supports_quantile};
use super::{interval, omission};
use oversleep_recording::document::{CostFigures, Figures};
use oversleep_recording::plan::{Cell, Conditions, Pattern};
use oversleep_recording::{Flags, Meta, Note, Periods, Sample, Sink, Wake, Wakes};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// The summary of one cell, from which reports are made.
#[derive(Debug, Clone)]
pub struct CellSummary {
    /// The cell.
    pub cell: Cell,
    /// Conditions read back from the first thread; `None` if it never slept.
    pub obtained: Option<Conditions>,
    /// Figures of the wake-ups that were seen.
    pub raw: Figures,
    /// Figures of what every period would have felt; periodic cells only.
    pub corrected: Option<Figures>,
    /// Sum of the threads' counts of periods; periodic cells only.
    pub periods: Option<Periods>,
    /// Figures and periods of each thread; periodic cells of several threads only.
    pub threads: Vec<ThreadSummary>,
    /// What a sleep took of the processor, where that was measured.
    pub cost: Option<CostFigures>,
    /// Lateness of the first calls, one per thread: part of `raw`, shown separately as well.
    pub first: Vec<Nanos>,
    /// Number of sleeps that a signal ended; part of `raw`.
    pub interrupted: u64,
    /// Number of calls that failed; not part of `raw`.
    pub failed: u64,
    /// Raw lateness in ns, for distributions.
    pub values: Accumulator,
    /// Waits of skipped periods in ns, which the corrected series has besides `values`; periodic cells only.
    pub omitted: Accumulator,
}

/// The figures of one thread of a schedule.
#[derive(Debug, Clone)]
pub struct ThreadSummary {
    /// Number of the thread.
    pub thread: u16,
    /// Figures of its wake-ups.
    pub raw: Figures,
    /// Its counts of periods; `None` where the run was cut off before they were written.
    pub periods: Option<Periods>,
}

/// Limit of the number of waits that the corrected series of a cell adds: beyond it a mean of them has no more digits.
const MOST_OMITTED: u64 = 1 << 53;

/// A sink that computes figures while samples pass, in memory that does not grow with their number.
pub struct Summariser {
    cells: Vec<Gathered>,
    note: Note,
}

struct Gathered {
    cell: Cell,
    raw: Accumulator,
    /// Wake-ups of a schedule, by thread; added to `raw` at the end.
    of_thread: Vec<OfThread>,
    /// Waits that the corrected series has beyond the raw one: usually none.
    omitted: Accumulator,
    first: Vec<Nanos>,
    interrupted: u64,
    failed: u64,
}

impl Summariser {
    /// Returns an empty summary for the cells of a recording.
    pub fn new(meta: &Meta) -> Self {
        Self { cells: meta.plan.cells.iter().map(Gathered::new).collect(), note: Note::default() }
    }

    /// Returns everything the notes said, without details.
    pub fn notes(&self) -> &Note {
        &self.note
    }

    /// Returns the summaries of the cells, in the plan's order.
    pub fn finish(self) -> Vec<CellSummary> {
        let mut periods: HashMap<u32, Periods> = HashMap::new();
        for account in &self.note.periods {
            periods.entry(account.cell).or_default().add(account);
        }
        let obtained = |id| {
            // The last note counts: a cell's conditions are noted again when its surroundings have changed.
            let mut of_first_thread = self.note.obtained.iter().filter(|note| note.cell == id && note.thread == 0);
            of_first_thread.next_back().map(|note| note.conditions.clone())
        };
        self.cells
            .into_iter()
            .map(|mut gathered| {
                gathered.close(&self.note.periods);
                gathered
            })
            .map(|mut gathered| (figures(&mut gathered.raw), gathered))
            .map(|(raw, mut gathered)| CellSummary {
                obtained: obtained(gathered.cell.id),
                corrected: is_periodic(&gathered.cell).then(|| gathered.corrected(&raw)),
                raw,
                periods: periods.get(&gathered.cell.id).copied(),
                threads: gathered.threads(&self.note.periods),
                cost: self.note.cost_of(gathered.cell.id),
                first: gathered.first,
                interrupted: gathered.interrupted,
                failed: gathered.failed,
                values: gathered.raw,
                omitted: gathered.omitted,
                cell: gathered.cell,
            })
            .collect()
    }
}

/// Computes the figures of the values.
fn figures(values: &mut Accumulator) -> Figures {
    let mut values = values.settle();
    let n = values.count();
    let mut quantile = |p| if supports_quantile(n, p) { values.quantile(p).map(Nanos::new) } else { None };
    let (p50, p90, p99, p999) =
        (quantile(Fraction::P50), quantile(Fraction::P90), quantile(Fraction::P99), quantile(Fraction::P999));
    let p50_interval = interval::median_ranks(n)
        .and_then(|(low, high)| Some((Nanos::new(values.at_rank(low)?), Nanos::new(values.at_rank(high)?))));
    Figures {
        n,
        early: values.early(),
        min: values.min().map(Nanos::new),
        mean_ns: values.mean(),
        sd_ns: values.deviation(),
        p50,
        p50_low: p50_interval.map(|(low, _)| low),
        p50_high: p50_interval.map(|(_, high)| high),
        p90,
        p99,
        p999,
        max: values.max().map(Nanos::new),
        exact: values.exact(),
    }
}

fn is_periodic(cell: &Cell) -> bool {
    matches!(cell.pattern, Pattern::Periodic { .. })
}

/// The wake-ups of one thread of a schedule.
#[derive(Default)]
struct OfThread {
    raw: Accumulator,
    /// The latest wake-up. What it made the schedule omit is known only when the next one comes.
    latest: Option<Latest>,
}

/// Sequence number and lateness of a sleep.
#[derive(Debug, Clone, Copy)]
struct Latest {
    sequence: u64,
    oversleep: Nanos,
}

/// A sleep that only needs counting in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct BinnedSleep {
    cell: u32,
    bin: u32,
}

/// Number of samples that are looked at before those that only need counting are counted.
const AT_A_TIME: usize = 256;

impl Gathered {
    fn new(cell: &Cell) -> Self {
        Self {
            cell: cell.clone(),
            raw: Accumulator::default(),
            omitted: Accumulator::default(),
            of_thread: Vec::new(),
            first: Vec::new(),
            interrupted: 0,
            failed: 0,
        }
    }

    /// Returns the bin of a sample that needs nothing but to be counted in it: outside a schedule, without flags.
    #[inline]
    fn bin_of(&mut self, sample: &Sample) -> Option<u32> {
        let is_plain = !is_periodic(&self.cell) && sample.flags == Flags::default() && self.raw.bins().is_some();
        let bin = u32::try_from(sample.oversleep().get()).ok()?;
        (is_plain && (bin as usize) < SPAN).then_some(bin)
    }

    fn take(&mut self, sample: &Sample) {
        self.enter(sample.thread, sample.sequence, sample.oversleep(), sample.flags);
    }

    fn enter(&mut self, thread: u16, sequence: u64, oversleep: Nanos, flags: Flags) {
        if flags.has(Flags::FAILED) {
            self.failed += 1;
            return;
        }
        self.interrupted += u64::from(flags.has(Flags::INTERRUPTED));
        if flags.has(Flags::FIRST) {
            self.first.push(oversleep);
        }
        if let Pattern::Periodic { period } = self.cell.pattern {
            let place = usize::from(thread);
            if place >= self.of_thread.len() {
                self.of_thread.resize_with(place + 1, OfThread::default);
            }
            let of_thread = &mut self.of_thread[place];
            of_thread.raw.add(oversleep.get());
            if let Some(before) = of_thread.latest.replace(Latest { sequence, oversleep })
                && sequence > before.sequence.saturating_add(1)
            {
                self.omit(before, period, sequence - before.sequence - 1);
            }
        } else {
            self.raw.add(oversleep.get());
        }
    }

    /// Adds wake-ups of a schedule. Most of them only need counting.
    fn follow(&mut self, run: &Wakes) {
        let mut rest = run.wakes;
        loop {
            let (counted, other) = rest.split_at(self.count_plain(run, rest));
            if let Some(last) = counted.last() {
                let (sequence, oversleep) = run.oversleep_of(last);
                self.of_thread[usize::from(run.thread)].latest = Some(Latest { sequence, oversleep });
            }
            let Some((next, later)) = other.split_first() else { return };
            let (sequence, oversleep) = run.oversleep_of(next);
            self.enter(run.thread, sequence, oversleep, next.flags);
            rest = later;
        }
    }

    /// Counts wake-ups as long as each follows the one before, has no flags, and has a bin. Returns how many it
    /// counted.
    #[inline]
    fn count_plain(&mut self, run: &Wakes, wakes: &[Wake]) -> usize {
        let Some(of_thread) = self.of_thread.get_mut(usize::from(run.thread)) else { return 0 };
        let (Some(latest), Some(bins)) = (of_thread.latest, of_thread.raw.bins()) else { return 0 };
        #[allow(clippy::cast_possible_truncation)] // the lower half is compared
        let mut expected = latest.sequence as u32;
        let mut deadline = run.deadline_of(latest.sequence);
        for (count, wake) in wakes.iter().enumerate() {
            expected = expected.wrapping_add(1);
            deadline += run.period;
            // An early wake-up becomes a large number: one comparison checks both ends.
            let oversleep = (wake.end - deadline).get().cast_unsigned();
            if oversleep >= SPAN as u64 || wake.sequence != expected || wake.flags != Flags::default() {
                return count;
            }
            #[allow(clippy::cast_possible_truncation)] // below SPAN
            let bin = oversleep as usize;
            bins[bin] += 1;
        }
        wakes.len()
    }

    /// Adds what the periods after a wake-up felt, at most `left` of them.
    fn omit(&mut self, after: Latest, period: Nanos, left: u64) {
        let felt = omission::omitted(after.oversleep, period, left.min(MOST_OMITTED - self.omitted.count()));
        self.omitted.add_descending(felt.highest.get(), period.get(), felt.count);
    }

    /// Returns the figures of the corrected series: every raw value and every omitted wait.
    fn corrected(&self, raw: &Figures) -> Figures {
        if self.omitted.count() == 0 {
            return raw.clone();
        }
        let mut all = self.raw.clone();
        all.merge(&self.omitted);
        figures(&mut all)
    }

    /// Returns the figures of each thread, if there are several.
    fn threads(&mut self, accounts: &[Periods]) -> Vec<ThreadSummary> {
        let several = self.of_thread.len() > 1;
        let each = (0_u16..).zip(self.of_thread.iter_mut().filter(|_| several));
        each.map(|(thread, of_thread)| ThreadSummary {
            thread,
            raw: figures(&mut of_thread.raw),
            periods: account_of(accounts, self.cell.id, thread).copied(),
        })
        .collect()
    }

    /// Adds what the periods after each thread's last sample felt. Where a run was cut off and left no counts, the
    /// schedule is assumed to have gone on.
    fn close(&mut self, accounts: &[Periods]) {
        let Pattern::Periodic { period } = self.cell.pattern else { return };
        for (thread, place) in (0_u16..).zip(0..self.of_thread.len()) {
            let of_thread = &self.of_thread[place];
            self.raw.merge(&of_thread.raw);
            let Some(latest) = of_thread.latest else { continue };
            let account = account_of(accounts, self.cell.id, thread);
            let left = account.map_or(u64::MAX, |account| account.asked.saturating_sub(latest.sequence + 1));
            self.omit(latest, period, left);
        }
    }
}

/// Returns the counts of periods of a cell's thread.
fn account_of(accounts: &[Periods], cell: u32, thread: u16) -> Option<&Periods> {
    accounts.iter().find(|account| account.cell == cell && account.thread == thread)
}

impl Sink for Summariser {
    fn samples(&mut self, batch: &[Sample]) {
        // Bins are rarely in the cache (26 ns a sleep, in a recording of a hundred million). In a loop that does nothing else
        // the processor fetches several at once.
        let mut plain = [BinnedSleep::default(); AT_A_TIME];
        for samples in batch.chunks(AT_A_TIME) {
            let mut count = 0;
            for sample in samples {
                let Some(gathered) = self.cells.get_mut(sample.cell as usize) else { continue };
                match gathered.bin_of(sample) {
                    Some(bin) => {
                        plain[count] = BinnedSleep { cell: sample.cell, bin };
                        count += 1;
                    }
                    None => gathered.take(sample),
                }
            }
            for BinnedSleep { cell, bin } in &plain[..count] {
                if let Some(bins) = self.cells[*cell as usize].raw.bins() {
                    bins[*bin as usize] += 1;
                }
            }
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        if let Some(gathered) = self.cells.get_mut(wakes.cell as usize) {
            gathered.follow(wakes);
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(Gathered::new(cell));
    }

    fn note(&mut self, note: &Note) {
        // Clock readings, traces and other details grow with time, and no figure needs them.
        let mut rest = note.without_details();
        if self.note.brackets.is_empty() {
            // One reading of each clock says what time it was.
            rest.brackets.clone_from(&note.brackets);
        }
        self.note.absorb(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Origin;
    use oversleep_recording::plan::{Kind, Plan};

    /// Two cells in turns: early, within the bins and beyond, with and without flags, in batches of many lengths.
    #[test]
    fn figures_are_those_of_all_samples_however_they_are_batched() {
        let cell = |id| Cell::new(id, "nanosleep", Pattern::Fixed { requested: Nanos::MILLISECOND });
        let cells = vec![cell(0), cell(1)];
        let plan = Plan { kind: Kind::Measure, cells, turns: Vec::new(), seed: 1 };
        let mut summary = Summariser::new(&Meta::new("test", Origin::Live, plan));
        let late = |number: u64| Nanos::new(((number * 7_919) % 300_000).cast_signed() - 20_000);
        let flags = |number: u64| match number {
            0 | 1 => Flags::FIRST,
            _ if number.is_multiple_of(333) => Flags::FAILED,
            _ if number.is_multiple_of(100) => Flags::INTERRUPTED,
            _ => Flags::default(),
        };
        let samples: Vec<Sample> = (0..20_000)
            .map(|number| Sample {
                cell: u32::from(number % 2 == 1),
                sequence: number / 2,
                requested: Nanos::MILLISECOND,
                end: Nanos::MILLISECOND + late(number),
                flags: flags(number),
                ..Sample::BLANK
            })
            .collect();
        let mut rest = &samples[..];
        for length in (0..).map(|turn| [1, 255, 256, 257, 2_000][turn % 5]) {
            let (batch, later) = rest.split_at(length.min(rest.len()));
            summary.samples(batch);
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        for found in summary.finish() {
            let all: Vec<&Sample> = samples.iter().filter(|sample| sample.cell == found.cell.id).collect();
            let with = |flags| all.iter().filter(|sample| sample.flags == flags).count() as u64;
            assert_eq!((found.failed, found.interrupted), (with(Flags::FAILED), with(Flags::INTERRUPTED)));
            let kept = all.iter().filter(|sample| sample.flags != Flags::FAILED);
            let mut sorted: Vec<i64> = kept.map(|sample| sample.oversleep().get()).collect();
            sorted.sort_unstable();
            let raw = found.raw;
            assert_eq!((raw.n, raw.early), (sorted.len() as u64, sorted.partition_point(|ns| *ns < 0) as u64));
            let at = |p| super::super::quantile::of_sorted(&sorted, p).map(Nanos::new);
            assert_eq!((raw.min, raw.max), (Some(Nanos::new(sorted[0])), sorted.last().copied().map(Nanos::new)));
            assert_eq!((raw.p50, raw.p99), (at(Fraction::P50), at(Fraction::P99)));
            assert_eq!((raw.exact, found.first.len()), (true, 1));
        }
    }
}

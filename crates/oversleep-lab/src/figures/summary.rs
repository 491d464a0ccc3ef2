//! The figures of each cell.

use super::accumulate::{Accumulator, SPAN};
use super::quantile::{Fraction, supports_quantile};
use super::{interval, omission};
use oversleep_recording::document::Figures;
use oversleep_recording::plan::{Cell, Conditions, Pattern};
use oversleep_recording::{Flags, Meta, Note, Periods, Sample, Sink, Wake, Wakes};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Everything a report says of one cell.
#[derive(Debug, Clone)]
pub struct CellSummary {
    /// The cell.
    pub cell: Cell,
    /// What its first thread really slept under; `None` if it never slept.
    pub obtained: Option<Conditions>,
    /// What was seen.
    pub raw: Figures,
    /// What a schedule would have felt; periodic cells only.
    pub corrected: Option<Figures>,
    /// The sum of its threads' accounts; periodic cells only.
    pub periods: Option<Periods>,
    /// Each thread's own figures and account; periodic cells of several threads only.
    pub threads: Vec<ThreadSummary>,
    /// The first calls, one per thread: part of `raw`, shown apart as well.
    pub first: Vec<Nanos>,
    /// Sleeps that a signal ended; part of `raw`.
    pub interrupted: u64,
    /// Calls that failed; not part of `raw`.
    pub failed: u64,
    /// The raw values, for distributions.
    pub values: Accumulator,
}

/// What one thread of a schedule saw.
#[derive(Debug, Clone)]
pub struct ThreadSummary {
    /// Its number.
    pub thread: u16,
    /// Its wake-ups.
    pub raw: Figures,
    /// Its account; `None` where the run was cut off before it was written.
    pub periods: Option<Periods>,
}

/// Gathers figures while samples pass, in memory that does not grow with their number.
pub struct Summariser {
    cells: Vec<Gathered>,
    note: Note,
}

struct Gathered {
    cell: Cell,
    raw: Accumulator,
    /// A schedule's wake-ups, by thread; they enter `raw` at the end.
    of_thread: Vec<OfThread>,
    /// What the corrected series has beyond the raw one: usually nothing.
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

    /// Returns everything the notes said.
    pub fn notes(&self) -> &Note {
        &self.note
    }

    /// Returns the figures, in the plan's order.
    pub fn finish(self) -> Vec<CellSummary> {
        let mut periods: HashMap<u32, Periods> = HashMap::new();
        for account in &self.note.periods {
            periods.entry(account.cell).or_default().add(account);
        }
        let obtained = |id| {
            // The last word counts: a cell's conditions are noted anew when what surrounds it has changed.
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
                first: gathered.first,
                interrupted: gathered.interrupted,
                failed: gathered.failed,
                values: gathered.raw,
                cell: gathered.cell,
            })
            .collect()
    }
}

/// Reads the figures off what was gathered.
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
    /// What the latest made the schedule omit is known when the next one comes.
    latest: Option<Latest>,
}

/// The number of a sleep, and how late it was.
#[derive(Debug, Clone, Copy)]
struct Latest {
    sequence: u64,
    oversleep: Nanos,
}

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

    /// The same for a schedule's wake-ups, most of which need nothing but to be counted.
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

    /// Counts wake-ups as long as each follows the one before it, has no flags, and can be counted. Says how many.
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
            // What is early becomes a large number: one comparison for both ends.
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

    /// Enters what the periods after a wake-up felt, `left` of them at the most.
    fn omit(&mut self, after: Latest, period: Nanos, left: u64) {
        omission::omitted(after.oversleep, period, left).for_each(|felt| self.omitted.add(felt.get()));
    }

    /// The figures of the corrected series: every raw value and what was omitted.
    fn corrected(&self, raw: &Figures) -> Figures {
        if self.omitted.count() == 0 {
            return raw.clone();
        }
        let mut all = self.raw.clone();
        all.merge(&self.omitted);
        figures(&mut all)
    }

    /// The figures of each thread, if there are several.
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

    /// Enters what followed each thread's last sample. Where a run was cut off and left no account, the schedule
    /// is taken to have gone on.
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

/// The account of a cell's thread.
fn account_of(accounts: &[Periods], cell: u32, thread: u16) -> Option<&Periods> {
    accounts.iter().find(|account| account.cell == cell && account.thread == thread)
}

impl Sink for Summariser {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if let Some(gathered) = self.cells.get_mut(sample.cell as usize) {
                gathered.take(sample);
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
        // Bracketings, traces and other details grow with time and no figure needs them.
        self.note.absorb(note.without_details());
    }
}

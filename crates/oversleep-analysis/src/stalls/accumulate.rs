//! Collects stalls as they come and names them window by window.

use super::name::{StallFacts, name};
use super::owners::Events;
use super::together::{Span, together};
use super::totals::{Causes, Totals};
use crate::patterns::cause::interference::MOST_STALLS;
use oversleep_figures::quantile::median;
use oversleep_recording::document::stalls::NamedStall;
use oversleep_recording::plan::Kind;
use oversleep_recording::{Meta, Note, Sample, Sink, Stall, StallWindow};
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};

/// Names the stalls of a run or a file as they come. Its memory does not grow with their number: it holds totals by
/// cause, the hundred longest stalls of each processor with their causes, the times of some more, and the stalls of the window that is not over yet.
///
/// It keeps nothing of recordings of other experiments.
#[derive(Debug)]
pub struct Stalls {
    /// Number of cells in the plan; samples of cells beyond are ignored.
    cells: u32,
    /// Identifiers of the watching threads, by cell.
    watchers: BTreeMap<u32, i32>,
    pending: BTreeMap<u32, VecDeque<Sample>>,
    totals: BTreeMap<u32, Totals>,
    /// Length and start of the longest stalls, by cell.
    longest: BTreeMap<u32, BinaryHeap<Reverse<(Nanos, Nanos)>>>,
    windows: Vec<(Nanos, Nanos)>,
    unnamed: u64,
}

/// A stall of a window, while it is being named.
struct Open<'a> {
    sample: Sample,
    counted: Option<&'a Stall>,
    usual: Nanos,
}

impl Stalls {
    /// Creates a collector for a recording that begins with `meta`.
    pub fn new(meta: &Meta) -> Self {
        let cells =
            if meta.plan.kind == Kind::Stalls { u32::try_from(meta.plan.cells.len()).unwrap_or(u32::MAX) } else { 0 };
        Self {
            cells,
            watchers: BTreeMap::new(),
            pending: BTreeMap::new(),
            totals: BTreeMap::new(),
            longest: BTreeMap::new(),
            windows: Vec::new(),
            unnamed: 0,
        }
    }

    /// Returns the causes of all stalls.
    pub fn finish(self) -> Causes {
        let left: usize = self.pending.values().map(VecDeque::len).sum();
        let unnamed = if self.watchers.is_empty() { 0 } else { self.unnamed + left as u64 };
        let mut causes = Causes { unnamed, windows: self.windows, ..Causes::default() };
        for (cell, totals) in self.totals {
            totals.finish(cell, &mut causes);
        }
        for (cell, longest) in self.longest {
            let mut stalls: Vec<_> = longest.into_iter().map(|Reverse((length, start))| (start, length)).collect();
            stalls.sort_unstable();
            causes.longest.insert(cell, stalls);
        }
        causes.worst.sort_by_key(|stall| (Reverse(stall.length), stall.at, stall.cell, stall.sequence));
        causes
    }

    fn wait(&mut self, sample: &Sample) {
        if sample.cell >= self.cells {
            return;
        }
        let longest = self.longest.entry(sample.cell).or_default();
        longest.push(Reverse((sample.end.saturating_sub(sample.start), sample.start)));
        if longest.len() > MOST_STALLS {
            longest.pop();
        }
        let waiting = self.pending.entry(sample.cell).or_default();
        // A window has no more stalls; these belong to one whose end the recording lacks.
        if waiting.len() == StallWindow::MOST {
            waiting.pop_front();
            self.unnamed += 1;
        }
        waiting.push_back(*sample);
    }

    /// Names the stalls that ended within a window.
    fn window(&mut self, window: &StallWindow) {
        self.windows.push((window.from, window.until));
        let counted: HashMap<(u32, u64), &Stall> =
            window.stalls.iter().map(|stall| ((stall.cell, stall.sequence), stall)).collect();
        let mut open: Vec<Open> = Vec::new();
        for (cell, waiting) in &mut self.pending {
            let ended = waiting.partition_point(|sample| sample.end <= window.until);
            let usual = usual(waiting.iter().take(ended));
            let with =
                |sample: Sample| Open { sample, usual, counted: counted.get(&(*cell, sample.sequence)).copied() };
            open.extend(waiting.drain(..ended).map(with));
        }
        let span =
            |open: &Open| Span { cpu: open.sample.cpu_end.into(), from: open.sample.start, until: open.sample.end };
        let spans: Vec<Span> = open.iter().map(span).collect();
        let events = window.events.as_ref().map(Events::new);
        for (open, with) in open.iter().zip(together(&spans)) {
            self.enter(open, with, events.as_ref());
        }
    }

    fn enter(&mut self, open: &Open, together: Vec<u32>, events: Option<&Events>) {
        let Sample { cell, thread, sequence, start, end, cpu_end: cpu, .. } = open.sample;
        let watcher = self.watchers.get(&cell).copied().unwrap_or(-1);
        let evidence = StallFacts {
            length: end.saturating_sub(start),
            owners: events.and_then(|events| events.owners(cpu, watcher, start, end)),
            counted: open.counted.cloned().unwrap_or_default(),
            together,
            usual: open.usual,
        };
        let verdict = name(&evidence);
        let totals = self.totals.entry(cell).or_default();
        totals.enter(&evidence, &verdict);
        if totals.is_long(evidence.length) {
            totals.keep_if_longest(NamedStall {
                cell,
                thread,
                sequence,
                cpu: (cpu != Sample::NO_CPU).then_some(cpu),
                at: start,
                length: evidence.length,
                evidence: Some(verdict.evidence(&evidence)),
                cause: verdict.cause,
                witness: verdict.witness.to_owned(),
                together: evidence.together,
            });
        }
    }

    /// Returns how many stalls and causes are held.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        let waiting: usize = self.pending.values().map(VecDeque::len).sum();
        waiting + self.totals.values().map(Totals::held).sum::<usize>()
    }
}

/// Returns the median length; zero without stalls.
fn usual<'a>(stalls: impl Iterator<Item = &'a Sample>) -> Nanos {
    median(stalls.map(|sample| sample.end.saturating_sub(sample.start)).collect()).unwrap_or(Nanos::ZERO)
}

impl Sink for Stalls {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            self.wait(sample);
        }
    }

    fn note(&mut self, note: &Note) {
        let ours = note.watchers.iter().filter(|watcher| watcher.cell < self.cells);
        self.watchers.extend(ours.map(|watcher| (watcher.cell, watcher.thread_id)));
        for window in &note.stall_windows {
            self.window(window);
        }
    }
}

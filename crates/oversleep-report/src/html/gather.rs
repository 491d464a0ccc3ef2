//! A sink for what a page needs of a recording beyond its document.

use super::pack::{Packed, packed};
use super::select::{MOST, SampleSelector, SelectedSamples};
use oversleep_figures::{Accumulator, quantile};
use oversleep_recording::document::{Bins, DriftLine};
use oversleep_recording::plan::{Cell, ClockName};
use oversleep_recording::{ClocksAhead, Meta, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Largest number of points in a line; a screen does not show more.
const POINTS: usize = 1 << 10;

/// A sink that keeps samples and readings of clocks.
pub struct Gatherer {
    cells: Vec<Cell>,
    samples: SampleSelector,
    /// Start of the first sleep on each clock, in ns of that clock.
    first: BTreeMap<ClockName, i64>,
    /// Offset of each clock from the monotonic one when they were first read together.
    ahead: ClocksAhead,
    lines: BTreeMap<String, Line>,
}

/// Samples and clock readings for a page.
pub struct Gathered {
    /// Time of the recording's beginning on each cell's clock, in ns.
    pub origins: Vec<i64>,
    /// Drift of clocks against the monotonic one.
    pub drift: Vec<DriftLine>,
    selected: SelectedSamples,
    cells: Vec<Cell>,
}

/// How samples were selected from a recording.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// Whether each sample was kept only because it is an extreme; empty if all samples are kept.
    pub is_extra: &'a [bool],
    /// Number of samples in the recording for each of the others.
    pub one_of: u64,
}

impl Selection<'_> {
    /// All samples.
    pub const ALL: Self = Self { is_extra: &[], one_of: 1 };
}

impl Gathered {
    /// Returns the samples, or a selection of them, in the file's order.
    pub fn samples(&self) -> &[Sample] {
        &self.selected.samples
    }

    /// Returns how the samples were selected.
    pub fn selection(&self) -> Selection<'_> {
        Selection { is_extra: &self.selected.is_extra, one_of: self.selected.one_of }
    }

    /// Returns the samples in embedded form; `None` if there are none, or if a browser cannot represent their times
    /// exactly.
    pub fn packed(&self) -> Option<Packed> {
        packed(&self.selected, &self.cells, &self.origins)
    }
}

impl Gatherer {
    /// Begins to read a recording with this head.
    pub fn new(meta: &Meta) -> Self {
        Self {
            cells: meta.plan.cells.clone(),
            samples: SampleSelector::new(MOST),
            first: BTreeMap::new(),
            ahead: ClocksAhead::default(),
            lines: BTreeMap::new(),
        }
    }
    /// Returns the selected samples.
    pub fn finish(self) -> Gathered {
        // The beginning on the monotonic clock, from the clocks with a known offset.
        let begun = |(clock, first): (&ClockName, &i64)| first.checked_sub(self.ahead.offset(*clock)?);
        let begun = self.first.iter().filter_map(begun).min().unwrap_or(0);
        let origin = |cell: &Cell| match self.ahead.offset(cell.clock) {
            Some(ahead) => begun.saturating_add(ahead),
            None => self.first.get(&cell.clock).copied().unwrap_or(0),
        };
        let origins: Vec<i64> = self.cells.iter().map(origin).collect();
        let lines = self.lines.into_iter().filter_map(|(clock, line)| line.drawn(clock));
        Gathered { origins, drift: lines.collect(), selected: self.samples.finish(), cells: self.cells }
    }

    fn read_together(&mut self, clock: &str, monotonic: Nanos, width: Nanos, reading: Nanos) {
        self.lines.entry(clock.to_owned()).or_default().add(Point { monotonic, width, reading });
    }
}

impl Sink for Gatherer {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if let Some(cell) = self.cells.get(sample.cell as usize) {
                let first = self.first.entry(cell.clock).or_insert(i64::MAX);
                *first = (*first).min(sample.start.get());
            }
        }
        self.samples.take(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        self.ahead.take(&note.brackets);
        for bracket in &note.brackets {
            self.read_together(bracket.clock.name(), bracket.monotonic, bracket.width, bracket.reading);
        }
        for series in note.clocks.iter().flat_map(|survey| &survey.series) {
            for point in &series.points {
                self.read_together(&series.clock, point.monotonic, point.width, point.reading);
            }
        }
    }
}

/// Two clocks read together, in ns.
#[derive(Clone, Copy)]
struct Point {
    monotonic: Nanos,
    width: Nanos,
    reading: Nanos,
}

/// Readings of a clock, downsampled to one of `every`.
struct Line {
    points: Vec<Point>,
    seen: usize,
    every: usize,
}

impl Default for Line {
    fn default() -> Self {
        Self { points: Vec::new(), seen: 0, every: 1 }
    }
}

impl Line {
    fn add(&mut self, point: Point) {
        if self.seen.is_multiple_of(self.every) {
            self.points.push(point);
        }
        self.seen += 1;
        if self.points.len() > POINTS {
            let mut place = 0;
            self.points.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
        }
    }

    /// Returns the line to draw; `None` if it has fewer than two points. Readings that were interrupted are left out.
    fn drawn(self, clock: String) -> Option<DriftLine> {
        let usual = quantile::median(self.points.iter().map(|point| point.width).collect())?;
        let most = usual.saturating_add(usual).saturating_add(Nanos::MICROSECOND);
        let mut good = self.points.iter().filter(|point| point.width <= most);
        let first = *good.next()?;
        let after = |point: &Point| {
            let since = point.monotonic.saturating_sub(first.monotonic);
            (since, point.reading.saturating_sub(first.reading).saturating_sub(since))
        };
        let points: Vec<(Nanos, Nanos)> = std::iter::once(after(&first)).chain(good.map(after)).collect();
        (points.len() > 1 && clock != ClockName::Monotonic.name()).then_some(DriftLine { clock, points })
    }
}

/// Returns the histogram of a cell's lateness, in the bins of the page.
pub fn histogram(values: &Accumulator) -> Vec<(i32, u64)> {
    let edges: Vec<i64> = Bins::edges().collect();
    let below = edges.iter().rev().map(|edge| 1 - edge);
    let all: Vec<i64> = below.chain(edges.iter().copied()).collect();
    let middle = i32::try_from(edges.len()).unwrap_or(i32::MAX);
    let numbered = (0..).zip(values.counts(&all));
    numbered.filter(|(_, count)| *count > 0).map(|(bin, count): (i32, u64)| (bin - middle, count)).collect()
}

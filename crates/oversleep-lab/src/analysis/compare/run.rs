//! A recording as a comparison needs it: each cell's sleeps in the order in which they ended.

use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};

/// A recording to compare.
pub struct ComparableRun {
    /// What it is called.
    pub name: String,
    /// What was known before the first sample.
    pub meta: Meta,
    /// Its cells.
    pub cells: Vec<CellSeries>,
}

/// One cell's sleeps.
pub struct CellSeries {
    /// The cell.
    pub cell: Cell,
    /// Oversleeps in nanoseconds, in the order in which they were recorded; failed calls are left out.
    pub series: Vec<i64>,
}

impl ComparableRun {
    /// Returns the sleeps of a cell that asks for the same.
    pub(super) fn of(&self, wanted: &Cell) -> Option<&CellSeries> {
        self.cells.iter().find(|own| super::matching::same(&own.cell, wanted))
    }
}

/// Gathers a recording as its samples pass.
pub struct Gather(ComparableRun);

impl Gather {
    /// Begins with a recording of that name which begins like this.
    pub fn new(name: &str, meta: &Meta) -> Self {
        let cells = meta.plan.cells.iter().map(CellSeries::new).collect();
        Self(ComparableRun { name: name.to_owned(), meta: meta.clone(), cells })
    }

    /// Returns the recording without cells that never slept, and without those that were traced or slept beside traced ones:
    /// tracing has its price.
    pub fn finish(mut self) -> ComparableRun {
        self.0.cells.retain(|own| !own.series.is_empty() && own.cell.conditions.traced.is_none());
        self.0
    }
}

impl CellSeries {
    fn new(cell: &Cell) -> Self {
        Self { cell: cell.clone(), series: Vec::new() }
    }
}

impl Sink for Gather {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
            if let Some(own) = self.0.cells.get_mut(sample.cell as usize) {
                own.series.push(sample.oversleep().get());
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.0.meta.plan.cells.push(cell.clone());
        self.0.cells.push(CellSeries::new(cell));
    }

    fn note(&mut self, _: &Note) {}
}

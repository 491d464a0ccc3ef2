//! A recording in the form that a comparison needs: each cell's oversleeps, in the order in which they were recorded.

use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};

/// A recording to compare.
pub struct ComparableRun {
    /// Its name in the comparison.
    pub name: String,
    /// What was known before the first sample: plan and machine.
    pub meta: Meta,
    /// The cells, each with its oversleeps.
    pub cells: Vec<CellSeries>,
    /// Methods that another program's sleeps are of, each with its runtime and version, as the runtime prints them.
    pub runtimes: Vec<(String, String)>,
}

/// One cell's oversleeps.
pub struct CellSeries {
    /// The cell.
    pub cell: Cell,
    /// Oversleeps in ns, in the order in which they were recorded, without failed calls.
    pub series: Vec<i64>,
}

impl ComparableRun {
    /// Returns the cell with the same method, pattern and conditions.
    pub(super) fn of(&self, wanted: &Cell) -> Option<&CellSeries> {
        self.cells.iter().find(|own| super::matching::same(&own.cell, wanted))
    }
}

/// Gathers a recording as its samples come.
pub struct Gather(ComparableRun);

impl Gather {
    /// Creates it for a recording of this name that begins with `meta`.
    pub fn new(name: &str, meta: &Meta) -> Self {
        let cells = meta.plan.cells.iter().map(CellSeries::new).collect();
        Self(ComparableRun { name: name.to_owned(), meta: meta.clone(), cells, runtimes: Vec::new() })
    }

    /// Returns the recording without cells that have no sleeps, and without cells that were traced or measured in turns
    /// with traced ones: tracing costs time.
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

    fn note(&mut self, note: &Note) {
        let said = note.probes.iter().filter_map(|probe| Some((probe.method.clone(), probe.runtime.clone()?)));
        self.0.runtimes.extend(said);
    }
}

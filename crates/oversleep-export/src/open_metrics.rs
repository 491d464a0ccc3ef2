//! A recording as OpenMetrics text, which Prometheus and compatible programs read: one histogram per cell.

use super::format::Exporter;
use super::sleep_metrics::{self, SleepMetrics};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::registry::Registry;
use std::io::{self, Write};

/// Counts sleeps per cell and writes the text at the end.
pub(super) struct OpenMetrics<W: Write> {
    out: W,
    registry: Registry,
    sleeps: SleepMetrics<CellLabels>,
    cells: Vec<CellLabels>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, EncodeLabelSet)]
struct CellLabels {
    cell: u32,
    method: String,
    requested: String,
    condition: String,
}

impl CellLabels {
    fn from_cell(cell: &Cell) -> Self {
        Self {
            cell: cell.id,
            method: cell.method.clone(),
            requested: super::label::request_seconds(cell),
            condition: cell.conditions.name(None),
        }
    }
}

impl<W: Write> OpenMetrics<W> {
    pub(super) fn new(meta: &Meta, out: W) -> Self {
        let mut registry = Registry::default();
        let sleeps = SleepMetrics::register(&mut registry);
        Self { out, registry, sleeps, cells: meta.plan.cells.iter().map(CellLabels::from_cell).collect() }
    }
}

impl<W: Write> Sink for OpenMetrics<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if let Some(labels) = self.cells.get(sample.cell as usize) {
                self.sleeps.count(labels, sample);
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(CellLabels::from_cell(cell));
    }

    fn note(&mut self, _: &Note) {}
}

impl<W: Write> Exporter for OpenMetrics<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let text = sleep_metrics::open_metrics(&self.registry).map_err(io::Error::other)?;
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

//! Percentiles as HdrHistogram prints them (`.hgrm`), one block per cell.

use super::format::Exporter;
use super::label;
use hdrhistogram::Histogram;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};
use std::io::{self, Write};

/// Percentiles per halving of the distance to 100 %, as in HdrHistogram's own tools.
const TICKS: u32 = 5;

/// Counts values per cell and writes the percentiles at the end.
pub(super) struct Hgrm<W: Write> {
    out: W,
    cells: Vec<Gathered>,
}

struct Gathered {
    cell: Cell,
    values: Option<Histogram<u64>>,
    early: u64,
}

impl<W: Write> Hgrm<W> {
    pub(super) fn new(meta: &Meta, out: W) -> Self {
        Self { out, cells: meta.plan.cells.iter().map(Gathered::new).collect() }
    }
}

impl Gathered {
    fn new(cell: &Cell) -> Self {
        Self { cell: cell.clone(), values: Histogram::new(3).ok(), early: 0 }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(values) = self.values.as_ref().filter(|values| !values.is_empty()) else { return Ok(()) };
        writeln!(out, "#[{}; values in microseconds]", label::label(&self.cell))?;
        if self.early > 0 {
            writeln!(out, "#[{} early wake-ups are left out: it holds no value below 0]", self.early)?;
        }
        writeln!(out, "{:>12} {:>14} {:>10} {:>14}\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)")?;
        let mut seen = 0;
        for step in values.iter_quantiles(TICKS) {
            seen += step.count_since_last_iteration();
            let (value, quantile) = (step.value_iterated_to() as f64 / 1e3, step.quantile_iterated_to());
            if quantile < 1.0 {
                writeln!(out, "{value:>12.3} {quantile:>14.12} {seen:>10} {:>14.2}", 1.0 / (1.0 - quantile))?;
            } else {
                writeln!(out, "{value:>12.3} {quantile:>14.12} {seen:>10}")?;
            }
        }
        let us = |ns: f64| ns / 1e3;
        writeln!(out, "#[Mean    = {:>12.3}, StdDeviation   = {:>12.3}]", us(values.mean()), us(values.stdev()))?;
        writeln!(out, "#[Max     = {:>12.3}, Total count    = {:>12}]", us(values.max() as f64), values.len())?;
        writeln!(out, "#[Buckets = {:>12}, SubBuckets     = {:>12}]", values.buckets(), 2_048)
    }
}

impl<W: Write> Sink for Hgrm<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
            let Some(gathered) = self.cells.get_mut(sample.cell as usize) else { continue };
            // Not `saturating_record`: that counts all in the two nanoseconds for which the histogram has room at first.
            match (u64::try_from(sample.oversleep().get()), &mut gathered.values) {
                (Ok(late), Some(values)) => _ = values.record(late),
                _ => gathered.early += 1,
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(Gathered::new(cell));
    }

    fn note(&mut self, _: &Note) {}
}

impl<W: Write> Exporter for Hgrm<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        for (number, cell) in
            self.cells.iter().filter(|cell| cell.values.as_ref().is_some_and(|v| !v.is_empty())).enumerate()
        {
            if number > 0 {
                writeln!(self.out)?;
            }
            cell.write(&mut self.out)?;
        }
        self.out.flush()
    }
}

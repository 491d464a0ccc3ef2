//! Every sample as a line of comma-separated values.

use oversleep_recording::plan::{Cell, Plan};
use oversleep_recording::{Note, Sample, Sink};
use std::io::{self, Write};

/// The columns. `start_ns` and `end_ns` are on the method's own clock, which `clock` names.
pub const HEADER: &str =
    "method,thread,cpu,load,clock,sequence,requested_ns,deadline_ns,start_ns,end_ns,oversleep_ns,flags";

/// Writes samples as they come.
pub struct Csv<W: Write> {
    out: csv::Writer<W>,
    cells: Vec<Cell>,
    failure: Option<io::Error>,
}

impl<W: Write> Csv<W> {
    /// Begins a plan's samples with the header.
    pub fn new(plan: &Plan, out: W) -> Self {
        let mut csv = Self { out: csv::Writer::from_writer(out), cells: plan.cells.clone(), failure: None };
        let header = csv.out.write_record(HEADER.split(','));
        csv.keep(header);
        csv
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// The first failure of writing since the beginning.
    pub fn finish(mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        match self.failure {
            Some(failure) => Err(failure),
            None => flushed,
        }
    }

    fn keep(&mut self, result: csv::Result<()>) {
        if let Err(error) = result
            && self.failure.is_none()
        {
            self.failure = Some(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => io::Error::other(format!("{other:?}")),
            });
        }
    }
}

impl<W: Write> Sink for Csv<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            let Some(cell) = self.cells.get(sample.cell as usize) else { continue };
            let load = cell.conditions.load.map_or(0, |load| load.threads);
            let cpu = if sample.cpu_end == Sample::NO_CPU { String::new() } else { sample.cpu_end.to_string() };
            let record = [
                cell.method.clone(),
                sample.thread.to_string(),
                cpu,
                load.to_string(),
                cell.clock.name().to_owned(),
                sample.sequence.to_string(),
                sample.requested.get().to_string(),
                sample.deadline.map(|deadline| deadline.get().to_string()).unwrap_or_default(),
                sample.start.get().to_string(),
                sample.end.get().to_string(),
                sample.oversleep().get().to_string(),
                sample.flags.0.to_string(),
            ];
            let written = self.out.write_record(&record);
            self.keep(written);
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(cell.clone());
    }

    fn note(&mut self, _: &Note) {}
}

//! A log of HdrHistogram (`.hlog`): one histogram per cell and second.

use super::format::Exporter;
use super::label;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::io::{self, Write};

/// Significant digits of the histograms: three, as in every tool that writes such logs.
const DIGITS: u8 = 3;

/// Length of an interval, in ns.
const INTERVAL: i64 = 1_000_000_000;

/// Writes each interval when it ends.
pub(super) struct Hlog<W: Write> {
    out: W,
    cells: Vec<CellHistogram>,
    early: u64,
    failure: Option<io::Error>,
}

/// The histogram of a cell's present interval.
struct CellHistogram {
    cell: Cell,
    /// End of the cell's first sleep, in ns of the cell's clock.
    begun: Option<i64>,
    interval: i64,
    histogram: Option<Histogram<u64>>,
}

impl<W: Write> Hlog<W> {
    /// Writes the head and returns the exporter.
    pub(super) fn new(meta: &Meta, mut out: W) -> Self {
        let started = meta.started.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let (seconds, time) =
            started.map_or((0.0, "unknown".to_owned()), |time| (time.as_millisecond() as f64 / 1e3, time.to_string()));
        let head = format!(
            "#[Logged with {}]\n#[oversleep: lateness in nanoseconds; a tag per cell]\n#[Histogram log format version 1.3]\n\
             #[StartTime: {seconds:.3} (seconds since epoch), {time}]\n\
             \"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
            meta.tool
        );
        let failure = out.write_all(head.as_bytes()).err();
        let cells = meta.plan.cells.iter().map(CellHistogram::new).collect();
        Self { out, cells, early: 0, failure }
    }

    fn keep(&mut self, sample: &Sample) -> io::Result<()> {
        let Some(series) = self.cells.get_mut(sample.cell as usize) else { return Ok(()) };
        let Ok(late) = u64::try_from(sample.oversleep().get()) else {
            self.early += 1;
            return Ok(());
        };
        let begun = *series.begun.get_or_insert(sample.end.get());
        let interval = sample.end.get().saturating_sub(begun).max(0) / INTERVAL;
        if interval != series.interval {
            series.write(&mut self.out)?;
            series.interval = interval;
        }
        let histogram = match &mut series.histogram {
            Some(histogram) => histogram,
            empty => empty.insert(Histogram::new(DIGITS).map_err(io::Error::other)?),
        };
        histogram.record(late).map_err(io::Error::other)
    }

    fn end(&mut self) -> io::Result<()> {
        for series in &mut self.cells {
            series.write(&mut self.out)?;
        }
        if self.early > 0 {
            let early = self.early;
            writeln!(
                self.out,
                "#[oversleep: {early} early wake-ups are not in this log, which holds no value below 0]"
            )?;
        }
        self.out.flush()
    }
}

impl CellHistogram {
    fn new(cell: &Cell) -> Self {
        Self { cell: cell.clone(), begun: None, interval: 0, histogram: None }
    }

    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(histogram) = self.histogram.take() else { return Ok(()) };
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&histogram, &mut bytes).map_err(io::Error::other)?;
        let start = Nanos::new(self.interval * INTERVAL).as_f64() / 1e9;
        let max = histogram.max() as f64 / 1e6;
        writeln!(out, "Tag={},{start:.3},1.000,{max:.3},{}", label::word(&self.cell), STANDARD.encode(bytes))
    }
}

impl<W: Write> Sink for Hlog<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
            if self.failure.is_none() {
                self.failure = self.keep(sample).err();
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(CellHistogram::new(cell));
    }

    fn note(&mut self, _: &Note) {}
}

impl<W: Write> Exporter for Hlog<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.end(),
        }
    }
}

//! Text that Prometheus and its like read (OpenMetrics 1.0): a histogram per cell.

use super::format::Exporter;
use super::label;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Upper ends of buckets, in nanoseconds: a 1-2-5 series from 1 µs to 1 s. What is early is in the first.
const EDGES: [i64; 20] = [
    0,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
];

/// Gathers values and writes at the end.
pub(super) struct OpenMetrics<W: Write> {
    out: W,
    cells: Vec<Gathered>,
}

struct Gathered {
    cell: Cell,
    counts: [u64; EDGES.len() + 1],
    sum: i128,
    early: u64,
    failed: u64,
}

impl<W: Write> OpenMetrics<W> {
    pub(super) fn new(meta: &Meta, out: W) -> Self {
        Self { out, cells: meta.plan.cells.iter().map(Gathered::new).collect() }
    }
}

impl Gathered {
    fn new(cell: &Cell) -> Self {
        Self { cell: cell.clone(), counts: [0; EDGES.len() + 1], sum: 0, early: 0, failed: 0 }
    }

    fn take(&mut self, sample: &Sample) {
        if sample.flags.has(Flags::FAILED) {
            self.failed += 1;
            return;
        }
        let late = sample.oversleep().get();
        self.counts[EDGES.partition_point(|edge| *edge < late)] += 1;
        self.sum += i128::from(late);
        self.early += u64::from(late < 0);
    }

    fn labels(&self) -> String {
        let mut out = String::new();
        let (request, condition) = (label::request(&self.cell), self.cell.conditions.name(None));
        let cell = self.cell.id.to_string();
        for (key, value) in
            [("cell", &cell), ("method", &self.cell.method), ("request", &request), ("condition", &condition)]
        {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            // Writing to a String cannot fail.
            let _ = write!(out, "{key}=\"{value}\",");
        }
        out.pop();
        out
    }

    fn histogram(&self, out: &mut dyn Write) -> io::Result<()> {
        let labels = self.labels();
        let mut seen = 0;
        for (edge, count) in EDGES.iter().zip(&self.counts) {
            seen += count;
            writeln!(out, "oversleep_seconds_bucket{{{labels},le=\"{}\"}} {seen}", seconds(*edge))?;
        }
        seen += self.counts[EDGES.len()];
        writeln!(out, "oversleep_seconds_bucket{{{labels},le=\"+Inf\"}} {seen}")?;
        // A sum has to grow with every value: not with early ones.
        if self.early == 0 {
            let sum = self.sum as f64 / 1e9;
            writeln!(out, "oversleep_seconds_count{{{labels}}} {seen}\noversleep_seconds_sum{{{labels}}} {sum:.9}")?;
        }
        Ok(())
    }

    fn slept(&self) -> bool {
        self.failed > 0 || self.counts.iter().any(|count| *count > 0)
    }
}

/// A number of seconds as OpenMetrics wants it: with a point.
fn seconds(ns: i64) -> String {
    let text = format!("{:.9}", Nanos::new(ns).as_f64() / 1e9);
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

impl<W: Write> Sink for OpenMetrics<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if let Some(of) = self.cells.get_mut(sample.cell as usize) {
                of.take(sample);
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(Gathered::new(cell));
    }

    fn note(&mut self, _: &Note) {}
}

impl<W: Write> Exporter for OpenMetrics<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let slept: Vec<&Gathered> = self.cells.iter().filter(|cell| cell.slept()).collect();
        let out = &mut self.out;
        writeln!(out, "# TYPE oversleep_seconds histogram\n# UNIT oversleep_seconds seconds")?;
        writeln!(out, "# HELP oversleep_seconds Actual minus requested; what woke early is in the bucket of 0.")?;
        slept.iter().try_for_each(|cell| cell.histogram(out))?;
        writeln!(
            out,
            "# TYPE oversleep_early_wakes counter\n# HELP oversleep_early_wakes Sleeps that ended too soon."
        )?;
        for cell in &slept {
            writeln!(out, "oversleep_early_wakes_total{{{}}} {}", cell.labels(), cell.early)?;
        }
        writeln!(out, "# TYPE oversleep_failed_calls counter\n# HELP oversleep_failed_calls Calls that failed.")?;
        for cell in &slept {
            writeln!(out, "oversleep_failed_calls_total{{{}}} {}", cell.labels(), cell.failed)?;
        }
        writeln!(out, "# EOF")?;
        out.flush()
    }
}

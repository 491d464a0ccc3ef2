//! The JSON of `cyclictest --json`, for tools that read it: an entry per cell and thread, with a histogram in microseconds.

use super::format::Exporter;
use super::label;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Counts values per cell and writes the document at the end.
pub(super) struct Cyclictest<W: Write> {
    out: W,
    meta: Meta,
    labels: Vec<String>,
    /// By cell and thread.
    threads: BTreeMap<(u32, u16), Thread>,
}

/// The JSON document. Two of cyclictest's keys end in a colon.
#[derive(Serialize)]
struct Document {
    file_version: u32,
    #[serde(rename = "cmdline:")]
    command: String,
    #[serde(rename = "rt_test_version:")]
    version: String,
    start_time: String,
    return_code: i32,
    sysinfo: Sysinfo,
    num_threads: usize,
    /// 0 stands for microseconds.
    resolution_in_ns: u8,
    thread: BTreeMap<usize, Thread>,
}

#[derive(Serialize)]
struct Sysinfo {
    sysname: String,
    nodename: String,
    release: String,
    version: String,
    machine: String,
    realtime: u8,
}

#[derive(Debug, Clone, Default, Serialize)]
struct Thread {
    histogram: BTreeMap<i64, u64>,
    cycles: u64,
    min: Option<i64>,
    max: Option<i64>,
    avg: Option<f64>,
    cpu: i64,
    node: i64,
    /// Label of the cell. Like `early`, not one of cyclictest's keys. Early wake-ups are counted in `cycles` but are in
    /// no bucket.
    cell: String,
    early: u64,
    #[serde(skip)]
    sum_ns: i128,
}

impl<W: Write> Cyclictest<W> {
    pub(super) fn new(meta: &Meta, out: W) -> Self {
        let labels = meta.plan.cells.iter().map(label::label).collect();
        Self { out, meta: meta.clone(), labels, threads: BTreeMap::new() }
    }
}

impl Thread {
    fn new(label: &str, first: &Sample) -> Self {
        Self { cell: label.to_owned(), cpu: cpu(first), ..Self::default() }
    }

    fn take(&mut self, sample: &Sample) {
        if self.cpu != cpu(sample) {
            self.cpu = -1;
        }
        let late = sample.oversleep().get();
        let us = late.div_euclid(1_000);
        self.cycles += 1;
        self.sum_ns += i128::from(late);
        self.min = Some(self.min.map_or(us, |min| min.min(us)));
        self.max = Some(self.max.map_or(us, |max| max.max(us)));
        if late < 0 {
            self.early += 1;
        } else {
            *self.histogram.entry(us).or_insert(0) += 1;
        }
        self.avg = Some(self.sum_ns as f64 / 1e3 / self.cycles as f64);
    }
}

/// Returns the processor on which a sleep ended, or −1 where that is not known.
fn cpu(sample: &Sample) -> i64 {
    sample.cpu().map_or(-1, Into::into)
}

impl<W: Write> Sink for Cyclictest<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
            if let Some(label) = self.labels.get(sample.cell as usize) {
                let thread = self.threads.entry((sample.cell, sample.thread));
                thread.or_insert_with(|| Thread::new(label, sample)).take(sample);
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.labels.push(label::label(cell));
    }

    fn note(&mut self, _: &Note) {}
}

impl<W: Write> Exporter for Cyclictest<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { mut out, meta, threads, .. } = *self;
        let machine = &meta.machine;
        let thread: BTreeMap<usize, Thread> = threads.into_values().enumerate().collect();
        let document = Document {
            file_version: 1,
            command: format!("oversleep export --format cyclictest ({})", meta.plan.experiment),
            version: meta.tool.clone(),
            start_time: meta.started.clone().unwrap_or_default(),
            return_code: 0,
            sysinfo: Sysinfo {
                sysname: machine.system.clone(),
                nodename: String::new(),
                release: machine.release.clone(),
                version: machine.version.clone(),
                machine: machine.architecture.clone(),
                realtime: u8::from(machine.version.contains("PREEMPT_RT")),
            },
            num_threads: thread.len(),
            resolution_in_ns: 0,
            thread,
        };
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()
    }
}

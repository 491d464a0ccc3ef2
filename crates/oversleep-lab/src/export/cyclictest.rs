//! The JSON of `cyclictest --json`, for tools that read it: an entry per cell and thread, with a histogram in microseconds.

use super::format::Exporter;
use super::label;
use oversleep_recording::plan::{Cell, Pattern};
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Counts values per cell and writes the document at the end.
pub(super) struct Cyclictest<W: Write> {
    out: W,
    meta: Meta,
    labels: Vec<String>,
    /// Processors on which a thread might sleep, by cell and thread.
    affinities: BTreeMap<(u32, u16), Vec<u32>>,
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
    /// Label of the cell. Like `early`, not one of cyclictest's keys. cyclictest has no early wake-ups, and its readers take
    /// what is in no bucket for overflows, so they are in `early` alone.
    cell: String,
    early: u64,
    #[serde(skip)]
    sum_ns: i128,
}

impl<W: Write> Cyclictest<W> {
    pub(super) fn new(meta: &Meta, out: W) -> Self {
        let labels = meta.plan.cells.iter().map(label::label).collect();
        Self { out, meta: meta.clone(), labels, affinities: BTreeMap::new(), threads: BTreeMap::new() }
    }

    /// Returns the processor on which alone a thread might sleep, or −1. Where a thread happened to sleep says nothing: a
    /// reader takes the number for one that was asked for.
    fn cpu(&self, (cell, thread): (u32, u16)) -> i64 {
        let asked = self.meta.plan.cells.get(cell as usize).and_then(|cell| cell.conditions.affinity.as_ref());
        match self.affinities.get(&(cell, thread)).or(asked).map(Vec::as_slice) {
            Some([only]) => i64::from(*only),
            _ => -1,
        }
    }

    /// Returns the period as options of cyclictest, if all threads kept the same one and it is of whole microseconds.
    fn interval(&self) -> String {
        let period = |&(cell, _): &(u32, u16)| match self.meta.plan.cells.get(cell as usize)?.pattern {
            Pattern::Periodic { period } if period.get() % 1_000 == 0 => Some(period.get() / 1_000),
            _ => None,
        };
        let periods: BTreeSet<Option<i64>> = self.threads.keys().map(period).collect();
        match periods.into_iter().collect::<Vec<_>>().as_slice() {
            [Some(us)] => format!(" -i {us} -d 0"),
            _ => String::new(),
        }
    }
}

impl Thread {
    fn new(label: &str) -> Self {
        Self { cell: label.to_owned(), ..Self::default() }
    }

    fn take(&mut self, sample: &Sample) {
        let late = sample.oversleep().get();
        if late < 0 {
            self.early += 1;
            return;
        }
        let us = late.div_euclid(1_000);
        self.cycles += 1;
        self.sum_ns += i128::from(late);
        self.min = Some(self.min.map_or(us, |min| min.min(us)));
        self.max = Some(self.max.map_or(us, |max| max.max(us)));
        *self.histogram.entry(us).or_insert(0) += 1;
        self.avg = Some(self.sum_ns as f64 / 1e3 / self.cycles as f64);
    }
}

impl<W: Write> Sink for Cyclictest<W> {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
            if let Some(label) = self.labels.get(sample.cell as usize) {
                let thread = self.threads.entry((sample.cell, sample.thread));
                thread.or_insert_with(|| Thread::new(label)).take(sample);
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.labels.push(label::label(cell));
        self.meta.plan.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        let known = note
            .obtained
            .iter()
            .filter_map(|obtained| Some(((obtained.cell, obtained.thread), obtained.conditions.affinity.clone()?)));
        self.affinities.extend(known);
    }
}

impl<W: Write> Exporter for Cyclictest<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        let interval = self.interval();
        let cpus: Vec<i64> = self.threads.keys().map(|thread| self.cpu(*thread)).collect();
        let Self { mut out, meta, threads, .. } = *self;
        let machine = &meta.machine;
        let pinned = threads.into_values().zip(cpus).map(|(thread, cpu)| Thread { cpu, ..thread });
        let thread: BTreeMap<usize, Thread> = pinned.enumerate().collect();
        let document = Document {
            file_version: 1,
            command: format!("oversleep export --format cyclictest ({}){interval}", meta.plan.experiment),
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

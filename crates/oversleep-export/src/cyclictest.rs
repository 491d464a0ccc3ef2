//! What cyclictest prints, for tools that read it, with an entry per cell and thread: the JSON of `--json`, with a histogram in
//! microseconds, or its lines.

use super::format::Exporter;
use super::label;
use oversleep_recording::plan::{Cell, Conditions, Pattern, Policy};
use oversleep_recording::{Flags, Meta, Note, Obtained, Sample, Sink};
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Counts values per cell and writes the document at the end.
pub(super) struct Cyclictest<W: Write> {
    out: W,
    /// Whether lines are written instead of JSON.
    lines: bool,
    meta: Meta,
    labels: Vec<String>,
    /// Conditions that threads had, by cell and thread.
    obtained: BTreeMap<(u32, u16), Conditions>,
    /// By cell and thread.
    threads: BTreeMap<(u32, u16), Thread>,
    /// First start and last end of samples, by cell: cells may use different clocks.
    spans: BTreeMap<u32, (Nanos, Nanos)>,
}

/// The JSON document. Two of cyclictest's keys end in a colon.
#[derive(Serialize)]
struct Document {
    file_version: u32,
    #[serde(rename = "cmdline:")]
    command: String,
    #[serde(rename = "rt_test_version:")]
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_time: Option<String>,
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
    /// what is in no bucket for overflows, so they are only in `early`.
    cell: String,
    early: u64,
    #[serde(flatten)]
    origin: Origin,
    #[serde(skip)]
    sum_ns: i128,
    /// Latest value.
    #[serde(skip)]
    latest: i64,
}

/// Which row of the recording a thread is of. These are not keys of cyclictest either; our importer reads them.
#[derive(Debug, Clone, Default, Serialize)]
struct Origin {
    /// Method, with the number of the thread if several slept; the whole label of the cell where that would be of two rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<String>,
    /// Period of a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    period_ns: Option<Nanos>,
    /// Request of sleeps without a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_ns: Option<Nanos>,
}

impl<W: Write> Cyclictest<W> {
    pub(super) fn new(meta: &Meta, lines: bool, out: W) -> Self {
        let labels = meta.plan.cells.iter().map(label::label).collect();
        Self {
            out,
            lines,
            meta: meta.clone(),
            labels,
            obtained: BTreeMap::new(),
            threads: BTreeMap::new(),
            spans: BTreeMap::new(),
        }
    }

    /// Returns when the run began and ended, where the recording says when it began, in the form that cyclictest uses. It
    /// lasted at least as long as the sleeps of any cell.
    fn times(&self) -> [Option<String>; 2] {
        let began: Option<jiff::Timestamp> = self.meta.started.as_deref().and_then(|text| text.parse().ok());
        let lasted = self.spans.values().map(|(from, until)| until.saturating_sub(*from)).max().unwrap_or_default();
        let ended = began.and_then(|began| began.checked_add(jiff::SignedDuration::from_nanos(lasted.get())).ok());
        [began, ended].map(|time| jiff::fmt::rfc2822::to_string(&time?.to_zoned(jiff::tz::TimeZone::UTC)).ok())
    }

    /// Returns the only processor on which a thread might sleep, or −1. Where a thread happened to sleep says nothing: a
    /// reader takes the number for one that was asked for.
    fn cpu(&self, (cell, thread): (u32, u16)) -> i64 {
        let asked = self.meta.plan.cells.get(cell as usize).and_then(|cell| cell.conditions.affinity.as_ref());
        let obtained = self.obtained.get(&(cell, thread)).and_then(|obtained| obtained.affinity.as_ref());
        match obtained.or(asked).map(Vec::as_slice) {
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

    /// Returns policy, priority and locked memory as options of cyclictest, if those of all threads are the same.
    fn conditions(&self) -> String {
        let policy_of = |key: &(u32, u16)| {
            let asked = &self.meta.plan.cells.get(key.0 as usize)?.conditions;
            let obtained = self.obtained.get(key).unwrap_or(asked);
            Some((obtained.policy, obtained.memory_locked == Some(true)))
        };
        let mut all = self.threads.keys().map(policy_of);
        let Some(Some((policy, is_locked))) = all.next() else { return String::new() };
        if !all.all(|other| other == Some((policy, is_locked))) {
            return String::new();
        }
        let policy = match policy {
            Some(Policy::Fifo { priority }) => format!(" -p {priority}"),
            Some(Policy::Rr { priority }) => format!(" -p {priority} --policy=rr"),
            Some(Policy::Batch) => " --policy=batch".to_owned(),
            Some(Policy::Idle) => " --policy=idle".to_owned(),
            _ => String::new(),
        };
        policy + if is_locked { " -m" } else { "" }
    }

    /// Writes a line per thread, as cyclictest prints it. Thread IDs are not known; 0 stands for none.
    fn write_lines(mut self) -> io::Result<()> {
        for (number, (key, thread)) in self.threads.iter().enumerate() {
            let cell = self.meta.plan.cells.get(key.0 as usize);
            let conditions = self.obtained.get(key).or(cell.map(|cell| &cell.conditions));
            let priority = conditions.map_or(0, Conditions::real_time_priority);
            let interval = cell.map_or(0, |cell| cell.pattern.typical().get() / 1_000);
            let Thread { cycles, latest, min: Some(min), max: Some(max), avg: Some(avg), .. } = thread else {
                continue;
            };
            writeln!(
                self.out,
                "T:{number:2} ({:5}) P:{priority:2} I:{interval} C:{cycles:7} Min:{min:7} Act:{latest:5} Avg:{avg:5.0} Max:{max:8}",
                0
            )?;
        }
        self.out.flush()
    }

    /// Returns for each thread the row that it is of.
    fn origins(&self) -> Vec<Origin> {
        let origin_of = |(cell, thread): &(u32, u16)| {
            let Some(cell) = self.meta.plan.cells.get(*cell as usize) else { return Origin::default() };
            let several = cell.conditions.threads.is_some_and(|threads| threads > 1);
            let row = if several { format!("{} thread {thread}", cell.method) } else { cell.method.clone() };
            let (period_ns, requested_ns) = match cell.pattern {
                Pattern::Periodic { period } => (Some(period), None),
                Pattern::Fixed { requested } => (None, Some(requested).filter(|requested| *requested > Nanos::ZERO)),
                _ => (None, None),
            };
            Origin { row: Some(row), period_ns, requested_ns }
        };
        let all: Vec<Origin> = self.threads.keys().map(origin_of).collect();
        let key = |origin: &Origin| (origin.row.clone(), origin.period_ns, origin.requested_ns);
        let is_alone = |one: &Origin| all.iter().filter(|other| key(other) == key(one)).count() == 1;
        // The label of a cell has its conditions too.
        let label = |&(cell, thread): &(u32, u16)| {
            let label = self.labels.get(cell as usize)?;
            let several = self.threads.keys().filter(|(other, _)| *other == cell).count() > 1;
            Some(if several { format!("{label} thread {thread}") } else { label.clone() })
        };
        let named = |(one, key): (&Origin, &(u32, u16))| {
            let row = if is_alone(one) { one.row.clone() } else { label(key) };
            Origin { row, ..one.clone() }
        };
        all.iter().zip(self.threads.keys()).map(named).collect()
    }
}

impl Thread {
    fn new(label: &str) -> Self {
        // -1 stands for memory of any node.
        Self { cell: label.to_owned(), node: -1, ..Self::default() }
    }

    fn take(&mut self, sample: &Sample) {
        let late = sample.oversleep().get();
        if late < 0 {
            self.early += 1;
            return;
        }
        let us = late.div_euclid(1_000);
        (self.latest, self.cycles) = (us, self.cycles + 1);
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
            let span = self.spans.entry(sample.cell).or_insert((sample.start, sample.end));
            *span = (span.0.min(sample.start), span.1.max(sample.end));
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
        let entry = |obtained: &Obtained| ((obtained.cell, obtained.thread), obtained.conditions.clone());
        self.obtained.extend(note.obtained.iter().map(entry));
    }
}

impl<W: Write> Exporter for Cyclictest<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        if self.lines {
            return self.write_lines();
        }
        let (interval, [start_time, end_time]) = (self.interval(), self.times());
        let cpus: Vec<i64> = self.threads.keys().map(|thread| self.cpu(*thread)).collect();
        let (conditions, origins) = (self.conditions(), self.origins());
        let Self { mut out, meta, threads, .. } = *self;
        let machine = &meta.machine;
        let pinned = threads.into_values().zip(cpus).zip(origins);
        let pinned = pinned.map(|((thread, cpu), origin)| Thread { cpu, origin, ..thread });
        let thread: BTreeMap<usize, Thread> = pinned.enumerate().collect();
        let document = Document {
            file_version: 1,
            command: format!("oversleep export --format cyclictest ({}){interval}{conditions}", meta.plan.kind),
            version: meta.tool.clone(),
            start_time,
            end_time,
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

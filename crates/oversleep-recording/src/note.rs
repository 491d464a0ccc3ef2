//! What becomes known while a recording runs.

use super::{ClockSurvey, LateAccount, LateSleep, StallWindow, TracedSleeps, Tracing, WatchedCpu, Watcher};
use crate::document::CostFigures;
use crate::plan::{Cell, ClockName, Conditions};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// What became known since the last note. Each part is appended to that of earlier notes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// Cells that were not known when the recording began. Their samples come after them or in the same batch; their IDs
    /// follow that of the last cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// Readings of clocks, each between two readings of the monotonic clock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brackets: Vec<Bracket>,
    /// Conditions read back from the system.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obtained: Vec<Obtained>,
    /// Period counts, replacing earlier ones of the same cell and thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Periods>,
    /// What sleeps took of the processor, replacing earlier entries of the same cell and thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<SleepCost>,
    /// What was requested and turned out to be unavailable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<super::Unobtained>,
    /// Sleeps that never ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hung: Vec<HungSleep>,
    /// Number of samples lost since the last note because they could not be stored fast enough.
    #[serde(skip_serializing_if = "is_zero")]
    pub lost: u64,
    /// Samples of a file that cannot be right, found when it was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsound: Vec<super::Unsound>,
    /// How cells were traced, replacing earlier entries of the same cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tracing: Vec<Tracing>,
    /// Records around traced sleeps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traced_sleeps: Vec<TracedSleeps>,
    /// Length of the kernel's tick, as measured.
    #[serde(rename = "tick_measured_ns", skip_serializing_if = "Option::is_none")]
    pub tick_measured: Option<Nanos>,
    /// How the time of watched processors was spent, replacing earlier entries of the same cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<WatchedCpu>,
    /// Threads that watch the processors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watchers: Vec<Watcher>,
    /// What was recorded about stalls, window by window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stall_windows: Vec<StallWindow>,
    /// Sleeps later than allowed, if the run watched for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late_sleeps: Vec<LateSleep>,
    /// Readings of a clock survey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockSurvey>,
    /// Programs that slept in some cells, replacing earlier entries of the same program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    /// System calls of these programs while they slept, where they were recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traced_calls: Vec<super::TracedCalls>,
    /// Counts of late sleeps, if the run watched for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateAccount>,
    /// The program whose waits were recorded, replacing earlier facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attached: Option<super::AttachedProgram>,
    /// Threads whose waits were recorded, replacing earlier entries of the same cell and thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attached_threads: Vec<super::AttachedThread>,
    /// Distributions from another program's file that contains no samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<super::Distribution>,
    /// Meaning of the figures of another program's file: its conventions, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conventions: Vec<String>,
    /// Whether the kind of busy threads is assumed, because another program's table states only their number.
    #[serde(skip_serializing_if = "is_false")]
    pub load_kind_assumed: bool,
    /// How the run ended; `None` means that the recording was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Note {
    /// Returns whether the note is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the parts whose size does not grow with the run, for readers that keep them in memory: without readings
    /// of clocks, stall windows and records of traced sleeps. A reader that needs those takes them from each note.
    #[must_use]
    pub fn without_details(&self) -> Self {
        let mut rest = self.clone();
        rest.brackets.clear();
        rest.stall_windows.clear();
        rest.traced_sleeps.clear();
        rest
    }

    /// Returns what a sleep of a cell took of the processor, as the mean over all its threads.
    pub fn cost_of(&self, cell: u32) -> Option<CostFigures> {
        let costs = self.costs.iter().filter(|cost| cost.cell == cell && cost.sleeps > 0);
        let SleepCost { sleeps, processor, wake_ups, .. } = costs.copied().reduce(|all, cost| all.with(&cost))?;
        let wake_ups = wake_ups.map(|wake_ups| wake_ups as f64 / sleeps as f64);
        Some(CostFigures { sleeps, processor_ns: processor.as_f64() / sleeps as f64, wake_ups })
    }

    /// Appends a later note.
    pub fn absorb(&mut self, later: Self) {
        self.cells.extend(later.cells);
        self.brackets.extend(later.brackets);
        self.obtained.extend(later.obtained);
        replace(&mut self.costs, later.costs, |a, b| (a.cell, a.thread) == (b.cell, b.thread));
        self.unavailable.extend(later.unavailable);
        self.hung.extend(later.hung);
        self.lost += later.lost;
        super::Unsound::absorb(&mut self.unsound, later.unsound);
        self.traced_sleeps.extend(later.traced_sleeps);
        self.late_sleeps.extend(later.late_sleeps);
        replace(&mut self.tracing, later.tracing, |a, b| a.cell == b.cell);
        self.load_kind_assumed |= later.load_kind_assumed;
        self.tick_measured = later.tick_measured.or(self.tick_measured);
        self.late = later.late.or(self.late);
        if let Some(clocks) = later.clocks {
            self.clocks.get_or_insert_default().absorb(clocks);
        }
        replace(&mut self.probes, later.probes, |a, b| a.method == b.method);
        self.traced_calls.extend(later.traced_calls);
        self.attached = later.attached.or(self.attached.take());
        replace(&mut self.attached_threads, later.attached_threads, |a, b| (a.cell, a.thread) == (b.cell, b.thread));
        self.distributions.extend(later.distributions);
        self.conventions.extend(later.conventions);
        self.watchers.extend(later.watchers);
        self.stall_windows.extend(later.stall_windows);
        replace(&mut self.watched, later.watched, |a, b| a.cell == b.cell);
        replace(&mut self.periods, later.periods, |a, b| (a.cell, a.thread) == (b.cell, b.thread));
        if later.end.is_some() {
            self.end = later.end;
        }
    }
}

/// Replaces earlier entries by later ones that are the same according to `same`, and appends the others.
fn replace<T>(accounts: &mut Vec<T>, later: Vec<T>, same: impl Fn(&T, &T) -> bool) {
    for account in later {
        match accounts.iter_mut().find(|old| same(old, &account)) {
            Some(old) => *old = account,
            None => accounts.push(account),
        }
    }
}

/// One reading of a clock between two readings of the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bracket {
    /// The clock.
    pub clock: ClockName,
    /// Midpoint of the two monotonic readings.
    #[serde(rename = "monotonic_ns")]
    pub monotonic: Nanos,
    /// Distance of the two monotonic readings: the reading is uncertain by ± half of it.
    #[serde(rename = "width_ns")]
    pub width: Nanos,
    /// Reading of the clock.
    #[serde(rename = "reading_ns")]
    pub reading: Nanos,
}

/// The conditions under which a cell's thread actually slept, read back from the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Obtained {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Conditions read back.
    pub conditions: Conditions,
}

/// What the waits of a cell's thread took of the processor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SleepCost {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Waits that were counted.
    pub sleeps: u64,
    /// Processor time of the thread during these waits, with the two readings of the clock around each; of a schedule, during the
    /// whole of it.
    #[serde(rename = "processor_ns")]
    pub processor: Nanos,
    /// How often the thread gave up the processor, and so had to be woken, where the system counts that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake_ups: Option<u64>,
}

impl SleepCost {
    /// Returns the cost together with that of other sleeps.
    #[must_use]
    pub fn with(self, others: &Self) -> Self {
        let wake_ups = match (self, others) {
            (none, _) if none.sleeps == 0 => others.wake_ups,
            (_, none) if none.sleeps == 0 => self.wake_ups,
            _ => self.wake_ups.zip(others.wake_ups).map(|(a, b)| a + b),
        };
        Self { sleeps: self.sleeps + others.sleeps, processor: self.processor + others.processor, wake_ups, ..self }
    }
}

/// A sleep that never ended; its thread made no further sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HungSleep {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Requested duration.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
}

/// The period counts of a periodic cell's thread. `asked == fresh + late + skipped`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Periods {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Periods that began while the run lasted.
    pub asked: u64,
    /// Periods whose wake-up came before the next period's deadline.
    pub fresh: u64,
    /// Periods whose wake-up came at or after the next period's deadline.
    pub late: u64,
    /// Periods without a wake-up of their own, because an earlier wake-up came only after they were over.
    pub skipped: u64,
    /// Wake-ups before their deadline (also counted as fresh).
    pub early: u64,
}

impl Periods {
    /// Adds the counts of another turn or thread; the cell becomes that of `account`.
    pub fn add(&mut self, account: &Self) {
        self.cell = account.cell;
        self.asked += account.asked;
        self.fresh += account.fresh;
        self.late += account.late;
        self.skipped += account.skipped;
        self.early += account.early;
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Everything planned was slept.
    Complete,
    /// Somebody asked to stop (Ctrl-C, SIGTERM).
    Interrupted,
    /// The time limit of the run was reached.
    TimeOver,
}

/// A program that follows the probe protocol: it sleeps, and prints when each sleep began and ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Probe {
    /// Name of the method: the program slept in the cells with this method.
    pub method: String,
    /// Language runtime and its version, as the runtime prints them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Whether its clock is the system's monotonic one; otherwise the clocks were related by handshakes.
    pub monotonic: bool,
    /// Whether its samples are the ticks of a schedule, each set from the previous tick.
    pub schedule: bool,
    /// Cost of two readings of its clock, as the program measured it.
    #[serde(rename = "clock_cost_ns", skip_serializing_if = "Option::is_none")]
    pub clock_cost: Option<Nanos>,
    /// How wrong times on its clock may be after they were related to the monotonic clock. Durations are not affected.
    #[serde(rename = "clock_error_ns", skip_serializing_if = "Option::is_none")]
    pub clock_error: Option<Nanos>,
    /// Number of sleeps before the first sample, so that compilers and caches are warm; they are in no figure.
    pub warm_up: u64,
    /// Number of garbage collections that it counted while it slept.
    pub collections: u64,
    /// Reason why it did not make all sleeps, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

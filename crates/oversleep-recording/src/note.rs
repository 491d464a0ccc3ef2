//! What is learned while a recording runs.

use super::{
    ClockSurvey, LateAccount, LateSleep, Mark, Probe, StallWindow, Took, TracedSleeps, Tracing, Watched, Watcher,
};
use crate::plan::{ClockName, Conditions};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// What came to be known since the last note. Each part is appended to what earlier notes said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// Clocks read together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brackets: Vec<Bracket>,
    /// Conditions read back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obtained: Vec<Obtained>,
    /// Period accounts, replacing earlier ones of the same cell and thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Periods>,
    /// What was asked for and turned out not to be had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<super::Unobtained>,
    /// Sleeps that never ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hung: Vec<HungSleep>,
    /// Samples lost since the last note because they could not be stored fast enough.
    #[serde(skip_serializing_if = "is_zero")]
    pub lost: u64,
    /// Samples of a file that cannot be as they stand, found when it was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsound: Vec<super::Unsound>,
    /// What kernel events said of cells' sleeps, traced apart from the samples: in recordings of older versions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traced: Vec<super::Traced>,
    /// How cells were traced, replacing what was said earlier of the same cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tracing: Vec<Tracing>,
    /// What was recorded around traced sleeps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traced_sleeps: Vec<TracedSleeps>,
    /// The kernel's tick, measured.
    #[serde(rename = "tick_measured_ns", skip_serializing_if = "Option::is_none")]
    pub tick_measured: Option<Nanos>,
    /// How watched processors spent their time, replacing earlier accounts of the same cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<Watched>,
    /// The threads that watch them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watchers: Vec<Watcher>,
    /// What was seen of their stalls, window by window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stall_windows: Vec<StallWindow>,
    /// What took their time, replacing earlier accounts of the same cell and cause. Older recordings have it: later ones
    /// hold what was seen ([`Note::stall_windows`]) and leave the naming to whoever reads them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub took: Vec<Took>,
    /// Sleeps later than allowed, where they were watched for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late_sleeps: Vec<LateSleep>,
    /// What is known of single samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Readings of clocks, where clocks were surveyed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockSurvey>,
    /// The programs that slept in some cells, replacing what was said earlier of the same one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    /// What the kernel was told while these programs slept, where that was recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traced_calls: Vec<super::TracedCalls>,
    /// The account of late sleeps, where they were watched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateAccount>,
    /// Distributions of another program's file that holds no samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<super::Distribution>,
    /// What the figures of another program's file mean: its convention, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conventions: Vec<String>,
    /// The end of the run; its absence says that the recording was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Note {
    /// Returns whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what a reader keeps of it in memory that does not grow with the run: no bracketings of clocks, and nothing
    /// of single stalls. Whoever needs those takes them as they pass.
    #[must_use]
    pub fn without_details(&self) -> Self {
        let mut rest = self.clone();
        rest.brackets.clear();
        rest.stall_windows.clear();
        rest.traced_sleeps.clear();
        rest
    }

    /// Appends what a later note says.
    pub fn absorb(&mut self, later: Self) {
        self.brackets.extend(later.brackets);
        self.obtained.extend(later.obtained);
        self.unavailable.extend(later.unavailable);
        self.hung.extend(later.hung);
        self.lost += later.lost;
        super::Unsound::absorb(&mut self.unsound, later.unsound);
        self.traced.extend(later.traced);
        self.traced_sleeps.extend(later.traced_sleeps);
        self.late_sleeps.extend(later.late_sleeps);
        replace(&mut self.tracing, later.tracing, |a, b| a.cell == b.cell);
        self.tick_measured = later.tick_measured.or(self.tick_measured);
        self.late = later.late.or(self.late);
        if let Some(clocks) = later.clocks {
            self.clocks.get_or_insert_default().absorb(clocks);
        }
        self.marks.extend(later.marks);
        replace(&mut self.probes, later.probes, |a, b| a.method == b.method);
        self.traced_calls.extend(later.traced_calls);
        self.distributions.extend(later.distributions);
        self.conventions.extend(later.conventions);
        self.watchers.extend(later.watchers);
        self.stall_windows.extend(later.stall_windows);
        replace(&mut self.watched, later.watched, |a, b| a.cell == b.cell);
        replace(&mut self.took, later.took, |a, b| a.cell == b.cell && a.cause == b.cause);
        for account in later.periods {
            match self.periods.iter_mut().find(|old| old.cell == account.cell && old.thread == account.thread) {
                Some(old) => *old = account,
                None => self.periods.push(account),
            }
        }
        if later.end.is_some() {
            self.end = later.end;
        }
    }
}

/// Later accounts in the place of earlier ones of the same.
fn replace<T>(accounts: &mut Vec<T>, later: Vec<T>, same: impl Fn(&T, &T) -> bool) {
    for account in later {
        match accounts.iter_mut().find(|old| same(old, &account)) {
            Some(old) => *old = account,
            None => accounts.push(account),
        }
    }
}

/// One clock read between two readings of the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bracket {
    /// The clock.
    pub clock: ClockName,
    /// The middle of the two monotonic readings.
    #[serde(rename = "monotonic_ns")]
    pub monotonic: Nanos,
    /// Their distance: the reading is that uncertain, ± half of it.
    #[serde(rename = "width_ns")]
    pub width: Nanos,
    /// What the clock read.
    #[serde(rename = "reading_ns")]
    pub reading: Nanos,
}

/// The conditions a cell's thread really slept under, read back from the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Obtained {
    /// The cell.
    pub cell: u32,
    /// The thread.
    pub thread: u16,
    /// What was read back.
    pub conditions: Conditions,
}

/// A sleep that never ended; its thread slept no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HungSleep {
    /// The cell.
    pub cell: u32,
    /// The thread.
    pub thread: u16,
    /// What was asked for.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
}

/// The account of a periodic cell's thread. `asked == fresh + late + skipped`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Periods {
    /// The cell.
    pub cell: u32,
    /// The thread.
    pub thread: u16,
    /// Periods that began while the run lasted.
    pub asked: u64,
    /// Periods whose wake-up came before the next period's deadline.
    pub fresh: u64,
    /// Periods whose wake-up came at or after the next period's deadline.
    pub late: u64,
    /// Periods without a wake-up of their own, because an earlier one was so late that they were over.
    pub skipped: u64,
    /// Wake-ups before their deadline (also counted as fresh).
    pub early: u64,
}

impl Periods {
    /// Adds another turn's, or another thread's, account to this one; the cell becomes that account's.
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
    /// The time set for it was over.
    TimeOver,
}

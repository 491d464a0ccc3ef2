//! Checks of samples for late sleeps as they are collected.

use super::counting::{CountedInbox, Counting, counting};
use super::fact::fact;
use super::sleeper_tracers::SleeperTracers;
use oversleep_os::trace::{Readings, Setup};
use oversleep_recording::plan::{ClockName, Pattern, Plan};
use oversleep_recording::trace::Tier;
use oversleep_recording::{Flags, LateAccount, LateSleep, Note, RefusedTier, Sample};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// What counts as a late sleep, and what happens then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateRule {
    /// Oversleep above which a sleep is late.
    pub threshold: Nanos,
    /// Whether the first late sleep ends the run.
    pub stop: bool,
    /// Number of latest sleeps to examine: a late sleep is examined if fewer than these were later before it, and else
    /// only counted.
    pub most: u64,
    /// Best tier to use; `None` if there is no machine to trace (a simulation).
    pub best: Option<Tier>,
}

/// A watch for late sleeps among the samples of a run.
#[derive(Debug)]
pub struct Watch {
    rule: LateRule,
    plan: Plan,
    account: Account,
    /// Notes of the run that the final counts need.
    noted: Note,
    tracers: Option<SleeperTracers>,
    /// Where the sleepers' counters arrive, if they were asked to count.
    counted: Option<CountedInbox>,
    begun: bool,
    latest: LatestSleeps,
}

impl Watch {
    /// Returns a watch for the run of a plan. Recording begins with the first note, which comes when all threads have
    /// started.
    pub fn new(rule: LateRule, plan: &Plan) -> Self {
        Self {
            rule,
            plan: plan.clone(),
            account: Account::new(rule.threshold),
            noted: Note::default(),
            tracers: None,
            counted: None,
            begun: false,
            latest: LatestSleeps::new(rule.most),
        }
    }

    /// Returns what sleeping threads need to count for this watch; `None` if the rule has no use for their counters.
    pub fn counting(&mut self) -> Option<Counting> {
        self.rule.best.filter(|best| *best <= Tier::Counters)?;
        let (counting, inbox) = counting(self.rule.threshold);
        self.counted = Some(inbox);
        Some(counting)
    }

    /// Takes a note of the run. The first note begins the recording of kernel events.
    pub fn learn(&mut self, note: &Note) {
        if !std::mem::replace(&mut self.begun, true) {
            self.tracers = self.rule.best.map(|best| self.open(best));
        }
        let new = Note { periods: note.periods.clone(), unavailable: note.unavailable.clone(), ..Note::default() };
        self.noted.absorb(new);
    }

    /// Begins to record. Without kernel events the sleepers are asked for their counters: with them, these add nothing.
    fn open(&self, best: Tier) -> SleeperTracers {
        let mut tracers = SleeperTracers::open(best, Setup::default());
        if tracers.has_events() || best > Tier::Counters {
            return tracers;
        }
        match (&self.counted, Readings::open().err()) {
            (Some(inbox), None) => inbox.want(true),
            (Some(_), Some(why)) => tracers.refuse(Tier::Counters, why),
            (None, _) => {
                let why = "a thread's counters can be read before and after each sleep only by the thread itself";
                tracers.refuse(Tier::Counters, Refusal::Unavailable(why.to_owned()));
            }
        }
        tracers
    }

    /// Returns the late sleeps to examine, in the order of the samples.
    pub fn samples(&mut self, batch: &[Sample]) -> Vec<LateSleep> {
        let mut found = Vec::new();
        let mut gathered = false;
        if let Some(tracers) = &mut self.tracers {
            tracers.gather_switches();
        }
        if let Some(inbox) = &mut self.counted {
            inbox.gather();
        }
        for sample in batch {
            let late = !sample.flags.has(Flags::FAILED) && sample.oversleep() > self.rule.threshold;
            self.account.enter(sample.cell, late);
            if !late || self.account.stopped() || !self.latest.admit(sample.oversleep()) {
                continue;
            }
            if !std::mem::replace(&mut gathered, true)
                && let Some(tracers) = &mut self.tracers
            {
                tracers.gather();
            }
            self.account.found();
            found.push(self.examine(sample));
            if self.rule.stop {
                self.account.stop();
            }
        }
        if self.account.stopped() {
            // Nothing more will be examined, and recording costs each sleep some microseconds.
            self.tracers = None;
            if let Some(inbox) = self.counted.take() {
                inbox.want(false);
            }
        }
        found
    }

    /// Returns whether a late sleep has ended the run.
    pub fn stopped(&self) -> bool {
        self.account.stopped()
    }

    /// Returns the counts at the end of the run.
    pub fn finish(&self) -> LateAccount {
        self.account.finish(&self.plan, &self.noted)
    }

    fn examine(&mut self, sample: &Sample) -> LateSleep {
        let unwatched = |why: &str| {
            let refused = RefusedTier { tier: Tier::Events, why: Refusal::Unavailable(why.to_owned()) };
            LateSleep { refused: vec![refused], ..fact(sample) }
        };
        let Some(tracers) = &self.tracers else { return unwatched("a simulated kernel keeps no trace") };
        let cell = self.plan.cells.iter().find(|cell| cell.id == sample.cell);
        if cell.is_none_or(|cell| cell.clock != ClockName::Monotonic) {
            return unwatched("kernel events are timed on the monotonic clock, this sleep is not");
        }
        let counted = self.counted.as_mut().map(|inbox| inbox.take(sample)).unwrap_or_default();
        let around = tracers.around(sample);
        LateSleep { counted, ..around }
    }
}

/// Counts every sample. `planned = slept + cut`; with a stop, `slept = until_stop + after_stop`.
#[derive(Debug, Clone)]
pub struct Account {
    late: LateAccount,
    slept: HashMap<u32, u64>,
}

impl Account {
    /// Returns the counts of a run in which nothing has slept yet.
    pub fn new(threshold: Nanos) -> Self {
        Self { late: LateAccount { threshold, ..LateAccount::default() }, slept: HashMap::new() }
    }

    /// Counts a sleep of a cell; `late` says whether it was too late.
    pub fn enter(&mut self, cell: u32, late: bool) {
        *self.slept.entry(cell).or_default() += 1;
        self.late.slept += 1;
        self.late.late += u64::from(late);
        if self.late.stopped {
            self.late.after_stop += 1;
        }
    }

    /// Returns the counts of a run with this number of planned sleeps.
    pub fn of_planned(&self, planned: u64) -> LateAccount {
        LateAccount { planned, cut: planned.saturating_sub(self.late.slept), ..self.late }
    }

    /// Marks the last sample counted as the one to stop at.
    pub fn stop(&mut self) {
        self.late.stopped = true;
    }

    /// Returns whether a stop was marked.
    pub fn stopped(&self) -> bool {
        self.late.stopped
    }

    /// Counts the last sample as examined.
    pub fn found(&mut self) {
        self.late.found += 1;
    }

    /// Returns the counts with the numbers of planned sleeps and of those cut off. Methods that the run noted as
    /// unavailable were not planned, and periods that were skipped were not cut off.
    pub fn finish(&self, plan: &Plan, note: &Note) -> LateAccount {
        let mut late = self.late;
        for cell in &plan.cells {
            if note.unavailable.iter().any(|missing| missing.what == cell.method) {
                continue;
            }
            let threads = u64::from(cell.conditions.threads.unwrap_or(1).max(1));
            let turns = plan.turns.iter().filter(|turn| turn.cell == cell.id);
            let planned = turns.map(|turn| turn.sleeps).sum::<u64>().saturating_mul(threads);
            let slept = self.slept.get(&cell.id).copied().unwrap_or(0);
            let skipped = match cell.pattern {
                Pattern::Periodic { .. } => {
                    note.periods.iter().filter(|account| account.cell == cell.id).map(|account| account.skipped).sum()
                }
                _ => 0,
            };
            late.planned += planned;
            late.cut += planned.saturating_sub(slept + skipped);
        }
        late
    }
}

/// How late the latest sleeps so far were, at most a given number of them. What was recorded around a sleep is soon lost, so
/// a sleep is examined as soon as it is one of the latest so far; later ones may take its place.
#[derive(Debug)]
pub(crate) struct LatestSleeps {
    most: u64,
    /// The least of them is at the top.
    late: BinaryHeap<Reverse<Nanos>>,
}

impl LatestSleeps {
    /// Returns a list of at most `most` sleeps, which is empty.
    pub(crate) fn new(most: u64) -> Self {
        Self { most, late: BinaryHeap::new() }
    }

    /// Adds a sleep if it is among the latest so far, in place of the least late of them if there are enough. Returns
    /// whether it is.
    pub(crate) fn admit(&mut self, late: Nanos) -> bool {
        if self.late.len() as u64 >= self.most {
            if self.late.peek().is_none_or(|Reverse(least)| late <= *least) {
                return false;
            }
            self.late.pop();
        }
        self.late.push(Reverse(late));
        true
    }
}

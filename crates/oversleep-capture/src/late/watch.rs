//! Checks of samples for late sleeps as they are collected.

use super::account::Account;
use super::counting::{CountedInbox, Counting, counting};
use super::fact::fact;
use super::latest::LatestSleeps;
use super::sleeper_tracers::SleeperTracers;
use oversleep_os::trace::{Readings, Setup};
use oversleep_recording::plan::{ClockName, Plan};
use oversleep_recording::trace::Tier;
use oversleep_recording::{Flags, LateAccount, LateSleep, Note, RefusedTier, Sample};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

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
        LateSleep { counted, ..tracers.around(sample) }
    }
}

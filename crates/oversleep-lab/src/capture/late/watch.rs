//! Checks of samples for late sleeps as they are collected.

use super::account::Account;
use super::fact::fact;
use super::sleeper_tracers::SleeperTracers;
use oversleep_os::trace::Setup;
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
    /// Largest number of late sleeps that are examined; the rest are only counted.
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
    begun: bool,
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
            begun: false,
        }
    }

    /// Takes a note of the run. The first note begins the recording of kernel events.
    pub fn learn(&mut self, note: &Note) {
        if !std::mem::replace(&mut self.begun, true) {
            self.tracers = self.rule.best.map(|best| SleeperTracers::open(best, Setup::default()));
        }
        let kept = Note { periods: note.periods.clone(), unavailable: note.unavailable.clone(), ..Note::default() };
        self.noted.absorb(kept);
    }

    /// Returns the late sleeps to examine, in the order of the samples.
    pub fn samples(&mut self, batch: &[Sample]) -> Vec<LateSleep> {
        let mut found = Vec::new();
        let mut gathered = false;
        if let Some(tracers) = &mut self.tracers {
            tracers.gather_switches();
        }
        for sample in batch {
            let late = !sample.flags.has(Flags::FAILED) && sample.oversleep() > self.rule.threshold;
            self.account.enter(sample.cell, late);
            if !late || self.account.stopped() || self.done() {
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
        if self.done() || self.account.stopped() {
            // Nothing more will be examined, and recording costs each sleep some microseconds.
            self.tracers = None;
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

    fn done(&self) -> bool {
        self.account.examined() >= self.rule.most
    }

    fn examine(&self, sample: &Sample) -> LateSleep {
        let unwatched = |why: &str| {
            let refused = RefusedTier { tier: Tier::Events, why: Refusal::Unavailable(why.to_owned()) };
            LateSleep { refused: vec![refused], ..fact(sample) }
        };
        let Some(tracers) = &self.tracers else { return unwatched("a simulated kernel keeps no trace") };
        let cell = self.plan.cells.iter().find(|cell| cell.id == sample.cell);
        if cell.is_none_or(|cell| cell.clock != ClockName::Monotonic) {
            return unwatched("kernel events are timed on the monotonic clock, this sleep is not");
        }
        tracers.around(sample)
    }
}

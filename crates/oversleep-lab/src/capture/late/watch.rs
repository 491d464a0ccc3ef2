//! Looking at samples as they are collected.

use super::account::Account;
use super::finding::{Finding, finding};
use super::threads::Witness;
use crate::analysis::attribution::{Slept, expected_slack};
use crate::capture::trace::Tier;
use oversleep_os::settings::Policy;
use oversleep_os::trace::Setup;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{ClockName, Conditions, Plan};
use oversleep_recording::trace::ThreadCounters;
use oversleep_recording::{Flags, Late, Mark, Note, Sample};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// What is too late, and what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Later than this is too late.
    pub threshold: Nanos,
    /// Whether the first late sleep ends the run.
    pub stop: bool,
    /// So many late sleeps are looked into; the rest are counted.
    pub most: u64,
    /// The best evidence to use; `None` where there is no machine to watch (a simulation).
    pub best: Option<Tier>,
}

/// Watches a run's samples.
#[derive(Debug)]
pub struct Watch {
    rule: Rule,
    plan: Plan,
    account: Account,
    obtained: HashMap<(u32, u16), Conditions>,
    /// What the run noted that its account needs.
    noted: Note,
    witness: Option<Witness>,
    begun: bool,
}

impl Watch {
    /// Of a plan's run. Nothing is recorded before the first note, which comes when all threads are there.
    pub fn new(rule: Rule, plan: &Plan) -> Self {
        Self {
            rule,
            plan: plan.clone(),
            account: Account::new(rule.threshold),
            obtained: HashMap::new(),
            noted: Note::default(),
            witness: None,
            begun: false,
        }
    }

    /// Takes a note of the run. The first one begins the recording of kernel events.
    pub fn learn(&mut self, note: &Note) {
        if !std::mem::replace(&mut self.begun, true) {
            self.witness = self.rule.best.map(|best| Witness::open(best, Setup::default()));
        }
        for obtained in &note.obtained {
            self.obtained.insert((obtained.cell, obtained.thread), obtained.conditions.clone());
        }
        let kept = Note { periods: note.periods.clone(), unavailable: note.unavailable.clone(), ..Note::default() };
        self.noted.absorb(kept);
    }

    /// Looks at samples, in the order in which they came. Gives the late ones, those that are to be looked into.
    pub fn samples(&mut self, batch: &[Sample]) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut gathered = false;
        for sample in batch {
            let late = !sample.flags.has(Flags::FAILED) && sample.oversleep() > self.rule.threshold;
            self.account.enter(sample.cell, late);
            if !late || self.account.stopped() || self.done() {
                continue;
            }
            if !std::mem::replace(&mut gathered, true)
                && let Some(witness) = &mut self.witness
            {
                witness.gather();
            }
            self.account.found();
            found.push(self.look_into(sample));
            if self.rule.stop {
                self.account.stop();
            }
        }
        if self.done() || self.account.stopped() {
            // Nothing more will be asked of it, and recording costs each sleep some microseconds.
            self.witness = None;
        }
        found
    }

    /// Whether a late sleep has ended the run.
    pub fn stopped(&self) -> bool {
        self.account.stopped()
    }

    /// The account at the end.
    pub fn finish(&self) -> Late {
        self.account.finish(&self.plan, &self.noted)
    }

    fn done(&self) -> bool {
        self.account.looked_into() >= self.rule.most
    }

    fn look_into(&self, sample: &Sample) -> Finding {
        let cell = self.plan.cells.iter().find(|cell| cell.id == sample.cell);
        let method = cell.map_or("", |cell| cell.method.as_str());
        let place = Mark {
            cell: sample.cell,
            thread: sample.thread,
            sequence: sample.sequence,
            cpu: (sample.cpu_end != Sample::NO_CPU).then_some(sample.cpu_end),
            at: sample.end,
            length: sample.oversleep(),
            ..Mark::default()
        };
        let Some(witness) = &self.witness else {
            let why = Refusal::Unavailable("a simulated kernel keeps no trace".to_owned());
            return finding(method, sample.requested, place, None, &[(Tier::Events, why)]);
        };
        if cell.is_none_or(|cell| cell.clock != ClockName::Monotonic) {
            let why =
                Refusal::Unavailable("kernel events are timed on the monotonic clock, this sleep is not".to_owned());
            return finding(method, sample.requested, place, None, &[(Tier::Events, why)]);
        }
        let (tier, breakdown, excerpt) = witness.explain(sample, self.slept(sample, method));
        let refused: Vec<_> = witness.refused.iter().filter(|(higher, _)| *higher < tier).cloned().collect();
        Finding { excerpt, ..finding(method, sample.requested, place, Some((tier, &breakdown)), &refused) }
    }

    fn slept(&self, sample: &Sample, method: &str) -> Slept {
        let id = MethodId::from_name(method);
        let requested = id.map_or(sample.requested, |id| id.row().rounded(sample.requested));
        let slack = id.and_then(|id| {
            let got = self.obtained.get(&(sample.cell, sample.thread))?;
            let policy = got.policy.unwrap_or(Policy::Other);
            expected_slack(id, sample.requested, got.timer_slack?, policy, got.nice.unwrap_or(0))
        });
        Slept {
            sequence: sample.sequence,
            requested,
            deadline: sample.deadline,
            start: sample.start,
            end: sample.end,
            slack,
            before: ThreadCounters::default(),
            after: ThreadCounters::default(),
        }
    }
}

//! Late sleeps of a traced run.

use super::Tier;
use crate::analysis::attribution::{Breakdown, Slept, counters};
use crate::capture::late::{Account, Finding, Rule, excerpt, finding};
use oversleep_recording::trace::Event;
use oversleep_recording::{Late, Mark};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

/// Looks at each block's sleeps.
pub(super) struct Lateness<'a> {
    rule: Rule,
    method: &'static str,
    account: Account,
    found: &'a mut dyn FnMut(Finding),
}

impl<'a> Lateness<'a> {
    pub(super) fn new(rule: Rule, method: &'static str, found: &'a mut dyn FnMut(Finding)) -> Self {
        Self { rule, method, account: Account::new(rule.threshold), found }
    }

    /// Whether this sleep ends the run, and with it the block.
    pub(super) fn ends(&self, slept: &Slept) -> bool {
        self.rule.stop && self.late(slept)
    }

    pub(super) fn stopped(&self) -> bool {
        self.account.stopped()
    }

    /// Sleeps of a traced block, with their breakdowns in the same order.
    pub(super) fn traced(
        &mut self,
        sleeps: &[Slept],
        breakdowns: &[Breakdown],
        tier: Tier,
        refused: &[(Tier, Refusal)],
        events: &[Event],
    ) {
        for (slept, breakdown) in sleeps.iter().zip(breakdowns) {
            if self.enter(slept) {
                let cpu = breakdown.parts.last().and_then(|part| part.cpu);
                let (place, around) = (Mark { cpu, ..place(slept) }, excerpt(events, slept.due(), slept.end));
                let finding = finding(self.method, slept.requested, place, Some((tier, breakdown)), refused);
                (self.found)(Finding { excerpt: around, ..finding });
            }
        }
    }

    /// Sleeps of an untraced block: counters alone tell of them.
    pub(super) fn untraced(&mut self, sleeps: &[Slept], tier: Tier) {
        for slept in sleeps {
            if self.enter(slept) {
                let breakdown = &counters::join(&[*slept])[0];
                let why = Refusal::Unavailable("this sleep was in an untraced block".to_owned());
                let refused: Vec<_> = (tier < Tier::Counters).then_some((tier, why)).into_iter().collect();
                let place = place(slept);
                (self.found)(finding(self.method, slept.requested, place, Some((Tier::Counters, breakdown)), &refused));
            }
        }
    }

    /// The account, when so many sleeps were planned.
    pub(super) fn finish(self, planned: u64) -> Late {
        self.account.of_planned(planned)
    }

    fn late(&self, slept: &Slept) -> bool {
        slept.end.saturating_sub(slept.due()) > self.rule.threshold
    }

    /// Counts a sleep. Says whether it is to be looked into.
    fn enter(&mut self, slept: &Slept) -> bool {
        let late = self.late(slept);
        self.account.enter(0, late);
        let wanted = late && !self.account.stopped() && self.account.looked_into() < self.rule.most;
        if wanted {
            self.account.found();
            if self.rule.stop {
                self.account.stop();
            }
        }
        wanted
    }
}

fn place(slept: &Slept) -> Mark {
    let length: Nanos = slept.end.saturating_sub(slept.due());
    Mark { sequence: slept.sequence, at: slept.end, length, ..Mark::default() }
}

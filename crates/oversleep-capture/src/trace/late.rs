//! Late sleeps of a traced run.

use crate::late::{AFTER, Account, LateRule, LatestSleeps, fact, since};
use oversleep_recording::trace::{KernelEvents, OwnSwitches, ThreadCounters, Tier};
use oversleep_recording::{Flags, LateAccount, LateSleep, RefusedTier, Sample};
use oversleep_sys::Refusal;

/// Checks the sleeps of each block for late ones.
pub(super) struct Lateness {
    rule: LateRule,
    account: Account,
    latest: LatestSleeps,
}

/// What was recorded during a block.
pub(super) struct Recorded<'a> {
    pub(super) tid: i32,
    pub(super) tier: Tier,
    pub(super) refused: &'a [RefusedTier],
    /// Kernel events and switches; `None` for an untraced block.
    pub(super) traced: Option<(&'a KernelEvents, &'a OwnSwitches)>,
}

impl Lateness {
    pub(super) fn new(rule: LateRule) -> Self {
        Self { rule, account: Account::new(rule.threshold), latest: LatestSleeps::new(rule.most) }
    }

    /// Returns whether this sleep ends the run, and with it the block.
    pub(super) fn ends(&self, sample: &Sample) -> bool {
        self.rule.stop && self.late(sample)
    }

    pub(super) fn stopped(&self) -> bool {
        self.account.stopped()
    }

    /// Counts the sleeps of a block and returns those to examine, with the records around them.
    pub(super) fn block(
        &mut self,
        samples: &[Sample],
        counted: &[ThreadCounters],
        recorded: &Recorded<'_>,
    ) -> Vec<LateSleep> {
        let mut found = Vec::new();
        for (sample, counted) in samples.iter().zip(counted) {
            if self.enter(sample) {
                found.push(LateSleep { counted: *counted, ..recorded.around(sample) });
            }
        }
        found
    }

    /// Returns the counts for a number of planned sleeps.
    pub(super) fn finish(&self, planned: u64) -> LateAccount {
        self.account.of_planned(planned)
    }

    fn late(&self, sample: &Sample) -> bool {
        !sample.flags.has(Flags::FAILED) && sample.oversleep() > self.rule.threshold
    }

    /// Counts a sleep. Returns whether it is to be examined.
    fn enter(&mut self, sample: &Sample) -> bool {
        let late = self.late(sample);
        self.account.enter(sample.cell, late);
        let wanted = late && !self.account.stopped() && self.latest.admit(sample.oversleep());
        if wanted {
            self.account.found();
            if self.rule.stop {
                self.account.stop();
            }
        }
        wanted
    }
}

impl Recorded<'_> {
    fn around(&self, sample: &Sample) -> LateSleep {
        let plain = LateSleep { tid: Some(self.tid), watched: true, refused: self.refused.to_vec(), ..fact(sample) };
        let Some((events, switches)) = self.traced else {
            let why = Refusal::Unavailable("this sleep was in an untraced block".to_owned());
            let refused = RefusedTier { tier: self.tier, why };
            return LateSleep { refused: vec![refused], ..plain };
        };
        let (from, until) = (since(sample), sample.end.saturating_add(AFTER));
        let nearby = events.around(from, until);
        let switches = switches.around(&nearby, from, until);
        LateSleep { events: (self.tier == Tier::Events).then_some(nearby), own: switches, ..plain }
    }
}

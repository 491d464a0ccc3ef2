//! A control group's processor quota: once it is used up, nothing of the group runs until its next period.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "quota",
    governs: "threads of a group, or real-time threads, whose processor time per period is limited and used up",
    formula: "runs at start + request while less than `quota` of the period is over, else when the next period begins",
    parameters: &[
        Parameter { name: "period", unit: "ns", least: 1e6, most: 1e9 },
        Parameter { name: "quota", unit: "ns", least: 1e6, most: 1e9 },
    ],
    remedy: "a larger quota (cpu.max), a shorter period with the same share, or work moved out of the group",
};

const fn law(period: f64, quota: f64) -> Law {
    Law::Quota(Quota { periods: Even { period, phase: 0.0 }, quota })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "3.2 and later": "threads of a control group with cpu.max or cpu.cfs_quota_us; here 20 ms of 100 ms"
        = law(100e6, 20e6); "kernel/sched/fair.c, throttle_cfs_rq; Documentation/scheduler/sched-bwc.rst";
    "linux" "2.6.25 and later": "a real-time thread on a processor that real-time threads keep busy"
        = law(1e9, 0.95e9); "kernel/sched/rt.c: sched_rt_runtime_us 950000 of sched_rt_period_us 1000000";
};

/// Sleeps that end after the quota is used up last until the next period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quota {
    /// The periods.
    pub periods: Even,
    /// How much of each period the group runs, from its beginning, in ns.
    pub quota: f64,
}

impl Govern for Quota {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut periods = self.periods;
        let begun = periods.last(sleep.due());
        if sleep.due() < periods.at(begun) + self.quota { sleep.due() } else { periods.at(begun + 1) }
    }

    fn lengths(&self, asked: f64) -> Lengths {
        Lengths { most: asked + self.periods.period - self.quota, ..Lengths::only(asked) }
    }

    fn text(&self) -> String {
        let (quota, period) = (time(self.quota), time(self.periods.period));
        format!("waits for the next period of its quota, {quota} of every {period}")
    }
}

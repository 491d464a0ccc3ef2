//! Beside a real-time thread that never sleeps, others run only while it is throttled.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "real-time-throttling",
    governs: "threads on a processor that a real-time thread keeps busy",
    formula: "runs at start + request if the period is past `runtime` by then, else when it is",
    parameters: &[
        Parameter { name: "period", unit: "ns", least: 10e6, most: 1e9 },
        Parameter { name: "runtime", unit: "ns", least: 0.0, most: 1e9 },
    ],
    remedy: "let the real-time thread sleep, or keep it off this processor",
};

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "2.6.25 to 6.11": "threads that are not real-time, beside a real-time one that never sleeps"
        = Law::Throttling(Throttling { periods: Even { period: 1e9, phase: 0.0 }, runtime: 0.95e9 }); "kernel/sched/rt.c: sched_rt_runtime_us 950000 of sched_rt_period_us 1000000";
};

/// Sleeps that end while the real-time thread runs last until it is throttled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Throttling {
    /// The periods.
    pub periods: Even,
    /// How much of each period real-time threads run, from its beginning, in ns.
    pub runtime: f64,
}

impl Govern for Throttling {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut periods = self.periods;
        let begun = periods.last(sleep.due());
        sleep.due().max(periods.at(begun) + self.runtime)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        Lengths { most: asked + self.runtime, ..Lengths::only(asked) }
    }

    fn text(&self) -> String {
        let (rest, period) = (time(self.periods.period - self.runtime), time(self.periods.period));
        format!("runs beside a busy real-time thread only in {rest} of every {period}")
    }
}

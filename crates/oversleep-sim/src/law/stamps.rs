//! The clock that stamps: readings of a clock with a coarse step, for instance one made of ticks.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, rate};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "coarse-stamps",
    governs: "the readings from which lateness is computed, not the sleeps",
    formula: "a reading is the last step of the clock; `both`: starts are read from it too",
    parameters: &[Parameter { name: "step", unit: "ns", least: 1.0, most: 20e6 }],
    remedy: "stamps from a finer clock (CLOCK_MONOTONIC, QueryPerformanceCounter)",
};

const fn law(step: f64, both: bool) -> Law {
    Law::Stamps(Stamps { clock: Even { period: step, phase: 0.0 }, both })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "HZ 250": "CLOCK_MONOTONIC_COARSE; every clock on the jiffies clock source"
        = law(4e6, true); "kernel/time/timekeeping.c, ktime_get_coarse_ts64; kernel/time/jiffies.c";
    "windows" "all": "GetTickCount, GetSystemTimeAsFileTime"
        = law(15.625e6, true); "learn.microsoft.com, GetTickCount: 10 to 16 ms";
    "" "POSIX": "gettimeofday" = law(1e3, true); "gettimeofday(2): microseconds";
};

/// Readings lie on a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stamps {
    /// The clock's steps.
    pub clock: Even,
    /// Whether starts are read from it too; else only ends.
    pub both: bool,
}

/// Returns the reading of a clock with this step, in the same unit.
pub fn reading(time: i64, step: i64) -> i64 {
    time - time.rem_euclid(step)
}

impl Govern for Stamps {
    /// Returns the end that is recorded: for `both`, as far from the true start as the readings are from each other.
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut clock = self.clock;
        let mut read = |at: f64| {
            let step = clock.last(at);
            clock.at(step)
        };
        let end = read(sleep.due());
        if self.both { end + sleep.start - read(sleep.start) } else { end }
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let step = self.clock.period;
        if !self.both {
            return Lengths { least: asked - step, ..Lengths::only(asked) };
        }
        let (down, up) = ((asked / step + 1e-6).floor() * step, (asked / step - 1e-6).ceil() * step);
        Lengths { least: down, most: up, back_to_back: down }
    }

    fn text(&self) -> String {
        let which = if self.both { "starts and ends are" } else { "its end is" };
        format!("is measured coarsely: {which} read from a clock with steps of {}", rate(self.clock.period))
    }
}

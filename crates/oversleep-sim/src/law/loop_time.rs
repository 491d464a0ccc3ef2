//! An event loop's cached time: timers count from when the loop last read its clock, so they end early.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "cached-loop-time",
    governs: "timers of event loops that read the clock once per turn",
    formula: "base = the clock's last unit at or before start − blocked; ends at base + request, not before start",
    parameters: &[
        Parameter { name: "unit", unit: "ns", least: 1.0, most: 1e6 },
        Parameter { name: "blocked", unit: "ns", least: 0.0, most: 1e9 },
    ],
    remedy: "update the loop's time before the timer is set (uv_update_time), or keep the loop from being blocked",
};

const fn law(unit: f64) -> Law {
    Law::LoopTime(LoopTime { clock: Even { period: unit, phase: 0.0 }, blocked: 0.0 })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "node" "all": "setTimeout" = law(1e6); "libuv, src/unix/core.c, uv__update_time: whole milliseconds, rounded down";
    "uvloop" "all": "asyncio.sleep, call_later"
        = law(1e6); "libuv, src/unix/core.c, uv__update_time; published: early by as long as the loop was blocked";
};

/// Sleeps count from a reading before their start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopTime {
    /// The loop's clock, in whole units.
    pub clock: Even,
    /// How long the loop did other work between its reading and the start, in ns.
    pub blocked: f64,
}

impl Govern for LoopTime {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut clock = self.clock;
        let read = clock.last(sleep.start - self.blocked);
        (clock.at(read) + sleep.asked).max(sleep.start)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let most = (asked - self.blocked).max(0.0);
        Lengths { least: (most - self.clock.period).max(0.0), ..Lengths::only(most) }
    }

    fn text(&self) -> String {
        format!(
            "counts from the loop's time in units of {}, so it may end early",
            time(self.clock.period + self.blocked)
        )
    }
}

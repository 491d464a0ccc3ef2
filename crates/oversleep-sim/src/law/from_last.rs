//! Counted from the last tick, as Windows NT does: up to a tick early.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, floor, rate};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "from-last-tick",
    governs: "waits for a duration, added to the time of the last clock interrupt",
    formula: "n = ceil(request / tick as counted), at least 1; ends n ticks after the last tick before start",
    parameters: &[Parameter { name: "period", unit: "ns", least: 0.5e6, most: 16e6 }],
    remedy: "timeBeginPeriod(1), or a high-resolution waitable timer",
};

const fn ticks(period: f64) -> Law {
    Law::FromLast(FromLast { ticks: Even { period, phase: 0.0 }, counted: period })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "windows" "NT to 10, default resolution of 15.625 ms": "Sleep and every wait with a timeout"
        = ticks(15.625e6); "learn.microsoft.com, Sleep; Sysinternals' clockres; published figures of 15.6 ms";
    "windows" "NT to 7 on processors alone, default resolution of 10 ms": "Sleep and every wait with a timeout"
        = ticks(10e6); "learn.microsoft.com, Sleep";
    "windows" "NT to 10 after timeBeginPeriod(1), in that process alone from 10 2004 on": "Sleep and every wait with a timeout"
        = ticks(1e6); "learn.microsoft.com, timeBeginPeriod; clockres shows 0.997 to 1.001 ms";
    "windows" "NT to 10, default resolution of 16 of the machine's own unit of 0.9994 ms": "Sleep and every wait with a timeout"
        = ticks(15.988e6); "published figures of 15.988 ms";
};

/// Sleeps are counted from the last tick and end at one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FromLast {
    /// The ticks.
    pub ticks: Even,
    /// What the kernel adds to its time at each tick, in ns: less or more than the tick's length on a clock that drifts against
    /// it.
    pub counted: f64,
}

impl FromLast {
    /// Returns the number of ticks that a duration takes; one that misses a whole number by a rounding error has it.
    #[allow(clippy::cast_possible_truncation)] // saturates
    fn count(&self, asked: f64) -> i64 {
        (-floor(1e-9 - asked / self.counted) as i64).max(1)
    }
}

/// Returns when a duration is over for the kernel: it begins at the last tick.
pub fn due<G: Grid>(grid: &mut G, start: G::Time, asked: G::Time) -> G::Time {
    let last = grid.last(start);
    let last = grid.at(last);
    G::later(last, asked)
}

/// Returns the tick that ends a sleep which the kernel takes to be due at `due`: the tick in progress has been
/// processed, so at least the next one.
pub fn tick<G: Grid>(grid: &mut G, start: G::Time, due: G::Time) -> i64 {
    let next = grid.last(start).saturating_add(1);
    grid.first_from(due).max(next)
}

impl Govern for FromLast {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut ticks = self.ticks;
        let at = if sleep.absolute {
            tick(&mut ticks, sleep.start, sleep.due())
        } else {
            ticks.last(sleep.start).saturating_add(self.count(sleep.asked))
        };
        ticks.at(at)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let most = self.count(asked) as f64 * self.ticks.period;
        Lengths { least: most - self.ticks.period, most, back_to_back: most }
    }

    fn text(&self) -> String {
        format!("is counted from the last tick of {} and ends at a tick, up to one early", rate(self.ticks.period))
    }
}

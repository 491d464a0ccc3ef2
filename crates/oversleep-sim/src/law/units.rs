//! Whole units of a runtime or call: milliseconds up or down, ticks of a simulator, a floor.

use super::{About, Govern, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "whole-units",
    governs: "sleeps of runtimes and calls that take whole units of time",
    formula: "ends at start + max(least, unit × ceil(request / unit)), or floor in place of ceil",
    parameters: &[
        Parameter { name: "unit", unit: "ns", least: 1e3, most: 1e9 },
        Parameter { name: "least", unit: "ns", least: 0.0, most: 1e9 },
    ],
    remedy: "another call or runtime with finer units, or a sleep that is finished by another",
};

const fn law(unit: f64, up: bool, least: f64) -> Law {
    Law::Units(Units { unit, up, least })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "" "POSIX": "poll, epoll_wait" = law(1e6, true, 0.0); "poll(2): the timeout is a number of milliseconds";
    "python" "asyncio without epoll_pwait2": "asyncio.sleep" = law(1e6, true, 0.0); "docs/RUNTIMES.md";
    "go" "before epoll_pwait2": "time.Sleep through the network poller" = law(1e6, true, 0.0); "docs/RUNTIMES.md";
    "tokio" "1": "tokio::time::sleep" = law(1e6, true, 0.0); "docs/RUNTIMES.md";
    "node" "all": "setTimeout" = law(1e6, false, 1e6); "docs/RUNTIMES.md";
    "mioco" "all": "timers" = law(100e6, true, 0.0); "mio's timer wheel of 100 ms; published: 200 ms";
    "mruby" "mruby-task": "sleep_ms" = law(4e6, true, 0.0); "MRB_TICK_UNIT of 4 ms; published figure";
    "mongoose-os" "all": "timers" = law(1e6, true, 1e9); "published figure: a floor of 1 s";
};

/// Sleeps last whole units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// The unit, in ns.
    pub unit: f64,
    /// Whether a request is rounded up; else down.
    pub up: bool,
    /// Shortest sleep, in ns.
    pub least: f64,
}

impl Units {
    /// Returns what a request becomes, in ns.
    pub fn rounded(&self, asked: f64) -> f64 {
        let units = asked / self.unit;
        let whole = if self.up { (units - 1e-6).ceil() } else { (units + 1e-6).floor() };
        (whole * self.unit).max(self.least)
    }
}

impl Govern for Units {
    fn end(&self, sleep: &Sleep) -> f64 {
        sleep.start + self.rounded(sleep.asked)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        Lengths::only(self.rounded(asked))
    }

    fn text(&self) -> String {
        let way = if self.up { "up" } else { "down" };
        let least = if self.least > 0.0 { format!(", at least {}", time(self.least)) } else { String::new() };
        format!("is rounded {way} to whole units of {}{least}", time(self.unit))
    }
}

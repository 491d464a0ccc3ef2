//! FreeBSD since 10: long sleeps count from the cached time, and may be late by a share.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "cached-start",
    governs: "nanosleep and other waits by sbintime_t with the default precision",
    formula: "request ≥ windup × 2^shift: base = the clock's next wind-up, else start; ends at base + request × (1 + 2^−shift), \
              or at an event between base + request and that",
    parameters: &[
        Parameter { name: "windup", unit: "ns", least: 1e6, most: 10e6 },
        Parameter { name: "shift", unit: "1", least: 1.0, most: 7.0 },
    ],
    remedy: "kern.timecounter.alloweddeviation=0; from 15 kern.timecounter.nanosleep_precise=1, its default",
};

const fn law(shift: u32) -> Law {
    Law::CachedStart(CachedStart { windup: Even { period: 1e6, phase: 0.0 }, shift })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "freebsd" "10 to 14; from 15 with nanosleep_precise=0": "nanosleep, select, poll; not kqueue timers"
        = law(4); "sys/kern/kern_tc.c, tc_precexp; kern_time.c: alloweddeviation 5 gives 1/16";
    "freebsd" "10 to 14 with alloweddeviation=1": "nanosleep, select, poll; not kqueue timers"
        = law(7); "sys/kern/kern_tc.c, tc_precexp: alloweddeviation 1 gives 1/128";
};

/// Sleeps count from the clock's next wind-up if they are long, and are late by 2^−shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CachedStart {
    /// The wind-ups of the cached time.
    pub windup: Even,
    /// The share as a power of two: 4 for 1/16.
    pub shift: u32,
}

/// Returns `tc_precexp` from `kern.timecounter.alloweddeviation` (`sys/kern/kern_tc.c`): a power of two, so that the
/// default of 5 % is 1/16 = 6.25 %. `None`: no deviation.
pub fn precision_shift(alloweddeviation: u32) -> Option<u32> {
    let p = alloweddeviation;
    if p == 0 {
        return None;
    }
    let q = (99 + p) / p;
    let fls = 32 - (q + q / 2).leading_zeros();
    Some(fls - 1)
}

/// Returns whether a request (ns) counts from the cached time, with wind-ups this far apart (ns).
pub fn is_long(asked: i64, windup: i64, shift: u32) -> bool {
    asked >= windup << shift
}

impl CachedStart {
    fn share(&self, asked: f64) -> f64 {
        asked / f64::from(1 << self.shift)
    }

    #[allow(clippy::cast_possible_truncation)] // saturates
    fn is_long(&self, asked: f64) -> bool {
        is_long(asked as i64, self.windup.period as i64, self.shift)
    }
}

impl Govern for CachedStart {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut windup = self.windup;
        let base = if self.is_long(sleep.asked) && !sleep.absolute {
            let next = windup.last(sleep.start) + 1;
            windup.at(next)
        } else {
            sleep.start
        };
        base + sleep.asked + self.share(sleep.asked)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let waits = if self.is_long(asked) { self.windup.period } else { 0.0 };
        Lengths { least: asked, ..Lengths::only(asked + self.share(asked) + waits) }
    }

    fn text(&self) -> String {
        let (from, part) = (time(self.windup.period * f64::from(1 << self.shift)), 1 << self.shift);
        format!("may be late by 1/{part} of its request, and from {from} on counts from the clock's next wind-up")
    }
}

//! Linux's timer wheel since 4.8, for timeouts inside the kernel: the longer, the coarser.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, rate};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "timer-wheel",
    governs: "timeouts inside the kernel, such as those of sockets (SO_RCVTIMEO)",
    formula: "n = ceil(request / tick); ends at the first multiple of 8^level ticks after now + n; level 0 below 63 ticks, \
              1 below 504, and so on",
    parameters: &[Parameter { name: "period", unit: "ns", least: 1e6, most: 10e6 }],
    remedy: "a wait with a high-resolution timer (poll, select, timerfd) in place of a socket timeout",
};

const fn ticks(period: f64) -> Law {
    Law::Wheel(Wheel { ticks: Even { period, phase: 0.0 } })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "4.8 and later, HZ 250": "SO_RCVTIMEO, SO_SNDTIMEO and other users of schedule_timeout"
        = ticks(4e6); "kernel/time/timer.c, calc_index and LVL_START";
    "linux" "4.8 and later, HZ 1000": "SO_RCVTIMEO, SO_SNDTIMEO and other users of schedule_timeout"
        = ticks(1e6); "kernel/time/timer.c, calc_index and LVL_START";
};

/// Number of levels. Level n ≥ 1 begins at 63 × 8^(n − 1) ticks (kernel/time/timer.c, `LVL_START`).
const LEVELS: i64 = 9;

/// Returns the tick at which a timer fires that is set at tick `now` to expire at `expires`: the first multiple after
/// `expires` of the granularity of the level that its distance falls into, 8^level ticks (`calc_index`).
pub fn expiry(now: i64, expires: i64) -> i64 {
    let step = granularity(expires - now);
    (expires + step).div_euclid(step) * step
}

/// Returns the distance in ticks between the slots for timeouts of `delta` ticks.
pub fn granularity(delta: i64) -> i64 {
    let level = (1..LEVELS).take_while(|level| delta >= 63 << (3 * (level - 1))).last().unwrap_or(0);
    1 << (3 * level)
}

/// Sleeps end at a slot of the timer wheel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wheel {
    /// The kernel's ticks; tick 0 is one at which the coarsest slots begin.
    pub ticks: Even,
}

impl Wheel {
    #[allow(clippy::cast_possible_truncation)] // saturates
    fn count(&self, asked: f64) -> i64 {
        (asked / self.ticks.period - 1e-6).ceil() as i64
    }
}

impl Govern for Wheel {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut ticks = self.ticks;
        let now = ticks.last(sleep.start);
        ticks.at(expiry(now, now.saturating_add(self.count(sleep.asked))))
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let (count, period) = (self.count(asked), self.ticks.period);
        let most = (count + granularity(count)) as f64 * period;
        // The first slot after the tick of expiry: at least one tick later, less what of the first tick was over.
        Lengths { least: count as f64 * period, most, back_to_back: expiry(0, count) as f64 * period }
    }

    fn text(&self) -> String {
        format!("is a timeout of the timer wheel, whose slots grow from 1 tick of {} by eight", rate(self.ticks.period))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn granularity_grows_by_eight() {
        assert_eq!(expiry(0, 1), 2);
        assert_eq!(expiry(0, 62), 63);
        // From 63 ticks on, multiples of 8; from 504 on, of 64.
        assert_eq!(expiry(0, 63), 64);
        assert_eq!(expiry(1, 65), 72);
        assert_eq!(expiry(0, 1000), 1024);
        assert_eq!(expiry(23, 1023), 1024);
        assert_eq!(expiry(24, 1024), 1088);
    }
}

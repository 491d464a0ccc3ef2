//! After a whole number of ticks, counted from the one in progress: `tvtohz` and its relatives, in the BSDs and in
//! Linux 2.4.

use super::super::vocabulary::Rounding;
use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, floor, rate};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "counted-ticks",
    governs: "sleeps that the kernel counts in ticks of its nominal rate",
    formula: "ends n ticks after the last tick before start; n = tvtohz(request): ceil(request / tick) + 1",
    parameters: &[Parameter { name: "period", unit: "ns", least: 25e3, most: 20e6 }],
    remedy: "a higher tick rate (kern.hz), or a kernel whose timers fire between ticks",
};

const fn ticks(hz: i64) -> Law {
    let period = 1e9 / hz as f64;
    Law::Counted(Counted { ticks: Even { period, phase: 0.0 }, count: TvToHz::of_rate(hz, Rounding::CeilPlus1) })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "freebsd" "before 10, kern.hz 1000": "nanosleep, select, poll"
        = ticks(1_000); "sys/kern/kern_clock.c, tvtohz (7.3); kern_time.c";
    "freebsd" "4 to 6, 100 Hz": "nanosleep, select, poll" = ticks(100); "sys/kern/kern_clock.c, tvtohz (4.9)";
    "dragonfly" "1.0-CURRENT before 7 January 2004, 100 Hz": "nanosleep, select, poll"
        = ticks(100); "sys/kern/kern_clock.c rev 1.12, tvtohz";
    "openbsd" "100 Hz": "nanosleep, select, poll" = ticks(100); "published figures: 1 ms lasts 20 ms";
    "netbsd" "100 Hz": "nanosleep, select, poll" = ticks(100); "published figure: 1 ms lasts 20.0 ms";
    "linux-2.4" "2.4, HZ 100": "every sleep" = ticks(100); "kernel/timer.c (2.4): timespec_to_jiffies, and one more";
};

/// Sleeps end a number of ticks after the last one before they began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// The ticks.
    pub ticks: Even,
    /// How a duration becomes a number of ticks.
    pub count: TvToHz,
}

/// Returns the tick that ends a sleep of `n` ticks, at least one.
pub fn tick<G: Grid>(grid: &mut G, start: G::Time, n: i64) -> i64 {
    grid.last(start).saturating_add(n.max(1))
}

impl Counted {
    #[allow(clippy::cast_possible_truncation)] // saturates
    fn count(&self, asked: f64) -> i64 {
        self.count.ticks(floor(asked / 1e3 + 1e-6) as i64).max(1)
    }
}

impl Govern for Counted {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut ticks = self.ticks;
        let at = tick(&mut ticks, sleep.start, self.count(sleep.asked));
        ticks.at(at)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let most = self.count(asked) as f64 * self.ticks.period;
        Lengths { least: most - self.ticks.period, most, back_to_back: most }
    }

    fn text(&self) -> String {
        let rate = rate(self.ticks.period);
        match self.count.round {
            Rounding::CeilPlus1 => format!("is rounded up to ticks of {rate}, and one more for the tick in progress"),
            Rounding::Ceil => format!("is rounded up to ticks of {rate}, counted from the one in progress"),
            Rounding::Low | Rounding::Hzto44 => format!("is rounded down to ticks of {rate}"),
            Rounding::LowPlus1 => format!("is rounded down to ticks of {rate}, and one more"),
            Rounding::Rint => format!("is rounded to the nearest number of ticks of {rate}"),
        }
    }
}

/// The inputs of `tvtohz` besides the duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TvToHz {
    /// Ticks per second.
    pub hz: i64,
    /// 1 000 000 / hz, **truncated** as the kernels do.
    pub tick_us: i64,
    /// Rounding rule.
    pub round: Rounding,
    /// Whether C's `long` has 32 bits.
    pub long32: bool,
}

impl TvToHz {
    /// Returns the conversion of a kernel with this rate, 1 to 1 000 000 Hz, and a `long` of 64 bits.
    pub const fn of_rate(hz: i64, round: Rounding) -> Self {
        Self { hz, tick_us: 1_000_000 / hz, round, long32: false }
    }

    /// Returns the ticks for `us` microseconds (0 or more), as in FreeBSD's and `DragonFly`'s `kern_clock.c` and, for
    /// `hzto44`, in 4.4BSD's. Saturates at `i32::MAX`, the largest value for a callout.
    pub fn ticks(self, us: i64) -> i64 {
        let us = us.max(0);
        let (sec, usec) = (us / 1_000_000, us % 1_000_000);
        let ticks = match self.round {
            Rounding::CeilPlus1 => self.ceil(us) + 1,
            Rounding::Ceil => self.ceil(us),
            Rounding::Low => sec.saturating_mul(self.hz) + usec / self.tick_us,
            Rounding::LowPlus1 => sec.saturating_mul(self.hz) + usec / self.tick_us + 1,
            Rounding::Rint => rint(us, self.hz),
            Rounding::Hzto44 => (us / 1_000) / (self.tick_us / 1_000).max(1),
        };
        ticks.min(i64::from(i32::MAX))
    }

    /// Rounds up. Above 2147 s a 32-bit `long` cannot hold the microseconds, and seconds are multiplied by `hz`
    /// instead: the result differs where 1 000 000 / hz was truncated.
    fn ceil(self, us: i64) -> i64 {
        let (sec, usec) = (us / 1_000_000, us % 1_000_000);
        if self.long32 && sec > i64::from(i32::MAX) / 1_000_000 {
            return sec.saturating_mul(self.hz) + (usec + self.tick_us - 1) / self.tick_us;
        }
        us.saturating_add(self.tick_us - 1) / self.tick_us
    }
}

/// Returns the nearest whole number of ticks, ties to even like C's `rint`.
fn rint(us: i64, hz: i64) -> i64 {
    let product = i128::from(us) * i128::from(hz);
    let (whole, rest) = (product / 1_000_000, product % 1_000_000);
    let up = match rest.cmp(&500_000) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => whole % 2,
        std::cmp::Ordering::Greater => 1,
    };
    i64::try_from(whole + up).unwrap_or(i64::MAX)
}

/// A row of Herman's table of `tvtohz` at 100 Hz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TvToHzRow {
    /// Seconds, as the table prints them.
    pub seconds: &'static str,
    /// `rint(seconds × hz)`.
    pub theoretical: i64,
    /// `tvtohz()` of the exact number of microseconds.
    pub exact: i64,
    /// `tvtohz()` of the microseconds that a C program gets by truncating a `double`: what the table prints.
    pub as_printed: i64,
}

/// Returns Herman's seven rows at this tick rate.
///
/// His table shows 101 ticks for 1.000001 s. Exact arithmetic gives 102; 101 comes out when the microseconds are
/// computed as `(int)((1.000001 - 1) * 1e6)` in double precision, which is 0.99999999992 truncated to 0.
pub fn tvtohz_table(hz: u32) -> Vec<TvToHzRow> {
    const ROWS: [(&str, i64); 7] = [
        ("0.900000", 900_000),
        ("0.990000", 990_000),
        ("0.999000", 999_000),
        ("1.000000", 1_000_000),
        ("1.000001", 1_000_001),
        ("1.000002", 1_000_002),
        ("1.001000", 1_001_000),
    ];
    let hz = i64::from(hz.clamp(1, 1_000_000));
    let rule = TvToHz { hz, tick_us: 1_000_000 / hz, round: Rounding::CeilPlus1, long32: true };
    ROWS.iter()
        .map(|&(seconds, us)| TvToHzRow {
            seconds,
            theoretical: rint(us, hz),
            exact: rule.ticks(us),
            as_printed: rule.ticks(truncated_us(seconds)),
        })
        .collect()
}

/// Returns microseconds as a C program truncates them from a `double` of seconds.
#[allow(clippy::cast_possible_truncation)] // that is the point
fn truncated_us(seconds: &str) -> i64 {
    let seconds: f64 = seconds.parse().unwrap_or(0.0);
    let whole = seconds.trunc();
    whole as i64 * 1_000_000 + ((seconds - whole) * 1e6) as i64
}

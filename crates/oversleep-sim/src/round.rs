//! Conversion of durations to ticks: `tvtohz` and its relatives.

use super::vocabulary::Rounding;

/// The inputs of `tvtohz` besides the duration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TvToHz {
    /// Ticks per second.
    pub(crate) hz: i64,
    /// 1 000 000 / hz, **truncated** as the kernels do.
    pub(crate) tick_us: i64,
    /// Rounding rule.
    pub(crate) round: Rounding,
    /// Whether C's `long` has 32 bits.
    pub(crate) long32: bool,
}

impl TvToHz {
    /// Returns the ticks for `us` microseconds (0 or more), as in FreeBSD's and `DragonFly`'s `kern_clock.c` and, for
    /// `hzto44`, in 4.4BSD's. Saturates at `i32::MAX`, the largest value for a callout.
    pub(crate) fn ticks(self, us: i64) -> i64 {
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

//! Linux's timer wheel since 4.8, for timeouts inside the kernel; user sleeps use high-resolution timers.

use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;

/// Number of levels. Level n ≥ 1 begins at 63 × 8^(n − 1) ticks (kernel/time/timer.c, `LVL_START`).
const LEVELS: i64 = 9;

/// Returns the tick at which a timer fires that is set at tick `now` to expire at `expires`: the first multiple after
/// `expires` of the granularity of the level that its distance falls into, 8^level ticks (`calc_index`).
pub(crate) fn expiry(now: i64, expires: i64) -> i64 {
    let delta = expires - now;
    let level = (1..LEVELS).take_while(|level| delta >= 63 << (3 * (level - 1))).last().unwrap_or(0);
    let shift = 3 * level;
    ((expires + (1 << shift)) >> shift) << shift
}

/// Sleeps by `schedule_timeout`, with the duration rounded up to ticks.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, left_ns: i64) -> Wake {
    let ticks = (left_ns / 1_000).saturating_add(m.tv.tick_us - 1) / m.tv.tick_us;
    let now = m.last(t);
    match m.after_ticks(t, expiry(now, now + ticks) - now) {
        Some(at) => Wake::Fired { at, resleeps: 0 },
        None => Wake::Beyond,
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

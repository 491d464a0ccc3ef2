//! Linux's timer wheel, for timeouts inside the kernel; user sleeps use high-resolution timers.

use super::super::law::wheel::expiry;
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;

/// Sleeps by `schedule_timeout`, with the duration rounded up to ticks.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, left_ns: i64) -> Wake {
    let ticks = (left_ns / 1_000).saturating_add(m.tv.tick_us - 1) / m.tv.tick_us;
    let now = m.last(t);
    match m.after_ticks(t, expiry(now, now + ticks) - now) {
        Some(at) => Wake::Fired { at, resleeps: 0 },
        None => Wake::Beyond,
    }
}

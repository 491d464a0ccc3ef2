//! FreeBSD since 10: one-shot timers whose precision is a share of the duration.

use super::super::law::cached_start::{is_long, precision_shift};
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;
use super::{Call, coalesced};

/// Sleeps. A duration of at least a tick × 2^shift counts from the cached time plus one wind-up
/// (`sys/kern/kern_time.c`), so up to a millisecond late; the timer then fires at the first event within duration /
/// 2^shift, or at the end of that.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let left = call.left_ns(now);
    let Some(shift) = precision_shift(m.p.alloweddeviation) else {
        let due = m.when(call.target_ns(now), t);
        return Wake::Fired { at: due, resleeps: 0 };
    };
    let long = is_long(left, m.tv.tick_us * 1_000, shift);
    let base = if long && call.deadline_ns.is_none() { m.cached_ns(t) + m.windup_ns() } else { now };
    let due = m.when(call.target_ns(base.max(now)), t);
    let precision: Ps = (left >> shift).saturating_mul(1_000);
    Wake::Fired { at: coalesced(m, due, precision), resleeps: 0 }
}

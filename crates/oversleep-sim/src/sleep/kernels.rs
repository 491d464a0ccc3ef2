//! The sleep paths of the kernels that need a function each.

use super::super::law::cached_start::{is_long, precision_shift};
use super::super::law::wheel::expiry;
use super::super::law::{from_last, share, tick_up};
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::{PS_PER_US, Ps, ps_from_us};
use super::{Call, coalesced};

/// Linux's timer wheel, for timeouts inside the kernel; user sleeps use high-resolution timers.
///
/// Sleeps by `schedule_timeout`, with the duration rounded up to ticks.
pub(super) fn wheel<S: Scale>(m: &mut Machine<S>, t: Ps, left_ns: i64) -> Wake {
    let ticks = (left_ns / 1_000).saturating_add(m.tv.tick_us - 1) / m.tv.tick_us;
    let now = m.last(t);
    match m.after_ticks(t, expiry(now, now + ticks) - now) {
        Some(at) => Wake::Fired { at, resleeps: 0 },
        None => Wake::Beyond,
    }
}

/// The first tick at or after the requested time: Linux without high-resolution timers, illumos, Windows 11.
///
/// Sleeps to that tick, and `extra_ticks` beyond it if a duration was asked for.
pub(super) fn jiffies<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let due = m.when(call.target_ns(now), t);
    if Machine::<S>::beyond(due) {
        return Wake::Beyond;
    }
    let extra = if call.deadline_ns.is_none() { i64::from(m.p.extra_ticks) } else { 0 };
    let tick = tick_up::tick(m, due, extra);
    Wake::Fired { at: m.at(tick), resleeps: 0 }
}

/// Windows NT: sleeps count from the last tick and end at a tick.
///
/// Sleeps: a duration is added to the interrupt time of the last tick, so a sleep may end up to a tick early.
pub(super) fn nt<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let due = if let Some(deadline) = call.deadline_ns {
        m.when(deadline, t)
    } else {
        from_last::due(m, t, call.request_ns.saturating_mul(1_000))
    };
    if Machine::<S>::beyond(due) {
        return Wake::Beyond;
    }
    let tick = from_last::tick(m, t, due);
    Wake::Fired { at: m.at(tick), resleeps: 0 }
}

/// FreeBSD since 10: one-shot timers whose precision is a share of the duration.
///
/// Sleeps. A duration of at least a tick × 2^shift counts from the cached time plus one wind-up
/// (`sys/kern/kern_time.c`), so up to a millisecond late; the timer then fires at the first event within duration /
/// 2^shift, or at the end of that.
pub(super) fn freebsd10<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
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

/// macOS: deadline timers that may be late by a share of the duration.
///
/// Sleeps with XNU's timer coalescing: a leeway of duration >> `slack_shift` (a negative shift multiplies), at least
/// `slack_us`, at most `slack_cap_us`. Real-time threads have none: `slack_cap_us = 0`.
pub(super) fn macos<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let left = call.left_ns(now);
    let due = m.when(call.target_ns(now), t);
    let shift = m.p.slack_shift;
    let wanted = if shift >= 0 { left >> shift.min(62) } else { left.saturating_mul(1 << (-shift).min(16)) };
    let slack: Ps =
        share::coalesced(wanted.saturating_mul(1_000), ps_from_us(m.p.slack_us), ps_from_us(m.p.slack_cap_us));
    Wake::Fired { at: coalesced(m, due, slack), resleeps: 0 }
}

/// The time that the one-shot timer adds: setting up the i8254 and taking its interrupt (a fitted 1 µs).
const ONE_SHOT: Ps = PS_PER_US;

/// `DragonFly` since 30 January 2004: whole ticks first, then a one-shot timer for the rest.
///
/// Sleeps as `sys/kern/kern_time.c` of 30 January 2004 does: a rest below `sleep_hard_us` is spent yielding.
pub(super) fn systimer<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let target = call.target_ns(now);
    let (mut t, mut now, mut resleeps) = (t, now, 0);
    let ticks = (target - now) / 1_000 / m.tv.tick_us;
    if ticks > 0 {
        let Some(fired) = m.after_ticks(t, ticks) else { return Wake::Beyond };
        t = fired + m.latency(fired);
        now = m.read_ns(t);
        resleeps = 1;
        if now >= target {
            return Wake::Ran { at: t, resleeps: 0 };
        }
    }
    let due = m.when(target, t);
    if (target - now) * 1_000 < ps_from_us(m.p.sleep_hard_us) {
        return Wake::Ran { at: due, resleeps };
    }
    Wake::Fired { at: due + ONE_SHOT, resleeps }
}

//! The sleep paths of the kernels that need a function each.

use super::super::law::cached_start::{is_long, precision_shift};
use super::super::law::wheel::expiry;
use super::super::law::{from_last, share, tick_up};
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::{PS_PER_US, Ps, ps_from_us};
use super::{Call, Path, coalesced};
use crate::law::share::estimated;
use crate::vocabulary::ZeroTicks;
use oversleep_recording::plan::{Conditions, Policy};

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

/// The slack of a timer: how late it may fire.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slack {
    constant: Ps,
    share: f64,
}

impl Slack {
    /// Returns the slack of a thread under these conditions: none for real-time threads; `PR_SET_TIMERSLACK` replaces
    /// the constant part; a thread with positive niceness has five times the share (fs/select.c: 0.5 % instead of 0.1
    /// %).
    pub(crate) fn from_conditions(conditions: &Conditions, slack_us: f64, share: f64) -> Self {
        if matches!(conditions.policy, Some(Policy::Fifo { .. } | Policy::Rr { .. } | Policy::Deadline { .. })) {
            return Self { constant: 0, share: 0.0 };
        }
        let constant = match conditions.timer_slack {
            // 0 restores the default, according to prctl(2).
            Some(slack) if slack.get() > 0 => slack.get().saturating_mul(1_000),
            _ => ps_from_us(slack_us),
        };
        let nice = conditions.nice.is_some_and(|nice| nice > 0);
        Self { constant, share: if nice { share * 5.0 } else { share } }
    }
}

/// Fires after the slack; on an idle machine, at its end. For `select` and similar calls the slack is the larger of the
/// constant and the share of the duration, limited (kernel/time/hrtimer.c, fs/select.c); timers have none.
pub(crate) fn hrtimer<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let target = call.target_ns(now);
    let due = m.when(target, t);
    let slack = match call.path {
        Path::Select => {
            let left_us = (target - now) as f64 / 1e3;
            let (share, cap) = (ps_from_us(left_us * call.slack.share), ps_from_us(m.p.select_slack_cap_us));
            estimated(share, call.slack.constant, cap)
        }
        Path::Timer | Path::Precise => 0,
        _ => call.slack.constant,
    };
    Wake::Fired { at: coalesced(m, due, slack), resleeps: 0 }
}

/// Sleeps as `nanosleep1` does (`sys/kern/kern_time.c`, `DragonFly` January 2004 and FreeBSD 7.3): sleeps the ticks,
/// reads the clock, and sleeps the rest (truncated to microseconds) until the clock has reached the target.
pub(crate) fn nanosleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.kernel_ns(t);
    // The request is counted in whole microseconds; an absolute one from the time that the kernel takes as now.
    let mut rest_us = call.left_ns(now).max(0) / 1_000;
    let target = call.deadline_ns.unwrap_or(now + rest_us * 1_000);
    let (mut t, mut resleeps) = (t, 0);
    loop {
        let Some(n) = at_least_one(m, rest_us) else { return none(m, t) };
        let Some(fired) = m.after_ticks(t, n) else { return Wake::Beyond };
        let awake = fired + m.latency(fired);
        let now = m.kernel_ns(awake);
        if now >= target {
            // `awake` already includes the latency of this last wake-up.
            return Wake::Ran { at: awake, resleeps };
        }
        rest_us = (target - now) / 1_000;
        t = awake;
        resleeps += 1;
    }
}

/// Sleeps by a single `tsleep`, without reading the clock again: `select`.
pub(crate) fn sleep_ticks_once<S: Scale>(m: &mut Machine<S>, t: Ps, left_ns: i64) -> Wake {
    let Some(n) = at_least_one(m, left_ns / 1_000) else { return none(m, t) };
    match m.after_ticks(t, n) {
        Some(at) => Wake::Fired { at, resleeps: 0 },
        None => Wake::Beyond,
    }
}

/// Returns the end of a sleep of no ticks: for ever, as `tsleep` takes it, or none.
fn none<S: Scale>(m: &Machine<S>, t: Ps) -> Wake {
    match m.p.zero_ticks {
        ZeroTicks::Return => Wake::Ran { at: t, resleeps: 0 },
        ZeroTicks::Forever | ZeroTicks::One => Wake::Hangs,
    }
}

/// Returns the ticks for `us` microseconds; `None` for a sleep of none.
pub(crate) fn at_least_one<S: Scale>(m: &Machine<S>, us: i64) -> Option<i64> {
    match (m.tv.ticks(us), m.p.zero_ticks) {
        (0, ZeroTicks::Forever | ZeroTicks::Return) => None,
        (n, _) => Some(n.max(1)),
    }
}

//! Sleeping by ticks, as in the BSDs until timers could fire between ticks.

use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;
use super::super::vocabulary::ZeroTicks;
use super::Call;

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
pub(crate) fn once<S: Scale>(m: &mut Machine<S>, t: Ps, left_ns: i64) -> Wake {
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

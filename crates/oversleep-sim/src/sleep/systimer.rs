//! `DragonFly` since 30 January 2004: whole ticks first, then a one-shot timer for the rest.

use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::{PS_PER_US, Ps, ps_from_us};
use super::Call;

/// The time that the one-shot timer adds: setting up the i8254 and taking its interrupt (a fitted 1 µs).
const ONE_SHOT: Ps = PS_PER_US;

/// Sleeps as `sys/kern/kern_time.c` of 30 January 2004 does: a rest below `sleep_hard_us` is spent yielding.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
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

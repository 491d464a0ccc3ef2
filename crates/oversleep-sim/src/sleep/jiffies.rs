//! The first tick at or after the requested time: Linux without high-resolution timers, illumos, Windows 11.

use super::super::law::tick_up;
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;
use super::Call;

/// Sleeps to that tick, and `extra_ticks` beyond it if a duration was asked for.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let due = m.when(call.target_ns(now), t);
    if Machine::<S>::beyond(due) {
        return Wake::Beyond;
    }
    let extra = if call.deadline_ns.is_none() { i64::from(m.p.extra_ticks) } else { 0 };
    let tick = tick_up::tick(m, due, extra);
    Wake::Fired { at: m.at(tick), resleeps: 0 }
}

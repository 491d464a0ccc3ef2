//! Linux without high-resolution timers: wakes at the first tick at or after the requested time.

use super::super::law::tick_up;
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;
use super::Call;

/// Sleeps without an extra tick: late by less than one tick.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let due = m.when(call.target_ns(now), t);
    if Machine::<S>::beyond(due) {
        return Wake::Beyond;
    }
    let tick = tick_up::tick(m, due, 0);
    Wake::Fired { at: m.at(tick), resleeps: 0 }
}

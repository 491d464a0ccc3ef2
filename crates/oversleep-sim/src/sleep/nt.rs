//! Windows NT: sleeps count from the last tick and end at a tick.

use super::super::law::from_last;
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;
use super::Call;

/// Sleeps: a duration is added to the interrupt time of the last tick, so a sleep may end up to a tick early.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
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

//! Windows NT: counted from the last tick, due at a tick.

use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::Ps;
use super::Call;

/// Sleeps: the interrupt time that a duration is added to is the last tick's, so a sleep may end up to a tick early.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let due = if let Some(deadline) = call.deadline_ns {
        m.when(deadline, t)
    } else {
        let last = m.last(t);
        m.at(last).saturating_add(call.request_ns.saturating_mul(1_000))
    };
    if Machine::<S>::beyond(due) {
        return Wake::Beyond;
    }
    // At least the next tick: the one under way has been dealt with.
    let at = m.first_from(due.max(t + 1));
    Wake::Fired { at, resleeps: 0 }
}

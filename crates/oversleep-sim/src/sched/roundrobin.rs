//! Plain round robin: a thread that wakes goes to the tail of the queue.

use super::super::time::Ps;
use super::Quanta;
use crate::law::Grid;
use crate::law::quantum::turn;

/// Returns when the thread runs: after the rest of the running quantum and one whole quantum per further busy thread.
pub(crate) fn runs_at(quantum: Ps, busy: u16, from: Ps, due: Ps) -> Ps {
    if busy == 0 {
        return due;
    }
    let mut quanta = Quanta { from, length: quantum };
    let end = turn(&mut quanta, due, i64::from(busy) - 1);
    quanta.at(end)
}

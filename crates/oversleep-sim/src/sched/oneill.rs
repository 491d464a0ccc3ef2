//! The scheduler that explains O'Neill's numbers (Windows 98), fitted: placing a woken thread simply at the tail or the
//! head of the queue does not give a mean of 24.6 ms with a standard deviation of 20 to 25.

use super::super::machine::Machine;
use super::super::scale::Scale;
use super::super::time::Ps;
use super::{Quanta, quantum};
use crate::law::Grid;
use crate::law::quantum::turn;

/// Maximum number of quanta waited for (more has a probability below 10⁻⁴ at the smallest `p_run` accepted).
const MOST: u32 = 1_000;

/// Returns when the thread runs. With one busy thread: at once. With more, at the end of the running quantum with
/// probability `p_run`, otherwise at the end of the next one with the same probability, and so on.
pub(crate) fn runs_at<S: Scale>(m: &mut Machine<S>, busy: u16, from: Ps, due: Ps) -> Ps {
    if busy < 2 {
        return due;
    }
    let quantum = quantum(m);
    let mut quanta = Quanta { from, length: quantum };
    let mut end = turn(&mut quanta, due, 0);
    for _ in 0..MOST {
        if m.chance.unit() < m.p.p_run {
            break;
        }
        end += 1;
    }
    quanta.at(end)
}

//! Another way to sleep.

use super::{Here, Intervention, by};
use crate::plan::Cell;

pub(super) const ROW: Intervention = Intervention {
    name: "method",
    tells: "what the choice of the call is worth; a call whose timer has no slack is a second measure of the slack",
    variants,
};

/// On Linux: a timer without slack, one with its own rule of slack, the bare futex. Elsewhere: what there is.
const OTHERS: [&str; 5] = ["timerfd", "select", "futex-wait", "kqueue-timer", "poll"];
/// How many of them.
const MOST: usize = 3;

fn variants(base: &Cell, here: &Here) -> Vec<Cell> {
    OTHERS.iter().filter_map(|method| by(base, method, here)).take(MOST).collect()
}

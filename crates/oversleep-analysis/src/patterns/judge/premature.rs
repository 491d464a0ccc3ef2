//! Sleeps that a tick cannot have ended.

use super::ticks::Scored;
use crate::patterns::features::group::Sleep;
use crate::patterns::features::rounding::Rounding;

/// Distance from the ticks within which their places are too uncertain, in ticks.
const NEAR: f64 = 0.1;

/// Least number and share of such sleeps that count: a signal may end a few.
const FEWEST: usize = 2;
const SHARE: f64 = 0.03;

/// Returns whether several sleeps ended after their time with no tick between it and the end. A kernel that wakes threads at
/// ticks cannot do so; one whose timers fire between ticks does, and another thread's ticks can delay the other sleeps. NT,
/// which counts from the last tick, can end a sleep at a tick before its time, and that tick's interrupt may come late.
pub(super) fn are_several(sleeps: &[Sleep], best: &Scored) -> bool {
    if best.rule == Some(Rounding::Early) {
        return false;
    }
    let place = |time: f64| best.grid.place(time);
    let is_premature =
        |sleep: &&Sleep| sleep.late > 0.0 && (place(sleep.end) + NEAR).floor() < (place(sleep.due) - NEAR).ceil();
    let premature = sleeps.iter().filter(is_premature).count();
    premature >= FEWEST && premature as f64 >= SHARE * sleeps.len() as f64
}

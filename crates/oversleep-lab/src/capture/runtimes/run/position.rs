//! How far a run is, and what is left.

use oversleep_recording::plan::{Plan, Turn};
use oversleep_sys::units::Nanos;

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunPosition {
    pub(super) turns_done: usize,
    pub(super) left: Nanos,
}

impl RunPosition {
    pub(super) fn after(self, plan: &Plan, turns: &[Turn]) -> Self {
        Self { turns_done: self.turns_done + turns.len(), left: self.left.saturating_sub(least_time(plan, turns)) }
    }
}

/// Returns how long the sleeps of these turns last at least: without their lateness.
pub(super) fn least_time(plan: &Plan, turns: &[Turn]) -> Nanos {
    let request = |turn: &Turn| plan.cells.get(turn.cell as usize)?.pattern.requested();
    let of_turn =
        |turn: &Turn| request(turn).unwrap_or_default().saturating_mul(i64::try_from(turn.sleeps).unwrap_or(i64::MAX));
    turns.iter().fold(Nanos::ZERO, |sum, turn| sum.saturating_add(of_turn(turn)))
}

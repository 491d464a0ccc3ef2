//! How far a run is, and what is left.

use oversleep_recording::plan::{Cell, Plan, Turn};
use oversleep_sys::units::Nanos;

/// Average lateness above which a program is considered to hang.
const LATENESS: Nanos = Nanos::from_millis(50);

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

/// Returns how long these sleeps may last: a program that takes longer is considered to hang.
pub(super) fn longest_time(request: Nanos, count: u64) -> Nanos {
    let each = request.saturating_add(request).saturating_add(LATENESS);
    each.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Returns how long all sleeps of a program may last together.
pub(super) fn longest_time_of(plan: &Plan, name: &str) -> Nanos {
    let cells = plan.cells.iter().filter(|cell| cell.method == name);
    let of_cell = |cell: &Cell| longest_time(cell.pattern.requested().unwrap_or_default(), plan.sleeps(cell));
    cells.map(of_cell).fold(Nanos::ZERO, Nanos::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::super::super::plan::command;
    use super::*;
    use oversleep_recording::plan::Conditions;

    #[test]
    fn a_program_has_time_for_the_sleeps_of_all_its_blocks() {
        let requests = [Nanos::MILLISECOND, Nanos::SECOND];
        let plan = command("x", &requests, 120, &Conditions::default()).expect("few sleeps");
        // 120 sleeps of 2 ms and 120 of 2 s, each 50 ms late.
        assert_eq!(longest_time_of(&plan, "x"), Nanos::from_millis(120 * 52 + 120 * 2_050));
        assert_eq!(longest_time_of(&plan, "y"), Nanos::ZERO);
    }
}

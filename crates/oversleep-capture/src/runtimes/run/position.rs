//! How far a run is, and how much is left.

use oversleep_recording::plan::{Cell, Plan, Turn};
use oversleep_sys::units::Nanos;

/// Average lateness above which a program is considered to hang.
const LATENESS: Nanos = Nanos::from_millis(50);

/// How long the sleeps of a program before its first sample may last together.
const WARM_UP: Nanos = Nanos::from_millis(500);

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
    let per_sleep = request.saturating_add(request).saturating_add(LATENESS);
    per_sleep.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Returns how long all sleeps of a program may last together.
pub(super) fn longest_time_of(plan: &Plan, name: &str) -> Nanos {
    let cells = plan.cells.iter().filter(|cell| cell.method == name);
    let of_cell = |cell: &Cell| longest_time(cell.pattern.requested().unwrap_or_default(), plan.sleeps(cell));
    cells.map(of_cell).fold(Nanos::ZERO, Nanos::saturating_add)
}

/// Returns the sleeps that a program makes before its first sample: `most` of its shortest request, or as many of them as
/// take half a second, but at least one.
pub(super) fn warm_up(plan: &Plan, name: &str, most: u64) -> (Nanos, u64) {
    let cells = plan.cells.iter().filter(|cell| cell.method == name);
    let shortest = cells.filter_map(|cell| cell.pattern.requested()).min().unwrap_or(Nanos::MILLISECOND);
    let fitting = WARM_UP.get().unsigned_abs() / shortest.get().max(1).unsigned_abs();
    (shortest, most.min(fitting.max(1)))
}

/// Returns how long those sleeps last at least, of several programs one after another.
pub(super) fn least_warm_up<'p>(plan: &Plan, names: impl Iterator<Item = &'p str>, most: u64) -> Nanos {
    let of_program = |name: &str| {
        let (request, sleeps) = warm_up(plan, name, most);
        request.saturating_mul(i64::try_from(sleeps).unwrap_or(i64::MAX))
    };
    names.map(of_program).fold(Nanos::ZERO, Nanos::saturating_add)
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

    #[test]
    fn a_warm_up_lasts_half_a_second_or_one_sleep() {
        let [ms, s] = [Nanos::MILLISECOND, Nanos::SECOND];
        for (requests, most, expected) in [
            (vec![s, ms], 50, (ms, 50)),
            (vec![ms.saturating_mul(10)], 50, (ms.saturating_mul(10), 50)),
            (vec![ms.saturating_mul(16)], 50, (ms.saturating_mul(16), 31)),
            (vec![s], 50, (s, 1)),
            (vec![s], 0, (s, 0)),
        ] {
            let plan = command("x", &requests, 1, &Conditions::default()).expect("few sleeps");
            assert_eq!(warm_up(&plan, "x", most), expected);
            let least = expected.0.saturating_mul(i64::try_from(expected.1).expect("a few"));
            assert_eq!(least_warm_up(&plan, ["x", "x"].into_iter(), most), least + least);
        }
    }
}

//! Estimate of how long the rest of a plan will take.

use oversleep_recording::plan::{Cell, Pattern, Plan, Turn};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// The planned turns, and the mean duration of each cell's sleeps so far.
///
/// Before a cell's first turn, its sleeps are assumed to last their request and a tenth of a millisecond.
pub(super) struct Estimate {
    turns: Vec<Turn>,
    typical: HashMap<u32, Nanos>,
    seen: HashMap<u32, (Nanos, u64)>,
}

const USUAL_OVERSLEEP: Nanos = Nanos::from_micros(100);

impl Estimate {
    pub(super) fn from_plan(plan: &Plan) -> Self {
        // A schedule does not get later by what each wake-up costs.
        let late = |cell: &Cell| match cell.pattern {
            Pattern::Periodic { .. } => Nanos::ZERO,
            _ => USUAL_OVERSLEEP,
        };
        let typical = |cell: &Cell| (cell.id, cell.pattern.typical().saturating_add(late(cell)));
        Self { turns: plan.turns.clone(), typical: plan.cells.iter().map(typical).collect(), seen: HashMap::new() }
    }

    /// Adds a turn that took this long.
    pub(super) fn enter(&mut self, turn: Turn, took: Nanos) {
        let (total, sleeps) = self.seen.entry(turn.cell).or_default();
        *total += took;
        *sleeps += turn.sleeps;
    }

    /// Adds a turn that could not be slept.
    pub(super) fn skip(&mut self, turn: Turn) {
        self.seen.insert(turn.cell, (Nanos::ZERO, 1));
    }

    /// Returns the expected duration of the turns from this index on, of which the first has lasted this long.
    pub(super) fn remaining(&self, from: usize, spent: Nanos) -> Nanos {
        let mut turns = self.turns.get(from..).unwrap_or_default().iter().map(|turn| self.of_turn(*turn));
        let first = turns.next().unwrap_or(Nanos::ZERO).saturating_sub(spent).max(Nanos::ZERO);
        turns.fold(first, Nanos::saturating_add)
    }

    fn of_turn(&self, turn: Turn) -> Nanos {
        let per_sleep = match self.seen.get(&turn.cell) {
            Some((total, sleeps)) if *sleeps > 0 => total.as_f64() / *sleeps as f64,
            _ => self.typical.get(&turn.cell).map_or(0.0, |typical| typical.as_f64()),
        };
        Nanos::from_f64(per_sleep * turn.sleeps as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::Kind;

    fn plan() -> Plan {
        let cell = |id, ms| Cell::new(id, "nanosleep", Pattern::Fixed { requested: Nanos::from_millis(ms) });
        let turns = vec![Turn { cell: 0, sleeps: 10 }, Turn { cell: 1, sleeps: 10 }, Turn { cell: 0, sleeps: 10 }];
        Plan { kind: Kind::Measure, cells: vec![cell(0, 1), cell(1, 100)], turns, seed: 0 }
    }

    #[test]
    fn starts_from_what_is_asked_and_learns_what_it_takes() {
        let mut estimate = Estimate::from_plan(&plan());
        assert_eq!(estimate.remaining(0, Nanos::ZERO), Nanos::from_micros(11_000 + 1_001_000 + 11_000));
        estimate.enter(Turn { cell: 0, sleeps: 10 }, Nanos::from_millis(40));
        assert_eq!(estimate.remaining(1, Nanos::ZERO), Nanos::from_micros(1_001_000 + 40_000));
        estimate.skip(Turn { cell: 1, sleeps: 10 });
        assert_eq!(estimate.remaining(1, Nanos::ZERO), Nanos::from_millis(40));
        assert_eq!(estimate.remaining(2, Nanos::from_millis(15)), Nanos::from_millis(25));
        assert_eq!(estimate.remaining(3, Nanos::from_millis(15)), Nanos::ZERO);
    }
}

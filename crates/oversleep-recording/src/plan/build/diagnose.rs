//! Interventions: the base cell and its variants, each once in every block, in random order.

use crate::plan::{Cell, Kind, Plan, Turn};
use oversleep_sys::units::Nanos;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Maximum number of sleeps per turn, the first of which is a warm-up.
const MOST_PER_TURN: i64 = 11;
/// Number of blocks up to which turns stay short: the comparison is made between pairs within blocks.
const WANTED_BLOCKS: i64 = 60;
/// Minimum number of blocks. With 12, the rarest outcome by chance has a probability of 1 in 2048: enough to
/// survive a correction for 40 tests.
pub const FEWEST_BLOCKS: i64 = 12;
/// Assumed oversleep, for estimates before anything was measured.
const USUAL_OVERSLEEP: Nanos = Nanos::from_micros(150);

/// Returns a plan of about `time` for these cells, whose IDs must differ; at least [`FEWEST_BLOCKS`] blocks,
/// whatever the time (see [`diagnose_takes`]).
pub fn diagnose(cells: Vec<Cell>, time: Nanos, seed: u64) -> Plan {
    let (sleeps, blocks) = blocks(time.get() / round_time(&cells).get().max(1));
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut turns = Vec::new();
    for _ in 0..blocks {
        let mut order: Vec<u32> = cells.iter().map(|cell| cell.id).collect();
        order.shuffle(&mut random);
        turns.extend(order.into_iter().map(|cell| Turn { cell, sleeps: sleeps.unsigned_abs() }));
    }
    Plan { kind: Kind::Diagnose, cells, turns, seed }
}

/// Returns the sleeps per turn and the number of blocks of a plan of this many sleeps of each cell.
fn blocks(rounds: i64) -> (i64, i64) {
    let sleeps = (rounds / WANTED_BLOCKS).clamp(1, MOST_PER_TURN);
    (sleeps, (rounds / sleeps).max(FEWEST_BLOCKS))
}

/// Returns how many sleeps of each cell a plan needs, so that at least `usable` of them are not the first of a turn of several.
pub fn rounds_for(usable: f64) -> f64 {
    let used = |rounds: i64| {
        let (sleeps, blocks) = blocks(rounds);
        (blocks * (sleeps - 1).max(1)) as f64
    };
    let most = WANTED_BLOCKS * MOST_PER_TURN;
    // From there on, turns have the same length.
    let beyond = usable * MOST_PER_TURN as f64 / (MOST_PER_TURN - 1) as f64;
    (FEWEST_BLOCKS..=most).find(|rounds| used(*rounds) >= usable).map_or(beyond, |rounds| rounds as f64)
}

/// Returns the shortest time that a plan of these cells takes.
pub fn diagnose_takes(cells: &[Cell]) -> Nanos {
    round_time(cells).checked_mul(FEWEST_BLOCKS).unwrap_or(Nanos::MAX)
}

/// Returns the estimated time of one sleep of each cell.
fn round_time(cells: &[Cell]) -> Nanos {
    let one = |cell: &Cell| cell.pattern.typical().saturating_add(USUAL_OVERSLEEP);
    cells.iter().map(one).fold(Nanos::ZERO, Nanos::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_of_the_rounds_needed_has_the_sleeps_wanted() {
        for (sleeps, rounds) in [(1.0, 12.0), (119.0, 119.0), (120.0, 180.0), (299.0, 360.0), (6_000.0, 6_600.0)] {
            assert!((rounds_for(sleeps) - rounds).abs() < 0.5, "{sleeps}: {}", rounds_for(sleeps));
        }
    }
}

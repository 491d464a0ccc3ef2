//! Interventions: the base cell and its variants, each once in every block, in random order.

use crate::plan::{Cell, Plan, Turn};
use oversleep_sys::units::Nanos;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Sleeps of a turn, the first of which only warms up.
const MOST_PER_TURN: i64 = 11;
/// As many blocks are wanted before turns get longer: pairs are what the comparison lives on.
const WANTED_BLOCKS: i64 = 60;
/// With 12 blocks, one in 2048 is the rarest outcome by chance alone: enough to survive a correction for 40 tries.
pub const FEWEST_BLOCKS: i64 = 12;
/// What a sleep lasts beyond its request, as a guess before anything was measured.
const USUAL_OVERSLEEP: Nanos = Nanos::from_micros(150);

/// Returns a plan of about `time` for these cells, each with its own number; at least [`FEWEST_BLOCKS`] blocks,
/// whatever the time (see [`diagnose_takes`]).
pub fn diagnose(cells: Vec<Cell>, time: Nanos, seed: u64) -> Plan {
    let rounds = time.get() / once(&cells).get().max(1);
    let sleeps = (rounds / WANTED_BLOCKS).clamp(1, MOST_PER_TURN);
    let blocks = (rounds / sleeps).max(FEWEST_BLOCKS);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut turns = Vec::new();
    for _ in 0..blocks {
        let mut order: Vec<u32> = cells.iter().map(|cell| cell.id).collect();
        order.shuffle(&mut random);
        turns.extend(order.into_iter().map(|cell| Turn { cell, sleeps: sleeps.unsigned_abs() }));
    }
    Plan { experiment: "diagnose".to_owned(), cells, turns, seed }
}

/// Returns the least time that these cells take.
pub fn diagnose_takes(cells: &[Cell]) -> Nanos {
    once(cells).checked_mul(FEWEST_BLOCKS).unwrap_or(Nanos::MAX)
}

/// One sleep of each.
fn once(cells: &[Cell]) -> Nanos {
    let one = |cell: &Cell| cell.pattern.typical().saturating_add(USUAL_OVERSLEEP);
    cells.iter().map(one).fold(Nanos::ZERO, Nanos::saturating_add)
}

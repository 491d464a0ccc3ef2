//! Plans of the named experiments.

mod defaults;
mod diagnose;
mod experiments;
mod traced;

pub use defaults::{DEFAULT_METHODS, DefaultMethods};
pub use diagnose::{FEWEST_BLOCKS, diagnose, diagnose_takes, rounds_for};
pub use experiments::{
    Grid, LOAD_REQUESTS_MS, checkup, load, measure, periodic, schedules, sweep, sweep_requests, wall_second,
};
pub use traced::{Blocks, TRACED_BLOCK, traced, with_traced};

#[cfg(test)]
use super::Plan;
use super::{Cell, ClockName, Conditions, Pattern, Turn};
use crate::catalog::{MethodRow, Mode, TimerClock};
use oversleep_sys::units::Nanos;

/// Returns the clock on which a method's sleeps are timed: that of its timer, so that a step of another clock does not
/// appear as oversleep.
fn clock_of(row: &MethodRow) -> ClockName {
    match row.clock {
        TimerClock::Realtime => ClockName::Realtime,
        TimerClock::Boottime => ClockName::Boottime,
        TimerClock::Tai => ClockName::Tai,
        TimerClock::Monotonic | TimerClock::Tick | TimerClock::Counter | TimerClock::None => ClockName::Monotonic,
    }
}

/// Returns a cell with the same request each time; for a call that takes no time the request is zero.
fn fixed(id: u32, row: &MethodRow, requested: Nanos, conditions: &Conditions) -> Cell {
    cell(id, row, Pattern::fixed(requested), conditions)
}

/// Returns a cell with any pattern of requests.
pub(in crate::plan) fn cell(id: u32, row: &MethodRow, pattern: Pattern, conditions: &Conditions) -> Cell {
    Cell {
        clock: clock_of(row),
        conditions: conditions.clone(),
        ..Cell::new(id, row.name, if row.mode == Mode::Yield { Pattern::fixed(Nanos::ZERO) } else { pattern })
    }
}

/// The maximum number of turns of a plan. All turns are stored in the recording's head and in memory, so a plan of more
/// sleeps has longer turns.
const MOST_TURNS: u128 = 10_000;

/// Returns the sleeps per turn if `sleeps` are wanted and `total` are planned.
fn per_turn(sleeps: u64, total: u128) -> u64 {
    sleeps.max(u64::try_from(total.div_ceil(MOST_TURNS)).unwrap_or(u64::MAX))
}

/// Returns turns of every cell in rotation, `sleeps` at a time, until each cell has slept `repeats` times.
fn interleaved(cells: &[Cell], repeats: impl Fn(&Cell) -> u64, sleeps: u64) -> Vec<Turn> {
    let mut left: Vec<u64> = cells.iter().map(repeats).collect();
    let sleeps = per_turn(sleeps, left.iter().map(|&left| u128::from(left)).sum());
    let mut turns = Vec::new();
    while left.iter().any(|&left| left > 0) {
        for (cell, left) in cells.iter().zip(&mut left) {
            let now = sleeps.min(*left);
            if now > 0 {
                turns.push(Turn { cell: cell.id, sleeps: now });
                *left -= now;
            }
        }
    }
    turns
}

#[cfg(test)]
mod tests;

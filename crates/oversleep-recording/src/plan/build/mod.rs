//! Plans of the named experiments.

mod defaults;
mod diagnose;
mod experiments;

pub use defaults::{DEFAULT_METHODS, DefaultMethods};
pub use diagnose::{FEWEST_BLOCKS, diagnose, diagnose_takes, rounds_for};
pub use experiments::{
    Grid, LOAD_REQUESTS_MS, checkup, load, measure, periodic, schedules, sweep, sweep_requests, wall_second,
};

use super::{Cell, ClockName, Conditions, Kind, Pattern, Plan, Turn};
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
pub(super) fn cell(id: u32, row: &MethodRow, pattern: Pattern, conditions: &Conditions) -> Cell {
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

/// Default number of sleeps per block: small, because idle processors change by tens of µs from second to second, and
/// a change between the two blocks of a pair would be taken for an effect of tracing.
pub const TRACED_BLOCK: u64 = 20;

/// The number of traced sleeps and how they are divided into blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// Traced sleeps of each cell; the same number is slept untraced.
    pub sleeps: u64,
    /// Sleeps per block.
    pub block: u64,
    /// Whether the first block is traced.
    pub traced_first: bool,
}

/// Returns a plan of every combination traced and untraced, in blocks that alternate like untraced, traced, traced,
/// untraced, so that a drift of the machine affects both alike. The combinations follow one another.
pub fn traced(grid: &Grid<'_>, blocks: Blocks, seed: u64) -> Plan {
    let mut cells = measure(grid, 1, seed).cells;
    let pairs: Vec<(u32, Cell)> = cells.iter().map(|cell| (cell.id, twin(cell, true))).collect();
    let mut turns = Vec::new();
    for (untraced, traced) in pairs {
        let id = next_id(&cells);
        turns.extend(by_turns(untraced, id, blocks));
        cells.push(Cell { id, ..traced });
    }
    Plan { kind: Kind::Trace, cells, turns, seed }
}

/// Adds traced sleeps of these cells, with untraced ones in turns, before everything else in the plan. The plan's own
/// cells and turns stay unchanged.
pub fn with_traced(mut plan: Plan, which: &[u32], blocks: Blocks) -> Plan {
    let mut first = Vec::new();
    for cell in which {
        let Some(cell) = plan.cells.iter().find(|known| known.id == *cell).cloned() else { continue };
        let [untraced, traced] = [false, true].map(|is_traced| {
            let id = next_id(&plan.cells);
            plan.cells.push(Cell { id, ..twin(&cell, is_traced) });
            id
        });
        first.extend(by_turns(untraced, traced, blocks));
    }
    first.append(&mut plan.turns);
    Plan { turns: first, ..plan }
}

fn twin(cell: &Cell, traced: bool) -> Cell {
    Cell { conditions: Conditions { traced: Some(traced), ..cell.conditions.clone() }, ..cell.clone() }
}

fn next_id(cells: &[Cell]) -> u32 {
    u32::try_from(cells.len()).unwrap_or(u32::MAX)
}

fn by_turns(untraced: u32, traced: u32, blocks: Blocks) -> Vec<Turn> {
    let (mut turns, mut left, mut traced_first) = (Vec::new(), blocks.sleeps, blocks.traced_first);
    while left > 0 {
        let sleeps = left.min(blocks.block.max(1));
        let pair = if traced_first { [traced, untraced] } else { [untraced, traced] };
        turns.extend(pair.map(|cell| Turn { cell, sleeps }));
        traced_first = !traced_first;
        left -= sleeps;
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{MethodId, ROWS};

    fn slept(plan: &Plan, cell: u32) -> u64 {
        plan.turns.iter().filter(|turn| turn.cell == cell).map(|turn| turn.sleeps).sum()
    }

    #[test]
    fn cells_are_numbered_by_their_place() {
        let nanosleep = MethodId::Nanosleep.row();
        let none = Conditions::default();
        let plans = [
            checkup(ROWS.iter(), 1),
            wall_second(nanosleep, 200, &none, 1),
            sweep(&[nanosleep], &sweep_requests(Nanos::MICROSECOND, Nanos::SECOND), 20, &none, 1),
            load(nanosleep, 50, &[0, 1, 5], crate::plan::LoadKind::Spin, &none, 1),
            periodic(nanosleep, Nanos::MILLISECOND, 1_000, &none, 1),
            schedules(&[nanosleep, MethodId::ClockNanosleepAbs.row()], Nanos::MILLISECOND, 1_000, &none, 1),
        ];
        for plan in plans {
            assert!(plan.cells.iter().enumerate().all(|(place, cell)| cell.id as usize == place), "{}", plan.kind);
            assert!(plan.turns.iter().all(|turn| (turn.cell as usize) < plan.cells.len() && turn.sleeps > 0));
        }
    }

    #[test]
    fn turns_give_each_cell_its_repeats_and_mix_the_cells() {
        let plan = checkup(ROWS.iter().take(3), 1);
        assert!((0..3).all(|cell| slept(&plan, cell) == 300));
        assert_eq!(plan.turns[..4].iter().map(|turn| turn.cell).collect::<Vec<_>>(), [0, 1, 2, 0]);
    }

    #[test]
    fn any_number_of_sleeps_makes_a_plan_that_fits_in_memory() {
        let nanosleep = MethodId::Nanosleep.row();
        let none = [Conditions::default()];
        let grid =
            Grid { rows: &[nanosleep, nanosleep], requests: &[Pattern::fixed(Nanos::MILLISECOND)], conditions: &none };
        for count in [1, 9, 10_000, 10_001, 1 << 40, u64::MAX] {
            for plan in [wall_second(nanosleep, count, &none[0], 1), measure(&grid, count, 1)] {
                assert!(plan.turns.len() <= 10_002, "{count}: {} turns", plan.turns.len());
                assert!(plan.cells.iter().all(|cell| slept(&plan, cell.id) == count), "{count}");
            }
        }
    }

    #[test]
    fn the_sweep_covers_a_microsecond_to_ten_seconds() {
        let requests = sweep_requests(Nanos::MICROSECOND, Nanos::from_secs(10));
        assert_eq!(requests.len(), 22);
        assert_eq!((requests[0], requests[21]), (Nanos::MICROSECOND, Nanos::from_secs(10)));
        let plan = sweep(&[MethodId::Nanosleep.row()], &requests, 20, &Conditions::default(), 1);
        assert_eq!((slept(&plan, 0), slept(&plan, 21)), (20, 2));
    }

    #[test]
    fn a_sweep_over_everything_ends() {
        assert_eq!(sweep_requests(Nanos::ZERO, Nanos::MAX).len(), 57);
    }

    #[test]
    fn traced_sleeps_take_turns_with_untraced_ones_and_leave_the_other_cells_their_numbers() {
        let nanosleep = MethodId::Nanosleep.row();
        let none = [Conditions::default()];
        let requests = [1, 2].map(|ms| Pattern::fixed(Nanos::from_millis(ms)));
        let grid = Grid { rows: &[nanosleep], requests: &requests, conditions: &none };
        let plan = traced(&grid, Blocks { sleeps: 50, block: 20, traced_first: false }, 1);
        let turns: Vec<_> = plan.turns.iter().map(|turn| (turn.cell, turn.sleeps)).collect();
        assert_eq!(turns[..6], [(0, 20), (2, 20), (2, 20), (0, 20), (0, 10), (2, 10)]);
        let pairs: Vec<_> = plan.traced_pairs().iter().map(|(untraced, traced)| (untraced.id, traced.id)).collect();
        assert_eq!(pairs, [(0, 2), (1, 3)]);
        assert_eq!(plan.untraced().cells.iter().map(|cell| cell.id).collect::<Vec<_>>(), [0, 1]);

        let base = measure(&grid, 10, 1);
        let both = with_traced(base.clone(), &[1], Blocks { sleeps: 5, block: 20, traced_first: true });
        assert_eq!(both.untraced(), base);
        assert_eq!(both.turns[0], crate::plan::Turn { cell: 3, sleeps: 5 });
        let (untraced, traced) = both.traced_twin(&base.cells[1]).unwrap();
        assert_eq!((untraced.id, untraced.conditions.traced), (2, Some(false)));
        assert_eq!((traced.id, traced.conditions.traced), (3, Some(true)));
        assert!(both.traced_twin(&base.cells[0]).is_none());
    }
}

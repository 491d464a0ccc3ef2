//! Traced sleeps in turns with untraced ones: pairs of neighbouring blocks show what tracing costs.

use super::{Grid, measure};
use crate::plan::{Cell, Conditions, Kind, Plan, Turn};

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

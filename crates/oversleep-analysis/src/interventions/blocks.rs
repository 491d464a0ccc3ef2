//! Sorts samples into the plan's blocks.

use oversleep_figures::quantile::{Fraction, place, supports_quantile};
use oversleep_recording::plan::build::FEWEST_BLOCKS;
use oversleep_recording::{Flags, Recording, Sample};
use std::collections::BTreeMap;

/// One cell's oversleeps in ns, block by block; a block that the run did not reach is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocked {
    /// The cell.
    pub cell: u32,
    /// The oversleeps of each block.
    pub blocks: Vec<Vec<i64>>,
}

impl Blocked {
    /// Returns the 99th percentile, in ns; `None` if there are too few sleeps for it.
    pub fn p99(&self) -> Option<i64> {
        let sleeps: usize = self.blocks.iter().map(Vec::len).sum();
        self.quantile(0.99).filter(|_| supports_quantile(sleeps as u64, Fraction::P99))
    }

    /// Returns the nearest-rank quantile of all blocks together, in ns; `None` without sleeps.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let mut all: Vec<i64> = self.blocks.iter().flatten().copied().collect();
        all.sort_unstable();
        all.get(place(all.len(), share)).copied()
    }
}

/// The blocks of all cells.
#[derive(Debug, Clone, Default)]
pub struct AllBlocked {
    /// The cells, in the plan's order.
    pub cells: Vec<Blocked>,
    /// Number of sleeps left out because they were the first of their turn: the thread had not run for a whole block,
    /// so they measure the change of turns. In turns of one sleep, that sleep is kept.
    pub warm_ups: u64,
}

impl AllBlocked {
    /// Returns the blocks of one cell.
    pub fn for_cell(&self, cell: u32) -> Option<&Blocked> {
        self.cells.iter().find(|blocked| blocked.cell == cell)
    }

    /// Returns the cells that slept in too few blocks to be compared.
    pub fn with_too_few_blocks(&self) -> Vec<u32> {
        let slept = |cell: &&Blocked| cell.blocks.iter().filter(|block| !block.is_empty()).count();
        let fewest = usize::try_from(FEWEST_BLOCKS).unwrap_or(usize::MAX);
        self.cells.iter().filter(|cell| slept(cell) < fewest).map(|cell| cell.cell).collect()
    }
}

/// Where each of a cell's turns begins, and its length, in sleeps.
type Turns = Vec<(u64, u64)>;

/// Sorts the usable samples of every cell's first thread by the turns they were slept in.
pub fn gather(recording: &Recording) -> AllBlocked {
    let turns = turns(recording);
    let mut gathered = AllBlocked {
        cells: recording
            .meta
            .plan
            .cells
            .iter()
            .map(|cell| Blocked { cell: cell.id, blocks: vec![Vec::new(); turns.get(&cell.id).map_or(0, Vec::len)] })
            .collect(),
        warm_ups: 0,
    };
    let places: BTreeMap<u32, usize> = gathered.cells.iter().zip(0..).map(|(cell, at)| (cell.cell, at)).collect();
    for sample in recording.samples.iter().filter(|sample| usable(sample)) {
        let (Some(turns), Some(&at)) = (turns.get(&sample.cell), places.get(&sample.cell)) else { continue };
        let Some(block) = turns.partition_point(|(begin, _)| *begin <= sample.sequence).checked_sub(1) else {
            continue;
        };
        let (begin, sleeps) = turns[block];
        if sleeps > 1 && sample.sequence == begin {
            gathered.warm_ups += 1;
        } else if sample.sequence < begin + sleeps {
            gathered.cells[at].blocks[block].push(sample.oversleep().get());
        }
    }
    gathered
}

/// Returns whether a sample is of the first thread and shows what the timer did: failed and interrupted calls do not.
fn usable(sample: &Sample) -> bool {
    sample.thread == 0 && !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED)
}

fn turns(recording: &Recording) -> BTreeMap<u32, Turns> {
    let mut all: BTreeMap<u32, Turns> = BTreeMap::new();
    for turn in &recording.meta.plan.turns {
        let turns = all.entry(turn.cell).or_default();
        let begin = turns.last().map_or(0, |(begin, sleeps)| begin + sleeps);
        turns.push((begin, turn.sleeps));
    }
    all
}

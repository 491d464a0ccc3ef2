//! Two cells' sleeps, block by block, sorted once: quantiles of any choice of blocks then take a single pass.

use super::blocks::Blocked;
use oversleep_figures::quantile::place;

/// The cell of a sleep in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arm {
    Reference,
    Variant,
}

/// One sleep, with its lateness in ns.
#[derive(Debug, Clone, Copy)]
pub(super) struct SleepInBlock {
    pub(super) late: i64,
    pub(super) block: usize,
    pub(super) arm: Arm,
}

/// The sleeps of two cells, in the blocks in which both have some.
#[derive(Debug, Clone)]
pub(super) struct PairedBlocks {
    pub(super) sorted: Vec<SleepInBlock>,
    pub(super) blocks: usize,
    /// Number of sleeps of the reference and the variant in each block.
    pub(super) counts: Vec<[usize; 2]>,
}

impl PairedBlocks {
    pub(super) fn pair(reference: &Blocked, variant: &Blocked) -> Self {
        let mut pair = Self { sorted: Vec::new(), blocks: 0, counts: Vec::new() };
        for (a, b) in reference.blocks.iter().zip(&variant.blocks) {
            if a.is_empty() || b.is_empty() {
                continue;
            }
            let block = pair.blocks;
            for (lates, arm) in [(a, Arm::Reference), (b, Arm::Variant)] {
                pair.sorted.extend(lates.iter().map(|&late| SleepInBlock { late, block, arm }));
            }
            pair.counts.push([a.len(), b.len()]);
            pair.blocks += 1;
        }
        pair.sorted.sort_by_key(|entry| entry.late);
        pair
    }

    /// Returns the smaller of the two cells' numbers of sleeps.
    pub(super) fn sleeps(&self) -> usize {
        let of = |arm: usize| self.counts.iter().map(|counts| counts[arm]).sum::<usize>();
        of(0).min(of(1))
    }

    /// Returns each block's median difference, variant less reference, in ns.
    pub(super) fn median_differences(&self) -> Vec<i64> {
        let mut lates = vec![[Vec::new(), Vec::new()]; self.blocks];
        // The entries are sorted already.
        for entry in &self.sorted {
            lates[entry.block][usize::from(entry.arm == Arm::Variant)].push(entry.late);
        }
        let median = |lates: &[i64]| lates[place(lates.len(), 0.5)];
        lates.iter().map(|[reference, variant]| median(variant) - median(reference)).collect()
    }

    /// Returns variant less reference at each quantile, in ns.
    pub(super) fn shifts<const N: usize>(
        &self,
        shares: [f64; N],
        weight: impl Fn(usize) -> usize,
        swapped: impl Fn(usize) -> bool,
    ) -> [i64; N] {
        let [reference, variant] = self.quantiles(shares, weight, swapped);
        std::array::from_fn(|at| variant[at] - reference[at])
    }

    /// Returns the quantiles of reference and variant, in ns. A block counts `weight(block)` times, and the two cells are
    /// swapped in it if `swapped(block)`.
    pub(super) fn quantiles<const N: usize>(
        &self,
        shares: [f64; N],
        weight: impl Fn(usize) -> usize,
        swapped: impl Fn(usize) -> bool,
    ) -> [[i64; N]; 2] {
        let mut totals = [0; 2];
        for (block, counts) in self.counts.iter().enumerate() {
            let (weight, swap) = (weight(block), usize::from(swapped(block)));
            totals[0] += weight * counts[swap];
            totals[1] += weight * counts[1 - swap];
        }
        let ranks = totals.map(|total| shares.map(|share| place(total, share)));
        let mut seen = [0; 2];
        let mut next = [0; 2];
        let mut found = [[0; N]; 2];
        for entry in &self.sorted {
            let arm = usize::from((entry.arm == Arm::Variant) != swapped(entry.block));
            seen[arm] += weight(entry.block);
            while next[arm] < N && seen[arm] > ranks[arm][next[arm]] {
                found[arm][next[arm]] = entry.late;
                next[arm] += 1;
            }
            if next == [N; 2] {
                break;
            }
        }
        found
    }
}

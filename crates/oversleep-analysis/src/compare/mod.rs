//! Compares two sides of recordings: which quantiles moved by more than chance.
//!
//! Sleeps of one run share the machine's state, and two runs of one program differ by more than their sleeps suggest.
//! So several recordings a side are compared run by run ([`oversleep_figures::ranks`]). One a side yields an interval from
//! within the runs ([`oversleep_figures::dependence`]) and no verdict: the error between runs is unknown. Of another
//! program's counts a quantile is known to its bucket; both ends are compared, and the verdict holds for every value
//! between them.

mod facts;
mod matching;
mod maximum;
mod missing;
mod periods;
mod run;
mod shares;
mod shift;
mod threads;
mod unstated;
mod verdict;

pub use run::{CellValues, ComparableRun, Gather, Values};
pub use shift::FEWEST_RUNS;

use matching::{Matched, Pair, matched};
use oversleep_figures::ranks;
use oversleep_recording::document::{Compared, ComparedCell, ComparedFigure, ComparedName, ComparedRun};
use periods::Schedules;
use run::CellKey;
use shift::Sides;

/// Compares the recordings of side A with those of side B. `paired`: whether to compare the n-th of A with that of B.
pub fn compare(a: &[&ComparableRun], b: &[&ComparableRun], paired: bool) -> Compared {
    let (split_a, split_b) = (threads::split(a, b), threads::split(b, a));
    let a = &split_a.as_ref().map_or_else(|| a.to_vec(), |runs| runs.iter().collect());
    let b = &split_b.as_ref().map_or_else(|| b.to_vec(), |runs| runs.iter().collect());
    let Matched { pairs, only_a, only_b, unstated } = matched(a, b);
    let (mut cells, least): (Vec<ComparedCell>, Vec<f64>) = pairs.iter().map(|pair| cell(a, b, pair, paired)).unzip();
    verdict::correct(&mut cells, &least);
    let runs = |side: &[&ComparableRun]| side.iter().map(|run| described(run)).collect();
    Compared {
        format: 1,
        tool: concat!("oversleep ", env!("CARGO_PKG_VERSION")).to_owned(),
        a: runs(a),
        b: runs(b),
        paired,
        differences: facts::differences(a, b),
        stated: [facts::stated(a), facts::stated(b)],
        unstated,
        took: None,
        cells,
        only_a: only_a.iter().map(name).collect(),
        only_b: only_b.iter().map(name).collect(),
        control: None,
    }
}

fn described(run: &ComparableRun) -> ComparedRun {
    ComparedRun { name: run.name.clone(), started: run.meta.started.clone() }
}

fn name(key: &CellKey) -> ComparedName {
    let CellKey { cell, counted } = key;
    ComparedName {
        method: cell.method.clone(),
        pattern: cell.pattern,
        conditions: cell.conditions.clone(),
        quantity: *counted,
    }
}

/// Returns a cell's comparison, and the smallest probability (p-value) that this number of recordings can give.
fn cell(a: &[&ComparableRun], b: &[&ComparableRun], pair: &Pair, paired: bool) -> (ComparedCell, f64) {
    let sides = Sides {
        a: a.iter().filter_map(|run| run.matching_cell(&pair.0)).collect(),
        b: b.iter().filter_map(|run| run.matching_cell(&pair.1)).collect(),
        paired,
    };
    let count = |side: &[&CellValues]| side.iter().map(|cell| cell.count()).fold(0, u64::saturating_add);
    let least = ranks::least_p(sides.a.len(), sides.b.len(), paired);
    let shifts: Vec<_> = ComparedFigure::ALL.iter().filter_map(|&figure| sides.shift(figure)).collect();
    let compared = ComparedCell {
        a: name(&pair.0),
        b: name(&pair.1),
        paired_by: pair.2,
        n_a: count(&sides.a),
        n_b: count(&sides.b),
        b_later_share: shift::later_share(&sides.a, &sides.b),
        missing: missing::figures(&sides, &shifts),
        shifts,
        periods: periods::compared(&Schedules { runs: a, key: &pair.0 }, &Schedules { runs: b, key: &pair.1 }, paired),
        max: maximum::compared(&sides.a, &sides.b),
    };
    (compared, least)
}

#[cfg(test)]
mod tests;

//! Compares two sides of recordings: which quantiles moved by more than chance.
//!
//! Sleeps of one run share the machine's state, and two runs of one program differ by more than their sleeps suggest.
//! So several recordings a side are compared run by run ([`crate::figures::ranks`]). One a side yields an interval from
//! within the runs ([`crate::figures::dependence`]) and no verdict: the error between runs is unknown. Of another
//! program's counts a quantile is known to its bucket; both ends are compared, and the verdict holds for every value
//! between them.

mod facts;
mod matching;
mod maximum;
mod missing;
mod periods;
mod run;
mod shift;
mod threads;

pub use run::{CellValues, ComparableRun, Gather, Values};
pub use shift::FEWEST_RUNS;

use crate::figures::{holm, ranks};
use matching::{Matched, Pair, matched};
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedFigure, ComparedName, ComparedRun, QuantileShift, ShiftVerdict,
};
use run::CellKey;
use shift::Sides;

/// Probability of a false alarm, over all cells together.
const LEVEL: f64 = 0.05;

/// Compares the recordings of side A with those of side B. `paired`: whether to compare the n-th of A with that of B.
pub fn compare(a: &[&ComparableRun], b: &[&ComparableRun], paired: bool) -> Compared {
    let (split_a, split_b) = (threads::split(a, b), threads::split(b, a));
    let a = &split_a.as_ref().map_or_else(|| a.to_vec(), |runs| runs.iter().collect());
    let b = &split_b.as_ref().map_or_else(|| b.to_vec(), |runs| runs.iter().collect());
    let Matched { pairs, only_a, only_b } = matched(a, b);
    let (mut cells, least): (Vec<ComparedCell>, Vec<f64>) = pairs.iter().map(|pair| cell(a, b, pair, paired)).unzip();
    correct(&mut cells, &least);
    let runs = |side: &[&ComparableRun]| side.iter().map(|run| described(run)).collect();
    Compared {
        format: 1,
        tool: concat!("oversleep ", env!("CARGO_PKG_VERSION")).to_owned(),
        a: runs(a),
        b: runs(b),
        paired,
        differences: facts::differences(a, b),
        stated: [facts::stated(a), facts::stated(b)],
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
        a: a.iter().filter_map(|run| run.of(&pair.0)).collect(),
        b: b.iter().filter_map(|run| run.of(&pair.1)).collect(),
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
        periods: periods::compared(&(a, &pair.0), &(b, &pair.1)),
        max: maximum::compared(&sides.a, &sides.b),
    };
    (compared, least)
}

/// Corrects the probabilities of each quantile for the number of cells, and sets the verdicts.
///
/// `least`: for each cell, the smallest probability that this number of recordings can give. If even that one would not be significant
/// after the correction, no difference could have been found, and the verdict is open.
fn correct(cells: &mut [ComparedCell], least: &[f64]) {
    for figure in ComparedFigure::ALL {
        let shifts = cells.iter_mut().zip(least).filter_map(|(cell, least)| Some((shift_of(cell, figure)?, *least)));
        let mut shifts: Vec<(&mut QuantileShift, f64)> = shifts.collect();
        let corrected = holm::corrected(&shifts.iter().map(|(shift, _)| shift.p.unwrap_or(1.0)).collect::<Vec<_>>());
        let tests = shifts.len() as f64;
        for ((shift, least), corrected) in shifts.iter_mut().zip(corrected) {
            shift.p_corrected = shift.p.map(|_| corrected);
            shift.verdict = verdict(shift, *least * tests <= LEVEL);
        }
    }
}

fn shift_of(cell: &mut ComparedCell, figure: ComparedFigure) -> Option<&mut QuantileShift> {
    cell.shifts.iter_mut().find(|shift| shift.figure == figure)
}

fn verdict(shift: &QuantileShift, can_be_seen: bool) -> ShiftVerdict {
    match shift.p_corrected {
        Some(p) if p <= LEVEL && shift.size_ns > 0.0 => ShiftVerdict::Later,
        Some(p) if p <= LEVEL && shift.size_ns < 0.0 => ShiftVerdict::Earlier,
        Some(_) if can_be_seen && shift.confidence >= 1.0 - LEVEL => ShiftVerdict::NotSeen,
        _ => ShiftVerdict::Open,
    }
}

#[cfg(test)]
mod tests;

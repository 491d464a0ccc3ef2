//! Compares two sides of recordings: which quantiles moved by more than chance.
//!
//! Sleeps of one run share the machine's state, and two runs of one program differ by more than their sleeps suggest.
//! So several recordings a side are compared run by run ([`oversleep_figures::ranks`]). One a side yields an interval from
//! within the runs ([`oversleep_figures::dependence`]) and no verdict: the error between runs is unknown. Of another
//! program's counts a quantile is known to its bucket; both ends are compared, and the verdict holds for every value
//! between them.

mod facts;
mod matching;
mod periods;
mod run;
mod shift;
mod threads;
mod verdict;

pub use run::{CellValues, ComparableRun, Gather, Values};
pub use shift::FEWEST_RUNS;

use matching::{Matched, Pair, matched};
use oversleep_figures::quantile::middle_of;
use oversleep_figures::{buckets, ranks};
use oversleep_recording::document::{
    Bounds, Compared, ComparedCell, ComparedFigure, ComparedMaximum, ComparedName, ComparedRun, QuantileShift,
    UncomparedFigure,
};
use oversleep_sys::units::Nanos;
use periods::Schedules;
use run::CellKey;
use shift::{Sides, Span, fraction};

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
        without_traced: a.iter().chain(b).any(|run| run.has_traced()),
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
        missing: missing_figures(&sides, &shifts),
        shifts,
        periods: periods::compared(&Schedules { runs: a, key: &pair.0 }, &Schedules { runs: b, key: &pair.1 }, paired),
        max: compared_maximum(&sides.a, &sides.b),
    };
    (compared, least)
}

/// Returns the largest values of both sides; `None` if a file does not tell its own.
fn compared_maximum(a: &[&CellValues], b: &[&CellValues]) -> Option<ComparedMaximum> {
    Some(ComparedMaximum { a: maximum_of_side(a)?, b: maximum_of_side(b)? })
}

fn maximum_of_side(side: &[&CellValues]) -> Option<Bounds> {
    let each: Vec<Bounds> = side.iter().map(|cell| largest(&cell.values)).collect::<Option<_>>()?;
    let of = |end: fn(&Bounds) -> Option<Nanos>| each.iter().map(end).collect::<Option<Vec<_>>>()?.into_iter().max();
    Some(Bounds { low: Some(of(|bounds| bounds.low)?), high: Some(of(|bounds| bounds.high)?) })
}

fn largest(values: &Values) -> Option<Bounds> {
    match values {
        Values::Samples(series) => {
            let max = Nanos::new(*series.iter().max()?);
            Some(Bounds { low: Some(max), high: Some(max) })
        }
        Values::Counts(counts) => counts.max.map(buckets::largest),
    }
}

/// Returns the quantiles of at least one side that are not among its shifts.
fn missing_figures(sides: &Sides, shifts: &[QuantileShift]) -> Vec<UncomparedFigure> {
    let without = ComparedFigure::ALL.into_iter().filter(|&figure| shifts.iter().all(|shift| shift.figure != figure));
    let both = without.map(|figure| UncomparedFigure {
        figure,
        a_ns: missing_value(&sides.a, figure),
        b_ns: missing_value(&sides.b, figure),
    });
    both.filter(|found| found.a_ns.is_some() || found.b_ns.is_some()).collect()
}

/// Returns the median of a side's quantiles; `None` if a recording has too few values for it.
fn missing_value(side: &[&CellValues], figure: ComparedFigure) -> Option<Nanos> {
    let middle = |cell: &&CellValues| Some(Span::from_quantile(cell, fraction(figure))?.middle());
    let values = side.iter().map(middle).collect::<Option<Vec<f64>>>()?;
    Some(Nanos::from_f64(middle_of(values)?))
}

#[cfg(test)]
mod tests;

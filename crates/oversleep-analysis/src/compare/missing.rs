//! Quantiles that a side has and that cannot be compared.

use super::CellValues;
use super::shift::{Sides, Span, fraction};
use oversleep_figures::quantile::middle_of;
use oversleep_recording::document::{ComparedFigure, QuantileShift, UncomparedFigure};
use oversleep_sys::units::Nanos;

/// Returns the quantiles of at least one side that are not among its shifts.
pub(super) fn figures(sides: &Sides, shifts: &[QuantileShift]) -> Vec<UncomparedFigure> {
    let without = ComparedFigure::ALL.into_iter().filter(|&figure| shifts.iter().all(|shift| shift.figure != figure));
    let both =
        without.map(|figure| UncomparedFigure { figure, a_ns: value(&sides.a, figure), b_ns: value(&sides.b, figure) });
    both.filter(|found| found.a_ns.is_some() || found.b_ns.is_some()).collect()
}

/// Returns the median of a side's quantiles; `None` if a recording has too few values for it.
fn value(side: &[&CellValues], figure: ComparedFigure) -> Option<Nanos> {
    let middle = |cell: &&CellValues| Some(Span::from_quantile(cell, fraction(figure))?.middle());
    let values = side.iter().map(middle).collect::<Option<Vec<f64>>>()?;
    Some(Nanos::from_f64(middle_of(values)?))
}

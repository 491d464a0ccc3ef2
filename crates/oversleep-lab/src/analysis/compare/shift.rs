//! How far one quantile of one cell moved.

use super::CellSeries;
use crate::figures::dependence::{self, QuantileInterval};
use crate::figures::quantile::{Fraction, median_of_floats, of_sorted, supports_quantile};
use crate::figures::ranks;
use oversleep_recording::document::{ComparedFigure, ErrorSource, QuantileShift, ShiftVerdict};
use oversleep_sys::units::Nanos;

/// Fewest recordings a side for which an interval of 95 % exists, where they are compared unpaired.
pub const FEWEST_RUNS: usize = 4;

/// The same cell on both sides, one series per recording.
pub(super) struct Sides<'a> {
    pub(super) a: Vec<&'a CellSeries>,
    pub(super) b: Vec<&'a CellSeries>,
    pub(super) paired: bool,
}

impl Sides<'_> {
    /// Returns how far a quantile moved; `None` where a recording has too few sleeps for it.
    pub(super) fn shift(&self, figure: ComparedFigure) -> Option<QuantileShift> {
        let p = fraction(figure);
        if let ([a], [b]) = (self.a.as_slice(), self.b.as_slice()) {
            return Some(within(figure, known(a, p)?, known(b, p)?));
        }
        let quantiles = |side: &[&CellSeries]| side.iter().map(|cell| plain(cell, p)).collect::<Option<Vec<f64>>>();
        between(figure, &quantiles(&self.a)?, &quantiles(&self.b)?, self.paired)
    }
}

const fn fraction(figure: ComparedFigure) -> Fraction {
    match figure {
        ComparedFigure::P50 => Fraction::P50,
        ComparedFigure::P99 => Fraction::P99,
        ComparedFigure::P999 => Fraction::P999,
    }
}

/// Returns a quantile and its interval from within its run.
fn known(cell: &CellSeries, p: Fraction) -> Option<QuantileInterval> {
    if supports_quantile(cell.series.len() as u64, p) { dependence::quantile(&cell.series, p) } else { None }
}

/// Returns a quantile in ns.
fn plain(cell: &CellSeries, p: Fraction) -> Option<f64> {
    if !supports_quantile(cell.series.len() as u64, p) {
        return None;
    }
    let mut sorted = cell.series.clone();
    sorted.sort_unstable();
    of_sorted(&sorted, p).map(|ns| ns as f64)
}

/// Returns the shift between single recordings. The interval of the difference is combined from those of both (Zou and
/// Donner, "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008).
fn within(figure: ComparedFigure, a: QuantileInterval, b: QuantileInterval) -> QuantileShift {
    let size = (b.value - a.value) as f64;
    let apart = |one: i64, other: i64| (one - other) as f64;
    let down = apart(b.value, b.low).hypot(apart(a.high, a.value));
    let up = apart(b.high, b.value).hypot(apart(a.value, a.low));
    QuantileShift {
        figure,
        a_ns: Nanos::new(a.value),
        b_ns: Nanos::new(b.value),
        size_ns: size,
        low_ns: size - down,
        high_ns: size + up,
        confidence: 0.95,
        error: ErrorSource::WithinRuns,
        p: None,
        p_corrected: None,
        between_a_ns: None,
        between_b_ns: None,
        verdict: ShiftVerdict::Open,
    }
}

/// Returns the shift between several recordings, whose quantiles are the values that are compared.
fn between(figure: ComparedFigure, a: &[f64], b: &[f64], paired: bool) -> Option<QuantileShift> {
    let found = if paired {
        ranks::paired(&b.iter().zip(a).map(|(b, a)| b - a).collect::<Vec<_>>())?
    } else {
        ranks::unpaired(a, b)?
    };
    Some(QuantileShift {
        figure,
        a_ns: Nanos::from_f64(median_of_floats(a.to_vec())?),
        b_ns: Nanos::from_f64(median_of_floats(b.to_vec())?),
        size_ns: found.size,
        low_ns: found.low,
        high_ns: found.high,
        confidence: found.confidence,
        error: if paired { ErrorSource::Pairs } else { ErrorSource::BetweenRuns },
        p: Some(found.p),
        p_corrected: None,
        between_a_ns: deviation(a),
        between_b_ns: deviation(b),
        verdict: ShiftVerdict::Open,
    })
}

/// Returns the sample standard deviation; `None` for fewer than two values.
fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    Some((values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

/// Returns the probability that a sleep of `b` is later than one of `a`, equal ones counting half: Mann and Whitney's U
/// of all sleeps, divided by the number of their pairs. It only describes: one run's sleeps are too dependent for a
/// test.
pub(super) fn later_share(a: &[&CellSeries], b: &[&CellSeries]) -> Option<f64> {
    let sorted = |side: &[&CellSeries]| {
        let mut all: Vec<i64> = side.iter().flat_map(|cell| cell.series.iter().copied()).collect();
        all.sort_unstable();
        all
    };
    let (a, b) = (sorted(a), sorted(b));
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (mut below, mut at_most, mut twice) = (0, 0, 0_u128);
    for value in &b {
        while a.get(below).is_some_and(|other| other < value) {
            below += 1;
        }
        at_most = at_most.max(below);
        while a.get(at_most).is_some_and(|other| other <= value) {
            at_most += 1;
        }
        twice += (below + at_most) as u128;
    }
    Some(twice as f64 / 2.0 / (a.len() as f64 * b.len() as f64))
}

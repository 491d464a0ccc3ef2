//! How far one quantile of one cell moved.

use super::{CellValues, Values};
use oversleep_figures::buckets;
use oversleep_figures::dependence::{self, QuantileInterval};
use oversleep_figures::quantile::{Fraction, middle_of, of_sorted, supports_quantile};
use oversleep_figures::ranks::{self, RankShift};
use oversleep_recording::document::{Bounds, ComparedFigure, ErrorSource, QuantileShift, ShiftBounds, ShiftVerdict};
use oversleep_sys::units::Nanos;

/// Fewest recordings a side for which an interval of 95 % exists, where they are compared unpaired.
pub const FEWEST_RUNS: usize = 4;

/// The same cell on both sides, one series of values per recording.
pub(super) struct Sides<'a> {
    pub(super) a: Vec<&'a CellValues>,
    pub(super) b: Vec<&'a CellValues>,
    pub(super) paired: bool,
}

impl Sides<'_> {
    /// Returns how far a quantile moved; `None` where a recording has too few values for it.
    pub(super) fn shift(&self, figure: ComparedFigure) -> Option<QuantileShift> {
        let p = fraction(figure);
        if let ([a], [b]) = (self.a.as_slice(), self.b.as_slice()) {
            return match (&a.values, &b.values) {
                (Values::Samples(a), Values::Samples(b)) => Some(within(figure, known(a, p)?, known(b, p)?)),
                _ => Some(bounded(figure, Span::from_quantile(a, p)?, Span::from_quantile(b, p)?)),
            };
        }
        let quantiles =
            |side: &[&CellValues]| side.iter().map(|cell| Span::from_quantile(cell, p)).collect::<Option<Vec<Span>>>();
        between(figure, &quantiles(&self.a)?, &quantiles(&self.b)?, self.paired)
    }
}

pub(super) const fn fraction(figure: ComparedFigure) -> Fraction {
    match figure {
        ComparedFigure::P50 => Fraction::P50,
        ComparedFigure::P99 => Fraction::P99,
        ComparedFigure::P999 => Fraction::P999,
    }
}

/// Returns a quantile and its interval from within its run.
fn known(series: &[i64], p: Fraction) -> Option<QuantileInterval> {
    if supports_quantile(series.len() as u64, p) { dependence::quantile(series, p) } else { None }
}

/// What is known of a quantile, in ns: a value, or the bounds of its bucket.
#[derive(Clone, Copy)]
pub(super) struct Span {
    low: f64,
    high: f64,
}

impl Span {
    /// Returns what is known of a cell's quantile; `None` where the values do not carry it or a bound is unknown.
    pub(super) fn from_quantile(cell: &CellValues, p: Fraction) -> Option<Self> {
        match &cell.values {
            Values::Samples(series) if supports_quantile(series.len() as u64, p) => {
                let mut sorted = series.clone();
                sorted.sort_unstable();
                let value = of_sorted(&sorted, p)? as f64;
                Some(Self { low: value, high: value })
            }
            Values::Samples(_) => None,
            Values::Counts(counts) => {
                let bounds = buckets::quantile(counts, p)?;
                Some(Self { low: bounds.low?.as_f64(), high: bounds.high?.as_f64() })
            }
        }
    }

    fn bounds(self) -> Bounds {
        Bounds { low: Some(Nanos::from_f64(self.low)), high: Some(Nanos::from_f64(self.high)) }
    }

    pub(super) fn middle(self) -> f64 {
        f64::midpoint(self.low, self.high)
    }
}

/// Returns the shift between single recordings. The interval of the difference is combined from those of both (Zou and
/// Donner, "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008).
fn within(figure: ComparedFigure, a: QuantileInterval, b: QuantileInterval) -> QuantileShift {
    let size = (b.value - a.value) as f64;
    let difference = |one: i64, other: i64| (one - other) as f64;
    let down = difference(b.value, b.low).hypot(difference(a.high, a.value));
    let up = difference(b.high, b.value).hypot(difference(a.value, a.low));
    QuantileShift {
        figure,
        a_ns: Nanos::new(a.value),
        b_ns: Nanos::new(b.value),
        size_ns: size,
        bounds: None,
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

/// Returns the shift between single files of which at least one has buckets: only its bounds are known, because the
/// order of the values, on which an interval depends, is lost.
fn bounded(figure: ComparedFigure, a: Span, b: Span) -> QuantileShift {
    let (low, high) = (b.low - a.high, b.high - a.low);
    QuantileShift {
        figure,
        a_ns: Nanos::from_f64(a.middle()),
        b_ns: Nanos::from_f64(b.middle()),
        size_ns: f64::midpoint(low, high),
        bounds: Some(ShiftBounds { a: a.bounds(), b: b.bounds(), low_ns: low, high_ns: high }),
        low_ns: low,
        high_ns: high,
        confidence: 0.0,
        error: ErrorSource::Buckets,
        p: None,
        p_corrected: None,
        between_a_ns: None,
        between_b_ns: None,
        verdict: ShiftVerdict::Open,
    }
}

/// Returns how far the values of B, one per recording, lie above those of A; `None` without any.
pub(super) fn tested(a: &[f64], b: &[f64], paired: bool) -> Option<RankShift> {
    if paired { ranks::paired(&b.iter().zip(a).map(|(b, a)| b - a).collect::<Vec<_>>()) } else { ranks::unpaired(a, b) }
}

/// Returns the shift between several recordings, whose quantiles are the values that are compared.
///
/// Of quantiles known to their bucket, the least and the greatest possible shift are tested. The statistics grow with each value
/// of B and fall with each of A, so that the true shift is at least as clear as the least clear of the two.
fn between(figure: ComparedFigure, a: &[Span], b: &[Span], paired: bool) -> Option<QuantileShift> {
    let test = |a: &[f64], b: &[f64]| tested(a, b, paired);
    let ends = |side: &[Span]| {
        let (low, high): (Vec<f64>, Vec<f64>) = side.iter().map(|span| (span.low, span.high)).unzip();
        (low, high)
    };
    let ((low_a, high_a), (low_b, high_b)) = (ends(a), ends(b));
    let least = test(&high_a, &low_b)?;
    let exact = low_a == high_a && low_b == high_b;
    let most = if exact { least } else { test(&low_a, &high_b)? };
    let p = match (least.size, most.size) {
        _ if exact => least.p,
        (size, _) if size > 0.0 => least.p,
        (_, size) if size < 0.0 => most.p,
        _ => 1.0,
    };
    let median =
        |low: &[f64], high: &[f64]| Some(Span { low: middle_of(low.to_vec())?, high: middle_of(high.to_vec())? });
    let (of_a, of_b) = (median(&low_a, &high_a)?, median(&low_b, &high_b)?);
    let bounds = ShiftBounds { a: of_a.bounds(), b: of_b.bounds(), low_ns: least.size, high_ns: most.size };
    Some(QuantileShift {
        figure,
        a_ns: Nanos::from_f64(of_a.middle()),
        b_ns: Nanos::from_f64(of_b.middle()),
        size_ns: f64::midpoint(least.size, most.size),
        bounds: (!exact).then_some(bounds),
        low_ns: least.low,
        high_ns: most.high,
        confidence: least.confidence,
        error: if paired { ErrorSource::Pairs } else { ErrorSource::BetweenRuns },
        p: Some(p),
        p_corrected: None,
        // Of buckets, how much runs differ is known no better than their width.
        between_a_ns: deviation(&low_a).filter(|_| exact),
        between_b_ns: deviation(&low_b).filter(|_| exact),
        verdict: ShiftVerdict::Open,
    })
}

/// Returns the sample standard deviation; `None` for fewer than two values.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    Some((values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

/// Returns the probability that a sleep of `b` is later than one of `a`, equal ones counting half: Mann and Whitney's U
/// of all sleeps, divided by the number of their pairs. It only describes: one run's sleeps are too dependent for a
/// test. `None` where a side has counts in buckets.
pub(super) fn later_share(a: &[&CellValues], b: &[&CellValues]) -> Option<f64> {
    let sorted = |side: &[&CellValues]| {
        let mut all: Vec<i64> = Vec::new();
        for cell in side {
            let Values::Samples(series) = &cell.values else { return None };
            all.extend(series);
        }
        all.sort_unstable();
        Some(all)
    };
    let (a, b) = (sorted(a)?, sorted(b)?);
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

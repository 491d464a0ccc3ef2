//! The rows of a cell's table: a quantile in each, then the largest value, then shares of periods.

use super::super::distributions::bounds;
use super::super::interventions::signed;
use super::super::style::{Screen, figure};
use super::schedules;
use oversleep_figures::quantile::{Fraction, samples_needed};
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedFigure, ComparedMaximum, ErrorSource, QuantileShift, ShiftVerdict, UncomparedFigure,
};
use oversleep_sys::units::Nanos;

pub(super) const UNKNOWN: &str = "–";
/// Mark of a shift that the figures of the sides contradict.
pub(super) const MARK: &str = "*";

/// Returns the rows of a cell.
pub(super) fn rows(cell: &ComparedCell, screen: Screen) -> Vec<[String; 7]> {
    let shifts = cell.shifts.iter().map(|shift| row(shift, screen));
    let figures = shifts.chain(cell.missing.iter().map(row_of_uncompared)).chain(cell.max.map(row_of_maximum));
    figures.chain(schedules::rows(cell, screen)).collect()
}

/// Returns a sentence for each shift that the figures of the sides contradict, and for each quantile without an interval.
pub(super) fn remarks(cell: &ComparedCell, compared: &Compared) -> Vec<String> {
    let contradicted = cell.shifts.iter().filter(|shift| is_contradicted(shift)).map(|shift| {
        let unit = if shift.error == ErrorSource::Pairs { "the pairs' " } else { "the recordings' " };
        format!(
            "{MARK} {}: B − A of the columns is {}, and {unit}typical difference {}: single recordings lie far from \
             the others, so neither represents them all.",
            shift.figure.name(),
            signed(difference(shift)),
            signed(shift.size_ns)
        )
    });
    let missing = cell.missing.iter().map(|missing| why_uncompared(missing) + ".");
    contradicted.chain(missing).chain(no_p99(cell, compared)).collect()
}

/// Returns how many sleeps the 99th percentile needs, where neither side has it for lack of them.
fn no_p99(cell: &ComparedCell, compared: &Compared) -> Option<String> {
    let (figure, needed) = (ComparedFigure::P99, needed(ComparedFigure::P99));
    let is_shown = cell.shifts.iter().any(|shift| shift.figure == figure)
        || cell.missing.iter().any(|missing| missing.figure == figure);
    let few = |n: u64, recordings: usize| n < needed.saturating_mul(recordings as u64);
    let has_few = few(cell.n_a, compared.a.len()) || few(cell.n_b, compared.b.len());
    (!is_shown && has_few)
        .then(|| format!("{} is not compared: it needs {needed} sleeps in each recording.", figure.name()))
}

/// Returns the number of sleeps of a recording that a quantile needs.
pub fn needed(figure: ComparedFigure) -> u64 {
    samples_needed(match figure {
        ComparedFigure::P50 => Fraction::P50,
        ComparedFigure::P99 => Fraction::P99,
        ComparedFigure::P999 => Fraction::P999,
    })
}

/// Says why a quantile is not compared.
pub fn why_uncompared(missing: &UncomparedFigure) -> String {
    let name = missing.figure.name();
    match (missing.a_ns, missing.b_ns) {
        (Some(_), Some(_)) => {
            format!(
                "{name} is not compared: too few sleeps end later than it for an interval; measure more of them (-n)"
            )
        }
        (a, _) => {
            let side = if a.is_none() { "A" } else { "B" };
            let needed = needed(missing.figure);
            format!("{name} is not compared: not every recording of side {side} has the {needed} sleeps that it needs")
        }
    }
}

/// Returns how far apart the figures of the sides are.
fn difference(shift: &QuantileShift) -> f64 {
    shift.b_ns.as_f64() - shift.a_ns.as_f64()
}

/// Returns whether the figures of the sides, medians of their recordings, differ in another direction than the recordings
/// do, or by a quite different amount.
fn is_contradicted(shift: &QuantileShift) -> bool {
    let (columns, size) = (difference(shift), shift.size_ns);
    if shift.bounds.is_some() {
        return false;
    }
    let visible = shift.a_ns.to_string() != shift.b_ns.to_string();
    let opposite = visible && columns * size < 0.0;
    let apart = (columns - size).abs();
    opposite || (apart > columns.abs().max(size.abs()) / 2.0 && apart > shift.a_ns.as_f64().abs() / 100.0)
}

fn row_of_uncompared(missing: &UncomparedFigure) -> [String; 7] {
    let known = missing.a_ns.zip(missing.b_ns);
    let size = known.map(|(a, b)| b.as_f64() - a.as_f64());
    [
        missing.figure.name().to_owned(),
        figure(missing.a_ns),
        figure(missing.b_ns),
        size.map_or_else(|| UNKNOWN.to_owned(), |size| format!("({})", signed(size))),
        "none".to_owned(),
        known.zip(size).map_or_else(|| UNKNOWN.to_owned(), |((a, _), size)| share(a, size)),
        "not tested".to_owned(),
    ]
}

fn row(shift: &QuantileShift, screen: Screen) -> [String; 7] {
    let (a, b) = match &shift.bounds {
        None => (figure(Some(shift.a_ns)), figure(Some(shift.b_ns))),
        Some(buckets) => (bounds(Some(buckets.a)), bounds(Some(buckets.b))),
    };
    let differ = shift.between_a_ns.zip(shift.between_b_ns).map(|(a, b)| Nanos::from_f64(a.max(b)));
    let interval =
        if shift.error == ErrorSource::Buckets { "unknown".to_owned() } else { range(shift.low_ns, shift.high_ns) };
    [
        shift.figure.name().to_owned(),
        a,
        b,
        called(shift, screen),
        interval,
        if shift.bounds.is_some() || is_contradicted(shift) {
            UNKNOWN.to_owned()
        } else {
            share(shift.a_ns, shift.size_ns)
        },
        differ.map_or_else(|| "unknown".to_owned(), |spread| spread.to_string()),
    ]
}

fn row_of_maximum(max: ComparedMaximum) -> [String; 7] {
    let (low, high) = max.difference();
    let share = match (low, max.a.low) {
        (Some(size), Some(a)) if low == high => share(a, size.as_f64()),
        _ => UNKNOWN.to_owned(),
    };
    let shift = format!("({})", size_of_maximum(&max));
    let (a, b) = (bounds(Some(max.a)), bounds(Some(max.b)));
    ["max".to_owned(), a, b, shift, "none".to_owned(), share, "not tested".to_owned()]
}

/// Returns the difference of the largest values: `+2.00 µs`, or the bounds between which it lies.
pub fn size_of_maximum(max: &ComparedMaximum) -> String {
    match max.difference() {
        (Some(low), Some(high)) if low == high => signed(low.as_f64()),
        (Some(low), Some(high)) => range(low.as_f64(), high.as_f64()),
        _ => "unknown".to_owned(),
    }
}

/// Highlights a shift beyond chance; puts any other in brackets.
pub(super) fn called(shift: &QuantileShift, screen: Screen) -> String {
    let mark = if is_contradicted(shift) { MARK } else { "" };
    let size = format!("{}{mark}", best_size(shift));
    match shift.verdict {
        ShiftVerdict::Later | ShiftVerdict::Earlier => screen.heading(&size),
        ShiftVerdict::NotSeen | ShiftVerdict::Open => format!("({size})"),
    }
}

/// Returns the size of a shift, or the bounds between which it lies.
fn best_size(shift: &QuantileShift) -> String {
    shift.bounds.map_or_else(|| signed(shift.size_ns), |bounds| range(bounds.low_ns, bounds.high_ns))
}

fn range(low_ns: f64, high_ns: f64) -> String {
    format!("{} to {}", signed(low_ns), signed(high_ns))
}

fn share(a: Nanos, size_ns: f64) -> String {
    let a = a.as_f64();
    let percent = 100.0 * size_ns / a;
    // A shift beyond A itself is one of pairs in which something else had the machine: no share says it.
    if a <= 0.0 || percent < -100.0 {
        return UNKNOWN.to_owned();
    }
    let sign = if percent < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1} %", percent.abs())
}

/// Returns a shift with its interval: `+2.00 µs (+1.50 µs to +2.50 µs)`.
pub fn size(shift: &QuantileShift) -> String {
    let size = best_size(shift);
    if shift.error == ErrorSource::Buckets { size } else { format!("{size} ({})", range(shift.low_ns, shift.high_ns)) }
}

/// Returns the interval of a shift, without a sign if all of it is on one side of zero: `3.40 ms to 4.90 ms`.
pub(super) fn range_of(shift: &QuantileShift) -> String {
    let (low, high) = (shift.low_ns, shift.high_ns);
    if low * high < 0.0 {
        return range(low, high);
    }
    let [least, most] = [low.abs().min(high.abs()), low.abs().max(high.abs())].map(Nanos::from_f64);
    format!("{least} to {most}")
}

/// Returns the size of a shift and on which side it looks later.
pub(super) fn looks(shift: &QuantileShift) -> String {
    let how = match shift.size_ns {
        0.0 => return format!("no difference at {}", shift.figure.name()),
        size if size < 0.0 => "earlier",
        _ => "later",
    };
    format!("B looks {how} at {} by {}", shift.figure.name(), distance(shift))
}

/// Returns the size of a shift without its sign, or the bounds of it.
pub(super) fn distance(shift: &QuantileShift) -> String {
    let shown = |ns: f64| Nanos::from_f64(ns.abs()).to_string();
    match shift.bounds {
        None => shown(shift.size_ns),
        Some(bounds) => {
            let ends = [bounds.low_ns, bounds.high_ns].map(f64::abs);
            format!("{} to {}", shown(ends[0].min(ends[1])), shown(ends[0].max(ends[1])))
        }
    }
}

//! The largest values of both sides.

use super::{CellValues, Values};
use oversleep_figures::buckets;
use oversleep_recording::document::{Bounds, ComparedMaximum};
use oversleep_sys::units::Nanos;

/// Returns the largest values of both sides; `None` if a file does not tell its own.
pub(super) fn compared(a: &[&CellValues], b: &[&CellValues]) -> Option<ComparedMaximum> {
    Some(ComparedMaximum { a: of_side(a)?, b: of_side(b)? })
}

fn of_side(side: &[&CellValues]) -> Option<Bounds> {
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

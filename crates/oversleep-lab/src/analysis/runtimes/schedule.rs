//! Schedules: kept, or re-armed from tick to tick.

use super::points::{Point, Series, mean, median};

/// Least slip of a re-armed schedule, as a share of how much the usual time from tick to tick exceeds the period.
const KEPT: f64 = 0.02;
/// Least slip that counts, in ns.
const LEAST: f64 = 5e3;

/// Returns the sleeps of a schedule in the form for its kind, and whether it is re-armed: the sleeps of a re-armed one
/// start at the tick before, those of a kept one a period before they were due. Other sleeps are returned unchanged.
pub(super) fn settled(series: Vec<Series>) -> (Vec<Series>, bool) {
    let ticks = || series.iter().flat_map(|of| &of.points).filter(|point| point.tick_before.is_some());
    if ticks().next().is_none() {
        return (series, false);
    }
    let slips: Vec<f64> = series.iter().filter_map(slip).collect();
    let interval = |point: &Point| point.end - point.tick_before.unwrap_or(point.start) - point.requested;
    let usual = median(ticks().map(interval).collect());
    let rearmed = slips.iter().filter(|&&slip| slip > LEAST.max(KEPT * usual)).count() * 2 > slips.len();
    (if rearmed { from_ticks(series) } else { series }, rearmed)
}

/// Returns the sleeps of a re-armed schedule, each from the tick before.
pub(super) fn from_ticks(series: Vec<Series>) -> Vec<Series> {
    let from_tick = |point: &Point| Point { start: point.tick_before.unwrap_or(point.start), ..*point };
    let of = |of: Series| Series { points: of.points.iter().map(from_tick).collect(), ..of };
    series.into_iter().map(of).collect()
}

/// Returns by how much lateness against the schedule grows from tick to tick, on average, in ns.
fn slip(series: &Series) -> Option<f64> {
    let mut slips = Vec::new();
    for block in series.points.chunk_by(|a, b| a.turn == b.turn) {
        let (first, last) = (block.first()?, block.last()?);
        if block.len() >= 3 {
            slips.push((last.lateness() - first.lateness()) / (block.len() - 1) as f64);
        }
    }
    (!slips.is_empty()).then(|| median(slips))
}

/// Returns by how much a re-armed period exceeds the duration of its timer, on average, in ns.
///
/// It is the mean and no quantile: lateness adds up from tick to tick, so a schedule of `n` ticks slips by `n` times this,
/// the rare long delays included.
pub(super) fn drift(series: &[Series], duration: impl Fn(&Point) -> f64) -> f64 {
    let of_tick = |point: &Point| point.end - point.start - duration(point);
    mean(series.iter().map(|of| mean(of.points.iter().map(of_tick))))
}

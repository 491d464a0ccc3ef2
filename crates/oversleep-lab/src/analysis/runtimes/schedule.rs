//! Schedules: kept, or re-armed from tick to tick.

use super::points::{Point, Series, mean, median};

/// A schedule that slips by more than this share of its period, or of a period's lateness, is not kept.
const KEPT: f64 = 0.02;
/// The least slip that counts.
const LEAST: f64 = 5e3;

/// Returns the sleeps of a schedule as what they are: those of a re-armed one count from the tick before, those of a kept
/// one from when they were due; and whether it is re-armed. Anything else is returned as it is.
pub(super) fn settled(series: Vec<Series>) -> (Vec<Series>, bool) {
    let ticks = || series.iter().flat_map(|of| &of.points).filter(|point| point.tick_before.is_some());
    if ticks().next().is_none() {
        return (series, false);
    }
    let slips: Vec<f64> = series.iter().filter_map(slip).collect();
    let interval = |point: &Point| point.end - point.tick_before.unwrap_or(point.start) - point.requested;
    let usual = median(ticks().map(interval).collect());
    let rearmed = slips.iter().filter(|&&slip| slip > LEAST.max(KEPT * usual)).count() * 2 > slips.len();
    let from_tick = |point: &Point| Point { start: point.tick_before.unwrap_or(point.start), ..*point };
    let of = |of: Series| Series { points: of.points.iter().map(from_tick).collect(), ..of };
    if rearmed { (series.into_iter().map(of).collect(), true) } else { (series, false) }
}

/// Returns how much later each tick of a block is than the one before it, on average, seen from when they were due.
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

/// Returns how much longer than the duration of its timer a re-armed period is, on average.
pub(super) fn drift(series: &[Series], duration: impl Fn(&Point) -> f64) -> f64 {
    mean(
        series
            .iter()
            .map(|of| median(of.points.iter().map(|point| point.end - point.start - duration(point)).collect())),
    )
}

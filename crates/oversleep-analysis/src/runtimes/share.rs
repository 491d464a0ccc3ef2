//! The runtime's share: the difference between its blocks and those of the native primitive.

use super::points::{Point, RequestSeries, median};
use oversleep_figures::interval::median_difference;
use oversleep_recording::document::runtimes::RuntimeShare;
use oversleep_sys::units::Nanos;

/// Returns how much later this runtime's blocks are than the primitive's nearest in time; `None` with too few blocks.
pub(super) fn share(api: &RequestSeries, native: &RequestSeries) -> Option<RuntimeShare> {
    let (api, native) = (blocks(api), blocks(native));
    let nearest = |at: f64| native.iter().min_by(|(a, _), (b, _)| (a - at).abs().total_cmp(&(b - at).abs()));
    let apart = api.iter().filter_map(|(at, late)| Some(Nanos::from_f64(late - nearest(*at)?.1)));
    let differences: Vec<Nanos> = apart.collect();
    let difference = median_difference(&differences)?;
    Some(RuntimeShare { difference, blocks: differences.len() as u64 })
}

/// Returns when each block began, and its median lateness, in ns. Not the plan's order counts: a runtime that is slow to
/// start comes after the others, and its primitive once more with it.
fn blocks(series: &RequestSeries) -> Vec<(f64, f64)> {
    let blocks = series.points.chunk_by(|a, b| a.turn == b.turn);
    blocks.map(|block| (block[0].start, median(block.iter().map(Point::lateness).collect()))).collect()
}

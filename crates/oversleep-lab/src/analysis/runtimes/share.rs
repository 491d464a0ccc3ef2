//! The runtime's share: the difference between its blocks and those of the native primitive.

use super::points::{Point, Series, median};
use crate::figures::interval::median_apart;
use oversleep_recording::document::runtimes::RuntimeShare;
use oversleep_sys::units::Nanos;

/// Returns how much later this runtime's blocks are than the primitive's nearest in time; `None` with too few blocks.
pub(super) fn share(api: &Series, native: &Series) -> Option<RuntimeShare> {
    let (api, native) = (blocks(api), blocks(native));
    let nearest = |turn: usize| native.iter().min_by_key(|(at, _)| at.abs_diff(turn)).map(|(_, late)| *late);
    let apart = api.iter().filter_map(|(turn, late)| Some(Nanos::from_f64(late - nearest(*turn)?)));
    let differences: Vec<Nanos> = apart.collect();
    let found = median_apart(&differences)?;
    let blocks = differences.len() as u64;
    Some(RuntimeShare { size: found.size, low: found.low, high: found.high, blocks })
}

/// Returns each block's turn and median lateness, in ns.
fn blocks(series: &Series) -> Vec<(usize, f64)> {
    let blocks = series.points.chunk_by(|a, b| a.turn == b.turn);
    blocks.map(|block| (block[0].turn, median(block.iter().map(Point::lateness).collect()))).collect()
}

//! Lateness that is a share of the request: timer slack in proportion, up to a limit.

use super::robust::median;
use super::steady::UsualLateness;

/// Lateness proportional to the request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Lateness as a share of the request: 0.125 is 12.5 %.
    pub ratio: f64,
    /// Half the interval of `ratio`.
    pub error: f64,
    /// The largest lateness of this kind, in ns, where sleeps were long enough to reach it.
    pub cap: Option<f64>,
}

/// Largest error of a share that is determined, as a part of it.
const DETERMINED: f64 = 0.5;
/// Part of the request that comes to its limit by more than this is said to reach it.
const REACHED: f64 = 1.05;

impl Share {
    /// Returns the share of a law that explains these cells, which ascend, as exactly as they keep to it; `None` if they do not
    /// determine it.
    pub(super) fn new(ratio: f64, most: f64, cells: &[UsualLateness]) -> Option<Self> {
        let longest = cells.last().map_or(0.0, |cell| cell.requested);
        let rests: Vec<f64> = cells.iter().map(|cell| cell.late - (ratio * cell.requested).min(most)).collect();
        let middle = median(&rests).unwrap_or(0.0);
        let with = rests.iter().map(|rest| (rest - middle).abs()).fold(1_000.0, f64::max);
        let cap = (ratio * longest > REACHED * most).then_some(most);
        let error = with / longest.max(1.0);
        (error < DETERMINED * ratio).then_some(Self { ratio, error, cap })
    }
}

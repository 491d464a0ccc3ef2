//! True time: signed integer picoseconds, and the conversions into them.

/// A point of true time, or a distance, in picoseconds. The simulated machine lives for [`LIMIT`] of them.
pub(crate) type Ps = i64;

/// Picoseconds in a microsecond.
pub(crate) const PS_PER_US: i64 = 1_000_000;
/// Picoseconds in a second.
pub(crate) const PS_PER_S: i64 = 1_000_000_000_000;
/// 100 days. No simulated time goes beyond; a sleep that would is an outcome of its own.
pub(crate) const LIMIT: Ps = 100 * 86_400 * PS_PER_S;

/// Returns microseconds, possibly fractional, as picoseconds. Saturates.
#[allow(clippy::cast_possible_truncation)] // saturating is what is wanted
pub(crate) fn ps_from_us(us: f64) -> Ps {
    (us * 1e6).round() as Ps
}

/// Returns seconds, possibly fractional, as picoseconds. Saturates.
#[allow(clippy::cast_possible_truncation)] // saturating is what is wanted
pub(crate) fn ps_from_s(s: f64) -> Ps {
    (s * 1e12).round() as Ps
}

//! True time: signed integer picoseconds, and the conversions into them.

/// A point or a distance in true time, in ps. The simulated machine lasts for [`LIMIT`].
pub(crate) type Ps = i64;

/// Picoseconds per microsecond.
pub(crate) const PS_PER_US: i64 = 1_000_000;
/// Picoseconds per second.
pub(crate) const PS_PER_S: i64 = 1_000_000_000_000;
/// 100 days. No simulated time goes beyond; a sleep that would ends its cell.
pub(crate) const LIMIT: Ps = 100 * 86_400 * PS_PER_S;

/// Converts microseconds, possibly fractional, to picoseconds. Saturates.
#[allow(clippy::cast_possible_truncation)] // saturating is what is wanted
pub(crate) fn ps_from_us(us: f64) -> Ps {
    (us * 1e6).round() as Ps
}

/// Converts seconds, possibly fractional, to picoseconds. Saturates.
#[allow(clippy::cast_possible_truncation)] // saturating is what is wanted
pub(crate) fn ps_from_s(s: f64) -> Ps {
    (s * 1e12).round() as Ps
}

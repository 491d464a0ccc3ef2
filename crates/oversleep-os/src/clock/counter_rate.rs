//! The rate of the processor's counter: the stated one, or measured against the monotonic clock.

use oversleep_sys::Refusal;
use oversleep_sys::clock::{counter, monotonic, narrowest};
use oversleep_sys::units::{Hertz, Nanos, gcd};
use std::sync::OnceLock;

/// Length of the measurement.
const WINDOW: Nanos = Nanos::from_millis(5);

/// Returns the rate by which readings are converted to times: nominal, or measured once (5 ms at first use).
///
/// # Errors
/// [`Refusal::Unavailable`] without a counter that runs at one rate; [`Refusal::Failed`] if either clock stood
/// still or went backwards.
pub(super) fn counter_rate() -> Result<Hertz, Refusal> {
    static MEASURED: OnceLock<Result<Hertz, Refusal>> = OnceLock::new();
    let support = counter::support()?;
    if let Some(rate) = counter::nominal() {
        return Ok(rate);
    }
    if !support.invariant {
        return Err(Refusal::Unavailable("the processor's counter changes its rate with power states".to_owned()));
    }
    MEASURED.get_or_init(measure).clone()
}

/// A reading of the counter, and the midpoint of the two readings of the monotonic clock around it.
type Edge = (u64, Nanos);

fn measure() -> Result<Hertz, Refusal> {
    let first = edge();
    std::thread::sleep(WINDOW.to_duration().unwrap_or_default());
    between(first, edge())
        .ok_or_else(|| Refusal::Failed("the processor's counter or the monotonic clock stood still".to_owned()))
}

fn edge() -> Edge {
    let once = || {
        let before = monotonic();
        let ticks = counter::ordered();
        (before, ticks, monotonic().saturating_sub(before))
    };
    let (before, ticks, width) = narrowest(16, once, |reading| reading.2);
    (ticks, Nanos::new(before.get() + width.get() / 2))
}

/// Returns the rate between two edges; `None` if either clock stood still or went backwards.
fn between(first: Edge, last: Edge) -> Option<Hertz> {
    let ticks = u64::try_from(last.0.wrapping_sub(first.0) as i64).ok()?;
    let window = last.1.get().checked_sub(first.1.get()).filter(|&ns| ns > 0)?;
    fraction(u128::from(ticks) * 1_000_000_000, u128::from(window.unsigned_abs()))
}

/// Returns a fraction whose parts are halved until they fit: exact below 7 s at 2.6 GHz, and otherwise off by less than
/// 2^−60.
fn fraction(mut numerator: u128, mut denominator: u128) -> Option<Hertz> {
    let common = gcd(numerator, denominator).max(1);
    numerator /= common;
    denominator /= common;
    while numerator > u128::from(u64::MAX) {
        numerator >>= 1;
        denominator >>= 1;
    }
    Hertz::new(u64::try_from(numerator).ok()?, u64::try_from(denominator).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_counter_is_found_exactly() {
        let at = |ticks, ns| (ticks, Nanos::new(ns));
        assert_eq!(between(at(100, 1_000), at(2_600_100, 1_001_000)), Hertz::new(2_600_000_000, 1));
        // The counter wraps around, and a day's counts exceed 64 bits in nanoseconds.
        let day = 86_400_000_000_000;
        let start = u64::MAX - 5;
        let found = between(at(start, 0), at(start.wrapping_add(86_400 * 2_600_000_001), day)).unwrap();
        assert!((found.as_f64() - 2_600_000_001.0).abs() < 1e-3);
    }

    #[test]
    fn clocks_that_stand_still_are_refused() {
        let at = |ticks, ns| (ticks, Nanos::new(ns));
        assert_eq!(between(at(1, 0), at(1, 1_000)), None);
        assert_eq!(between(at(1, 0), at(9, 0)), None);
        assert_eq!(between(at(9, 0), at(1, 1_000)), None);
        assert_eq!(between(at(9, 1_000), at(19, 0)), None);
    }
}

//! The rate of the counter, measured against the monotonic clock.

use super::{Conversion, ordered, support};
use crate::clock::{monotonic, monotonic_step, narrowest};
use crate::refusal::Refusal;
use crate::units::{Hertz, Nanos, Ppm, gcd};

/// A reading of the counter between two readings of the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Reading of the counter.
    pub ticks: u64,
    /// Midpoint of the two monotonic readings.
    pub monotonic: Nanos,
    /// Distance of the two monotonic readings.
    pub width: Nanos,
    /// Step of the monotonic clock: how far a reading may lie before its time ([`monotonic_step`]).
    pub step: Nanos,
}

impl Edge {
    /// Returns the narrowest of `tries` readings (at least one).
    pub fn read(tries: u32) -> Self {
        narrowest(tries, Self::once, |edge| edge.width)
    }

    fn once() -> Self {
        let before = monotonic();
        let ticks = ordered();
        let width = monotonic().saturating_sub(before);
        Self { ticks, monotonic: Nanos::new(before.get() + width.get() / 2), width, step: monotonic_step() }
    }
}

/// The line from counter to monotonic clock, with a bound on its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    rate: Hertz,
    error: Ppm,
    conversion: Conversion,
    window: Nanos,
}

impl Calibration {
    /// Reads two edges `window` apart and sleeps in between.
    ///
    /// # Errors
    /// [`Refusal::Unavailable`] without a counter that runs at one rate; [`Refusal::Failed`] if either clock stood
    /// still or went backwards.
    pub fn measure(window: Nanos) -> Result<Self, Refusal> {
        if !support()?.invariant {
            return Err(Refusal::Unavailable("the processor's counter changes its rate with power states".to_owned()));
        }
        let first = Edge::read(16);
        std::thread::sleep(window.to_duration().unwrap_or_default());
        Self::between(first, Edge::read(16))
            .ok_or_else(|| Refusal::Failed("the processor's counter or the monotonic clock stood still".to_owned()))
    }

    /// Returns the line through two edges; `None` if either clock stood still or went backwards between them.
    ///
    /// Each edge is wrong by at most half its width plus a step of the monotonic clock, and the counts between the
    /// edges by at most one (16 to 42 ns on 64-bit Arm), so the rate is wrong by at most the sum of these divided by
    /// the distance: a bound, not an estimate. It is relative to the monotonic clock, however that is steered.
    pub fn between(first: Edge, last: Edge) -> Option<Self> {
        let ticks = u64::try_from(last.ticks.wrapping_sub(first.ticks) as i64).ok()?;
        let window = last.monotonic.get().checked_sub(first.monotonic.get()).filter(|&ns| ns > 0)?;
        let rate = fraction(u128::from(ticks) * 1_000_000_000, u128::from(window.unsigned_abs()))?;
        let conversion = Conversion::new(rate, last.ticks, last.monotonic)?;
        let count = window as f64 / ticks as f64;
        let slop =
            f64::midpoint(first.width.as_f64(), last.width.as_f64()) + first.step.as_f64() + last.step.as_f64() + count;
        // Above 10 % the first-order bound needs the exact form e / (1 − e), which is cheap enough to use always.
        let relative = slop / window as f64;
        let error = if relative < 1.0 { relative / (1.0 - relative) } else { f64::INFINITY };
        Some(Self { rate, error: Ppm::new(error * 1e6), conversion, window: Nanos::new(window) })
    }

    /// Returns the rate in ticks per second.
    pub fn rate(&self) -> Hertz {
        self.rate
    }

    /// Returns the bound on the rate's relative error, positive.
    pub fn error(&self) -> Ppm {
        self.error
    }

    /// Returns the line.
    pub fn conversion(&self) -> Conversion {
        self.conversion
    }

    /// Returns the time between the two edges.
    pub fn window(&self) -> Nanos {
        self.window
    }
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

    fn edge(ticks: u64, at: i64, width: i64) -> Edge {
        Edge { ticks, monotonic: Nanos::new(at), width: Nanos::new(width), step: Nanos::new(1) }
    }

    #[test]
    fn a_known_counter_is_found_exactly() {
        let found = Calibration::between(edge(100, 1_000, 48), edge(2_600_100, 1_001_000, 48)).unwrap();
        assert_eq!(Some(found.rate()), Hertz::new(2_600_000_000, 1));
        assert_eq!(found.window(), Nanos::MILLISECOND);
        // 50 ns and a count of 0.38 ns over 1 ms.
        assert!((found.error().get() - 50.3872).abs() < 0.001, "{:?}", found.error());
        assert_eq!(found.conversion().nanos(2_600_100), Nanos::new(1_001_000));
        assert_eq!(found.conversion().nanos(100), Nanos::new(1_000));
    }

    #[test]
    fn long_windows_and_wrapped_counters_are_no_trouble() {
        let day = 86_400_000_000_000_i64;
        let start = u64::MAX - 5;
        let last = edge(start.wrapping_add(86_400 * 2_600_000_001), 1_000 + day, 40);
        let found = Calibration::between(edge(start, 1_000, 40), last).unwrap();
        assert!((found.rate().as_f64() - 2_600_000_001.0).abs() < 1e-3);
        assert!((found.conversion().nanos(start).get() - 1_000).abs() <= 1);
    }

    #[test]
    fn clocks_that_stand_still_are_refused() {
        assert_eq!(Calibration::between(edge(1, 0, 1), edge(1, 1_000, 1)), None);
        assert_eq!(Calibration::between(edge(1, 0, 1), edge(9, 0, 1)), None);
        assert_eq!(Calibration::between(edge(9, 0, 1), edge(1, 1_000, 1)), None);
        assert_eq!(Calibration::between(edge(9, 1_000, 1), edge(19, 0, 1)), None);
    }

    #[test]
    fn a_clock_of_coarse_steps_is_believed_no_further() {
        // 100 ns, as Windows' counter has: each end may be early by a whole step, with equal readings on both sides.
        let coarse = |ticks, at| Edge { step: Nanos::new(100), ..edge(ticks, at, 0) };
        let calibration = Calibration::between(coarse(0, 0), coarse(6_000_000, 2_000_000)).unwrap();
        assert!(calibration.error().get() >= 100.0, "{}", calibration.error());
    }

    #[test]
    fn a_counter_of_coarse_counts_is_believed_no_further() {
        // 25 MHz: a count is 40 ns, and each reading may be almost one count old.
        let calibration = Calibration::between(edge(0, 0, 0), edge(25_000, 1_000_000, 0)).unwrap();
        assert!(calibration.error().get() >= 42.0, "{}", calibration.error());
    }

    #[test]
    fn the_true_line_lies_within_the_stated_error_on_this_machine() {
        let Ok(short) = Calibration::measure(Nanos::from_millis(2)) else {
            println!("skipped: no invariant counter here");
            return;
        };
        let long = Calibration::measure(Nanos::from_millis(40)).unwrap();
        let apart = (short.rate().as_f64() / long.rate().as_f64() - 1.0).abs() * 1e6;
        let allowed = short.error().get() + long.error().get() + 1.0; // the kernel may steer a little in between
        assert!(apart <= allowed, "{apart} ppm apart, {allowed} allowed");
    }
}

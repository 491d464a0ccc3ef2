//! Conversion of ticks to nanoseconds in fixed point.

use crate::units::{Hertz, Nanos};

/// A line from counter to clock: `origin_ns + (ticks − origin_ticks) × multiplier / 2^shift`, rounded down.
///
/// **Nothing here can overflow.** The distance is an `i64` (two readings of a wrapping 64-bit counter, at most half
/// its range apart: 112 years at 2.6 GHz), the multiplier a `u64`; their product is at least −2⁶³ × (2⁶⁴ − 1) > −2¹²⁷
/// and fits into an `i128`. The sum with the origin is formed there too, after the shift, and saturates at the limits
/// of `i64`.
///
/// **Accuracy.** The multiplier has 64 significant bits and is truncated after the last, so it is too low by less than
/// 2^−shift ns per tick. A distance whose nanoseconds fit into an `i64` has |ticks| < 2⁶³ × 2^shift / multiplier
/// ≤ 2^shift, since the multiplier is at least 2⁶³: the total error is below 1 ns, and the result is at most 1 ns from
/// the exact quotient rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    origin_ticks: u64,
    origin: Nanos,
    multiplier: u64,
    shift: u32,
}

impl Conversion {
    /// Returns the line with this rate through this point; `None` for rates outside the range of the fixed point (below
    /// 1 tick in 584 years, or above 2⁶³ per ns).
    pub fn new(rate: Hertz, origin_ticks: u64, origin: Nanos) -> Option<Self> {
        let (multiplier, shift) = nanoseconds_per_tick(rate)?;
        Some(Self { origin_ticks, origin, multiplier, shift })
    }

    /// Returns the clock's time when the counter reads `ticks`, which must be within half the counter's range of the
    /// origin.
    #[inline]
    pub fn nanos(&self, ticks: u64) -> Nanos {
        let distance = ticks.wrapping_sub(self.origin_ticks) as i64;
        let product = i128::from(distance) * i128::from(self.multiplier);
        saturate((product >> self.shift) + i128::from(self.origin.get()))
    }

    /// Returns the counter's reading (rounded down) when the clock reads `time`: for waiting on the counter alone.
    ///
    /// Limited to half the counter's range from the origin. Exact to a tick for distances below 2⁶¹ ns (73 years).
    pub fn to_ticks(&self, time: Nanos) -> u64 {
        let distance = i128::from(time.get()) - i128::from(self.origin.get());
        // The widest shift that stays below 2¹²⁶; the rest of it follows after the division.
        let room = distance.unsigned_abs().leading_zeros().saturating_sub(2);
        let first = self.shift.min(room);
        let quotient = (distance << first).div_euclid(i128::from(self.multiplier));
        let rest = self.shift - first;
        let ticks = if rest < 126 { quotient.checked_mul(1 << rest) } else { None };
        let end = if distance < 0 { i64::MIN } else { i64::MAX };
        self.origin_ticks.wrapping_add_signed(ticks.and_then(|ticks| i64::try_from(ticks).ok()).unwrap_or(end))
    }
}

#[allow(clippy::cast_possible_truncation)] // held in range by `clamp`
fn saturate(ns: i128) -> Nanos {
    Nanos::new(ns.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
}

/// Returns `10⁹ × denominator / numerator` as multiplier / 2^shift with 2⁶³ ≤ multiplier < 2⁶⁴, by long division: one
/// bit of the quotient at a time, with a remainder below the numerator, so below 2⁶⁴.
fn nanoseconds_per_tick(rate: Hertz) -> Option<(u64, u32)> {
    let numerator = u128::from(rate.numerator());
    let dividend = 1_000_000_000 * u128::from(rate.denominator());
    let mut quotient = u64::try_from(dividend / numerator).ok()?;
    let mut remainder = dividend % numerator;
    let mut shift = 0;
    while quotient < 1 << 63 {
        if shift == 126 {
            return None;
        }
        remainder <<= 1;
        let bit = u64::from(remainder >= numerator);
        remainder -= numerator * u128::from(bit);
        quotient = quotient << 1 | bit;
        shift += 1;
    }
    Some((quotient, shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the time rounded down, in exact rational arithmetic; `None` where the numerator exceeds 128 bits.
    fn exact(ticks: i64, rate: Hertz) -> Option<i128> {
        let numerator = i128::from(ticks).checked_mul(1_000_000_000)?.checked_mul(i128::from(rate.denominator()))?;
        Some(numerator.div_euclid(i128::from(rate.numerator())))
    }

    proptest! {
        #[test]
        fn never_more_than_a_nanosecond_from_the_exact_quotient(
            ticks in any::<i64>(), numerator in 1_u64.., denominator in 1_u64..1 << 33,
        ) {
            let rate = Hertz::new(numerator, denominator).unwrap();
            if let (Some(line), Some(exact)) = (Conversion::new(rate, 0, Nanos::ZERO), exact(ticks, rate)) {
                let found = line.nanos(ticks as u64);
                match i64::try_from(exact) {
                    // Truncated towards zero per tick, so a negative distance is converted too late, a positive one too
                    // early.
                    Ok(exact) => prop_assert!((i128::from(found.get()) - i128::from(exact)).abs() <= 1),
                    Err(_) => prop_assert!(found.get().unsigned_abs() >= i64::MAX.unsigned_abs() - 1),
                }
            }
        }

        #[test]
        fn a_usual_counter_is_exact_for_a_century(
            ticks in any::<i64>(), megahertz in 1_u64..6_000, origin in any::<u64>(), at in -1_i64 << 60..1 << 60,
        ) {
            let rate = Hertz::new(megahertz * 1_000_000 + 7, 1).unwrap();
            let line = Conversion::new(rate, origin, Nanos::new(at)).unwrap();
            let found = i128::from(line.nanos(origin.wrapping_add_signed(ticks)).get());
            let wanted = (exact(ticks, rate).unwrap() + i128::from(at)).clamp(i64::MIN.into(), i64::MAX.into());
            prop_assert!((found - wanted).abs() <= 1, "{found} {wanted}");
        }

        #[test]
        fn later_ticks_are_never_earlier_times(
            ticks in any::<i64>(), step in 0_i64..1 << 40, rate in 1_000_u64..10_000_000_000,
        ) {
            let line = Conversion::new(Hertz::new(rate, 1).unwrap(), 0, Nanos::ZERO).unwrap();
            let later = ticks.saturating_add(step);
            prop_assert!(line.nanos(ticks as u64) <= line.nanos(later as u64));
        }

        #[test]
        fn a_deadline_in_ticks_lies_on_the_line(
            time in -1_i64 << 60..1 << 60, origin in any::<u64>(), rate in 1_000_000_u64..6_000_000_000,
        ) {
            let line = Conversion::new(Hertz::new(rate, 1).unwrap(), origin, Nanos::ZERO).unwrap();
            let ticks = line.to_ticks(Nanos::new(time));
            // The tick before is not later than requested, the tick after not earlier (a tick is at most 1 µs here).
            prop_assert!(line.nanos(ticks).get() <= time);
            prop_assert!(line.nanos(ticks.wrapping_add(2)).get() >= time);
        }
    }

    #[test]
    fn the_ends_are_held() {
        let slow = Conversion::new(Hertz::new(1, 18_000_000_000).unwrap(), 0, Nanos::ZERO).unwrap();
        assert_eq!(slow.nanos(i64::MAX as u64), Nanos::MAX);
        assert_eq!(slow.nanos(i64::MIN as u64), Nanos::MIN);
        assert_eq!(Conversion::new(Hertz::new(1, 19_000_000_000).unwrap(), 0, Nanos::ZERO), None);
        let edge = Conversion::new(Hertz::new(2_600_000_000, 1).unwrap(), u64::MAX, Nanos::MAX).unwrap();
        assert_eq!(edge.nanos(26), Nanos::MAX);
        assert_eq!(edge.nanos(u64::MAX - 26).get(), i64::MAX - 10);
    }
}

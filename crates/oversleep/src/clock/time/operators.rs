//! Operators of points in time. They saturate at the ends of the clock's range.

use super::Time;
use crate::Nanos;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::time::Duration;

macro_rules! spans {
    ($($span:ty),+) => {$(
        impl<C> Add<$span> for Time<C> {
            type Output = Self;

            /// Returns the point a span later; the end of the clock's range beyond that.
            fn add(self, span: $span) -> Self {
                self.saturating_add(span)
            }
        }

        impl<C> Sub<$span> for Time<C> {
            type Output = Self;

            /// Returns the point a span earlier; the end of the clock's range beyond that.
            fn sub(self, span: $span) -> Self {
                self.saturating_sub(span)
            }
        }

        impl<C> AddAssign<$span> for Time<C> {
            fn add_assign(&mut self, span: $span) {
                *self = *self + span;
            }
        }

        impl<C> SubAssign<$span> for Time<C> {
            fn sub_assign(&mut self, span: $span) {
                *self = *self - span;
            }
        }
    )+};
}

spans!(Nanos, Duration);

impl<C> Sub for Time<C> {
    type Output = Nanos;

    /// Returns the time since `earlier`, negative if that is later; limited to ±292 years.
    fn sub(self, earlier: Self) -> Nanos {
        self.saturating_since(earlier)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::Moment;
    use proptest::prelude::*;

    fn at(ns: i64) -> Moment {
        Moment::from_nanos(Nanos::new(ns))
    }

    #[test]
    fn results_beyond_the_range_are_its_ends() {
        assert_eq!(at(100) + Duration::MAX, Moment::MAX);
        assert_eq!(at(-100) - Duration::MAX, at(-100) - Nanos::MAX);
        assert_eq!(
            [at(1) + Nanos::MAX, at(1) - Nanos::MIN, at(-2) - Nanos::MAX],
            [at(i64::MAX), at(i64::MAX), at(i64::MIN)]
        );
        assert_eq!([at(0) - at(i64::MIN), at(-2) - at(i64::MAX)], [Nanos::MAX, Nanos::MIN]);
    }

    proptest! {
        #[test]
        fn a_span_added_and_subtracted_is_the_distance(start in -(1_i64 << 61)..1 << 61, span in 0_i64..1 << 61) {
            let (duration, nanos) = (Duration::from_nanos(span.unsigned_abs()), Nanos::new(span));
            let start = at(start);
            prop_assert_eq!((start + duration, start - duration), (start + nanos, start - nanos));
            prop_assert_eq!((start + nanos) - start, nanos);
            prop_assert_eq!(start + nanos - nanos, start);
            let mut moved = start;
            moved += duration;
            moved -= nanos;
            moved -= duration;
            moved += nanos;
            prop_assert_eq!(moved, start);
        }
    }
}

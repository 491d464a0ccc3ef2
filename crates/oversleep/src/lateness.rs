//! How late a wait ended.

use crate::Nanos;
use crate::clock::Time;
use std::cmp::Ordering;
use std::fmt;
use std::num::TryFromIntError;
use std::time::Duration;

/// The time at which a wait ended minus the time at which it should have ended, in ns; positive when late.
///
/// Negative only where the caller allowed it; nothing in this crate wakes early otherwise. It can be compared with times:
///
/// ```
/// use std::time::Duration;
///
/// let lateness = oversleep::sleep(Duration::from_micros(100));
/// if lateness > Duration::from_millis(1) {
///     println!("{lateness}");
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Lateness(Nanos);

impl Lateness {
    /// Returns the lateness of a wait for `deadline` that ended at `end`.
    pub const fn between<C>(deadline: Time<C>, end: Time<C>) -> Self {
        Self(end.saturating_since(deadline))
    }

    /// Returns the lateness in ns, negative when early.
    pub const fn nanos(self) -> Nanos {
        self.0
    }

    /// Returns whether the wait ended more than `tolerance` after its deadline.
    pub fn exceeds(self, tolerance: impl Into<Nanos>) -> bool {
        self.0 > tolerance.into()
    }
}

impl From<Lateness> for Nanos {
    fn from(lateness: Lateness) -> Self {
        lateness.0
    }
}

impl TryFrom<Lateness> for Duration {
    type Error = TryFromIntError;

    /// Exact; an error for a wait that ended early.
    fn try_from(lateness: Lateness) -> Result<Self, TryFromIntError> {
        lateness.0.try_into()
    }
}

macro_rules! compared_with {
    ($($span:ty),+) => {$(
        impl PartialEq<$span> for Lateness {
            fn eq(&self, span: &$span) -> bool {
                self.0 == *span
            }
        }

        impl PartialOrd<$span> for Lateness {
            fn partial_cmp(&self, span: &$span) -> Option<Ordering> {
                self.0.partial_cmp(span)
            }
        }

        impl PartialEq<Lateness> for $span {
            fn eq(&self, lateness: &Lateness) -> bool {
                *self == lateness.0
            }
        }

        impl PartialOrd<Lateness> for $span {
            fn partial_cmp(&self, lateness: &Lateness) -> Option<Ordering> {
                self.partial_cmp(&lateness.0)
            }
        }
    )+};
}

compared_with!(Nanos, Duration);

impl fmt::Display for Lateness {
    /// Writes the lateness for users: `120 ns late`, `on time`, `3.00 µs early`. A width and an alignment are heeded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.0.get() {
            0 => "on time".to_owned(),
            1.. => format!("{} late", self.0),
            _ => format!("{} early", self.0.saturating_abs()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_signed_and_saturates() {
        let moment = |ns| crate::Moment::from_nanos(Nanos::new(ns));
        assert_eq!(Lateness::between(moment(100), moment(130)).nanos(), Nanos::new(30));
        assert_eq!(Lateness::between(moment(100), moment(70)).nanos(), Nanos::new(-30));
        assert_eq!(Lateness::between(moment(i64::MIN), moment(i64::MAX)).nanos(), Nanos::MAX);
        assert!(Lateness::between(moment(100), moment(130)).exceeds(Nanos::new(29)));
        assert!(!Lateness::between(moment(100), moment(130)).exceeds(Nanos::new(30)));
        assert_eq!(Lateness::between(moment(0), moment(0)).to_string(), "on time");
        assert_eq!(Lateness::between(moment(0), moment(120)).to_string(), "120 ns late");
        assert_eq!(Lateness::between(moment(3_000), moment(0)).to_string(), "3.00 µs early");
        assert_eq!(format!("{:>13}|", Lateness::between(moment(0), moment(120))), "  120 ns late|");
    }

    #[test]
    fn lateness_is_compared_with_times_and_becomes_one() {
        let moment = |ns| crate::Moment::from_nanos(Nanos::new(ns));
        let (late, early) = (Lateness::between(moment(100), moment(130)), Lateness::between(moment(100), moment(99)));
        let ns = Duration::from_nanos;
        assert!(late == ns(30) && ns(30) == late && late > ns(29) && ns(31) > late);
        assert_eq!(late, Nanos::new(30));
        assert_eq!(Nanos::new(30), late);
        assert!(early < Nanos::ZERO);
        assert!(Nanos::ZERO > early);
        assert!(early < Duration::ZERO && early != ns(1));
        assert_eq!(Duration::try_from(late), Ok(ns(30)));
        assert!(Duration::try_from(early).is_err());
        assert_eq!(Nanos::from(early), Nanos::new(-1));
    }
}

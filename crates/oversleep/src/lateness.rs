//! How late a wait ended.

use crate::{Nanos, Time};
use std::fmt;

/// The time at which a wait ended minus the time at which it should have ended, in ns; positive when late.
///
/// Negative only where the caller allowed it; nothing in this crate wakes early otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[must_use = "how late a wait ended is the only sign of a machine that cannot keep up"]
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

impl fmt::Display for Lateness {
    /// Writes the lateness for users: `120 ns late`, `on time`, `3.00 µs early`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get() {
            0 => f.write_str("on time"),
            1.. => write!(f, "{} late", self.0),
            _ => write!(f, "{} early", self.0.saturating_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_signed_and_saturates() {
        let at = |ns| crate::Moment::from_nanos(Nanos::new(ns));
        assert_eq!(Lateness::between(at(100), at(130)).nanos(), Nanos::new(30));
        assert_eq!(Lateness::between(at(100), at(70)).nanos(), Nanos::new(-30));
        assert_eq!(Lateness::between(at(i64::MIN), at(i64::MAX)).nanos(), Nanos::MAX);
        assert!(Lateness::between(at(100), at(130)).exceeds(Nanos::new(29)));
        assert!(!Lateness::between(at(100), at(130)).exceeds(Nanos::new(30)));
        assert_eq!(Lateness::between(at(0), at(0)).to_string(), "on time");
        assert_eq!(Lateness::between(at(0), at(120)).to_string(), "120 ns late");
        assert_eq!(Lateness::between(at(3_000), at(0)).to_string(), "3.00 µs early");
    }
}

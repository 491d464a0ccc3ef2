//! Requests of sleeps.

use oversleep_recording::catalog::TimerClock;
use oversleep_sys::clock::{self, Reader};
use oversleep_sys::units::Nanos;

/// When to wake.
///
/// A method takes the form that its row's mode names. The other form is converted when the method is prepared, by
/// reading the method's clock, which then adds the time between preparing and waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// After this duration. For methods whose row says relative, periodic or yield. Negative counts as zero.
    For(Nanos),
    /// At this time on the clock of the method's row. For methods whose row says absolute.
    Until(Nanos),
}

impl Request {
    /// Returns how long to wait, never negative; a deadline is converted with the current time of `clock`.
    pub fn duration(self, clock: TimerClock) -> Nanos {
        match self {
            Self::For(duration) => duration,
            Self::Until(deadline) => deadline.saturating_sub(now(clock)),
        }
        .max(Nanos::ZERO)
    }

    /// Returns when to wake, never before the clock's zero; a duration is converted with the current time of `clock`.
    pub fn deadline(self, clock: TimerClock) -> Nanos {
        match self {
            Self::For(duration) => now(clock).saturating_add(duration.max(Nanos::ZERO)),
            Self::Until(deadline) => deadline,
        }
        .max(Nanos::ZERO)
    }
}

fn now(clock: TimerClock) -> Nanos {
    Reader::for_timer(clock).map_or_else(clock::monotonic, Reader::now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_asked_for_passes_unchanged() {
        let clock = TimerClock::Monotonic;
        assert_eq!(Request::For(Nanos::new(7)).duration(clock), Nanos::new(7));
        assert_eq!(Request::Until(Nanos::new(7)).deadline(clock), Nanos::new(7));
        assert_eq!(Request::For(Nanos::MIN).duration(clock), Nanos::ZERO);
        assert_eq!(Request::Until(Nanos::MIN).deadline(clock), Nanos::ZERO);
    }

    #[test]
    fn the_other_form_is_converted_and_saturates() {
        let clock = TimerClock::Monotonic;
        assert_eq!(Request::Until(Nanos::ZERO).duration(clock), Nanos::ZERO);
        assert_eq!(Request::For(Nanos::MAX).deadline(clock), Nanos::MAX);
        let before = clock::monotonic();
        let deadline = Request::For(Nanos::SECOND).deadline(clock);
        assert!(deadline >= before + Nanos::SECOND);
        assert!(Request::Until(deadline).duration(clock) <= deadline - before);
    }
}

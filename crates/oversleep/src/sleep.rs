//! Sleeping without a sleeper: one absolute sleep of the kernel, which returns its lateness.

use crate::machine::{Machine, ThisMachine};
use crate::{Clock, Lateness, Moment, Nanos, Time};
use oversleep_sys::wait;

/// Sleeps for a duration, in one absolute wait of the kernel with the least slack that it allows.
///
/// Signals do not shorten the sleep. Zero or negative: returns at once. For sleeps that end on time, see
/// [`Sleeper`](crate::Sleeper).
///
/// ```
/// use std::time::Duration;
///
/// let lateness = oversleep::sleep_for(Duration::from_micros(200));
/// println!("{lateness}"); // "31.4 µs late"
/// # assert!(lateness.nanos() >= oversleep::Nanos::ZERO);
/// ```
pub fn sleep_for(duration: impl Into<Nanos>) -> Lateness {
    sleep_until(crate::now().saturating_add(duration.into().max(Nanos::ZERO)))
}

/// Sleeps until the monotonic clock ([`now`](crate::now)) reads `deadline`; otherwise like [`sleep_for`].
pub fn sleep_until(deadline: impl Into<Moment>) -> Lateness {
    let deadline = deadline.into();
    ThisMachine.sleep_until_tight(deadline);
    Lateness::between(deadline, crate::now())
}

/// Sleeps until a clock reads `deadline` or later. Returns `None`, without waiting, where the system lacks the clock.
///
/// The wall clock can be set during the sleep: the lateness is computed from the clock at the end, and is large after a
/// step forward. Linux, the BSDs and illumos end the wait at the step; macOS and Windows within a second of it.
///
/// ```
/// use oversleep::{Nanos, sleep_until_on, wall_now};
///
/// let soon = wall_now().saturating_add(Nanos::from_micros(100));
/// let lateness = sleep_until_on(soon).unwrap();
/// # let _ = lateness;
/// ```
pub fn sleep_until_on<C: Clock>(deadline: Time<C>) -> Option<Lateness> {
    if !wait::with_least_slack(|| wait::until_on(Time::<C>::TIMER, deadline.as_nanos())) {
        return None;
    }
    Time::now().map(|now| Lateness::between(deadline, now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atomic, Boot, Monotonic, Wall};

    #[test]
    fn past_zero_and_negative_return_at_once_and_tell() {
        for deadline in [Nanos::ZERO, Nanos::MIN] {
            assert!(sleep_until(Moment::from_nanos(deadline)).nanos() > Nanos::ZERO);
        }
        assert!(sleep_for(Nanos::ZERO).nanos() >= Nanos::ZERO);
        assert!(sleep_for(Nanos::new(-5)).nanos() >= Nanos::ZERO);
        assert!(sleep_for(std::time::Duration::ZERO).nanos() >= Nanos::ZERO);
    }

    #[test]
    fn an_instant_of_the_standard_library_is_a_deadline() {
        let instant = std::time::Instant::now() + std::time::Duration::from_micros(300);
        assert!(sleep_until(instant).nanos() >= Nanos::ZERO);
        assert!(std::time::Instant::now() >= instant);
    }

    fn goes_on_for_as_long_as_asked<C: Clock>() {
        let Some(before) = Time::<C>::now() else {
            return assert_eq!(sleep_until_on(Time::<C>::from_nanos(Nanos::ZERO)), None);
        };
        let deadline = before.saturating_add(Nanos::from_micros(300));
        let lateness = sleep_until_on(deadline).unwrap();
        // Nobody sets the clock meanwhile.
        assert!(lateness.nanos() >= Nanos::ZERO && Time::<C>::now().unwrap() >= deadline, "{before:?} {lateness}");
    }

    #[test]
    fn every_clock_goes_on_for_as_long_as_asked() {
        goes_on_for_as_long_as_asked::<Monotonic>();
        goes_on_for_as_long_as_asked::<Wall>();
        goes_on_for_as_long_as_asked::<Boot>();
        goes_on_for_as_long_as_asked::<Atomic>();
    }
}

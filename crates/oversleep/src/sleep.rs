//! Sleeping without a sleeper: one absolute kernel sleep, told how late.

use crate::Lateness;
use crate::Nanos;
use oversleep_sys::{
    clock::{Reader, TimerClock},
    wait,
};

/// Sleeps for a duration: one absolute wait of the kernel, with the least slack it grants.
///
/// Signals do not shorten it. Zero or negative: returns at once. For sleeps on time, see
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

/// Sleeps until the monotonic clock ([`now`](crate::now)) reads `deadline`; the same otherwise.
pub fn sleep_until(deadline: Nanos) -> Lateness {
    wait::with_least_slack(|| wait::until(deadline));
    Lateness::between(deadline, crate::now())
}

/// A clock that can be slept on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SleepClock {
    /// [`now`](crate::now): never set back.
    Monotonic,
    /// The wall clock, since 1970. A wait ends when the clock shows the time, also if it was set meanwhile.
    Wall,
    /// Time since boot with suspensions counted. Linux.
    Boot,
    /// Atomic time since 1970: the wall clock without leap seconds, where the system knows how many there were. Linux.
    Atomic,
}

impl SleepClock {
    fn timer(self) -> TimerClock {
        match self {
            Self::Monotonic => TimerClock::Monotonic,
            Self::Wall => TimerClock::Realtime,
            Self::Boot => TimerClock::Boottime,
            Self::Atomic => TimerClock::Tai,
        }
    }

    /// What it reads; `None` where the system lacks it.
    pub fn now(self) -> Option<Nanos> {
        Reader::of(self.timer()).map(Reader::now)
    }

    /// Sleeps until it has gone on for a duration. `None`, without waiting, where the system lacks it.
    ///
    /// On the wall clock that is until it shows its present time plus the duration, however it is set meanwhile.
    pub fn sleep_for(self, duration: impl Into<Nanos>) -> Option<Lateness> {
        self.sleep_until(self.now()?.saturating_add(duration.into().max(Nanos::ZERO)))
    }

    /// Sleeps until it reads `deadline` or later. `None`, without waiting, where the system lacks it.
    ///
    /// The wall clock can be set while this sleeps: the lateness is what it shows then, and is large after a step
    /// forward. Linux, the BSDs and illumos end the wait at the step; macOS and Windows within a second of it.
    ///
    /// ```
    /// use oversleep::{Nanos, SleepClock};
    ///
    /// let soon = SleepClock::Wall.now().unwrap() + Nanos::from_micros(100);
    /// let lateness = SleepClock::Wall.sleep_until(soon).unwrap();
    /// # let _ = lateness;
    /// ```
    pub fn sleep_until(self, deadline: Nanos) -> Option<Lateness> {
        let timer = self.timer();
        if !wait::with_least_slack(|| wait::until_on(timer, deadline)) {
            return None;
        }
        self.now().map(|now| Lateness::between(deadline, now))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn past_zero_and_negative_return_at_once_and_tell() {
        assert!(sleep_until(Nanos::ZERO).nanos() > Nanos::ZERO);
        assert!(sleep_until(Nanos::MIN).nanos() > Nanos::ZERO);
        assert!(sleep_for(Nanos::ZERO).nanos() >= Nanos::ZERO);
        assert!(sleep_for(Nanos::new(-5)).nanos() >= Nanos::ZERO);
        assert!(sleep_for(std::time::Duration::ZERO).nanos() >= Nanos::ZERO);
    }

    #[test]
    fn every_clock_goes_on_for_as_long_as_asked() {
        for clock in [SleepClock::Monotonic, SleepClock::Wall, SleepClock::Boot, SleepClock::Atomic] {
            let Some(before) = clock.now() else {
                assert_eq!(clock.sleep_for(Nanos::MICROSECOND), None);
                continue;
            };
            let lateness = clock.sleep_for(Nanos::from_micros(300)).unwrap();
            // Nobody sets the clock meanwhile.
            let passed = clock.now().unwrap() - before;
            assert!(lateness.nanos() >= Nanos::ZERO && passed >= Nanos::from_micros(300), "{clock:?} {passed}");
            assert!(clock.sleep_for(Nanos::new(-5)).unwrap().nanos() >= Nanos::ZERO);
        }
    }
}

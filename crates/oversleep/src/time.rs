//! Points in time, each on its own clock.

use crate::Nanos;
use oversleep_sys::clock::{Reader, TimerClock};
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, Instant, SystemTime};

/// A clock that can be slept on. Its types are names: there is nothing of them at run time.
pub trait Clock: sealed::Clock + Copy + Ord + fmt::Debug + 'static {}

mod sealed {
    use oversleep_sys::clock::TimerClock;

    pub trait Clock {
        const TIMER: TimerClock;
    }
}

macro_rules! clocks {
    ($($(#[$about:meta])+ $name:ident is $timer:ident;)+) => {$(
        $(#[$about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {}

        impl sealed::Clock for $name {
            const TIMER: TimerClock = TimerClock::$timer;
        }

        impl Clock for $name {}
    )+};
}

clocks! {
    /// The monotonic clock: never set back, steered in rate only. What every sleeper, ticker and pacer waits on.
    Monotonic is Monotonic;
    /// The wall clock, since 1970. It can be set.
    Wall is Realtime;
    /// Time since boot with suspensions counted. Linux.
    Boot is Boottime;
    /// Atomic time since 1970: the wall clock without leap seconds, where the system knows how many there were. Linux.
    Atomic is Tai;
}

/// A point in time on a clock, to the nanosecond. Points of different clocks do not mix, nor do points and spans:
///
/// ```compile_fail,E0277
/// let wall = oversleep::wall_now();
/// oversleep::sleep_until(wall); // waits on the monotonic clock
/// ```
///
/// ```compile_fail,E0277
/// use oversleep::{Nanos, Sleeper};
///
/// Sleeper::new().sleep_until(Nanos::from_millis(1)); // a span; sleep_for takes those
/// ```
///
/// ```
/// use oversleep::Nanos;
/// use std::time::Duration;
///
/// let start = oversleep::now();
/// let deadline = start.saturating_add(Duration::from_micros(200));
/// oversleep::sleep_until(deadline);
/// assert!(oversleep::now().saturating_since(start) >= Nanos::from_micros(200));
/// ```
///
/// [`std::time::Instant`] is taken wherever a point on the monotonic clock is, and [`std::time::SystemTime`] where one on
/// the wall clock is. Everything that can leave the clock's range of 292 years before and after its beginning says in its
/// name what it does then.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time<C> {
    nanos: Nanos,
    clock: PhantomData<C>,
}

// Whatever the clock is: derived, these would ask it to be the same.
impl<C> Clone for Time<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Time<C> {}

/// A point in time on the monotonic clock.
pub type Moment = Time<Monotonic>;
/// A point in time on the wall clock.
pub type WallTime = Time<Wall>;

impl<C> Time<C> {
    /// The last point of the clock's range: never.
    pub const MAX: Self = Self::from_nanos(Nanos::MAX);

    /// Returns the point so long after the clock's beginning.
    pub const fn from_nanos(nanos: Nanos) -> Self {
        Self { nanos, clock: PhantomData }
    }

    /// Returns the time since the clock's beginning.
    pub const fn as_nanos(self) -> Nanos {
        self.nanos
    }

    /// Returns the point a span later, held at the ends of the clock's range: a deadline beyond it is never.
    pub fn saturating_add(self, span: impl Into<Nanos>) -> Self {
        Self::from_nanos(self.nanos.saturating_add(span.into()))
    }

    /// Returns the point a span earlier, held at the ends of the clock's range.
    pub fn saturating_sub(self, span: impl Into<Nanos>) -> Self {
        Self::from_nanos(self.nanos.saturating_sub(span.into()))
    }

    /// Returns the point a span later; `None` beyond the clock's range.
    pub fn checked_add(self, span: impl Into<Nanos>) -> Option<Self> {
        self.nanos.checked_add(span.into()).map(Self::from_nanos)
    }

    /// Returns the time since an earlier point, negative since a later one; held at ±292 years.
    pub const fn saturating_since(self, earlier: Self) -> Nanos {
        self.nanos.saturating_sub(earlier.nanos)
    }
}

impl<C: Clock> Time<C> {
    /// Returns what the clock reads; `None` where the system lacks it, which it never does the monotonic and the wall
    /// clock.
    pub fn now() -> Option<Self> {
        Reader::of(C::TIMER).map(|reader| Self::from_nanos(reader.now()))
    }

    pub(crate) const TIMER: TimerClock = C::TIMER;
}

impl Time<Monotonic> {
    /// Returns the point as the standard library's: at most as long after it as reading two clocks takes, some 50 ns, and
    /// never before it. `None` where [`Instant`] cannot say it.
    pub fn to_instant(self) -> Option<Instant> {
        let now = crate::now();
        // Read later, so that what lies ahead lies no less far ahead.
        let instant = Instant::now();
        let ahead = self.saturating_since(now);
        match ahead.to_duration() {
            Some(ahead) => instant.checked_add(ahead),
            None => instant.checked_sub(Duration::from_nanos(ahead.get().unsigned_abs())),
        }
    }
}

impl From<Instant> for Time<Monotonic> {
    /// At most as long after the instant as reading two clocks takes, some 50 ns, and never before it.
    fn from(instant: Instant) -> Self {
        let now = Instant::now();
        let here = crate::now();
        match instant.checked_duration_since(now) {
            Some(ahead) => here.saturating_add(ahead),
            None => here.saturating_sub(now.saturating_duration_since(instant)),
        }
    }
}

impl From<SystemTime> for Time<Wall> {
    /// Exact, held at the ends of the range (1677 and 2262).
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self::from_nanos(Nanos::from(since)),
            Err(before) => Self::from_nanos(Nanos::ZERO.saturating_sub(Nanos::from(before.duration()))),
        }
    }
}

impl From<Time<Wall>> for SystemTime {
    /// Exact, but for Windows, which counts in steps of 100 ns.
    fn from(time: Time<Wall>) -> Self {
        let nanos = time.nanos.get();
        let since = Duration::from_nanos(nanos.unsigned_abs());
        if nanos < 0 { Self::UNIX_EPOCH - since } else { Self::UNIX_EPOCH + since }
    }
}

impl<C> fmt::Debug for Time<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = std::any::type_name::<C>();
        write!(f, "{} {:#}", clock.rsplit("::").next().unwrap_or(clock), self.nanos)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn points_and_spans_are_held_at_the_ends_of_the_range() {
        let start = Moment::from_nanos(Nanos::new(100));
        assert_eq!(start.saturating_add(Duration::MAX), Moment::MAX);
        assert_eq!(start.checked_add(Nanos::MAX), None);
        assert_eq!(start.saturating_sub(Nanos::new(40)).as_nanos(), Nanos::new(60));
        assert_eq!(start.saturating_since(Moment::from_nanos(Nanos::MIN)), Nanos::MAX);
        assert_eq!(start.saturating_since(Moment::from_nanos(Nanos::new(130))), Nanos::new(-30));
        assert_eq!(format!("{start:?}"), "Monotonic 100 ns");
    }

    #[test]
    fn an_instant_there_and_back_is_never_earlier() {
        for ahead in [Duration::ZERO, Duration::from_millis(1), Duration::from_secs(3_600)] {
            let instant = Instant::now() + ahead;
            let back = Moment::from(instant).to_instant().unwrap();
            assert!(back >= instant);
            let earlier = Instant::now();
            let moment = Moment::from(earlier);
            assert!(moment.to_instant().unwrap() >= earlier);
        }
    }

    #[test]
    fn the_wall_clock_is_the_standard_library_s() {
        for ns in [0, 1_700_000_000_123_456_700, -500, i64::MAX / 100 * 100] {
            let time = WallTime::from_nanos(Nanos::new(ns));
            assert_eq!(WallTime::from(SystemTime::from(time)), time);
        }
        let (before, here, after) = (SystemTime::now(), crate::wall_now(), SystemTime::now());
        // Nobody sets the clock meanwhile.
        assert!(WallTime::from(before) <= here && here <= WallTime::from(after));
    }

    #[test]
    fn every_clock_has_its_own_now() {
        assert!(Moment::now().is_some() && WallTime::now().is_some());
        assert_eq!(Time::<Boot>::now().is_some(), Reader::of(TimerClock::Boottime).is_some());
    }
}

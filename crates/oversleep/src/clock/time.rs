//! Points in time, each on a particular clock.

mod instant;
mod operators;

use crate::Nanos;
use oversleep_sys::clock::{Reader, TimerClock};
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, SystemTime};

/// A clock on which threads can sleep. Its types are markers only, without any data.
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
    /// Monotonic clock: never set back, steered in rate only. Every sleeper, ticker and pacer waits on it.
    Monotonic is Monotonic;
    /// Wall clock, since 1970. It can be set.
    Wall is Realtime;
    /// Time since boot, including suspensions. Linux.
    Boot is Boottime;
    /// Atomic time since 1970: the wall clock without leap seconds, where the system knows their number. Linux.
    Atomic is Tai;
}

/// A point in time on a clock, to the nanosecond. Points on different clocks have different types, and so have points
/// and spans:
///
/// ```compile_fail,E0277
/// let wall = oversleep::clock::wall_now();
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
/// use std::time::Duration;
///
/// let start = oversleep::now();
/// oversleep::sleep_until(start + Duration::from_micros(200));
/// assert!(oversleep::now() - start >= Duration::from_micros(200));
/// ```
///
/// [`std::time::Instant`] is accepted wherever a point on the monotonic clock is, and [`std::time::SystemTime`] where
/// one on the wall clock is.
///
/// The operators saturate: a result beyond the clock's range, 292 years before and after its beginning, is the end of
/// that range. A deadline there is never reached, rather than long past. [`checked_add`](Self::checked_add) and
/// [`checked_sub`](Self::checked_sub) say when that happens.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time<C> {
    nanos: Nanos,
    clock: PhantomData<C>,
}

// For any clock: derived, these would require the clock to implement the same traits.
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

/// Ten years: a deadline on the monotonic clock that is farther ahead is a time of another clock, for example since
/// 1970, 56 years ahead in 2026. The interfaces of C and Python, where times are plain numbers, refuse it; here the types
/// keep clocks apart.
pub const FARTHEST_DEADLINE: Nanos = Nanos::from_secs(10 * 31_557_600);

impl<C> Time<C> {
    /// Last point of the clock's range: never.
    pub const MAX: Self = Self::from_nanos(Nanos::MAX);

    /// Returns the point at this time after the clock's beginning.
    pub const fn from_nanos(nanos: Nanos) -> Self {
        Self { nanos, clock: PhantomData }
    }

    /// Returns the time since the clock's beginning.
    pub const fn as_nanos(self) -> Nanos {
        self.nanos
    }

    /// Returns the point a span later, limited to the clock's range: a deadline beyond it is never reached.
    pub fn saturating_add(self, span: impl Into<Nanos>) -> Self {
        Self::from_nanos(self.nanos.saturating_add(span.into()))
    }

    /// Returns the point a span earlier, limited to the clock's range.
    pub fn saturating_sub(self, span: impl Into<Nanos>) -> Self {
        Self::from_nanos(self.nanos.saturating_sub(span.into()))
    }

    /// Returns the point a span later; `None` beyond the clock's range.
    pub fn checked_add(self, span: impl Into<Nanos>) -> Option<Self> {
        self.nanos.checked_add(span.into()).map(Self::from_nanos)
    }

    /// Returns the point a span earlier; `None` beyond the clock's range.
    pub fn checked_sub(self, span: impl Into<Nanos>) -> Option<Self> {
        self.nanos.checked_sub(span.into()).map(Self::from_nanos)
    }

    /// Returns the time since `earlier`, negative if that is later; limited to ±292 years.
    pub const fn saturating_since(self, earlier: Self) -> Nanos {
        self.nanos.saturating_sub(earlier.nanos)
    }
}

impl<C: Clock> Time<C> {
    /// Returns the clock's current time; `None` where the system lacks the clock. No system lacks the monotonic or the
    /// wall clock.
    pub fn now() -> Option<Self> {
        Reader::for_timer(C::TIMER).map(|reader| Self::from_nanos(reader.now()))
    }

    pub(crate) const TIMER: TimerClock = C::TIMER;
}

impl From<SystemTime> for Time<Wall> {
    /// Exact, limited to the clock's range (1677 to 2262).
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self::from_nanos(Nanos::from(since)),
            Err(before) => Self::from_nanos(Nanos::ZERO.saturating_sub(Nanos::from(before.duration()))),
        }
    }
}

impl From<Time<Wall>> for SystemTime {
    /// Exact, except on Windows, which counts in steps of 100 ns.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_spans_are_held_at_the_ends_of_the_range() {
        let start = Moment::from_nanos(Nanos::new(100));
        assert_eq!(start.saturating_add(Duration::MAX), Moment::MAX);
        assert_eq!(start.checked_add(Nanos::MAX), None);
        assert_eq!(start.checked_sub(Nanos::MIN), None);
        assert_eq!(start.checked_sub(Nanos::new(40)), Some(Moment::from_nanos(Nanos::new(60))));
        assert_eq!(start.saturating_sub(Nanos::new(40)).as_nanos(), Nanos::new(60));
        assert_eq!(start.saturating_since(Moment::from_nanos(Nanos::MIN)), Nanos::MAX);
        assert_eq!(start.saturating_since(Moment::from_nanos(Nanos::new(130))), Nanos::new(-30));
        assert_eq!(format!("{start:?}"), "Monotonic 100 ns");
    }

    #[test]
    fn the_wall_clock_is_the_standard_library_s() {
        for ns in [0, 1_700_000_000_123_456_700, -500, i64::MAX / 100 * 100] {
            let time = WallTime::from_nanos(Nanos::new(ns));
            assert_eq!(WallTime::from(SystemTime::from(time)), time);
        }
        let (before, here, after) = (SystemTime::now(), super::super::wall_now(), SystemTime::now());
        // Nobody sets the clock meanwhile.
        assert!(WallTime::from(before) <= here && here <= WallTime::from(after));
    }

    #[test]
    fn every_clock_has_its_own_now() {
        assert!(Moment::now().is_some() && WallTime::now().is_some());
        assert_eq!(Time::<Boot>::now().is_some(), Reader::for_timer(TimerClock::Boottime).is_some());
    }
}

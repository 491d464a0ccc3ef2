//! The clocks that sleeps are timed with, read directly.
//!
//! [`monotonic`] and [`realtime`] are the system's; a [`Reader`] reads the clock on which a timer runs; [`counter`] is the
//! processor's own. Clocks that are only measured are in `oversleep-os`.

pub mod counter;
mod timer;

#[cfg(unix)]
pub mod unix;
#[cfg(windows)]
pub mod windows;

#[cfg(unix)]
use unix as here;
#[cfg(windows)]
use windows as here;

pub use timer::TimerClock;

use crate::units::Nanos;

/// Returns the time since a fixed point in the past: never set back, steered in rate only.
#[inline]
pub fn monotonic() -> Nanos {
    here::monotonic()
}

/// Returns how far a reading of [`monotonic`] may lie before its time: the step of the clock behind
/// it, at least 1 ns.
pub fn monotonic_step() -> Nanos {
    here::monotonic_step()
}

/// Returns the wall-clock time since 1970, UTC.
#[inline]
pub fn realtime() -> Nanos {
    here::realtime()
}

/// Returns the calling thread's processor time; `None` where the system counts it too coarsely.
#[inline]
pub fn thread_processor_time() -> Option<Nanos> {
    here::thread_processor_time()
}

/// A clock chosen at run time, resolved once so that reading it needs one call.
#[derive(Debug, Clone, Copy)]
pub struct Reader(here::Reader);

impl Reader {
    /// Returns a reader of the clock that a timer of this kind runs on; `None` where this system lacks it.
    ///
    /// For timers without a clock of their own (ticks, counters, yields) it reads the monotonic clock.
    pub fn for_timer(clock: TimerClock) -> Option<Self> {
        here::reader(clock).map(Self)
    }

    /// Returns the clock's current time.
    #[inline]
    pub fn now(self) -> Nanos {
        here::now(self.0)
    }
}

/// Reads two clocks together `tries` times (at least once) and returns the narrowest reading, the first if several are
/// equal: a reading during which the thread was interrupted is wide, and is discarded.
#[inline]
pub fn narrowest<T, W: PartialOrd>(tries: u32, mut read: impl FnMut() -> T, width: impl Fn(&T) -> W) -> T {
    let first = read();
    (1..tries).map(|_| read()).fold(first, |best, next| if width(&next) < width(&best) { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_narrowest_wins_and_there_is_always_one() {
        let of = |tries| {
            let mut readings = [(9, 'a'), (3, 'b'), (3, 'c'), (1, 'd')].into_iter();
            narrowest(tries, || readings.next().unwrap(), |reading| reading.0).1
        };
        assert_eq!([0, 1, 2, 3, 4].map(of), ['a', 'a', 'b', 'b', 'd']);
    }

    #[test]
    fn monotonic_never_goes_backwards_on_one_thread() {
        let mut last = monotonic();
        for _ in 0..1_000_000 {
            let now = monotonic();
            assert!(now >= last, "{now:?} after {last:?}");
            last = now;
        }
    }
}

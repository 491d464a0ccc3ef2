//! Every clock of the system, read directly.
//!
//! [`monotonic`] and [`realtime`] are the clocks that sleeps are timed with; a [`Reader`] reads the clock on which a
//! method's timer runs; [`CLOCKS`] lists every clock of every system as data, and a [`OpenClock`] reads one of this system;
//! [`counter`] is the processor's own.

mod bracket;
pub mod counter;
mod entry;
mod row;
mod rows;
mod source;
mod timer;

#[cfg(unix)]
pub mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as here;
#[cfg(windows)]
use windows as here;

pub use bracket::{Bracketed, narrowest};
pub use entry::{ClockEntry, OpenClock, entries, open};
pub use row::{Backwards, ClockQuantity, ClockRow, Steered, Suspend};
pub use rows::{CLOCKS, ClockId};
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
    pub fn of(clock: TimerClock) -> Option<Self> {
        here::reader(clock).map(Self)
    }

    /// Returns the clock's current time.
    #[inline]
    pub fn now(self) -> Nanos {
        here::now(self.0)
    }
}

#[cfg(test)]
mod tests;

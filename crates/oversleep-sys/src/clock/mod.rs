//! Every clock of the system, read directly.
//!
//! [`monotonic`] and [`realtime`] are what sleeps are timed with; a [`Reader`] reaches the clock a method's timer
//! runs on; [`CLOCKS`] lists every clock of every system as data, and a [`Probe`] reads one that is here;
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
pub use entry::{Entry, Probe, entries, open};
pub use row::{Backwards, ClockRow, Counts, Steered, Suspend};
pub use rows::{CLOCKS, ClockId};
pub use timer::TimerClock;

use crate::units::Nanos;

/// Returns the time since some fixed point, never set back, steered in rate only.
#[inline]
pub fn monotonic() -> Nanos {
    here::monotonic()
}

/// Returns by how much a reading of [`monotonic`] may lie before the time it stands for: the step of the clock behind
/// it, at least 1 ns.
pub fn monotonic_step() -> Nanos {
    here::monotonic_step()
}

/// Returns the wall-clock time since 1970, UTC.
#[inline]
pub fn realtime() -> Nanos {
    here::realtime()
}

/// Returns the calling thread's processor time; `None` where it is not counted finely.
#[inline]
pub fn thread_processor_time() -> Option<Nanos> {
    here::thread_processor_time()
}

/// A clock chosen at run time, resolved once so that reading it is one call.
#[derive(Debug, Clone, Copy)]
pub struct Reader(here::Reader);

impl Reader {
    /// Returns the clock that a timer of this kind runs on; `None` where this system lacks it.
    ///
    /// Timers without a clock of their own (ticks, counters, yields) are read against the monotonic clock.
    pub fn of(clock: TimerClock) -> Option<Self> {
        here::reader(clock).map(Self)
    }

    /// Returns what the clock reads now.
    #[inline]
    pub fn now(self) -> Nanos {
        here::now(self.0)
    }
}

#[cfg(test)]
mod tests;

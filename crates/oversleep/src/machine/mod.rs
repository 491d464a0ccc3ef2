//! The functions of a machine that waiting needs, as a trait, so that a simulated machine can replace the real one.

mod bracket;
mod choice;
mod simulated;
mod this_machine;

pub(crate) use bracket::{Bracket, clock_offset};
pub use simulated::Simulated;
pub use this_machine::ThisMachine;

use crate::clock::WallTime;
use crate::{Moment, Nanos};

/// A machine: two clocks, a coarse sleep, a fine pause.
///
/// Everything in this crate that depends on time uses this trait. [`ThisMachine`] is the machine that the program runs
/// on; [`Simulated`] is one whose time passes only when it is waited for, on which the same code can
/// be tested exactly and without delay.
pub trait Machine {
    /// Returns the time of the monotonic clock. It stops while the machine is suspended, where the system's does
    /// (Linux, macOS).
    fn now(&self) -> Moment;

    /// Returns the time of the wall clock: nanoseconds since 1970. It may be stepped.
    fn wall(&self) -> WallTime;

    /// Returns the total time for which the machine has been suspended, where the system tells; otherwise zero.
    fn suspended(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Sleeps with the kernel's timer until about `deadline` on the monotonic clock: usually later, by an unknown time,
    /// and perhaps earlier (callers read the clock again).
    fn sleep_until(&self, deadline: Moment);

    /// Sleeps likewise, with the least timer slack that the system allows; restores the slack before returning.
    fn sleep_until_tight(&self, deadline: Moment) {
        self.sleep_until(deadline);
    }

    /// Sleeps likewise, and asks the system to run the thread soon after its wake-up although other threads are busy;
    /// what that changes is restored before returning.
    fn sleep_until_among_busy(&self, deadline: Moment) {
        self.sleep_until_tight(deadline);
    }

    /// Lets some tens of nanoseconds pass without a system call.
    fn pause(&self);

    /// Busy-waits until the monotonic clock reads `deadline` or later, and returns the time it read.
    fn spin_until(&self, deadline: Moment) -> Moment {
        loop {
            let now = self.now();
            if now >= deadline {
                return now;
            }
            self.pause();
        }
    }

    /// Returns whether the calling thread keeps other threads off its processor during a busy wait (a real-time
    /// policy).
    fn is_real_time(&self) -> bool {
        false
    }

    /// Returns the processor time that the calling thread may use per period, if its policy sets one
    /// (`SCHED_DEADLINE`). Called for real-time threads only.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// Returns the processor time that the calling thread has used so far, where the system counts it to the
    /// microsecond.
    fn processor_time(&self) -> Option<Nanos> {
        None
    }
}

impl<M: Machine + ?Sized> Machine for &M {
    fn now(&self) -> Moment {
        (**self).now()
    }
    fn wall(&self) -> WallTime {
        (**self).wall()
    }
    fn suspended(&self) -> Nanos {
        (**self).suspended()
    }
    fn sleep_until(&self, deadline: Moment) {
        (**self).sleep_until(deadline);
    }
    fn sleep_until_tight(&self, deadline: Moment) {
        (**self).sleep_until_tight(deadline);
    }
    fn sleep_until_among_busy(&self, deadline: Moment) {
        (**self).sleep_until_among_busy(deadline);
    }
    fn pause(&self) {
        (**self).pause();
    }
    fn spin_until(&self, deadline: Moment) -> Moment {
        (**self).spin_until(deadline)
    }
    fn is_real_time(&self) -> bool {
        (**self).is_real_time()
    }
    fn budget(&self) -> Option<Nanos> {
        (**self).budget()
    }
    fn processor_time(&self) -> Option<Nanos> {
        (**self).processor_time()
    }
}

//! The little that waiting needs of a machine, so that a simulated one can stand in for it.

mod apart;
mod choice;
mod here;
mod simulated;

pub(crate) use apart::apart;
pub use here::Here;
pub use simulated::Simulated;

use crate::{Moment, Nanos, WallTime};

/// A machine: two clocks, a coarse sleep, a fine pause.
///
/// Everything in this crate that depends on time is written against this trait. [`Here`] is the machine the
/// program runs on; [`Simulated`] is one whose time passes only when it is waited for, on which the same code can
/// be tested exactly and in no time.
pub trait Machine {
    /// The monotonic clock. Stops while the machine is suspended where the system's does (Linux, macOS).
    fn now(&self) -> Moment;

    /// The wall clock, nanoseconds since 1970. May be stepped.
    fn wall(&self) -> WallTime;

    /// How long the machine has been suspended in all, where the system tells; else zero.
    fn suspended(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Sleeps with the kernel's timer until about `deadline` on the monotonic clock: usually later, never known how
    /// much, and perhaps earlier (callers look at the clock again).
    fn sleep_until(&self, deadline: Moment);

    /// The same with the least timer slack the system grants, put back before returning.
    fn sleep_until_tight(&self, deadline: Moment) {
        self.sleep_until(deadline);
    }

    /// Lets a few tens of nanoseconds pass without entering the kernel.
    fn pause(&self);

    /// Waits on the processor until the monotonic clock reads `deadline` or later, and answers what it read.
    fn spin_until(&self, deadline: Moment) -> Moment {
        loop {
            let now = self.now();
            if now >= deadline {
                return now;
            }
            self.pause();
        }
    }

    /// Whether the calling thread keeps others off its processor while it waits there (a real-time policy).
    fn is_real_time(&self) -> bool {
        false
    }

    /// The processor time that the calling thread may take in each of its periods, where its policy sets one
    /// (`SCHED_DEADLINE`). Asked of real-time threads alone.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// The processor time that the calling thread has taken so far, where the system counts it by the microsecond.
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

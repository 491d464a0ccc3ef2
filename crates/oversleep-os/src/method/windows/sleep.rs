//! `Sleep`, `SleepEx`, and `Sleep(0)`, which only yields.

use super::millis;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use windows_sys::Win32::System::Threading::{Sleep, SleepEx};

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Sleep, open: || Ok(Box::new(NonAlertable { ms: 0 })) };
pub(super) const EX: MethodEntry = MethodEntry { id: MethodId::SleepEx, open: || Ok(Box::new(Alertable { ms: 0 })) };
pub(super) const ZERO: MethodEntry = MethodEntry { id: MethodId::SleepZero, open: || Ok(Box::new(Zero)) };

/// `Sleep`: a wait that no call queued to the thread ends.
struct NonAlertable {
    ms: u32,
}

impl Waiter for NonAlertable {
    fn prepare(&mut self, request: Request) {
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    /// The call returns nothing.
    fn wait(&mut self) -> Woken {
        // SAFETY: takes a number.
        unsafe { Sleep(self.ms) };
        Woken::TimedOut
    }
}

struct Alertable {
    ms: u32,
}

impl Waiter for Alertable {
    fn prepare(&mut self, request: Request) {
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    /// The call returns 0 at the end of its time, and `WAIT_IO_COMPLETION` if an asynchronous call came before.
    fn wait(&mut self) -> Woken {
        // SAFETY: takes numbers.
        match unsafe { SleepEx(self.ms, 1) } {
            0 => Woken::TimedOut,
            _ => Woken::Interrupted,
        }
    }
}

struct Zero;

impl Waiter for Zero {
    fn prepare(&mut self, _: Request) {}

    fn wait(&mut self) -> Woken {
        // SAFETY: takes a number.
        unsafe { Sleep(0) };
        Woken::TimedOut
    }
}

//! `WaitOnAddress` on a value that nobody changes: Windows' equivalent of a futex.

use super::{failed, millis};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use windows_sys::Win32::Foundation::{ERROR_TIMEOUT, GetLastError};
use windows_sys::Win32::System::Threading::WaitOnAddress as wait_on_address;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::WaitOnAddress, open: || Ok(Box::new(WaitOnAddress { value: 0, ms: 0 })) };

struct WaitOnAddress {
    value: u32,
    ms: u32,
}

impl Waiter for WaitOnAddress {
    fn prepare(&mut self, request: Request) {
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    fn wait(&mut self) -> Woken {
        let expected = self.value;
        // SAFETY: both values are ours, have four bytes, and outlive the call.
        let answer = unsafe {
            wait_on_address((&raw const self.value).cast(), (&raw const expected).cast(), size_of::<u32>(), self.ms)
        };
        if answer != 0 {
            return Woken::Interrupted;
        }
        // SAFETY: takes nothing.
        match unsafe { GetLastError() } {
            ERROR_TIMEOUT => Woken::TimedOut,
            _ => failed(),
        }
    }
}

//! `GetQueuedCompletionStatus` on a port to which nothing is posted: the sleep of Windows' event loops.

use super::event::Handle;
use super::{failed, millis};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::ptr;
use windows_sys::Win32::Foundation::{GetLastError, INVALID_HANDLE_VALUE, WAIT_TIMEOUT};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatus, OVERLAPPED};

pub(super) const ENTRY: MethodEntry = MethodEntry { id: MethodId::GetQueuedCompletionStatus, open };

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    // SAFETY: an invalid file and no port make a new port without a file.
    let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1) };
    Ok(Box::new(CompletionPort { port: Handle::new("CreateIoCompletionPort", port)?, ms: 0 }))
}

struct CompletionPort {
    port: Handle,
    ms: u32,
}

impl Waiter for CompletionPort {
    fn prepare(&mut self, request: Request) {
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    fn wait(&mut self) -> Woken {
        let (mut bytes, mut key, mut packet) = (0, 0, ptr::null_mut::<OVERLAPPED>());
        // SAFETY: the port is open, and the call writes the three values, which outlive it.
        let answer = unsafe {
            GetQueuedCompletionStatus(self.port.raw(), &raw mut bytes, &raw mut key, &raw mut packet, self.ms)
        };
        if answer != 0 {
            return Woken::Interrupted;
        }
        // SAFETY: takes nothing.
        match unsafe { GetLastError() } {
            WAIT_TIMEOUT => Woken::TimedOut,
            _ => failed(),
        }
    }
}

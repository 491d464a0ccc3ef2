//! `MsgWaitForMultipleObjectsEx` on no objects and for no messages.

use super::{millis, woken_by_timeout};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::ptr;
use windows_sys::Win32::UI::WindowsAndMessaging::MsgWaitForMultipleObjectsEx;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::MsgWaitForMultipleObjects, open: || Ok(Box::new(MsgWait { ms: 0 })) };

struct MsgWait {
    ms: u32,
}

impl Waiter for MsgWait {
    fn prepare(&mut self, request: Request) {
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: no handles are given, and their number says so.
        woken_by_timeout(unsafe { MsgWaitForMultipleObjectsEx(0, ptr::null(), self.ms, 0, 0) })
    }
}

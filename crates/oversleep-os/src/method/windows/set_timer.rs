//! `SetTimer` and a message loop: the timer of programs with windows.

use super::{failed, millis};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::mem::MaybeUninit;
use std::ptr;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    GetMessageW, KillTimer, MSG, SetTimer, USER_TIMER_MAXIMUM, USER_TIMER_MINIMUM, WM_TIMER,
};

pub(super) const ENTRY: MethodEntry =
    MethodEntry::new(MethodId::SetTimer, || Ok(Box::new(MessageLoop { ms: USER_TIMER_MINIMUM, timer: 0 })));

struct MessageLoop {
    ms: u32,
    /// The timer of the last wait; 0 if there is none.
    timer: usize,
}

impl MessageLoop {
    /// Ends the timer, which would otherwise fire again. A message of it that is already queued is recognised by its
    /// number.
    fn kill(&mut self) {
        if self.timer != 0 {
            // SAFETY: this thread's own timer, without a window.
            unsafe { KillTimer(ptr::null_mut(), self.timer) };
            self.timer = 0;
        }
    }
}

impl Waiter for MessageLoop {
    /// The system uses 10 ms for anything less and 24.8 days for anything more; the request is limited here so that the
    /// catalogue is right.
    fn prepare(&mut self, request: Request) {
        self.kill();
        self.ms = millis(request.duration(TimerClock::Tick)).clamp(USER_TIMER_MINIMUM, USER_TIMER_MAXIMUM);
    }

    fn wait(&mut self) -> Woken {
        self.kill();
        // SAFETY: no window and no procedure: the message goes to this thread's queue.
        self.timer = unsafe { SetTimer(ptr::null_mut(), 0, self.ms, None) };
        if self.timer == 0 {
            return failed();
        }
        loop {
            let mut message = MaybeUninit::<MSG>::zeroed();
            // SAFETY: the call writes the message; only timers' messages are taken, of any window of this thread.
            match unsafe { GetMessageW(message.as_mut_ptr(), ptr::null_mut(), WM_TIMER, WM_TIMER) } {
                -1 => return failed(),
                0 => return Woken::Interrupted,
                _ => {}
            }
            // SAFETY: zeroed before the call, and all zero is a valid message.
            let message = unsafe { message.assume_init() };
            if message.wParam == self.timer {
                return Woken::TimedOut;
            }
        }
    }
}

impl Drop for MessageLoop {
    fn drop(&mut self) {
        self.kill();
    }
}

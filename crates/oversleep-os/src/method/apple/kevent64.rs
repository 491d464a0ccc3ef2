//! `kevent64`: timers counted in machine ticks, critical ones, background ones, and ones with leeway.

use crate::mach;
use crate::method::kqueue::Queue;
use crate::method::posix::woken_by_errno;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::mem::MaybeUninit;
use std::ptr;

pub(super) const MACHTIME: MethodEntry = MethodEntry::new(MethodId::KqueueTimerMachtime, || open(libc::NOTE_MACHTIME));

pub(super) const CRITICAL: MethodEntry =
    MethodEntry::new(MethodId::KqueueTimerCritical, || open(libc::NOTE_NSECONDS | libc::NOTE_CRITICAL));

pub(super) const BACKGROUND: MethodEntry =
    MethodEntry::new(MethodId::KqueueTimerBackground, || open(libc::NOTE_NSECONDS | libc::NOTE_BACKGROUND));

pub(super) const LEEWAY: MethodEntry =
    MethodEntry::new(MethodId::KqueueTimerLeeway, || open(libc::NOTE_NSECONDS | libc::NOTE_LEEWAY));

/// Leeway of timers that have one, in the unit of the timer: 1 ms.
const GRANTED: u64 = 1_000_000;

fn open(notes: u32) -> Result<Box<dyn Waiter>, Refusal> {
    Ok(Box::new(Timer { queue: Queue::new()?, notes, data: 1 }))
}

struct Timer {
    queue: Queue,
    notes: u32,
    data: i64,
}

impl Timer {
    fn change(&self, flags: u16) -> libc::kevent64_s {
        let leeway = if self.notes & libc::NOTE_LEEWAY == 0 { 0 } else { GRANTED };
        libc::kevent64_s {
            ident: 1,
            filter: libc::EVFILT_TIMER,
            flags,
            fflags: self.notes,
            data: self.data,
            udata: 0,
            ext: [0, leeway],
        }
    }
}

impl Waiter for Timer {
    /// A time of zero becomes one step. A timer that an interrupted wait left is deleted; usually there is none.
    fn prepare(&mut self, request: Request) {
        let change = self.change(libc::EV_DELETE);
        let no_event = ptr::null_mut();
        // SAFETY: one change, no room for events, so an error is only returned.
        unsafe { libc::kevent64(self.queue.raw(), &raw const change, 1, no_event, 0, 0, ptr::null()) };
        let time = request.duration(TimerClock::Monotonic);
        self.data = if self.notes & libc::NOTE_MACHTIME == 0 {
            time.get().max(1)
        } else {
            i64::try_from(mach::to_ticks(time)).unwrap_or(i64::MAX).max(1)
        };
    }

    fn wait(&mut self) -> Woken {
        let change = self.change(libc::EV_ADD | libc::EV_ONESHOT);
        let mut event = MaybeUninit::<libc::kevent64_s>::zeroed();
        // SAFETY: one change and room for one event, which outlive the call; without a timeout it waits for the event.
        let answer =
            unsafe { libc::kevent64(self.queue.raw(), &raw const change, 1, event.as_mut_ptr(), 1, 0, ptr::null()) };
        if answer < 0 {
            return woken_by_errno();
        }
        // SAFETY: zeroed before the call, and all zero is a valid event.
        let event = unsafe { event.assume_init() };
        match answer {
            0 => Woken::Interrupted,
            _ if event.flags & libc::EV_ERROR != 0 => Woken::Failed(i32::try_from(event.data).unwrap_or(i32::MAX)),
            _ => Woken::TimedOut,
        }
    }
}

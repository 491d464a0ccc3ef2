//! One-shot `EVFILT_TIMER`: in each of its units, and until a time on the wall clock.

use super::event::{Queue, change};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
#[cfg(has = "kqueue_fine")]
use oversleep_sys::Refusal;
#[cfg(has = "kqueue_fine")]
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
#[cfg(has = "kqueue_fine")]
use std::io;

pub(super) const MILLISECONDS: MethodEntry =
    MethodEntry::new(MethodId::KqueueTimer, || Ok(Box::new(Timer { queue: Queue::new()?, kind: MS, data: 1 })));

/// In seconds. A kernel that supports microseconds supports seconds too: the notes were added together, and a test with
/// a second would take one.
#[cfg(has = "kqueue_fine")]
pub(super) const SECONDS: MethodEntry =
    MethodEntry::new(MethodId::KqueueTimerS, || Ok(Box::new(Timer { queue: probed(US, 1_000)?, kind: S, data: 1 })));

#[cfg(has = "kqueue_fine")]
pub(super) const MICROSECONDS: MethodEntry =
    MethodEntry::new(MethodId::KqueueTimerUs, || Ok(Box::new(Timer { queue: probed(US, 1_000)?, kind: US, data: 1 })));

#[cfg(has = "kqueue_fine")]
pub(super) const NANOSECONDS: MethodEntry = MethodEntry::new(MethodId::KqueueTimerNs, || {
    Ok(Box::new(Timer { queue: probed(NS, 1_000_000)?, kind: NS, data: 1 }))
});

#[cfg(has = "kqueue_fine")]
pub(super) const ABSOLUTE: MethodEntry = MethodEntry::new(MethodId::KqueueTimerAbs, || {
    Ok(Box::new(Timer { queue: probed(UNTIL, now())?, kind: UNTIL, data: 1 }))
});

/// Tests a timer that expires after at most a millisecond. A kernel that does not know the notes (FreeBSD before 12,
/// NetBSD before 10, older OpenBSD) counts the same number as milliseconds and would wait for minutes or years.
#[cfg(has = "kqueue_fine")]
fn probed(kind: Kind, data: i64) -> Result<Queue, Refusal> {
    let queue = Queue::new()?;
    let timer = change(libc::EV_ADD | libc::EV_ONESHOT, kind.notes, data);
    match queue.comes_within(&timer, &timespec(Nanos::SECOND)) {
        Ok(true) => Ok(queue),
        Ok(false) => Err(Refusal::Unavailable("this kernel's timers count milliseconds alone".to_owned())),
        Err(error) => Err(Refusal::from_os("kevent with a fine timer", &io::Error::from_raw_os_error(error))),
    }
}

/// Returns the time of the wall clock in ns: a deadline that has passed.
#[cfg(has = "kqueue_fine")]
fn now() -> i64 {
    oversleep_sys::clock::realtime().get()
}

/// The meaning of a timer's data.
#[derive(Clone, Copy)]
struct Kind {
    notes: u32,
    step: Nanos,
    absolute: bool,
}

/// No note: milliseconds, on every system.
const MS: Kind = Kind { notes: 0, step: Nanos::MILLISECOND, absolute: false };
#[cfg(has = "kqueue_fine")]
const S: Kind = Kind { notes: notes::SECONDS, step: Nanos::SECOND, absolute: false };
#[cfg(has = "kqueue_fine")]
const US: Kind = Kind { notes: notes::USECONDS, step: Nanos::MICROSECOND, absolute: false };
#[cfg(has = "kqueue_fine")]
const NS: Kind = Kind { notes: notes::NSECONDS, step: Nanos::new(1), absolute: false };
#[cfg(has = "kqueue_fine")]
const UNTIL: Kind = Kind { notes: notes::NSECONDS | notes::ABSOLUTE, step: Nanos::new(1), absolute: true };

#[cfg(has = "kqueue_fine")]
pub(super) mod notes {
    #[cfg(target_os = "macos")]
    pub(crate) const ABSOLUTE: u32 = libc::NOTE_ABSOLUTE;
    #[cfg(any(target_os = "freebsd", target_os = "netbsd"))]
    pub(crate) const ABSOLUTE: u32 = libc::NOTE_ABSTIME;
    #[cfg(not(target_os = "openbsd"))]
    pub(crate) use libc::{NOTE_NSECONDS as NSECONDS, NOTE_SECONDS as SECONDS, NOTE_USECONDS as USECONDS};

    /// `OpenBSD`, `<sys/event.h>`: the unit is a number, not a bit.
    #[cfg(target_os = "openbsd")]
    pub(crate) const SECONDS: u32 = 0x1;
    #[cfg(target_os = "openbsd")]
    pub(crate) const USECONDS: u32 = 0x2;
    #[cfg(target_os = "openbsd")]
    pub(crate) const NSECONDS: u32 = 0x3;
    #[cfg(target_os = "openbsd")]
    pub(crate) const ABSOLUTE: u32 = 0x10;
}

struct Timer {
    queue: Queue,
    kind: Kind,
    data: i64,
}

impl Waiter for Timer {
    /// Some systems reject a time of zero, others read it as one step: it becomes one step.
    fn prepare(&mut self, request: Request) {
        self.queue.forget();
        let time = if self.kind.absolute {
            request.deadline(TimerClock::Realtime)
        } else {
            request.duration(TimerClock::Monotonic)
        };
        self.data = (time.ceil_to(self.kind.step).get() / self.kind.step.get()).max(1);
    }

    fn wait(&mut self) -> Woken {
        let timer = change(libc::EV_ADD | libc::EV_ONESHOT, self.kind.notes, self.data);
        match self.queue.wait_for(Some(&timer)) {
            Ok(_) => Woken::TimedOut,
            Err(woken) => woken,
        }
    }
}

//! `mq_timedreceive` on a message queue that nobody sends to.

use super::probe::probed;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ffi::CString;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::MqTimedreceive, || {
    let queue = Queue::nameless()?;
    probed("mq_timedreceive", MqTimedreceive { queue, deadline: timespec(Nanos::ZERO), message: [0; MESSAGE] })
});

/// Message size of the queue in bytes; a receive needs room for one.
const MESSAGE: usize = 8;

struct MqTimedreceive {
    queue: Queue,
    deadline: libc::timespec,
    message: [libc::c_char; MESSAGE],
}

impl Waiter for MqTimedreceive {
    fn prepare(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(TimerClock::Realtime));
    }

    fn wait(&mut self) -> Woken {
        let message = self.message.as_mut_ptr();
        // SAFETY: the queue is open, the buffer has the queue's message size, a null priority is allowed.
        let answer =
            unsafe { libc::mq_timedreceive(self.queue.0, message, MESSAGE, ptr::null_mut(), &raw const self.deadline) };
        if answer >= 0 { Woken::Interrupted } else { super::woken_by_errno() }
    }
}

/// A queue whose name is removed as soon as it is open: a killed process leaves nothing behind.
struct Queue(libc::mqd_t);

impl Queue {
    fn nameless() -> Result<Self, Refusal> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!("/oversleep-{}-{count}", std::process::id()))
            .map_err(|_| Refusal::Failed("mq_open: name".to_owned()))?;
        // SAFETY: all-zero is a valid mq_attr.
        let mut attributes: libc::mq_attr = unsafe { std::mem::zeroed() };
        attributes.mq_maxmsg = 1;
        #[allow(clippy::cast_possible_wrap)] // 8
        let size = MESSAGE as libc::c_long;
        attributes.mq_msgsize = size;
        let flags = libc::O_RDONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        let mode: libc::c_uint = 0o600;
        // SAFETY: name and attributes outlive the call; O_CREAT comes with its mode and attributes.
        let queue = unsafe { libc::mq_open(name.as_ptr(), flags, mode, &raw mut attributes) };
        if queue == NO_QUEUE {
            return Err(Refusal::last_os("mq_open"));
        }
        let queue = Self(queue);
        // SAFETY: the name outlives the call.
        if unsafe { libc::mq_unlink(name.as_ptr()) } == 0 { Ok(queue) } else { Err(Refusal::last_os("mq_unlink")) }
    }
}

/// The result of a failed `mq_open`: −1, in the type that the system uses for descriptors.
const NO_QUEUE: libc::mqd_t = -1 as _;

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: open since `nameless`, closed once.
        unsafe { libc::mq_close(self.0) };
    }
}

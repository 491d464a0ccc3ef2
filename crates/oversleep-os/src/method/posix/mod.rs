//! Methods of POSIX, on the systems that have them according to `build.rs`.

#[cfg(has = "aio_suspend")]
mod aio_suspend;
#[cfg(has = "clock_nanosleep")]
pub(crate) mod clock_nanosleep;
#[cfg(has = "clock_nanosleep")]
pub(crate) mod clock_nanosleep_abs;
#[cfg(has = "clockwait")]
mod clockwait;
#[cfg(has = "clockwait")]
mod cond_clockwait;
mod cond_timedwait;
pub(crate) mod condition;
#[cfg(has = "mq_timedreceive")]
mod mq_timedreceive;
mod nanosleep;
mod poll;
#[cfg(has = "ppoll")]
mod ppoll;
#[cfg(any(has = "clock_nanosleep", has = "ppoll"))]
pub(crate) mod probe;
mod pselect;
mod rcvtimeo;
mod sched_yield;
mod select;
#[cfg(has = "clockwait")]
mod sem_clockwait;
#[cfg(has = "sem_timedwait")]
mod sem_timedwait;
#[cfg(has = "sem_timedwait")]
mod semaphore;
#[cfg(has = "setitimer")]
mod setitimer;
mod signal;
#[cfg(has = "sigtimedwait")]
mod sigtimedwait;
#[cfg(any(has = "sigev_thread_id", target_os = "illumos"))]
pub(crate) mod timer;
#[cfg(has = "sigev_thread_id")]
mod timer_create;
mod usleep;

use super::{MethodEntry, Woken};

pub(super) static ENTRIES: &[MethodEntry] = &[
    nanosleep::ENTRY,
    usleep::ENTRY,
    #[cfg(has = "clock_nanosleep")]
    clock_nanosleep::MONOTONIC,
    #[cfg(has = "clock_nanosleep")]
    clock_nanosleep_abs::MONOTONIC,
    #[cfg(has = "clock_nanosleep")]
    clock_nanosleep::REALTIME,
    #[cfg(has = "clock_nanosleep")]
    clock_nanosleep_abs::REALTIME,
    select::ENTRY,
    pselect::ENTRY,
    poll::ENTRY,
    #[cfg(has = "ppoll")]
    ppoll::ENTRY,
    cond_timedwait::ENTRY,
    #[cfg(has = "clockwait")]
    cond_clockwait::ENTRY,
    #[cfg(has = "sem_timedwait")]
    sem_timedwait::ENTRY,
    #[cfg(has = "clockwait")]
    sem_clockwait::ENTRY,
    #[cfg(has = "mq_timedreceive")]
    mq_timedreceive::ENTRY,
    #[cfg(has = "aio_suspend")]
    aio_suspend::ENTRY,
    #[cfg(has = "sigtimedwait")]
    sigtimedwait::ENTRY,
    #[cfg(has = "sigev_thread_id")]
    timer_create::ENTRY,
    #[cfg(has = "setitimer")]
    setitimer::ENTRY,
    rcvtimeo::ENTRY,
    sched_yield::ENTRY,
];

/// Returns the calling thread's last error number.
pub(crate) fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Returns how a call that returned −1 ended: by a signal, or with an error.
pub(crate) fn woken_by_errno() -> Woken {
    woken_by(errno())
}

/// Returns the same for a call that returns its error. Waits for an event return `ETIMEDOUT` at the end of their time.
pub(crate) fn woken_by(errno: i32) -> Woken {
    match errno {
        libc::ETIMEDOUT => Woken::TimedOut,
        libc::EINTR => Woken::Interrupted,
        other => Woken::Failed(other),
    }
}

/// Returns how a wait for descriptors or an event that never comes has ended: 0 is the end of its time.
pub(crate) fn woken_by_count(answer: impl Into<i64>) -> Woken {
    match answer.into() {
        0 => Woken::TimedOut,
        -1 => woken_by_errno(),
        _ => Woken::Interrupted,
    }
}

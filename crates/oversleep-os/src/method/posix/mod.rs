//! Methods of POSIX, on the systems that have them according to `build.rs`.

#[cfg(has = "aio_suspend")]
mod aio_suspend;
#[cfg(has = "clockwait")]
mod clockwait;
pub(crate) mod condition;
mod descriptors;
#[cfg(has = "mq_timedreceive")]
mod mq_timedreceive;
#[cfg(any(has = "clock_nanosleep", has = "ppoll"))]
pub(crate) mod probe;
mod rcvtimeo;
#[cfg(has = "sem_timedwait")]
mod semaphore;
#[cfg(has = "setitimer")]
mod setitimer;
mod signal;
#[cfg(has = "sigtimedwait")]
mod sigtimedwait;
pub(crate) mod sleeps;
#[cfg(any(has = "sigev_thread_id", target_os = "illumos"))]
pub(crate) mod timer;
#[cfg(has = "sigev_thread_id")]
mod timer_create;

use super::{MethodEntry, Request, Woken};
use oversleep_recording::catalog::TimerClock;
use oversleep_sys::posix::timespec;

pub(super) static ENTRIES: &[MethodEntry] = &[
    sleeps::NANOSLEEP,
    sleeps::USLEEP,
    #[cfg(has = "clock_nanosleep")]
    sleeps::CLOCK_NANOSLEEP[0],
    #[cfg(has = "clock_nanosleep")]
    sleeps::CLOCK_NANOSLEEP[1],
    #[cfg(has = "clock_nanosleep")]
    sleeps::CLOCK_NANOSLEEP[2],
    #[cfg(has = "clock_nanosleep")]
    sleeps::CLOCK_NANOSLEEP[3],
    descriptors::SELECT,
    descriptors::PSELECT,
    descriptors::POLL,
    #[cfg(has = "ppoll")]
    descriptors::PPOLL,
    condition::TIMEDWAIT,
    #[cfg(has = "clockwait")]
    condition::CLOCKWAIT,
    #[cfg(has = "sem_timedwait")]
    semaphore::TIMEDWAIT,
    #[cfg(has = "clockwait")]
    semaphore::CLOCKWAIT,
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
    sleeps::SCHED_YIELD,
];

/// Converts a request to a duration on the monotonic clock.
pub(super) fn span(request: Request) -> libc::timespec {
    timespec(request.duration(TimerClock::Monotonic))
}

/// Returns the conversion of a request to a time on a clock.
fn until(clock: TimerClock) -> impl Fn(Request) -> libc::timespec {
    move |request| timespec(request.deadline(clock))
}

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

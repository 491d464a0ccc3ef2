//! A POSIX timer that signals this thread, which takes the signal with `sigwaitinfo`.
//!
//! `SIGEV_THREAD_ID` sends the signal only to the waiting thread, so every thread may have its own timer
//! and a program's other threads are not affected. Other systems could only signal the whole process.

use super::signal::Blocked;
use super::timer::{Timer, once};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::TimerCreate, open);

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let signal = signal();
    let blocked = Blocked::new(signal)?;
    let timer = signalling_this_thread(signal)?;
    Ok(Box::new(TimerCreate { timer, blocked, request: once(Nanos::new(1)) }))
}

/// Returns the signal number. Any real-time signal will do, as long as few others use it.
fn signal() -> libc::c_int {
    #[cfg(target_os = "linux")]
    let first = libc::SIGRTMIN();
    #[cfg(not(target_os = "linux"))]
    let first = 65; // FreeBSD's <sys/signal.h>: SIGRTMIN
    first + 5
}

/// The timer is dropped before its signal is unblocked: after that no signal can arrive that nobody takes.
struct TimerCreate {
    timer: Timer,
    blocked: Blocked,
    request: libc::itimerspec,
}

impl Waiter for TimerCreate {
    /// Zero would disarm the timer, so it becomes 1 ns. After an interrupted wait the timer is still running: it is
    /// stopped here, and a signal that it may have sent is taken.
    fn prepare(&mut self, request: Request) {
        self.timer.set(&once(Nanos::ZERO));
        self.blocked.drain();
        self.request = once(request.duration(TimerClock::Monotonic).max(Nanos::new(1)));
    }

    fn wait(&mut self) -> Woken {
        if !self.timer.set(&self.request) {
            return super::woken_by_errno();
        }
        match self.blocked.wait() {
            Ok(()) => Woken::TimedOut,
            Err(errno) => super::woken_by(errno),
        }
    }
}

fn signalling_this_thread(signal: libc::c_int) -> Result<Timer, Refusal> {
    // SAFETY: all-zero is a valid sigevent.
    let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
    event.sigev_notify = libc::SIGEV_THREAD_ID;
    event.sigev_signo = signal;
    event.sigev_notify_thread_id = this_thread();
    Timer::on(libc::CLOCK_MONOTONIC, &mut event)
}

fn this_thread() -> libc::pid_t {
    #[cfg(target_os = "linux")]
    // SAFETY: takes nothing.
    let id = unsafe { libc::gettid() };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: takes nothing.
    let id = unsafe { libc::pthread_getthreadid_np() };
    id
}

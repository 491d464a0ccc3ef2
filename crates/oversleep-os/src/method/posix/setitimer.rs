//! `setitimer(ITIMER_REAL)`, whose `SIGALRM` is taken with `sigwaitinfo` (`sigwait` on macOS and OpenBSD).
//!
//! The timer and its signal belong to the whole process, so only one thread may have it at a
//! time (with any number of waiters). The kernel may deliver
//! `SIGALRM` to any thread that does not block it. So that it neither ends such a thread (its default) nor gets lost
//! there, a handler passes it on to the waiting thread. This detour costs microseconds and wakes that other thread; a
//! program that blocks `SIGALRM` before it starts its threads never needs it.

use super::signal::{Blocked, empty};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use crate::requests::timeval;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::ptr;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::Setitimer, open);

struct Setitimer {
    process: Rc<Process>,
    request: libc::itimerval,
}

/// The state that all waiters of one thread share. Fields are dropped in this order: stop the timer, take its last
/// signal and unblock, restore the handler, then release the timer for other threads.
struct Process {
    _timer: StopOnDrop,
    blocked: Blocked,
    _handler: Handler,
    _turn: Turn,
}

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    Ok(Box::new(Setitimer { process: shared()?, request: once(Nanos::ZERO) }))
}

/// Returns this thread's use of the timer: the existing one, or a new one.
fn shared() -> Result<Rc<Process>, Refusal> {
    thread_local! {
        static HELD: RefCell<Weak<Process>> = const { RefCell::new(Weak::new()) };
    }
    HELD.with_borrow_mut(|held| {
        if let Some(process) = held.upgrade() {
            return Ok(process);
        }
        let turn = Turn::take()?;
        let handler = Handler::install()?;
        let blocked = Blocked::new(libc::SIGALRM)?;
        let process = Rc::new(Process { _timer: StopOnDrop, blocked, _handler: handler, _turn: turn });
        *held = Rc::downgrade(&process);
        Ok(process)
    })
}

impl Waiter for Setitimer {
    /// Zero would stop the timer, so it becomes 1 µs. After an interrupted wait the timer is still running: it is
    /// stopped here, and a signal that it may have sent is taken.
    fn prepare(&mut self, request: Request) {
        set(&once(Nanos::ZERO));
        self.process.blocked.drain();
        self.request = once(request.duration(TimerClock::Monotonic).max(Nanos::MICROSECOND));
    }

    fn wait(&mut self) -> Woken {
        if !set(&self.request) {
            return super::woken_by_errno();
        }
        match self.process.blocked.wait() {
            Ok(()) => Woken::TimedOut,
            Err(errno) => super::woken_by(errno),
        }
    }
}

fn once(time: Nanos) -> libc::itimerval {
    libc::itimerval { it_interval: timeval(Nanos::ZERO), it_value: timeval(time) }
}

#[inline]
fn set(request: &libc::itimerval) -> bool {
    // SAFETY: the request outlives the call; the old value is not needed.
    unsafe { libc::setitimer(libc::ITIMER_REAL, ptr::from_ref(request), ptr::null_mut()) == 0 }
}

struct StopOnDrop;

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        set(&once(Nanos::ZERO));
    }
}

/// The right to use the process's only timer.
struct Turn;

static TAKEN: AtomicBool = AtomicBool::new(false);

impl Turn {
    fn take() -> Result<Self, Refusal> {
        if TAKEN.swap(true, Ordering::Acquire) {
            return Err(Refusal::Failed(
                "setitimer: a process has one such timer, and another thread uses it".to_owned(),
            ));
        }
        let turn = Self;
        let mut current = once(Nanos::ZERO);
        // SAFETY: the value is ours and outlives the call.
        if unsafe { libc::getitimer(libc::ITIMER_REAL, &raw mut current) } != 0 {
            return Err(Refusal::last_os("getitimer"));
        }
        if current.it_value.tv_sec != 0 || current.it_value.tv_usec != 0 {
            return Err(Refusal::Failed("setitimer: this program already runs the process's one timer".to_owned()));
        }
        Ok(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}

/// The thread that waits, as a `pthread_t`; 0 if none does.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Returns this thread as an integer: `pthread_t` is a pointer on some systems and nowhere wider than one.
#[allow(clippy::cast_possible_truncation)]
fn this_thread() -> usize {
    // SAFETY: takes nothing.
    unsafe { libc::pthread_self() as usize }
}

/// Runs in the thread that got the signal. Both calls are safe in a signal handler (POSIX.1-2024, 2.4.3).
extern "C" fn pass_on(signal: libc::c_int) {
    let waiting = WAITING.load(Ordering::Acquire);
    if waiting != 0 && waiting != this_thread() {
        // SAFETY: the thread is alive: it clears `WAITING` before its waiter is dropped.
        unsafe { libc::pthread_kill(waiting as libc::pthread_t, signal) };
    }
}

/// The action for `SIGALRM`, restored when dropped.
struct Handler {
    before: libc::sigaction,
}

impl Handler {
    fn install() -> Result<Self, Refusal> {
        WAITING.store(this_thread(), Ordering::Release);
        // SAFETY: all-zero is a valid sigaction.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = pass_on as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        action.sa_mask = empty();
        let mut before = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: both structures are ours and outlive the call; the handler is safe in a signal.
        if unsafe { libc::sigaction(libc::SIGALRM, &raw const action, before.as_mut_ptr()) } != 0 {
            return Err(Refusal::last_os("sigaction"));
        }
        // SAFETY: written by the call above, which succeeded.
        Ok(Self { before: unsafe { before.assume_init() } })
    }
}

impl Drop for Handler {
    fn drop(&mut self) {
        WAITING.store(0, Ordering::Release);
        // SAFETY: the action is the one the system returned.
        unsafe { libc::sigaction(libc::SIGALRM, &raw const self.before, ptr::null_mut()) };
    }
}

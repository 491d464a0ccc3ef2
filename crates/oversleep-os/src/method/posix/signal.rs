//! Signals of the calls whose timer sends one: blocked in the waiting thread, which takes them by waiting for them.

#![cfg_attr(not(has = "setitimer"), allow(dead_code))] // illumos: neither caller is built

use oversleep_sys::Refusal;
use std::cell::RefCell;
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// A signal that is blocked in this thread as long as any guard for it exists there, in whatever order they are
/// dropped.
pub(super) struct Blocked {
    signal: libc::c_int,
}

/// The number of guards of a signal in this thread, and whether the signal was blocked before the first.
struct Count {
    signal: libc::c_int,
    guards: usize,
    was_blocked: bool,
}

thread_local! {
    static COUNTS: RefCell<Vec<Count>> = const { RefCell::new(Vec::new()) };
}

impl Blocked {
    pub(super) fn new(signal: libc::c_int) -> Result<Self, Refusal> {
        COUNTS.with_borrow_mut(|counts| {
            if let Some(count) = counts.iter_mut().find(|count| count.signal == signal) {
                count.guards += 1;
                return Ok(Self { signal });
            }
            let before = mask(libc::SIG_BLOCK, signal)?;
            counts.push(Count { signal, guards: 1, was_blocked: contains(&before, signal) });
            Ok(Self { signal })
        })
    }

    /// Waits for the signal; returns the error number if the wait fails.
    pub(super) fn wait(&self) -> Result<(), i32> {
        wait_for(&only(self.signal))
    }

    /// Takes every pending signal of this kind.
    pub(super) fn drain(&self) {
        while take_pending(self.signal) {}
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        let last = COUNTS.with_borrow_mut(|counts| {
            let index = counts.iter().position(|count| count.signal == self.signal)?;
            counts[index].guards -= 1;
            (counts[index].guards == 0).then(|| counts.swap_remove(index))
        });
        if let Some(last) = last {
            self.drain();
            if !last.was_blocked {
                // Unblocking a signal that is blocked cannot fail.
                let _ = mask(libc::SIG_UNBLOCK, self.signal);
            }
        }
    }
}

/// Changes this thread's mask by one signal and returns the previous mask.
fn mask(how: libc::c_int, signal: libc::c_int) -> Result<libc::sigset_t, Refusal> {
    let set = only(signal);
    let mut before = empty();
    // SAFETY: both sets are ours and outlive the call.
    match unsafe { libc::pthread_sigmask(how, &raw const set, &raw mut before) } {
        0 => Ok(before),
        error => Err(Refusal::from_os("pthread_sigmask", &io::Error::from_raw_os_error(error))),
    }
}

/// Returns an empty signal set.
pub(super) fn empty() -> libc::sigset_t {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is ours; initialising it is what the call is for.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: initialised above.
    unsafe { set.assume_init() }
}

fn only(signal: libc::c_int) -> libc::sigset_t {
    let mut set = empty();
    // SAFETY: the set is initialised; an unknown signal is refused, not written.
    unsafe { libc::sigaddset(&raw mut set, signal) };
    set
}

fn contains(set: &libc::sigset_t, signal: libc::c_int) -> bool {
    // SAFETY: the set is initialised and outlives the call.
    unsafe { libc::sigismember(ptr::from_ref(set), signal) == 1 }
}

#[cfg(has = "sigtimedwait")]
fn wait_for(set: &libc::sigset_t) -> Result<(), i32> {
    // SAFETY: the set outlives the call; nothing is asked about the signal.
    let answer = unsafe { libc::sigwaitinfo(ptr::from_ref(set), ptr::null_mut()) };
    if answer >= 0 { Ok(()) } else { Err(super::errno()) }
}

/// Waits with `sigwait`, because macOS and OpenBSD have nothing else; no other signal interrupts it.
#[cfg(not(has = "sigtimedwait"))]
fn wait_for(set: &libc::sigset_t) -> Result<(), i32> {
    let mut signal = 0;
    // SAFETY: set and number are ours and outlive the call.
    match unsafe { libc::sigwait(ptr::from_ref(set), &raw mut signal) } {
        0 => Ok(()),
        error => Err(error),
    }
}

#[cfg(has = "sigtimedwait")]
fn take_pending(signal: libc::c_int) -> bool {
    let (set, now) = (only(signal), oversleep_sys::posix::timespec(oversleep_sys::units::Nanos::ZERO));
    // SAFETY: set and time outlive the call; nothing is asked about the signal.
    unsafe { libc::sigtimedwait(&raw const set, ptr::null_mut(), &raw const now) == signal }
}

#[cfg(not(has = "sigtimedwait"))]
fn take_pending(signal: libc::c_int) -> bool {
    let mut pending = empty();
    // SAFETY: the set is ours and outlives the call.
    let answer = unsafe { libc::sigpending(&raw mut pending) };
    answer == 0 && contains(&pending, signal) && wait_for(&only(signal)).is_ok()
}

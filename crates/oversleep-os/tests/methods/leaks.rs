//! Opening and dropping leaves nothing behind.

use crate::watchdog::Watchdog;
use crate::{opened, turn};
use oversleep_os::method::{Request, entries};
use oversleep_sys::units::Nanos;
use std::fs;
use std::mem::MaybeUninit;
use std::ptr;

#[test]
fn opening_and_dropping_leaves_nothing_behind() {
    let _turn = turn();
    for entry in entries() {
        let _watchdog = Watchdog::over(entry.id.name());
        let before = Holdings::now();
        for _ in 0..200 {
            let Some(mut waiter) = opened(entry.id) else { break };
            waiter.prepare(Request::For(Nanos::ZERO));
            waiter.wait();
        }
        assert_eq!(Holdings::now(), before, "{}", entry.id.name());
    }
}

/// A guard that is dropped before the one made first must not unblock the other's signal.
#[test]
fn two_waiters_of_one_thread_may_go_in_any_order() {
    let _turn = turn();
    for entry in entries() {
        let _watchdog = Watchdog::over(entry.id.name());
        let before = Holdings::now();
        let (Some(first), Some(mut second)) = (opened(entry.id), opened(entry.id)) else { continue };
        drop(first);
        second.prepare(Request::For(Nanos::MILLISECOND));
        second.wait();
        drop(second);
        assert_eq!(Holdings::now(), before, "{}", entry.id.name());
    }
}

/// The resources that a method may hold of this process and thread.
#[derive(Debug, PartialEq)]
struct Holdings {
    descriptors: usize,
    rings: usize,
    timers: Option<usize>,
    queues: Option<usize>,
    blocked: Vec<libc::c_int>,
    alarm_handler: usize,
}

impl Holdings {
    fn now() -> Self {
        let maps = fs::read_to_string("/proc/self/maps").expect("/proc is mounted");
        Self {
            descriptors: count("/proc/self/fd").expect("/proc is mounted"),
            rings: maps.lines().filter(|line| line.contains("io_uring")).count(),
            // Kernels without CONFIG_CHECKPOINT_RESTORE do not list timers.
            timers: fs::read_to_string("/proc/self/timers").ok().map(|text| text.matches("ID:").count()),
            queues: count("/dev/mqueue"),
            blocked: blocked(),
            alarm_handler: alarm_handler(),
        }
    }
}

fn count(folder: &str) -> Option<usize> {
    fs::read_dir(folder).ok().map(Iterator::count)
}

fn blocked() -> Vec<libc::c_int> {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is ours; nothing is changed.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), set.as_mut_ptr()) };
    // SAFETY: all-zero was valid already, and the call filled it.
    let set = unsafe { set.assume_init() };
    // SAFETY: the set is initialised; the numbers are signals.
    (1..=64).filter(|signal| unsafe { libc::sigismember(&raw const set, *signal) } == 1).collect()
}

fn alarm_handler() -> usize {
    // SAFETY: all-zero is a valid sigaction.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: only asks; the answer is ours.
    unsafe { libc::sigaction(libc::SIGALRM, ptr::null(), &raw mut action) };
    action.sa_sigaction
}

//! A signal ends a wait, is reported as such, and leaves nothing behind for the next wait.

use crate::watchdog::Watchdog;
use crate::{opened, turn};
use oversleep_os::method::{MethodEntry, Request, Waiter, Woken, entries};
use oversleep_recording::catalog::{Early, MethodRow, Mode, TimerClock};
use oversleep_sys::clock::Reader;
use oversleep_sys::units::Nanos;
use oversleep_sys::wait;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// Calls that no signal ends: they wait again themselves, or do not wait.
const DEAF: &[&str] = &["thread-sleep", "park-timeout", "spin", "cond-timedwait", "cond-clockwait", "sched-yield"];

/// Returns whether no signal ends the call. macOS and OpenBSD take `SIGALRM` with `sigwait`, which waits again.
fn is_deaf(row: &MethodRow) -> bool {
    DEAF.contains(&row.name) || row.name == "setitimer" && cfg!(any(target_os = "macos", target_os = "openbsd"))
}

#[test]
fn a_signal_interrupts_even_the_longest_wait() {
    let _turn = turn();
    ignore_signal_with_a_handler();
    for entry in entries().filter(|entry| !is_deaf(entry.id.row())) {
        let _watchdog = Watchdog::over(entry.id.name());
        interrupt(entry, Nanos::MAX);
    }
}

/// The rest of an interrupted wait must not end a later one: neither its timer nor its completion may remain.
#[test]
fn the_rest_of_an_interrupted_wait_is_forgotten() {
    let _turn = turn();
    ignore_signal_with_a_handler();
    for entry in entries().filter(|entry| !is_deaf(entry.id.row())) {
        let _watchdog = Watchdog::over(entry.id.name());
        interrupt(entry, Nanos::from_millis(20));
    }
}

/// Sends signals to a sleeping thread until it wakes; then it sleeps again, longer than 20 ms and without signals.
fn interrupt(entry: &'static MethodEntry, request: Nanos) {
    let woken = AtomicBool::new(false);
    let (sender, ready) = channel();
    let (quiet, silence) = channel::<()>();
    thread::scope(|scope| {
        let woken = &woken;
        scope.spawn(move || {
            let row = entry.id.row();
            let Some(mut waiter) = opened(entry.id) else { return };
            if request == Nanos::MAX {
                longest(row, waiter.as_mut());
            } else {
                waiter.prepare(Request::For(request));
            }
            let answer = announce_and_wait(waiter.as_mut(), &sender);
            woken.store(true, Ordering::Release);
            // On a busy machine 20 ms may be over before the first signal.
            let over = answer == Woken::TimedOut && request != Nanos::MAX;
            assert!(over || answer == Woken::Interrupted, "{}: {answer:?}", row.name);
            silence.recv().expect("the signaller stops first");
            again(row, waiter.as_mut());
        });
        let Ok(thread) = ready.recv() else { return };
        while !woken.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
            // SAFETY: the thread lives until it has received from `quiet`.
            let answer = unsafe { libc::pthread_kill(thread.0, libc::SIGUSR1) };
            assert_eq!(answer, 0);
        }
        quiet.send(()).ok();
    });
}

fn longest(row: &MethodRow, waiter: &mut dyn Waiter) {
    waiter.prepare(if row.mode == Mode::Absolute { Request::Until(Nanos::MAX) } else { Request::For(Nanos::MAX) });
}

fn announce_and_wait(waiter: &mut dyn Waiter, sender: &Sender<ThreadHandle>) -> Woken {
    sender.send(ThreadHandle::own()).expect("the signaller listens");
    waiter.wait()
}

/// The handle of a thread for other threads: a number, or, as in musl, a pointer.
struct ThreadHandle(libc::pthread_t);

// SAFETY: it is passed to calls that take the handle of any thread, and never dereferenced.
unsafe impl Send for ThreadHandle {}

impl ThreadHandle {
    fn own() -> Self {
        // SAFETY: takes nothing.
        Self(unsafe { libc::pthread_self() })
    }
}

/// Checks that no timer left by the interrupted wait ends this one early.
fn again(row: &MethodRow, waiter: &mut dyn Waiter) {
    let clock = Reader::for_timer(row.clock).expect("its clock, since it opened");
    let request = Nanos::from_millis(25);
    let start = clock.now();
    waiter.prepare(Request::For(request));
    let woken = waiter.wait();
    let slept = clock.now() - start;
    assert!(!matches!(woken, Woken::Failed(_)), "{}: {woken:?}", row.name);
    if woken == Woken::TimedOut && row.early == Early::Never {
        assert!(slept >= request, "{}: asked {request} after an interruption, slept {slept}", row.name);
    }
}

/// A call that cannot be interrupted must at least not replace the longest time by a short or an invalid one.
#[test]
fn the_longest_wait_of_what_no_signal_ends_is_long() {
    let _turn = turn();
    let deaf = |entry: &&MethodEntry| {
        is_deaf(entry.id.row()) && !["spin", "sched-yield", "setitimer"].contains(&entry.id.name())
    };
    for entry in entries().filter(deaf) {
        let (sender, done) = channel();
        // Never joined: it sleeps for centuries, or until the tests are over.
        thread::spawn(move || {
            let Some(mut waiter) = opened(entry.id) else { return };
            longest(entry.id.row(), waiter.as_mut());
            sender.send(waiter.wait()).ok();
        });
        let woken = done.recv_timeout(Duration::from_millis(20));
        assert!(woken.is_err(), "{}: woke from the longest sleep with {woken:?}", entry.id.name());
    }
}

/// Waits offered to programs: no signal shortens them, on any clock, and slack is as before.
#[test]
fn a_wait_until_a_time_goes_on_after_every_signal() {
    let _turn = turn();
    ignore_signal_with_a_handler();
    let _watchdog = Watchdog::over("wait::until");
    let (sender, ready) = channel();
    let (quiet, silence) = channel::<()>();
    let heard = AtomicU32::new(0);
    thread::scope(|scope| {
        let heard = &heard;
        // Kept, so that the thread can be asked whether it has ended, and its handle stays valid to the end.
        let waiting = scope.spawn(move || {
            sender.send(ThreadHandle::own()).expect("the signaller listens");
            for clock in [TimerClock::Monotonic, TimerClock::Realtime, TimerClock::Boottime, TimerClock::Tai] {
                let Some(reader) = Reader::for_timer(clock) else { continue };
                let before = heard.load(Ordering::Acquire);
                // On a busy machine no signal may come in one wait.
                while heard.load(Ordering::Acquire) < before + 5 {
                    let deadline = reader.now() + Nanos::from_millis(5);
                    assert!(wait::with_least_slack(|| wait::until_on(clock, deadline)));
                    assert!(reader.now() >= deadline, "{} was ended by a signal", clock.name());
                }
            }
            heard.store(u32::MAX, Ordering::Release);
            silence.recv().expect("the signaller stops first");
        });
        let thread = ready.recv().expect("the thread says which it is");
        while heard.load(Ordering::Acquire) != u32::MAX && !waiting.is_finished() {
            // SAFETY: the thread was not joined.
            assert_eq!(unsafe { libc::pthread_kill(thread.0, libc::SIGUSR1) }, 0);
            let _ = heard.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_add(1));
            thread::sleep(Duration::from_micros(500));
        }
        quiet.send(()).ok();
        waiting.join().expect("no wait was early");
    });
}

/// Installs the handler without `SA_RESTART`, so that calls which could restart do not.
fn ignore_signal_with_a_handler() {
    extern "C" fn nothing(_signal: libc::c_int) {}
    // SAFETY: all-zero is a valid sigaction: no flags, no masked signals.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = nothing as *const () as usize;
    // SAFETY: the action outlives the call and its handler does nothing.
    let answer = unsafe { libc::sigaction(libc::SIGUSR1, &raw const action, ptr::null_mut()) };
    assert_eq!(answer, 0);
}

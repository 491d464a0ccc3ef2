//! The parts of a precise sleep: one coarse absolute sleep, one fine pause, and two queries about the
//! calling thread.
//!
//! `oversleep-os` has every method for measuring; this module chooses, per system, the one with which a program should
//! sleep. The system is chosen at compile time, below; where it has several candidates ([`CALLS`]), the sleep library
//! compares them when it first sleeps.

mod pause;
mod real_time;
mod slack;
mod slice;

// Apple's systems and OpenBSD have no `clock_nanosleep`.
#[cfg(all(unix, not(any(target_vendor = "apple", target_os = "openbsd"))))]
mod absolute;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod denied;
#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
mod kqueue;
#[cfg(target_vendor = "apple")]
mod mach;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod relative;
#[cfg(windows)]
mod windows;

#[cfg(all(unix, not(any(target_vendor = "apple", target_os = "openbsd"))))]
use absolute as sleeping;
#[cfg(target_vendor = "apple")]
use mach as sleeping;
#[cfg(target_os = "openbsd")]
use relative as sleeping;
#[cfg(windows)]
use windows as sleeping;

use crate::clock;
use crate::clock::TimerClock;
use crate::units::Nanos;

pub use pause::{PauseKind, Pausing, pause};
pub use real_time::{budget, is_real_time};

/// A call that can sleep until a time on the monotonic clock.
#[derive(Clone, Copy)]
pub struct Call {
    /// Name in the catalogue of methods.
    pub name: &'static str,
    wait: fn(Nanos),
}

impl Call {
    /// Sleeps until the monotonic clock ([`clock::monotonic`]) reads `deadline` or later, with the kernel's timer.
    ///
    /// A signal does not end it, and it returns at once if the deadline has passed. Never early: if the system's own
    /// call returns early, it is called again.
    pub fn until(&self, deadline: Nanos) {
        while clock::monotonic() < deadline {
            (self.wait)(deadline);
        }
    }
}

/// The candidates for the best sleep call on this system; the first is used until they have been compared.
pub static CALLS: &[Call] = &[
    Call { name: FIRST, wait: sleeping::monotonic },
    #[cfg(target_vendor = "apple")]
    Call { name: "kqueue-timer-critical", wait: kqueue::monotonic },
    #[cfg(target_os = "freebsd")]
    Call { name: "kqueue-timer-ns", wait: kqueue::monotonic },
    #[cfg(windows)]
    Call { name: "sleep", wait: windows::in_milliseconds },
];

#[cfg(all(unix, not(any(target_vendor = "apple", target_os = "openbsd"))))]
const FIRST: &str = "clock-nanosleep-abs";
#[cfg(target_vendor = "apple")]
const FIRST: &str = "mach-wait-until";
#[cfg(target_os = "openbsd")]
const FIRST: &str = "nanosleep";
#[cfg(windows)]
const FIRST: &str = "waitable-timer-high-resolution";

/// Sleeps until the monotonic clock reads `deadline` or later, with the first of [`CALLS`].
pub fn until(deadline: Nanos) {
    CALLS[0].until(deadline);
}

/// Sleeps likewise on another clock. On [`TimerClock::Realtime`] setting the clock moves the end of the wait where the
/// kernel's timers follow it (POSIX requires it of absolute `clock_nanosleep`); elsewhere the clock is read
/// again at least once a second.
///
/// Returns `false`, without waiting, for a clock that this system lacks.
pub fn until_on(timer: TimerClock, deadline: Nanos) -> bool {
    let Some(reader) = clock::Reader::for_timer(timer) else { return false };
    while reader.now() < deadline {
        sleeping::on(timer, reader, deadline);
    }
    true
}

/// Calls `wait` with the thread's timer slack at 1 ns, if the system has timer slack and the thread's is
/// larger, and restores it afterwards, also if `wait` panics.
///
/// Linux: `prctl(PR_SET_TIMERSLACK)`; the kernel allows every ordinary thread's timers to be late by the slack, 50 µs
/// unless set (`prctl(2)`).
pub fn with_least_slack<R>(wait: impl FnOnce() -> R) -> R {
    slice::put_back_late();
    let _restored_on_drop = slack::LeastSlack::take();
    wait()
}

/// Calls `wait` with the thread's time slice at its shortest, if the thread is under the system's default policy and the
/// system gives slices to threads, and restores it afterwards, also if `wait` panics: among busy threads the thread
/// then runs sooner after its wake-up.
///
/// Linux 6.12 and later: `sched_setattr` with 0.1 ms. Four system calls, 2 to 6 µs in all.
pub fn with_short_slice<R>(wait: impl FnOnce() -> R) -> R {
    let _restored_on_drop = slice::ShortSlice::take();
    wait()
}

/// Returns the processor time that the calling thread has used. `None` where the system counts it in ticks (Windows),
/// which says nothing about a single sleep.
pub fn processor_time() -> Option<Nanos> {
    clock::thread_processor_time()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time_and_never_gives_it_back() {
        let Some(before) = processor_time() else {
            println!("skipped: this system counts processor time by ticks");
            return;
        };
        let deadline = clock::monotonic().saturating_add(Nanos::MILLISECOND);
        while clock::monotonic() < deadline {}
        let after = processor_time().unwrap();
        assert!(after > before, "{before} {after}");
    }

    #[test]
    fn a_wait_is_never_early_and_a_past_deadline_is_no_wait() {
        for us in [0, 1, 50, 1_000] {
            for call in CALLS {
                let deadline = clock::monotonic().saturating_add(Nanos::from_micros(us));
                call.until(deadline);
                assert!(clock::monotonic() >= deadline, "{}", call.name);
            }
        }
        until(Nanos::ZERO);
        for call in CALLS {
            call.until(Nanos::MIN);
        }
    }

    #[test]
    fn every_clock_that_can_be_read_can_be_waited_on() {
        for timer in [TimerClock::Monotonic, TimerClock::Realtime, TimerClock::Boottime, TimerClock::Tai] {
            let Some(reader) = clock::Reader::for_timer(timer) else {
                println!("not tested: {} does not exist here", timer.name());
                assert!(!until_on(timer, Nanos::ZERO));
                continue;
            };
            let deadline = reader.now().saturating_add(Nanos::from_micros(200));
            assert!(until_on(timer, deadline));
            assert!(reader.now() >= deadline, "{} woke early", timer.name());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn slack_is_put_back_even_after_a_panic() {
        use crate::timer_slack::read;
        let before = read();
        let inside = with_least_slack(read).unwrap();
        assert!(inside <= Nanos::new(1), "{inside}");
        assert_eq!(read(), before);
        let outcome = std::panic::catch_unwind(|| with_least_slack(|| panic!("on purpose")));
        assert!(outcome.is_err());
        assert_eq!(read(), before);
    }
}

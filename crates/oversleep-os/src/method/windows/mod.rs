//! The sleep methods of Windows.
//!
//! Times are given in milliseconds ([`millis`]) or in steps of 100 ns, where a negative number means a duration
//! ([`steps`]). A wait ends with `WAIT_TIMEOUT`, or as "signalled" if its object is a timer.

mod event;
mod set_timer;
mod sleep;
mod sleep_condition_variable;
mod threadpool_timer;
mod time_set_event;
mod timer_queue;
mod waitable_timer;
mod waits;
mod winsock_select;

use super::{MethodEntry, Request, Woken};
use oversleep_recording::catalog::TimerClock;
use oversleep_sys::units::Nanos;
use windows_sys::Win32::Foundation::{GetLastError, WAIT_FAILED, WAIT_TIMEOUT};
use windows_sys::Win32::System::Threading::INFINITE;

pub(super) static ENTRIES: &[MethodEntry] = &[
    sleep::ENTRY,
    sleep::EX,
    sleep::ZERO,
    waits::SINGLE_OBJECT,
    waits::ADDRESS,
    sleep_condition_variable::ENTRY,
    waitable_timer::ENTRY,
    waitable_timer::ABS,
    waitable_timer::HIGH_RESOLUTION,
    sleep::NT,
    time_set_event::ENTRY,
    timer_queue::ENTRY,
    threadpool_timer::ENTRY,
    set_timer::ENTRY,
    winsock_select::ENTRY,
    waits::MESSAGES,
    waits::COMPLETIONS,
    sleep::SWITCH,
];

/// Returns milliseconds, rounded up. `INFINITE` would wait for ever, so the longest is one below it: 49.7 days.
fn millis(duration: Nanos) -> u32 {
    let ms = duration.max(Nanos::ZERO).ceil_to(Nanos::MILLISECOND).get() / 1_000_000;
    u32::try_from(ms).unwrap_or(INFINITE).min(INFINITE - 1)
}

/// Converts a request to milliseconds.
fn milliseconds(request: Request) -> u32 {
    millis(request.duration(TimerClock::Tick))
}

/// Returns steps of 100 ns, rounded up.
fn steps(duration: Nanos) -> i64 {
    duration.max(Nanos::ZERO).ceil_to(Nanos::new(100)).get() / 100
}

/// Returns how a wait for something that never comes has ended.
fn woken_by_timeout(answer: u32) -> Woken {
    match answer {
        WAIT_TIMEOUT => Woken::TimedOut,
        WAIT_FAILED => failed(),
        _ => Woken::Interrupted,
    }
}

/// Returns the error of the calling thread's last call.
fn failed() -> Woken {
    // SAFETY: takes nothing.
    let error = unsafe { GetLastError() };
    Woken::Failed(i32::try_from(error).unwrap_or(i32::MAX))
}

/// Returns how a wait has ended that reports the end of its time as this error.
fn failed_unless(end_of_time: u32) -> Woken {
    // SAFETY: takes nothing.
    if unsafe { GetLastError() } == end_of_time { Woken::TimedOut } else { failed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_rounded_up_and_never_infinite() {
        let ms = |ns: i64| millis(Nanos::new(ns));
        assert_eq!([ms(-1), ms(0), ms(1), ms(1_000_000), ms(1_000_001)], [0, 0, 1, 1, 2]);
        assert_eq!(millis(Nanos::MAX), u32::MAX - 1);
        assert_eq!(millis(Nanos::from_millis(i64::from(u32::MAX))), u32::MAX - 1);
        assert_eq!([steps(Nanos::new(-5)), steps(Nanos::new(1)), steps(Nanos::new(100))], [0, 1, 1]);
        assert!(steps(Nanos::MAX) > 0);
    }
}

//! The sleep methods of Windows.
//!
//! Times are given in milliseconds ([`millis`]) or in steps of 100 ns, where a negative number means a duration
//! ([`steps`]). A wait ends with `WAIT_TIMEOUT`, or as "signalled" if its object is a timer.

mod event;
mod get_queued_completion_status;
mod msg_wait;
mod nt_delay_execution;
mod set_timer;
mod sleep;
mod sleep_condition_variable;
mod switch_to_thread;
mod threadpool_timer;
mod time_set_event;
mod timer_queue;
mod wait_for_single_object;
mod wait_on_address;
mod waitable_timer;
mod winsock_select;

use super::{MethodEntry, Woken};
use oversleep_sys::units::Nanos;
use windows_sys::Win32::Foundation::{GetLastError, WAIT_FAILED, WAIT_TIMEOUT};
use windows_sys::Win32::System::Threading::INFINITE;

pub(super) static ENTRIES: &[MethodEntry] = &[
    sleep::ENTRY,
    sleep::EX,
    sleep::ZERO,
    wait_for_single_object::ENTRY,
    wait_on_address::ENTRY,
    sleep_condition_variable::ENTRY,
    waitable_timer::ENTRY,
    waitable_timer::ABS,
    waitable_timer::HIGH_RESOLUTION,
    nt_delay_execution::ENTRY,
    time_set_event::ENTRY,
    timer_queue::ENTRY,
    threadpool_timer::ENTRY,
    set_timer::ENTRY,
    winsock_select::ENTRY,
    msg_wait::ENTRY,
    get_queued_completion_status::ENTRY,
    switch_to_thread::ENTRY,
];

/// Returns milliseconds, rounded up. `INFINITE` would wait for ever, so the longest is one below it: 49.7 days.
fn millis(duration: Nanos) -> u32 {
    let ms = duration.max(Nanos::ZERO).ceil_to(Nanos::MILLISECOND).get() / 1_000_000;
    u32::try_from(ms).unwrap_or(INFINITE).min(INFINITE - 1)
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

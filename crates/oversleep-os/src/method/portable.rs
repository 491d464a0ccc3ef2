//! Methods of Rust's standard library, and reading the clock.

use super::{MethodEntry, Request, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::clock;
use std::hint::spin_loop;
use std::thread;
use std::time::Duration;

fn duration(request: Request) -> Duration {
    request.duration(TimerClock::Monotonic).to_duration().unwrap_or_default()
}

/// The call of most Rust programs. Never interrupted: the standard library sleeps again for the rest after a signal.
const THREAD_SLEEP: MethodEntry = MethodEntry::new(MethodId::ThreadSleep, || {
    Ok(Box::new(call(duration, |duration| {
        thread::sleep(*duration);
        Woken::TimedOut
    })))
});

/// The wait under Rust's channels and executors. The call does not say why it returned, so an early wake-up is visible only
/// in the time.
const PARK_TIMEOUT: MethodEntry = MethodEntry::new(MethodId::ParkTimeout, || {
    let prepare = |request: Request| {
        // An earlier unpark would end the next wait at once; this consumes it.
        thread::park_timeout(Duration::ZERO);
        duration(request)
    };
    Ok(Box::new(call(prepare, |duration| {
        thread::park_timeout(*duration);
        Woken::TimedOut
    })))
});

/// Reading the clock until the time is over: not a sleep, but the lower limit of all other figures.
const SPIN: MethodEntry = MethodEntry::new(MethodId::Spin, || {
    Ok(Box::new(call(
        |request| request.deadline(TimerClock::Monotonic),
        |deadline| {
            while clock::monotonic() < *deadline {
                spin_loop();
            }
            Woken::TimedOut
        },
    )))
});

pub(super) static ENTRIES: &[MethodEntry] = &[THREAD_SLEEP, PARK_TIMEOUT, SPIN];

//! Timer slack: how much later than requested the kernel may fire the calling thread's timers, to save wake-ups.

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_sys::Refusal;
#[cfg(target_os = "linux")]
use oversleep_sys::timer_slack as here;
use oversleep_sys::units::Nanos;

/// The condition `timer_slack`.
pub(super) const SETTING: Setting =
    Setting::new("timer_slack", |value| condition::apply(value, apply), || read().map(|value| value.value()));

/// Returns the calling thread's timer slack: 50 µs unless changed or inherited.
///
/// A real-time thread's timers have none. Linux before 6.13 still reports the value that would apply under
/// another policy; since then it reports 0.
pub fn read() -> Result<Nanos, Refusal> {
    here::read()
}

/// Sets the calling thread's timer slack until the guard is dropped.
///
/// The kernel takes 0 as "back to the thread's default"; the smallest slack is 1 ns. Under a real-time policy Linux
/// since 6.13 ignores the call; [`Guard::obtained`] then returns 0. Threads started in the meantime inherit it as
/// default.
pub fn apply(asked: Nanos) -> Result<Guard<Nanos>, Refusal> {
    if asked < Nanos::ZERO {
        return Err(Refusal::Unavailable(format!("a timer slack cannot be negative ({asked})")));
    }
    let before = read()?;
    here::set(asked)?;
    Guard::new(read(), move || {
        // A slack of zero cannot be set: the thread was real-time, and the call changed nothing.
        if before > Nanos::ZERO {
            let _ = here::set(before);
        }
    })
}

#[cfg(not(target_os = "linux"))]
unsupported!("timer slack per thread exists on Linux only": read() -> Nanos, set(Nanos) -> ());

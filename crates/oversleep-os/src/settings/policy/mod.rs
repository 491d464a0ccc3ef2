//! The scheduling policy of the calling thread.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly", target_os = "macos"))]
mod posix;
mod range;
#[cfg(any(windows, target_os = "openbsd", target_os = "illumos"))]
mod unsupported;

#[cfg(target_os = "linux")]
use linux as here;
#[cfg(target_os = "macos")]
use macos as here;
#[cfg(any(target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly"))]
use posix as here;
#[cfg(any(windows, target_os = "openbsd", target_os = "illumos"))]
use unsupported as here;

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::plan::Policy;
use oversleep_sys::Refusal;

/// The condition `policy`.
pub(super) const SETTING: Setting = Setting {
    apply_for_life: |value| condition::apply(value, |policy| Guard::new(enter(policy), || ())),
    ..Setting::new("policy", |value| condition::apply(value, apply), || read().map(|value| value.value()))
};

#[cfg(unix)]
pub use range::range;

/// Checks that this system has the priority or the times of a policy; whether the thread may have it, only [`apply`] finds out.
///
/// # Errors
/// [`Refusal::Unavailable`] with what the system takes instead.
pub fn check(asked: Policy) -> Result<(), Refusal> {
    here::check(asked)
}

/// Returns the policy of the calling thread.
pub fn read() -> Result<Policy, Refusal> {
    here::read()
}

/// Sets the policy of the calling thread until the guard is dropped.
///
/// # Errors
/// [`Refusal::Forbidden`] without the privilege, with what would grant it, and for a policy that could not be
/// left again; [`Refusal::Unavailable`] for a policy that this system lacks or a priority out of its range.
pub fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    here::apply(asked)
}

/// Sets the policy of the calling thread for the rest of its life, and returns the policy then in force. For threads
/// that end with their work: this allows a policy that could not be left again (`idle`, for an ordinary user).
///
/// # Errors
/// As [`apply`], except for policies that cannot be left.
pub fn enter(asked: Policy) -> Result<Policy, Refusal> {
    here::enter(asked)
}

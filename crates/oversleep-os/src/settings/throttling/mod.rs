//! Whether the system may save power at the expense of this process's timers: Windows' power throttling, macOS' App
//! Nap.

#[cfg(target_os = "macos")]
mod macos;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "macos")]
use macos as here;
#[cfg(windows)]
use windows as here;

use super::Guard;
use super::condition::{self, Setting};
use oversleep_sys::Refusal;

#[cfg(not(any(windows, target_os = "macos")))]
unsupported!("throttling a process's timers is a thing of Windows and macOS": opt_out() -> Guard<bool>);

/// The condition `unthrottled`.
pub(super) const SETTING: Setting =
    Setting::new("unthrottled", |value| condition::apply(value, |_: bool| opt_out()), condition::unread);

/// Keeps the system from throttling this process's timers until the guard is dropped; [`Guard::obtained`] returns
/// whether they are now exempt.
///
/// Windows 11: the requested timer resolution is kept even while the process's windows are hidden, and its processor
/// speed is not lowered. macOS: App Nap does not stretch the process's timers.
pub fn opt_out() -> Result<Guard<bool>, Refusal> {
    here::opt_out()
}

#[cfg(test)]
mod tests {
    #[test]
    fn opting_out_is_read_back_or_refused_with_a_reason() {
        match super::opt_out() {
            Ok(guard) => assert!(guard.obtained()),
            Err(refusal) => assert!(!refusal.reason().is_empty() && refusal.kind() != "failed", "{refusal}"),
        }
    }
}

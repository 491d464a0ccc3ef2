//! The niceness of the calling thread on Linux, of the process on other Unix systems.
//!
//! On Linux with autogroups (the default on desktops) it only affects threads of the same session.

#[cfg(unix)]
mod unix;

#[cfg(unix)]
use unix as here;

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_sys::Refusal;

#[cfg(not(unix))]
unsupported!(i32, i32, "this system has no niceness");

/// The condition `nice`.
pub(super) const SETTING: Setting =
    Setting::new("nice", |value| condition::apply(value, apply), || read().map(|value| value.value()));

/// Returns the niceness, −20 (served first) to 19.
pub fn read() -> Result<i32, Refusal> {
    here::read()
}

/// Sets the niceness until the guard is dropped.
///
/// # Errors
/// [`Refusal::Unavailable`] outside −20 to 19; [`Refusal::Forbidden`] where this user may not lower the niceness,
/// and where a higher one could not be undone.
pub fn apply(asked: i32) -> Result<Guard<i32>, Refusal> {
    if !(-20..=19).contains(&asked) {
        return Err(Refusal::Unavailable(format!("a niceness of {asked} is out of range: -20 to 19")));
    }
    let before = read()?;
    #[cfg(unix)]
    here::check(asked, before)?;
    here::set(asked)?;
    Guard::new(read(), move || {
        // It was in force when the guard was made; a refusal now could not be reported to anyone.
        let _ = here::set(before);
    })
}

#[cfg(target_os = "linux")]
pub(super) use here::read_raw;

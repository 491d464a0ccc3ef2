//! The niceness of the calling thread on Linux, of the process on other Unixes.
//!
//! On Linux with autogroups (the default of desktops) it weighs only against threads of the same session.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use elsewhere as here;
#[cfg(unix)]
use unix as here;

use super::Guard;
use crate::refusal::Refusal;

/// Returns the niceness, −20 (first served) to 19.
pub fn read() -> Result<i32, Refusal> {
    here::read()
}

/// Sets the niceness until the guard is dropped.
///
/// # Errors
/// [`Refusal::Unavailable`] outside −20 to 19; [`Refusal::Forbidden`] where a lower niceness is not this user's,
/// and where a higher one could not be taken back.
pub fn apply(asked: i32) -> Result<Guard<i32>, Refusal> {
    if !(-20..=19).contains(&asked) {
        return Err(Refusal::Unavailable(format!("a niceness of {asked} is out of range: -20 to 19")));
    }
    let before = read()?;
    here::check(asked, before)?;
    here::set(asked)?;
    Guard::new(read(), move || {
        // It was in force when the guard was made; a refusal now has nobody to hear it.
        let _ = here::set(before);
    })
}

#[cfg(target_os = "linux")]
pub(super) use here::read_raw;

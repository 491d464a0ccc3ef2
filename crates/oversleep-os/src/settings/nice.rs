//! The niceness of the calling thread on Linux, of the process on other Unix systems.
//!
//! On Linux with autogroups (the default on desktops) it only affects threads of the same session.

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_sys::Refusal;

#[cfg(not(unix))]
unsupported!("this system has no niceness": read() -> i32, set(i32) -> ());

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
    #[cfg(unix)]
    here::check(asked, read()?)?;
    Guard::set(asked, read, here::set)
}

#[cfg(target_os = "linux")]
pub(super) use here::read_raw;

/// `setpriority`, which on Linux applies to one thread.
#[cfg(unix)]
mod here {
    use oversleep_sys::Refusal;

    #[allow(clippy::unnecessary_wraps)] // other systems have none
    pub(super) fn read() -> Result<i32, Refusal> {
        Ok(read_raw())
    }

    /// Returns the niceness. −1 is both a value and an error here, but reading one's own cannot fail (`getpriority(2)`).
    pub(in crate::settings) fn read_raw() -> i32 {
        // SAFETY: takes numbers; 0 is the caller.
        unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
    }

    pub(super) fn set(nice: i32) -> Result<(), Refusal> {
        // SAFETY: takes numbers; 0 is the caller.
        let answer = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) };
        if answer == 0 {
            return Ok(());
        }
        match std::io::Error::last_os_error().raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => Err(Refusal::Forbidden(lower(nice))),
            _ => Err(Refusal::last_os("setpriority")),
        }
    }

    /// Rejects a niceness that could not be undone.
    pub(super) fn check(asked: i32, before: i32) -> Result<(), Refusal> {
        if asked <= before || can_return(asked, before) {
            return Ok(());
        }
        Err(Refusal::Forbidden(format!("a niceness of {asked} could not be taken back: {}", lower(before))))
    }

    #[cfg(target_os = "linux")]
    fn can_return(asked: i32, before: i32) -> bool {
        super::super::privilege::on_another_thread(move || set(asked).is_err() || set(before).is_ok())
    }

    /// Returns whether the change could be undone. Niceness belongs to the whole process here, so this cannot be tried out.
    #[cfg(not(target_os = "linux"))]
    fn can_return(_asked: i32, _before: i32) -> bool {
        // SAFETY: takes nothing, cannot fail.
        let user = unsafe { libc::geteuid() };
        user == 0
    }

    #[cfg(target_os = "linux")]
    fn lower(nice: i32) -> String {
        let limit = super::super::privilege::soft_limit(libc::RLIMIT_NICE);
        let now = limit.map_or_else(|| "unlimited".into(), |limit| limit.to_string());
        format!(
            "lowering it to {nice} needs CAP_SYS_NICE (root) or RLIMIT_NICE of at least {}, which is {now} (`ulimit -e`, limits.conf `nice`)",
            20 - nice
        )
    }

    #[cfg(not(target_os = "linux"))]
    fn lower(nice: i32) -> String {
        format!("lowering it to {nice} needs root")
    }
}

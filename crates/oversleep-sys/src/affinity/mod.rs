//! The processors on which the calling thread may run.

#[cfg(target_os = "freebsd")]
mod freebsd;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "freebsd")]
use freebsd as here;
#[cfg(any(target_os = "linux", target_os = "android"))]
use linux as here;
#[cfg(windows)]
use windows as here;

use crate::Refusal;

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd", windows)))]
mod here {
    use crate::Refusal;

    fn refusal() -> Refusal {
        Refusal::Unavailable("oversleep cannot tie a thread to processors on this system yet".to_owned())
    }

    pub(super) fn read() -> Result<Vec<u32>, Refusal> {
        Err(refusal())
    }

    pub(super) fn set(_: &[u32]) -> Result<(), Refusal> {
        Err(refusal())
    }
}

/// Returns the processors on which the calling thread may run, ascending.
///
/// # Errors
/// The refusal of the system; [`Refusal::Unavailable`] where threads have no processors of their own.
pub fn read() -> Result<Vec<u32>, Refusal> {
    here::read()
}

/// Restricts the calling thread, and those that it starts, to these processors.
///
/// # Errors
/// The refusal of the system; [`Refusal::Unavailable`] where threads cannot be restricted.
pub fn set(cpus: &[u32]) -> Result<(), Refusal> {
    here::set(cpus)
}

//! How the kernel steers its clock.

#[cfg(target_os = "linux")]
mod linux;

use oversleep_recording::machine::Ntp;

/// Returns the current state of the steering; `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub fn now() -> Option<Ntp> {
    linux::read()
}

/// Returns `None`: the state of the steering is not available here.
#[cfg(not(target_os = "linux"))]
pub fn now() -> Option<Ntp> {
    None
}

//! How the kernel steers its clock.

#[cfg(target_os = "linux")]
mod linux;

use oversleep_recording::machine::Ntp;

/// Returns the steering now; `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub fn now() -> Option<Ntp> {
    linux::read()
}

/// Returns the steering now; not known here.
#[cfg(not(target_os = "linux"))]
pub fn now() -> Option<Ntp> {
    None
}

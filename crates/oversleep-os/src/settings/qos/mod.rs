//! The quality-of-service class of the calling thread, by which macOS chooses priority, processors and timer leeway.

#[cfg(target_os = "macos")]
mod macos;

#[cfg(target_os = "macos")]
use macos as here;

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::plan::Qos;
use oversleep_sys::Refusal;

#[cfg(not(target_os = "macos"))]
unsupported!(Qos, Qos, "quality-of-service classes are a thing of macOS");

/// The condition `qos`.
pub(super) const SETTING: Setting =
    Setting::new("qos", |value| condition::apply(value, apply), || read().map(|value| value.value()));

/// Returns the class of the calling thread.
pub fn read() -> Result<Qos, Refusal> {
    here::read()
}

/// Sets the class of the calling thread until the guard is dropped.
///
/// A thread that was given a POSIX policy or a time constraint has left the classes and cannot return to them.
pub fn apply(asked: Qos) -> Result<Guard<Qos>, Refusal> {
    let before = read()?;
    here::set(asked)?;
    Guard::new(read(), move || {
        // It was in force when the guard was made; a refusal now could not be reported to anyone.
        let _ = here::set(before);
    })
}

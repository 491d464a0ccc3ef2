//! The quality-of-service class of the calling thread, by which macOS chooses priority, processors and timer leeway.

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::plan::Qos;
use oversleep_sys::Refusal;

#[cfg(not(target_os = "macos"))]
unsupported!("quality-of-service classes are a thing of macOS": read() -> Qos, set(Qos) -> ());

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
    Guard::set(asked, read, here::set)
}

/// `pthread_set_qos_class_self_np` (`<pthread/qos.h>`, macOS 10.10 and later).
#[cfg(target_os = "macos")]
mod here {
    use oversleep_recording::plan::Qos;
    use oversleep_sys::Refusal;
    use std::io;

    /// The numbers of `<sys/qos.h>`.
    const CLASSES: [(Qos, u32); 5] = [
        (Qos::UserInteractive, 0x21),
        (Qos::UserInitiated, 0x19),
        (Qos::Default, 0x15),
        (Qos::Utility, 0x11),
        (Qos::Background, 0x09),
    ];

    unsafe extern "C" {
        /// The relative priority is 0 (none) to −15.
        fn pthread_set_qos_class_self_np(class: u32, relative_priority: libc::c_int) -> libc::c_int;
        fn qos_class_self() -> u32;
    }

    pub(super) fn read() -> Result<Qos, Refusal> {
        // SAFETY: takes nothing.
        let code = unsafe { qos_class_self() };
        let known = CLASSES.iter().find(|(_, of)| *of == code).map(|(class, _)| *class);
        known.ok_or_else(|| Refusal::Unavailable("this thread has no quality-of-service class".to_owned()))
    }

    pub(super) fn set(class: Qos) -> Result<(), Refusal> {
        let Some((_, code)) = CLASSES.iter().find(|(known, _)| *known == class) else {
            return Err(Refusal::Unavailable(format!("{class} is not a quality-of-service class of macOS")));
        };
        // SAFETY: takes numbers. It returns its error.
        match unsafe { pthread_set_qos_class_self_np(*code, 0) } {
            0 => Ok(()),
            error => Err(Refusal::from_os("pthread_set_qos_class_self_np", &io::Error::from_raw_os_error(error))),
        }
    }
}

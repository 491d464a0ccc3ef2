//! The process's priority class: the rank of its threads among those of other processes (Windows).

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::plan::PriorityClass;
use oversleep_sys::Refusal;

#[cfg(not(windows))]
unsupported!("priority classes are a thing of Windows; here a thread has a policy and niceness":
    read() -> PriorityClass, set(PriorityClass) -> ());

/// The condition `priority_class`.
pub(super) const SETTING: Setting =
    Setting::new("priority_class", |value| condition::apply(value, apply), || read().map(|value| value.value()));

/// Returns the class of this process.
pub fn read() -> Result<PriorityClass, Refusal> {
    here::read()
}

/// Sets the class of this process until the guard is dropped.
///
/// Without the privilege to increase priorities Windows replaces `realtime` by `high` without an error;
/// [`Guard::obtained`] shows that.
pub fn apply(asked: PriorityClass) -> Result<Guard<PriorityClass>, Refusal> {
    Guard::set(asked, read, here::set)
}

/// `SetPriorityClass`.
#[cfg(windows)]
mod here {
    use oversleep_recording::plan::PriorityClass;
    use oversleep_sys::Refusal;
    use windows_sys::Win32::System::Threading::{
        ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, GetCurrentProcess, GetPriorityClass,
        HIGH_PRIORITY_CLASS, IDLE_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS, REALTIME_PRIORITY_CLASS, SetPriorityClass,
    };

    const CLASSES: [(PriorityClass, u32); 6] = [
        (PriorityClass::Idle, IDLE_PRIORITY_CLASS),
        (PriorityClass::BelowNormal, BELOW_NORMAL_PRIORITY_CLASS),
        (PriorityClass::Normal, NORMAL_PRIORITY_CLASS),
        (PriorityClass::AboveNormal, ABOVE_NORMAL_PRIORITY_CLASS),
        (PriorityClass::High, HIGH_PRIORITY_CLASS),
        (PriorityClass::Realtime, REALTIME_PRIORITY_CLASS),
    ];

    pub(super) fn read() -> Result<PriorityClass, Refusal> {
        // SAFETY: a pseudo-handle that is always valid.
        let process = unsafe { GetCurrentProcess() };
        // SAFETY: the handle is this process's.
        let code = unsafe { GetPriorityClass(process) };
        if code == 0 {
            return Err(Refusal::last_os("GetPriorityClass"));
        }
        let known = CLASSES.iter().find(|(_, of)| *of == code).map(|(class, _)| *class);
        known.ok_or_else(|| Refusal::Failed(format!("GetPriorityClass answered {code:#x}, which is not a class")))
    }

    pub(super) fn set(class: PriorityClass) -> Result<(), Refusal> {
        let Some((_, code)) = CLASSES.iter().find(|(known, _)| *known == class) else {
            return Err(Refusal::Unavailable(format!("{class} is not a priority class of Windows")));
        };
        // SAFETY: a pseudo-handle that is always valid.
        let process = unsafe { GetCurrentProcess() };
        // SAFETY: the handle is this process's; takes a number.
        if unsafe { SetPriorityClass(process, *code) } == 0 {
            Err(Refusal::last_os("SetPriorityClass"))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_put_on_and_taken_off_again() {
        let before = match read() {
            Ok(before) => before,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        let guard = apply(PriorityClass::BelowNormal).expect("a lower class needs no privilege");
        assert_eq!((guard.obtained(), read()), (PriorityClass::BelowNormal, Ok(PriorityClass::BelowNormal)));
        drop(guard);
        assert_eq!(read(), Ok(before));
    }
}

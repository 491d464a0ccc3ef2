//! The multimedia class scheduler (MMCSS), which raises a thread's priority for a task that the registry describes
//! (Windows).

use super::Guard;
use super::condition::{self, Setting};
use oversleep_sys::Refusal;

#[cfg(not(windows))]
unsupported!("the multimedia class scheduler is a thing of Windows; here a thread has a policy": apply(&str) -> Guard<String>);

/// The condition `multimedia_task`.
pub(super) const SETTING: Setting =
    Setting::new("multimedia_task", |value| condition::apply(value, |task: String| apply(&task)), condition::unread);

/// Registers the calling thread for a task such as `Pro Audio` or `Games` until the guard is dropped.
///
/// Windows does not report the priority that it gives; [`Guard::obtained`] returns the task that accepted the thread.
///
/// # Errors
/// [`Refusal::Unavailable`] for a task that the registry does not know, and on systems without the scheduler.
pub fn apply(task: &str) -> Result<Guard<String>, Refusal> {
    here::apply(task)
}

/// `AvSetMmThreadCharacteristics`.
#[cfg(windows)]
mod here {
    use super::Guard;
    use oversleep_sys::Refusal;
    use windows_sys::Win32::Foundation::{ERROR_INVALID_TASK_NAME, GetLastError};
    use windows_sys::Win32::System::Threading::{AvRevertMmThreadCharacteristics, AvSetMmThreadCharacteristicsW};

    pub(super) fn apply(task: &str) -> Result<Guard<String>, Refusal> {
        let wide: Vec<u16> = task.encode_utf16().chain([0]).collect();
        // Zero: a new group of threads; the call writes its number, with which another thread could join it.
        let mut index = 0;
        // SAFETY: the name ends in a zero; both outlive the call.
        let handle = unsafe { AvSetMmThreadCharacteristicsW(wide.as_ptr(), &raw mut index) };
        if handle.is_null() {
            // SAFETY: takes nothing.
            let unknown = unsafe { GetLastError() } == ERROR_INVALID_TASK_NAME;
            return Err(if unknown { unknown_task(task) } else { Refusal::last_os("AvSetMmThreadCharacteristics") });
        }
        Guard::new(Ok(task.to_owned()), move || {
            // SAFETY: the handle of the call above, released once and on the thread that got it.
            unsafe { AvRevertMmThreadCharacteristics(handle) };
        })
    }

    fn unknown_task(task: &str) -> Refusal {
        Refusal::Unavailable(format!(
            "the multimedia scheduler knows no task '{task}'; usual ones are Audio, Capture, Distribution, Games, Playback, Pro Audio"
        ))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_task_is_taken_and_given_back_or_refused_with_a_reason() {
        for _ in 0..3 {
            match super::apply("Pro Audio") {
                Ok(guard) => assert_eq!(guard.obtained(), "Pro Audio"),
                Err(refusal) => assert!(!refusal.reason().is_empty()),
            }
        }
    }
}

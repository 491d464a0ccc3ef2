//! `AvSetMmThreadCharacteristics`.

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

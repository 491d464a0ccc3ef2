//! `SetProcessInformation` with `ProcessPowerThrottling`.
//!
//! A bit of the control mask says that this process decides; the same bit of the state mask says whether it is
//! throttled.

use super::Guard;
use crate::procedure::procedure;
use oversleep_sys::Refusal;
use std::ffi::c_void;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, PROCESS_POWER_THROTTLING_CURRENT_VERSION, PROCESS_POWER_THROTTLING_EXECUTION_SPEED,
    PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, PROCESS_POWER_THROTTLING_STATE, ProcessPowerThrottling,
};

/// `SetProcessInformation` and `GetProcessInformation` of Windows 8 and later, which Wine 8 lacks.
type Call = unsafe extern "system" fn(HANDLE, i32, *mut c_void, u32) -> i32;

/// The kinds of throttling to opt out of: both, or only the speed. Before Windows 11 requests for a timer resolution
/// are never ignored, and a structure with that bit is rejected.
const MASKS: [u32; 2] = [
    PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION | PROCESS_POWER_THROTTLING_EXECUTION_SPEED,
    PROCESS_POWER_THROTTLING_EXECUTION_SPEED,
];

pub(super) fn opt_out() -> Result<Guard<bool>, Refusal> {
    let mut before = state(0);
    call(c"GetProcessInformation", &mut before)?;
    let set = |mask: u32| call(c"SetProcessInformation", &mut state(mask)).map(|()| mask);
    let mask = set(MASKS[0]).or_else(|_| set(MASKS[1]))?;
    let mut obtained = state(0);
    let read = call(c"GetProcessInformation", &mut obtained)
        .map(|()| obtained.ControlMask & mask == mask && obtained.StateMask & mask == 0);
    Guard::new(read, move || {
        // It could be set, so it can be restored; a refusal now could not be reported to anyone.
        let _ = call(c"SetProcessInformation", &mut before);
    })
}

fn state(control: u32) -> PROCESS_POWER_THROTTLING_STATE {
    PROCESS_POWER_THROTTLING_STATE {
        Version: PROCESS_POWER_THROTTLING_CURRENT_VERSION,
        ControlMask: control,
        StateMask: 0,
    }
}

fn call(name: &std::ffi::CStr, state: &mut PROCESS_POWER_THROTTLING_STATE) -> Result<(), Refusal> {
    let text = name.to_string_lossy();
    let found = procedure(c"kernel32.dll", name)
        .ok_or_else(|| Refusal::Unavailable(format!("this system has no {text} (Windows 8 and later)")))?;
    // SAFETY: both have this signature (processthreadsapi.h); the one that sets only reads the structure.
    let found = unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, Call>(found) };
    // SAFETY: a pseudo-handle that is always valid.
    let process = unsafe { GetCurrentProcess() };
    let size = u32::try_from(size_of::<PROCESS_POWER_THROTTLING_STATE>()).unwrap_or(0);
    // SAFETY: the structure outlives the call, with its size.
    let answer = unsafe { found(process, ProcessPowerThrottling, std::ptr::from_mut(state).cast(), size) };
    if answer != 0 {
        return Ok(());
    }
    let error = std::io::Error::last_os_error();
    Err(Refusal::Unavailable(format!(
        "{text} has no power throttling here ({error}); it came with Windows 10 version 1709"
    )))
}

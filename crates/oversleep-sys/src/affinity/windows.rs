//! Thread affinity masks, which cover the first 64 processors (the first processor group).

use crate::Refusal;
use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadGroupAffinity, SetThreadAffinityMask};

pub(super) fn read() -> Result<Vec<u32>, Refusal> {
    let mut affinity = GROUP_AFFINITY::default();
    // SAFETY: a pseudo-handle that is always valid on its own thread.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: the system writes the structure if it returns a value other than 0.
    let answer = unsafe { GetThreadGroupAffinity(thread, &raw mut affinity) };
    if answer == 0 {
        return Err(Refusal::last_os("GetThreadGroupAffinity"));
    }
    Ok((0..usize::BITS).filter(|cpu| affinity.Mask >> cpu & 1 == 1).collect())
}

pub(super) fn set(cpus: &[u32]) -> Result<(), Refusal> {
    let mut mask = 0_usize;
    for cpu in cpus {
        let Some(bit) = 1_usize.checked_shl(*cpu) else {
            return Err(Refusal::Unavailable(format!("CPU {cpu} is not in the first processor group")));
        };
        mask |= bit;
    }
    // SAFETY: a pseudo-handle that is always valid on its own thread.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: the handle is the calling thread's.
    let before = unsafe { SetThreadAffinityMask(thread, mask) };
    if before == 0 { Err(Refusal::last_os("SetThreadAffinityMask")) } else { Ok(()) }
}

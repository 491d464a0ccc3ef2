//! Which processors there are, and staying on one: only what comparing clocks between two processors needs.
//!
//! Pinning is never undone here: it is for threads that end with the comparison.

use crate::refusal::Refusal;

/// The processors this thread may run on, by number; empty where the system does not say.
pub fn processors() -> Vec<u32> {
    here::processors()
}

/// Keeps the calling thread on one processor until the thread ends.
///
/// # Errors
/// [`Refusal::Unavailable`] where threads cannot be pinned; [`Refusal::Failed`] for a processor that is not there.
pub fn stay_on(processor: u32) -> Result<(), Refusal> {
    here::stay_on(processor)
}

#[cfg(target_os = "linux")]
mod here {
    use crate::refusal::Refusal;
    use std::mem;

    pub(super) fn processors() -> Vec<u32> {
        // SAFETY: all-zero is the empty set.
        let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
        // SAFETY: the kernel writes at most the stated size into the set.
        let answer = unsafe { libc::sched_getaffinity(0, mem::size_of_val(&set), &raw mut set) };
        if answer != 0 {
            return Vec::new();
        }
        // SAFETY: every number is below the size of the set.
        let has = |cpu: usize| unsafe { libc::CPU_ISSET(cpu, &set) };
        (0..8 * mem::size_of_val(&set)).filter(|&cpu| has(cpu)).filter_map(|cpu| u32::try_from(cpu).ok()).collect()
    }

    pub(super) fn stay_on(processor: u32) -> Result<(), Refusal> {
        // SAFETY: all-zero is the empty set.
        let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
        let index = processor as usize;
        if index >= 8 * mem::size_of_val(&set) {
            return Err(Refusal::Failed(format!("there is no processor {processor}")));
        }
        // SAFETY: the number is below the size of the set.
        unsafe { libc::CPU_SET(index, &mut set) };
        // SAFETY: the kernel reads the stated size from the set.
        let answer = unsafe { libc::sched_setaffinity(0, mem::size_of_val(&set), &raw const set) };
        if answer == 0 { Ok(()) } else { Err(Refusal::last_os("sched_setaffinity")) }
    }
}

#[cfg(windows)]
mod here {
    use crate::refusal::Refusal;
    use windows_sys::Win32::System::Threading::{GetCurrentThread, SetThreadAffinityMask};

    /// Of the first group of 64; the mask of [`stay_on`] reaches no further.
    pub(super) fn processors() -> Vec<u32> {
        let count = std::thread::available_parallelism().map_or(0, |count| count.get().min(64));
        (0..u32::try_from(count).unwrap_or(0)).collect()
    }

    pub(super) fn stay_on(processor: u32) -> Result<(), Refusal> {
        let Some(mask) = 1_usize.checked_shl(processor) else {
            return Err(Refusal::Failed(format!("processor {processor} is not in the first group")));
        };
        // SAFETY: a pseudo-handle that is always valid on its own thread.
        let thread = unsafe { GetCurrentThread() };
        // SAFETY: the handle is the calling thread's.
        let before = unsafe { SetThreadAffinityMask(thread, mask) };
        if before == 0 { Err(Refusal::last_os("SetThreadAffinityMask")) } else { Ok(()) }
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod here {
    use crate::refusal::Refusal;

    pub(super) fn processors() -> Vec<u32> {
        let count = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
        (0..u32::try_from(count).unwrap_or(0)).collect()
    }

    pub(super) fn stay_on(_processor: u32) -> Result<(), Refusal> {
        Err(Refusal::Unavailable("this version of oversleep cannot keep a thread on one processor here".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_that_is_not_there_is_refused() {
        assert!(stay_on(1_000_000).is_err());
    }
}

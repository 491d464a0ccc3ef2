//! `cpuset_setaffinity` for the calling thread.

use crate::Refusal;
use std::mem;

/// The calling thread, where an ID is required.
const SELF: libc::id_t = -1;

pub(super) fn read() -> Result<Vec<u32>, Refusal> {
    let mut set = empty();
    // SAFETY: the kernel writes at most the given number of bytes, which is the set's size.
    let answer = unsafe {
        libc::cpuset_getaffinity(
            libc::CPU_LEVEL_WHICH,
            libc::CPU_WHICH_TID,
            SELF,
            size_of::<libc::cpuset_t>(),
            &raw mut set,
        )
    };
    if answer != 0 {
        return Err(Refusal::last_os("cpuset_getaffinity"));
    }
    let most = size_of::<libc::cpuset_t>() * 8;
    let has = |cpu: &usize| {
        // SAFETY: the number is below the set's bits.
        unsafe { libc::CPU_ISSET(*cpu, &set) }
    };
    Ok((0..most).filter(has).filter_map(|cpu| u32::try_from(cpu).ok()).collect())
}

pub(super) fn set(cpus: &[u32]) -> Result<(), Refusal> {
    let mut set = empty();
    for cpu in cpus {
        let cpu = *cpu as usize;
        if cpu >= size_of::<libc::cpuset_t>() * 8 {
            return Err(Refusal::Unavailable(format!("CPU {cpu} is beyond what this system's sets can name")));
        }
        // SAFETY: the number is below the set's bits.
        unsafe { libc::CPU_SET(cpu, &mut set) };
    }
    // SAFETY: the kernel reads the given number of bytes, which is the set's size.
    let answer = unsafe {
        libc::cpuset_setaffinity(
            libc::CPU_LEVEL_WHICH,
            libc::CPU_WHICH_TID,
            SELF,
            size_of::<libc::cpuset_t>(),
            &raw const set,
        )
    };
    if answer == 0 { Ok(()) } else { Err(Refusal::last_os("cpuset_setaffinity")) }
}

fn empty() -> libc::cpuset_t {
    // SAFETY: a set of all zero bits is the empty set.
    unsafe { mem::zeroed() }
}

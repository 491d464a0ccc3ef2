//! `sched_setaffinity` with sets of any size: `cpu_set_t` ends at CPU 1023, while kernels support more.

use crate::Refusal;

type Word = libc::c_ulong;
const BITS: usize = Word::BITS as usize;
/// Maximum size of a set: 262 144 processors; the kernel's limit is 8192.
const MOST_WORDS: usize = 4096;

pub(super) fn read() -> Result<Vec<u32>, Refusal> {
    let mut words = 16;
    loop {
        let mut set: Vec<Word> = vec![0; words];
        // SAFETY: the kernel writes at most the given number of bytes, which is the vector's; 0 is the calling thread.
        let answer = unsafe { libc::sched_getaffinity(0, set.len() * size_of::<Word>(), set.as_mut_ptr().cast()) };
        if answer == 0 {
            return Ok(members(&set));
        }
        // EINVAL: the kernel supports more processors than the set has bits.
        let too_small = std::io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL);
        if !too_small || words >= MOST_WORDS {
            return Err(Refusal::last_os("sched_getaffinity"));
        }
        words *= 2;
    }
}

pub(super) fn set(cpus: &[u32]) -> Result<(), Refusal> {
    let set = bits(cpus);
    // SAFETY: the kernel reads the given number of bytes, which is the vector's; 0 is the calling thread.
    let answer = unsafe { libc::sched_setaffinity(0, set.len() * size_of::<Word>(), set.as_ptr().cast()) };
    if answer == 0 {
        return Ok(());
    }
    Err(match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::EINVAL) => Refusal::Forbidden("the cgroup of this process has none of these CPUs (cpuset)".into()),
        Some(libc::EBUSY) => Refusal::Failed("a thread under the policy 'deadline' may not change its CPUs".into()),
        _ => Refusal::last_os("sched_setaffinity"),
    })
}

fn bits(cpus: &[u32]) -> Vec<Word> {
    let highest = cpus.iter().copied().max().unwrap_or(0) as usize;
    let mut set = vec![0; highest / BITS + 1];
    for cpu in cpus {
        let cpu = *cpu as usize;
        set[cpu / BITS] |= 1 << (cpu % BITS);
    }
    set
}

fn members(set: &[Word]) -> Vec<u32> {
    (0..set.len() * BITS)
        .filter(|cpu| set[cpu / BITS] >> (cpu % BITS) & 1 == 1)
        .filter_map(|cpu| u32::try_from(cpu).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_reach_beyond_the_c_library_s() {
        let cpus = [0, 63, 64, 1023, 1024, 4095];
        assert_eq!(bits(&cpus).len(), 4096 / BITS);
        assert_eq!(members(&bits(&cpus)), cpus);
    }
}

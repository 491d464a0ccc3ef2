//! Processors: the one this thread runs on, and those that exist.

mod reader;

pub use reader::CpuReader;

use oversleep_recording::cpus::parse_list;

/// Returns the processor that the calling thread is on at this moment; `None` where the system does not tell.
///
/// Makes no system call on Linux: glibc 2.35 reads it from memory that the kernel updates (rseq, about 1 ns), older
/// versions use the vDSO (about 20 ns).
#[inline]
pub fn current() -> Option<u16> {
    here()
}

#[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "dragonfly"))]
#[inline]
fn here() -> Option<u16> {
    // SAFETY: takes nothing, touches nothing; returns a number or −1.
    let cpu = unsafe { libc::sched_getcpu() };
    u16::try_from(cpu).ok()
}

#[cfg(windows)]
#[inline]
fn here() -> Option<u16> {
    // SAFETY: takes nothing, touches nothing, cannot fail.
    let cpu = unsafe { windows_sys::Win32::System::Threading::GetCurrentProcessorNumber() };
    u16::try_from(cpu).ok()
}

#[cfg(not(any(target_os = "linux", target_os = "freebsd", target_os = "dragonfly", windows)))]
#[inline]
fn here() -> Option<u16> {
    None
}

/// Returns the numbers of the processors that are online, ascending. Never empty.
///
/// Linux lists them (`/sys/devices/system/cpu/online`); elsewhere they are counted and numbered from 0.
pub fn online() -> Vec<u32> {
    let listed = std::fs::read_to_string("/sys/devices/system/cpu/online").ok();
    match listed.as_deref().and_then(parse_list) {
        Some(cpus) if !cpus.is_empty() => cpus,
        _ => (0..counted()).collect(),
    }
}

#[cfg(unix)]
fn counted() -> u32 {
    // SAFETY: takes a name, returns a number or −1.
    let count = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    u32::try_from(count).unwrap_or(1).max(1)
}

#[cfg(not(unix))]
fn counted() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_thread_is_on_a_processor_that_is_online() {
        match current() {
            Some(cpu) => assert!(online().contains(&u32::from(cpu))),
            None => println!("skipped: this system does not tell a thread its processor"),
        }
    }
}

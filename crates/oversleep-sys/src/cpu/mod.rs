//! Processors: the one this thread runs on, those that exist, and lists of them as text.

mod reader;

pub use reader::CpuReader;

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

/// Limit of processor numbers in a list. Linux's own limit is 8192 (`CONFIG_NR_CPUS`).
const MOST: u32 = 65_536;

/// Parses a list as the kernel writes it, `0-3,8-11`; the empty list is the empty text.
///
/// Returns `None` for anything else, and for numbers that no kernel has (65 536 and above). Ascending, without
/// duplicates.
pub fn parse_list(text: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    let mut cpus = Vec::new();
    if text.is_empty() {
        return Some(cpus);
    }
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MOST {
            return None;
        }
        cpus.extend(first..=last);
    }
    cpus.sort_unstable();
    cpus.dedup();
    Some(cpus)
}

/// Returns a list as the kernel writes it: `0-3,8-11`.
pub fn list_text(cpus: &[u32]) -> String {
    let mut sorted = cpus.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let ranges = sorted.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written_as_the_kernel_does() {
        assert_eq!(parse_list("0-3,8-11\n").unwrap(), [0, 1, 2, 3, 8, 9, 10, 11]);
        assert_eq!(parse_list("0-255").unwrap().len(), 256);
        assert_eq!(parse_list("5").unwrap(), [5]);
        assert_eq!(parse_list("\n").unwrap(), [0_u32; 0]);
        assert_eq!(parse_list("3,1,1-2").unwrap(), [1, 2, 3]);
        assert_eq!(list_text(&[11, 0, 1, 2, 3, 8, 9, 10, 3]), "0-3,8-11");
        assert_eq!(list_text(&[0, 2]), "0,2");
        assert_eq!(list_text(&[]), "");
    }

    #[test]
    fn lists_no_kernel_writes_are_refused() {
        for bad in ["3-1", "a", "0-", "-1", "0,,1", "0-4294967295", "1 2"] {
            assert_eq!(parse_list(bad), None, "{bad}");
        }
    }

    #[test]
    fn this_thread_is_on_a_processor_that_is_online() {
        match current() {
            Some(cpu) => assert!(online().contains(&u32::from(cpu))),
            None => println!("skipped: this system does not tell a thread its processor"),
        }
    }
}

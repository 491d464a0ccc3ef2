//! The size of the memory.

use super::files::Files;
use oversleep_recording::machine::Memory;

pub(super) fn read(files: Files) -> Memory {
    let info = files("/proc/meminfo").unwrap_or_default();
    Memory { total_bytes: kib(&info, "MemTotal:").or_else(counted), available_bytes: kib(&info, "MemAvailable:") }
}

fn kib(info: &str, key: &str) -> Option<u64> {
    let kib: u64 =
        info.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_suffix("kB")?.trim().parse().ok())?;
    kib.checked_mul(1024)
}

#[cfg(unix)]
fn counted() -> Option<u64> {
    // SAFETY: takes a name, returns a number or −1.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    // SAFETY: as above.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?)
}

#[cfg(not(unix))]
fn counted() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kibibytes_become_bytes() {
        let info = "MemTotal:        8039956 kB\nMemFree: 1 kB\nMemAvailable:    7000000 kB\n";
        assert_eq!(kib(info, "MemTotal:"), Some(8_039_956 * 1024));
        assert_eq!(kib(info, "Swap:"), None);
    }
}

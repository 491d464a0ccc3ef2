//! The memory that perf shares with a process: a head page and a ring buffer of records.

use oversleep_sys::Refusal;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

/// Offsets in `struct perf_event_mmap_page` (stable since Linux 4.1).
const HEAD: usize = 1_024;
const TAIL: usize = 1_032;
#[cfg(target_arch = "x86_64")]
const CAPABILITIES: usize = 40;
#[cfg(target_arch = "x86_64")]
const CONVERSION: usize = 48;
/// Bit of the capabilities: the conversion is valid.
#[cfg(target_arch = "x86_64")]
const CAP_USER_TIME: u64 = 1 << 3;
/// Pages of records, a power of two. 16 pages hold about 2 700 switches, and together with the head page are far below
/// what every user may lock (`perf_event_mlock_kb`, 516 KiB by default).
const PAGES: usize = 16;

/// A mapped ring buffer.
#[derive(Debug)]
pub(super) struct Ring {
    start: NonNull<u8>,
    page: usize,
}

// SAFETY: the mapping belongs to this value alone; any thread may read and unmap it.
unsafe impl Send for Ring {}

impl Ring {
    pub(super) fn map(event: &OwnedFd) -> Result<Self, Refusal> {
        // SAFETY: takes a name, returns a number or −1.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4_096);
        let (access, length) = (libc::PROT_READ | libc::PROT_WRITE, (1 + PAGES) * page);
        // SAFETY: a new mapping of the event's ring; nothing else is there.
        let start = unsafe { libc::mmap(ptr::null_mut(), length, access, libc::MAP_SHARED, event.as_raw_fd(), 0) };
        match NonNull::new(start.cast::<u8>()) {
            Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => Ok(Self { start, page }),
            _ => Err(Refusal::last_os("mmap of perf's ring")),
        }
    }

    /// Takes all records out of the ring, in order, as the kernel wrote them.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let head = self.counter(HEAD).load(Ordering::Acquire);
        let tail = self.counter(TAIL).load(Ordering::Relaxed);
        let size = (PAGES * self.page) as u64;
        let bytes = (tail..head).map(|at| self.byte(at % size)).collect();
        self.counter(TAIL).store(head, Ordering::Release);
        bytes
    }

    /// Returns the factor and the shift by which the kernel converts the processor's counter to time, from the head page;
    /// `None` where its scheduler clock is another (`cap_user_time` is not set).
    #[cfg(target_arch = "x86_64")]
    pub(super) fn conversion(&self) -> Option<(u32, u16)> {
        let able = self.counter(CAPABILITIES).load(Ordering::Acquire) & CAP_USER_TIME != 0;
        // One word of the page: `pmc_width` and `time_shift` of 16 bits each, then `time_mult` of 32.
        let [_, _, shift_low, shift_high, factor @ ..] = self.counter(CONVERSION).load(Ordering::Acquire).to_le_bytes();
        able.then_some((u32::from_le_bytes(factor), u16::from_le_bytes([shift_low, shift_high])))
    }

    fn counter(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: within the head page.
        let place = unsafe { self.start.add(offset) };
        // SAFETY: aligned to 8 bytes, mapped as long as self lives, and shared with the kernel as an atomic.
        unsafe { AtomicU64::from_ptr(place.as_ptr().cast()) }
    }

    #[allow(clippy::cast_possible_truncation)] // below the ring's size, which fits memory
    fn byte(&self, at: u64) -> u8 {
        // SAFETY: after the head page and below the ring's end.
        let place = unsafe { self.start.add(self.page + at as usize) };
        // SAFETY: mapped, and before the head that the kernel published: the kernel does not write there until the tail
        // has passed.
        unsafe { place.as_ptr().read_volatile() }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the whole mapping made in `map`; nothing refers to it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), (1 + PAGES) * self.page) };
    }
}

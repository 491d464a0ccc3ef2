//! The processor a thread runs on.

/// The number of the processor the calling thread runs on at this moment; `None` where the system does not tell.
#[cfg(target_os = "linux")]
#[inline]
pub fn current() -> Option<u16> {
    // SAFETY: no arguments, no memory; −1 where the kernel lacks the call.
    u16::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// The number of the processor the calling thread runs on at this moment; `None` where the system does not tell.
#[cfg(not(target_os = "linux"))]
#[inline]
pub fn current() -> Option<u16> {
    None
}

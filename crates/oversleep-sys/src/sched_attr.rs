//! `sched_getattr` and `sched_setattr` (Linux 3.14), which support every policy.

use std::io;

/// `struct sched_attr` in its first version, which every kernel accepts (sched/types.h, 48 bytes).
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct SchedAttr {
    /// Size of the structure, in bytes; set by [`set`].
    pub size: u32,
    /// Number of the policy.
    pub policy: u32,
    /// Flags, `SCHED_FLAG_…`.
    pub flags: u64,
    /// Niceness, −20 to 19.
    pub nice: i32,
    /// Priority of a real-time policy, 1 to 99.
    pub priority: u32,
    /// Runtime of a deadline policy, or the time slice of a fair one (Linux 6.12), in ns.
    pub runtime: u64,
    /// Deadline of a deadline policy, in ns.
    pub deadline: u64,
    /// Period of a deadline policy, in ns.
    pub period: u64,
}

const SIZE: u32 = 48;
const _: () = assert!(size_of::<SchedAttr>() == SIZE as usize);

/// Number of the default policy, which has this name in every C library but Android's.
pub const SCHED_OTHER: u32 = 0;
/// Number of the deadline policy.
pub const SCHED_DEADLINE: u32 = 6;

/// Returns the attributes of the calling thread.
pub fn get() -> io::Result<SchedAttr> {
    let mut attributes = SchedAttr::default();
    // SAFETY: the kernel writes at most the given size, which is the structure's; 0 is the calling thread.
    let answer = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, SIZE, 0) };
    if answer == 0 { Ok(attributes) } else { Err(io::Error::last_os_error()) }
}

/// Sets the attributes of the calling thread.
pub fn set(attributes: &SchedAttr) -> io::Result<()> {
    let attributes = SchedAttr { size: SIZE, ..*attributes };
    // SAFETY: the kernel reads the structure, which states its own size; 0 is the calling thread.
    let answer = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

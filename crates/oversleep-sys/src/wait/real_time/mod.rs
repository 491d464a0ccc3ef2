//! Whether the calling thread keeps every ordinary thread off its processor, and for how long.

#[cfg_attr(target_vendor = "apple", path = "apple.rs")]
#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "linux.rs")]
#[cfg_attr(any(target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly"), path = "posix.rs")]
// Elsewhere it is `here.rs`.
mod here;

use crate::units::Nanos;

/// Returns whether the calling thread has a policy that keeps every ordinary thread off its processor
/// (`SCHED_FIFO`, `SCHED_RR`, `SCHED_DEADLINE`). `false` where it is not known.
pub fn is_real_time() -> bool {
    here::is_real_time()
}

/// Returns the processor time that the calling thread may use per period: the runtime of `SCHED_DEADLINE`,
/// after which the kernel stops it until the next period (`sched(7)`). `None` under any other policy.
pub fn budget() -> Option<Nanos> {
    here::budget()
}

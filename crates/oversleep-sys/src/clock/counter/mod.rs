//! The processor's counter: TSC on x86-64, the generic timer's virtual count on arm64.
//!
//! Use [`ordered`] to compare readings between threads: a bare read may be executed before an earlier load, so a
//! time published by another processor can be later than the reading that follows it. [`support`] says whether the
//! counter can be trusted at all.

mod trust;

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), path = "absent.rs")]
mod here;

pub use trust::{Support, support};

use crate::units::Hertz;
use std::sync::OnceLock;

/// Returns the counter, read at any point among the surrounding instructions. On processors without a
/// counter readable by programs, returns monotonic nanoseconds (and [`support`] returns an error).
#[inline]
pub fn read_unordered() -> u64 {
    here::read_unordered()
}

/// Returns the counter, read after every earlier instruction has finished (`lfence` on x86, `isb` on arm64).
#[inline]
pub fn ordered() -> u64 {
    here::ordered()
}

/// Returns the rate that the processor or hypervisor states; `None` if neither does.
pub fn nominal() -> Option<Hertz> {
    static NOMINAL: OnceLock<Option<Hertz>> = OnceLock::new();
    *NOMINAL.get_or_init(here::nominal)
}

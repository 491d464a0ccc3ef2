//! The virtual count of the generic timer.

use crate::units::Hertz;
use std::arch::asm;

#[inline]
pub(super) fn read_unordered() -> u64 {
    let ticks: u64;
    // SAFETY: reads a counter that systems make readable by programs (CNTKCTL_EL1.EL0VCTEN).
    unsafe { asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack, preserves_flags)) };
    ticks
}

/// Returns the counter, read in order: `isb` waits until every earlier instruction has finished. Not `nomem`, because
/// the compiler must not move loads and stores across it either.
#[inline]
pub(super) fn ordered() -> u64 {
    let ticks: u64;
    // SAFETY: as above.
    unsafe { asm!("isb", "mrs {}, cntvct_el0", out(reg) ticks, options(nostack, preserves_flags)) };
    ticks
}

/// Returns `true`: the architecture requires one rate in every power state (Arm ARM, D12.1).
pub(super) fn invariant() -> bool {
    true
}

pub(super) const EXISTS: bool = true;

/// Returns the rate that the firmware wrote into `CNTFRQ_EL0`.
pub(super) fn nominal() -> Option<Hertz> {
    let rate: u64;
    // SAFETY: reads a constant that programs may read wherever they may read the count.
    unsafe { asm!("mrs {}, cntfrq_el0", out(reg) rate, options(nomem, nostack, preserves_flags)) };
    Hertz::new(rate & 0xffff_ffff, 1)
}

//! `tpause`, where the processor has WAITPKG.

use super::Offer;
use std::arch::asm;

#[allow(unused_unsafe)] // safe since Rust 1.94, and older compilers are supported
pub(super) fn offer() -> Offer {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // SAFETY: every x86-64 processor has the instruction.
    let last = unsafe { __cpuid(0) }.eax;
    if last < 7 {
        return Offer::default();
    }
    // SAFETY: as above; the leaf exists.
    let leaf = unsafe { __cpuid_count(7, 0) };
    // CPUID.7.0:ECX[5], which a hypervisor that does not allow the instruction hides (Intel SDM volume 2B, TPAUSE).
    Offer { timed: leaf.ecx & 1 << 5 != 0, events: false }
}

/// The lighter of the two states, C0.1: it wakes sooner than C0.2, which a system may forbid anyway.
const LIGHT: u32 = 1;

/// Rests until the counter reads `counter`. Call it only if [`offer`] says so; otherwise it is an illegal instruction.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the halves of a word
pub(super) fn rest_until(counter: u64) {
    let (low, high) = (counter as u32, (counter >> 32) as u32);
    // SAFETY: the processor has it, as `offer` found; it touches no memory, and no register but the flags.
    unsafe { asm!("tpause {:e}", in(reg) LIGHT, in("eax") low, in("edx") high, options(nomem, nostack)) };
}

/// Pauses: there are no such events here.
pub(super) fn rest_until_event() {
    super::pause();
}

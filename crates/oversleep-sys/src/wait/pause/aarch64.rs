//! `wfet` and `wfe`, where Linux tells programs that they may use them.
//!
//! In a virtual machine either may be trapped: KVM does so where several virtual processors share a real one, and then
//! runs another (Linux 6.18, `arch/arm64/kvm`). A program cannot know.

use super::Offer;
use std::arch::asm;

/// `HWCAP_EVTSTRM` and `HWCAP2_WFXT` (Linux, `Documentation/arch/arm64/elf_hwcaps.rst`).
const EVENT_STREAM: libc::c_ulong = 1 << 2;
const TIMED: libc::c_ulong = 1 << 31;

pub(super) fn offer() -> Offer {
    // SAFETY: takes and returns a number; 0 for what the kernel does not tell.
    let first = unsafe { libc::getauxval(libc::AT_HWCAP) };
    // SAFETY: as above.
    let second = unsafe { libc::getauxval(libc::AT_HWCAP2) };
    Offer { timed: second & TIMED != 0, events: first & EVENT_STREAM != 0 }
}

/// Rests until the counter reads `counter`. Call it only if [`offer`] says so; otherwise it is an illegal instruction.
#[inline]
pub(super) fn rest_until(counter: u64) {
    // `wfet x0` as a number: assemblers before Armv8.7 do not know its name.
    // SAFETY: the processor has it, as `offer` found; it touches neither memory nor registers.
    unsafe { asm!(".inst 0xd5031000", in("x0") counter, options(nomem, nostack, preserves_flags)) };
}

/// Rests until an event. Call it only if [`offer`] says so: without the event stream it might never end.
#[inline]
pub(super) fn rest_until_event() {
    // SAFETY: every 64-bit Arm processor has it; it touches neither memory nor registers.
    unsafe { asm!("wfe", options(nomem, nostack, preserves_flags)) };
}

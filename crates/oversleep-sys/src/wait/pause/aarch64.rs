//! `wfet` and `wfe`, as Linux tells a program that it may use them.
//!
//! In a virtual machine either may be trapped: KVM does so where several virtual processors share a real one, and then
//! lets another run (Linux 6.18, `arch/arm64/kvm`). A program cannot know.

use super::Offer;
use std::arch::asm;

/// `HWCAP_EVTSTRM` and `HWCAP2_WFXT` (Linux, `Documentation/arch/arm64/elf_hwcaps.rst`).
const EVENT_STREAM: libc::c_ulong = 1 << 2;
const TIMED: libc::c_ulong = 1 << 31;

pub(super) fn offer() -> Offer {
    // SAFETY: takes and answers a number; 0 for what the kernel does not say.
    let first = unsafe { libc::getauxval(libc::AT_HWCAP) };
    // SAFETY: as above.
    let second = unsafe { libc::getauxval(libc::AT_HWCAP2) };
    Offer { timed: second & TIMED != 0, events: first & EVENT_STREAM != 0 }
}

/// Rests until then. Only where [`offer`] says so; elsewhere an illegal instruction.
#[inline]
pub(super) fn rest_until(counter: u64) {
    // `wfet x0`, in numbers: assemblers before Armv8.7 do not know its name.
    // SAFETY: the processor has it, as `offer` found; it touches neither memory nor registers.
    unsafe { asm!(".inst 0xd5031000", in("x0") counter, options(nomem, nostack, preserves_flags)) };
}

/// Rests until an event. Without the event stream nothing need ever end it: only where [`offer`] says so.
#[inline]
pub(super) fn rest_until_event() {
    // SAFETY: every 64-bit Arm processor has it; it touches neither memory nor registers.
    unsafe { asm!("wfe", options(nomem, nostack, preserves_flags)) };
}

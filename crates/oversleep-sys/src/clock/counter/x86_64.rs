//! The time stamp counter.

use crate::units::Hertz;
use std::arch::asm;
use std::arch::x86_64::{__cpuid, CpuidResult};

#[inline]
pub(super) fn read_unordered() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: reads a counter that every x86-64 processor has, and that no supported system forbids (CR4.TSD).
    unsafe { asm!("rdtsc", out("eax") low, out("edx") high, options(nomem, nostack, preserves_flags)) };
    u64::from(high) << 32 | u64::from(low)
}

/// Returns the counter, read in order: `lfence` waits until every earlier instruction has finished. Not `nomem`,
/// because the compiler must not move loads and stores across it either.
#[inline]
pub(super) fn ordered() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: as above; SSE2 is part of x86-64.
    unsafe { asm!("lfence", "rdtsc", out("eax") low, out("edx") high, options(nostack, preserves_flags)) };
    u64::from(high) << 32 | u64::from(low)
}

#[allow(unused_unsafe)] // safe since Rust 1.94, and older compilers are supported
fn cpuid(leaf: u32) -> CpuidResult {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { __cpuid(leaf) }
}

/// Returns whether the counter runs at one rate in every power state (leaf 80000007h, EDX bit 8; Intel SDM volume 3,
/// 19.17.1).
pub(super) fn invariant() -> bool {
    cpuid(0x8000_0000).eax >= 0x8000_0007 && cpuid(0x8000_0007).edx & 1 << 8 != 0
}

pub(super) const EXISTS: bool = true;

pub(super) fn nominal() -> Option<Hertz> {
    from_hypervisor().or_else(from_crystal)
}

/// Returns the rate that a hypervisor states: those that follow `VMware`'s convention do so in kHz in leaf 40000010h.
fn from_hypervisor() -> Option<Hertz> {
    let hypervisor = cpuid(1).ecx & 1 << 31 != 0;
    let leaf_exists = || (0x4000_0010..0x4001_0000).contains(&cpuid(0x4000_0000).eax);
    if !hypervisor || !leaf_exists() {
        return None;
    }
    Hertz::new(u64::from(cpuid(0x4000_0010).eax) * 1_000, 1)
}

/// Returns the rate from leaf 15h: crystal × numerator / denominator (Intel SDM volume 3, 19.7.3). Zero means that the
/// processor does not state it.
fn from_crystal() -> Option<Hertz> {
    if cpuid(0).eax < 0x15 {
        return None;
    }
    let leaf = cpuid(0x15);
    Hertz::new(u64::from(leaf.ecx) * u64::from(leaf.ebx), u64::from(leaf.eax))
}

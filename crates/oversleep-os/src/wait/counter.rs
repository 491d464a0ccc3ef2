//! The processor's counter, read in order.

/// The counter now, ordered after every load before it: no thread can see a value published by another and then
/// read a smaller one itself, if the counters are synchronised ([`trusted_counter`]).
///
/// `lfence; rdtsc` on x86-64 (Intel SDM volume 2, RDTSC: a preceding LFENCE orders it after all previous
/// instructions and loads), `isb; mrs CNTVCT_EL0` on 64-bit Arm. `None` elsewhere.
#[inline]
pub fn ordered_counter() -> Option<u64> {
    read()
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[allow(clippy::unnecessary_wraps)] // other architectures have none
fn read() -> Option<u64> {
    // SAFETY: every x86-64 processor has LFENCE (SSE2).
    unsafe { std::arch::x86_64::_mm_lfence() };
    // SAFETY: every x86-64 processor has RDTSC; Linux can make it trap (`PR_SET_TSC`), which nobody does unasked.
    Some(unsafe { std::arch::x86_64::_rdtsc() })
}

#[cfg(target_arch = "aarch64")]
#[inline]
#[allow(clippy::unnecessary_wraps)] // other architectures have none
fn read() -> Option<u64> {
    let ticks: u64;
    // SAFETY: both instructions are allowed in user space on every system of the catalogue; memory is not touched.
    unsafe { std::arch::asm!("isb", "mrs {}, cntvct_el0", out(reg) ticks, options(nostack)) };
    Some(ticks)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline]
fn read() -> Option<u64> {
    None
}

/// Whether the counter may stand in for the system's clock on this machine at this time: it runs at one rate in
/// every state of the processor, alike on all of them, and the system itself uses it.
///
/// Costs a file read on Linux; ask seldom.
pub fn trusted_counter() -> bool {
    invariant() && system_uses_it()
}

/// CPUID leaf `8000_0007h`, EDX bit 8 (Intel SDM volume 3, 19.17.1; AMD APM volume 3, E.4.6).
#[cfg(target_arch = "x86_64")]
fn invariant() -> bool {
    const ADVANCED_POWER: u32 = 0x8000_0007;
    cpuid(0x8000_0000).eax >= ADVANCED_POWER && cpuid(ADVANCED_POWER).edx & (1 << 8) != 0
}

#[cfg(target_arch = "x86_64")]
fn cpuid(leaf: u32) -> std::arch::x86_64::CpuidResult {
    // SAFETY: every x86-64 processor has CPUID. (A safe function since Rust 1.94, unsafe in the oldest we build with.)
    #[allow(unused_unsafe)]
    unsafe {
        std::arch::x86_64::__cpuid(leaf)
    }
}

/// The generic timer runs at one rate by architecture (Arm ARM, D12.1).
#[cfg(not(target_arch = "x86_64"))]
fn invariant() -> bool {
    ordered_counter().is_some()
}

/// Linux drops the counter as its clocksource when its watchdog or the check across processors finds it wrong.
#[cfg(target_os = "linux")]
fn system_uses_it() -> bool {
    let current = std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    match current.as_deref().map(str::trim) {
        Ok("tsc" | "arch_sys_counter") => true,
        // kvm-clock is the host's correction of a counter the guest may read, but need not be alike on all.
        Ok(_) => false,
        // A sandbox without /sys says nothing: the running check against the system's clock is what remains.
        Err(_) => cfg!(target_arch = "aarch64"),
    }
}

/// macOS' clock is the counter. Elsewhere nothing tells, so the system's own clock is used.
#[cfg(not(target_os = "linux"))]
fn system_uses_it() -> bool {
    cfg!(all(target_os = "macos", target_arch = "aarch64"))
}

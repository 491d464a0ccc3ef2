//! Whether the counter is a usable clock.

use super::{here, nominal};
use crate::refusal::Refusal;
use crate::units::Hertz;

/// Facts about the counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// Whether the counter runs at one rate whatever the processor's frequency and sleep state, as the processor
    /// states.
    pub invariant: bool,
    /// Rate that the processor or hypervisor states.
    pub nominal: Option<Hertz>,
    /// Clock source that the kernel itself uses, where it tells (Linux: `current_clocksource`).
    pub clocksource: Option<String>,
}

impl Support {
    /// Returns whether the counter may be used in place of the system's clock: if it is invariant and, where the kernel
    /// tells its clock source, the kernel uses it too. Linux tells; if it cannot be asked there (a container without
    /// `/sys`), the answer is no. Elsewhere the processor's statement is all there is.
    ///
    /// Linux compares the TSC of every processor with the others and with a second timer, and stops using it when it
    /// fails (`clocksource=hpet` appears); kvm-clock and Hyper-V's page scale the TSC, but do not promise that it is
    /// synchronised, so they do not count as trust.
    pub fn trusted(&self) -> bool {
        self.trusted_where(cfg!(any(target_os = "linux", target_os = "android")))
    }

    /// Returns the same for another machine; `kernel_says`: whether its kernel tells its clock source.
    pub fn trusted_where(&self, kernel_says: bool) -> bool {
        let kept = |name: &str| matches!(name, "tsc" | "arch_sys_counter");
        self.invariant && self.clocksource.as_deref().map_or(!kernel_says, kept)
    }
}

/// Returns the facts about the counter here; the kernel's part is read again each time, because it may change.
///
/// # Errors
/// [`Refusal::Unavailable`] where no counter is known for this processor.
pub fn support() -> Result<Support, Refusal> {
    if !here::EXISTS {
        return Err(Refusal::Unavailable("no counter readable by programs is known for this processor".to_owned()));
    }
    Ok(Support { invariant: here::invariant(), nominal: nominal(), clocksource: clocksource() })
}

/// Reads the kernel's clock source. Not with `std::fs`: glibc's `open`, `read` and `close` are cancellation points, and
/// this is called during other calls, through which `pthread_cancel` would unwind.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn clocksource() -> Option<String> {
    let path = c"/sys/devices/system/clocksource/clocksource0/current_clocksource";
    let mut text = [0_u8; 64];
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    // SAFETY: openat(2) with a path that ends with a null and outlives the call.
    let file = unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags) };
    if file < 0 {
        return None;
    }
    // SAFETY: read(2) from an open descriptor into at most the given number of writable bytes.
    let length = unsafe { libc::syscall(libc::SYS_read, file, text.as_mut_ptr(), text.len()) };
    // SAFETY: close(2) of the descriptor opened above, once.
    unsafe { libc::syscall(libc::SYS_close, file) };
    let text = text.get(..usize::try_from(length).ok()?)?;
    Some(std::str::from_utf8(text).ok()?.trim().to_owned())
}

#[cfg(any(not(any(target_os = "linux", target_os = "android")), miri))]
fn clocksource() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_needs_an_invariant_counter_that_the_kernel_keeps() {
        let with = |invariant, clocksource: Option<&str>| {
            Support { invariant, nominal: None, clocksource: clocksource.map(str::to_owned) }.trusted()
        };
        assert!(with(true, Some("tsc")));
        assert_eq!(with(true, None), cfg!(not(target_os = "linux")), "only Linux can be asked");
        assert!(!with(true, Some("hpet")));
        assert!(!with(true, Some("kvm-clock")));
        assert!(!with(false, Some("tsc")));
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn the_kernel_is_asked_what_it_keeps_time_with() {
        let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        let said = std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        assert_eq!(clocksource(), said);
    }
}

//! Whether the counter keeps time.

use super::{here, nominal};
use crate::refusal::Refusal;
use crate::units::Hertz;

/// What is known of the counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// It runs at one rate whatever the processor's speed and sleep, as the processor states.
    pub invariant: bool,
    /// The rate that the processor or hypervisor states.
    pub nominal: Option<Hertz>,
    /// What the kernel itself keeps time with, where it says (Linux: `current_clocksource`).
    pub clocksource: Option<String>,
}

impl Support {
    /// Whether it may stand in for the system's clock: invariant, and not dropped by a kernel that says what it uses.
    ///
    /// Linux checks the TSC on every processor against each other and a second timer, and leaves it when it fails
    /// (`clocksource=hpet` appears); kvm-clock and Hyper-V's page scale the TSC, but do not promise that it is
    /// synchronised, so they do not count as trust.
    pub fn trusted(&self) -> bool {
        let kept = self.clocksource.as_deref().is_none_or(|name| matches!(name, "tsc" | "arch_sys_counter"));
        self.invariant && kept
    }
}

/// What is known of the counter here; the kernel's part is read anew each time, for it may change.
///
/// # Errors
/// [`Refusal::Unavailable`] where no counter is known for this processor.
pub fn support() -> Result<Support, Refusal> {
    if !here::EXISTS {
        return Err(Refusal::Unavailable("no counter readable by programs is known for this processor".to_owned()));
    }
    Ok(Support { invariant: here::invariant(), nominal: nominal(), clocksource: clocksource() })
}

#[cfg(target_os = "linux")]
fn clocksource() -> Option<String> {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

#[cfg(not(target_os = "linux"))]
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
        assert!(with(true, None));
        assert!(!with(true, Some("hpet")));
        assert!(!with(true, Some("kvm-clock")));
        assert!(!with(false, Some("tsc")));
    }
}

//! Adds the name of a finding's cause on the recording's system: Windows' timer resolutions, macOS' coalescing and App
//! Nap. Nothing is added where the recording does not name its system.

use crate::patterns::features::Features;
use oversleep_recording::document::evidence::{Rounding, TickQuantised, Witnessed};
use oversleep_recording::document::{Evidence, Finding};

/// Systems that have their own names for their rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Windows,
    MacOs,
}

impl System {
    /// Returns the recording's system, of a real machine or a simulated kernel, if it is one of these.
    pub(super) fn new(features: &Features<'_>) -> Option<Self> {
        let machine = &features.recording.meta.machine;
        let name = if machine.system == "simulated" { &machine.release } else { &machine.system };
        let name = name.to_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        match () {
            () if is(&["windows-9"]) => None,
            () if is(&["windows"]) => Some(Self::Windows),
            () if is(&["darwin-"]) => None,
            () if is(&["darwin", "macos"]) => Some(Self::MacOs),
            () => None,
        }
    }
}

/// Resolutions of Windows' timers in ns, the longest first, and what sets them (learn.microsoft.com: `timeBeginPeriod`,
/// `CreateWaitableTimerEx`; Sysinternals' `clockres` shows 15.625, 0.997 and 0.500 ms).
pub(super) const RESOLUTIONS: &[(f64, &str)] = &[
    (15_625_000.0, "the default resolution of 15.625 ms"),
    (10_000_000.0, "a default resolution of 10 ms, as of older machines with one processor"),
    (1_000_000.0, "a resolution of 1 ms: somebody called timeBeginPeriod(1)"),
    (997_000.0, "a resolution of 1 ms: somebody called timeBeginPeriod(1)"),
    (976_562.5, "a resolution of 1 ms: somebody called timeBeginPeriod(1)"),
    (500_000.0, "a resolution of 0.5 ms: a high-resolution waitable timer, or NtSetTimerResolution"),
];

/// Returns the resolution that a tick of this length (ns, to 0.2 %) is, and what sets it.
fn resolution(tick: f64) -> Option<(f64, &'static str)> {
    RESOLUTIONS.iter().copied().find(|(length, _)| (tick / length - 1.0).abs() < 2e-3)
}

/// Most leeway of a time-sharing thread in XNU, in ns: an eighth of its request up to 1 ms, and the cost of waking.
const TIMESHARE_MOST: f64 = 1_050_000.0;

/// Adds the system's own rule to a finding's evidence.
pub(in crate::patterns) fn tell(features: &Features<'_>, finding: &mut Finding) {
    match System::new(features) {
        Some(System::Windows) => {
            if let Some(tick) = finding.evidence.get_mut::<TickQuantised>() {
                windows(tick);
            }
        }
        Some(System::MacOs) => mac_os(finding),
        None => {}
    }
}

fn windows(tick: &mut TickQuantised) {
    let Some((length, who)) = tick.tick_ns().and_then(resolution) else { return };
    tick.timer_resolution_ns = Some(length);
    tick.system_rule = Some(format!("{who}; {}", windows_rounding(*tick.rounding)));
}

fn windows_rounding(rounding: Option<Rounding>) -> &'static str {
    match rounding {
        Some(Rounding::Early) => "counted from the last interrupt, so up to one resolution early or late",
        Some(Rounding::Down) => "rounded down to the resolution",
        Some(Rounding::Up) => "rounded up to the resolution",
        Some(Rounding::UpPlusOne) => "rounded up to the resolution, plus one",
        None => "sleeps end at its interrupts",
    }
}

fn mac_os(finding: &mut Finding) {
    let size = finding.size.abs();
    let (leeway, rule) = match &mut finding.evidence {
        Evidence::TimerSlack(Witnessed { pattern: Some(slack), .. }) => (size, &mut slack.system_rule),
        Evidence::ProportionalSlack(Witnessed { pattern: Some(share), .. }) => {
            (share.stretch_ns as f64, &mut share.system_rule)
        }
        Evidence::Coalescing(coalescing) => (size, &mut coalescing.system_rule),
        Evidence::ChangePoint(change) => (size, &mut change.system_rule),
        _ => return,
    };
    let text = if leeway > TIMESHARE_MOST {
        "App Nap or background QoS: leeway beyond the 1 ms of time-sharing threads, up to 100 ms"
    } else {
        "timer coalescing of time-sharing threads: an eighth of the request, at most 1 ms"
    };
    *rule = Some(text.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolutions_are_those_of_clockres() {
        assert_eq!(resolution(15_624_900.0).map(|found| found.0), Some(15_625_000.0));
        assert_eq!(resolution(997_010.0).map(|found| found.0), Some(997_000.0));
        assert_eq!(resolution(4_000_000.0), None);
    }
}

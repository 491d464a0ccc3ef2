//! The timer resolution of Windows: how often it checks its timers.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The timer resolutions of a system (Windows).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TimerResolution {
    /// Coarsest resolution, in force while no process requests another.
    #[serde(rename = "coarsest_ns")]
    pub coarsest: Nanos,
    /// Finest resolution that may be requested.
    #[serde(rename = "finest_ns")]
    pub finest: Nanos,
    /// Resolution in force in the system.
    #[serde(rename = "in_force_ns")]
    pub in_force: Nanos,
}

/// Whose request for a timer resolution counts in a version of Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerRule {
    /// The finest that any process requests applies to all (before Windows 10 version 2004).
    SystemWide,
    /// A process gets what it requests itself (since version 2004, build 19041).
    PerProcess,
    /// The same, but not guaranteed while the process's windows are hidden or silent (Windows 11, build 22000).
    PerProcessWhileSeen,
}

impl TimerRule {
    /// Returns the rule of a release such as `10.0.19045`; `None` if the text states no build.
    pub fn of_release(release: &str) -> Option<Self> {
        let mut numbers = release.split('.').map(str::parse::<u32>);
        let (major, _, build) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(match build {
            _ if major < 10 => Self::SystemWide,
            0..19_041 => Self::SystemWide,
            19_041..22_000 => Self::PerProcess,
            _ => Self::PerProcessWhileSeen,
        })
    }

    /// Returns a description of the rule.
    pub const fn text(self) -> &'static str {
        match self {
            Self::SystemWide => "the finest resolution that any process asks for holds for all",
            Self::PerProcess => "a process gets the resolution that it asks for itself",
            Self::PerProcessWhileSeen => {
                "a process gets the resolution that it asks for itself, while its windows are not hidden"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TimerRule;

    /// Builds according to learn.microsoft.com ("Windows 10 release information") and the remarks on `timeBeginPeriod`.
    #[test]
    fn a_build_decides_the_rule() {
        let rule = TimerRule::of_release;
        assert_eq!(rule("6.1.7601"), Some(TimerRule::SystemWide));
        assert_eq!(rule("10.0.18363"), Some(TimerRule::SystemWide));
        assert_eq!(rule("10.0.19041"), Some(TimerRule::PerProcess));
        assert_eq!(rule("10.0.22000"), Some(TimerRule::PerProcessWhileSeen));
        assert_eq!((rule(""), rule("10.0"), rule("10.0.x")), (None, None, None));
    }
}

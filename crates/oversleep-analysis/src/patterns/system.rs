//! Which system a recording is from, and what that system is known to do.

use oversleep_recording::{Meta, Recording};

/// Returns the name of the recording's system, or of the simulated kernel, in lower case; empty if not recorded.
pub(crate) fn name(meta: &Meta) -> String {
    let machine = &meta.machine;
    if machine.system == "simulated" { &machine.release } else { &machine.system }.to_lowercase()
}

/// Names of systems as remedies spell them, by the beginnings of the kernels' names.
const SYSTEMS: &[(&str, &str)] = &[
    ("linux", "Linux"),
    ("freebsd", "FreeBSD"),
    ("dragonfly", "DragonFly"),
    ("netbsd", "NetBSD"),
    ("openbsd", "OpenBSD"),
    ("windows", "Windows"),
    ("macos", "macOS"),
    ("darwin", "macOS"),
    ("solaris", "illumos"),
    ("illumos", "illumos"),
    ("sunos", "illumos"),
];

/// Returns the system's name as remedies spell it; `None` where the recording does not name a known system.
pub(crate) fn of_remedies(recording: &Recording) -> Option<&'static str> {
    let name = name(&recording.meta);
    SYSTEMS.iter().find(|(begins, _)| name.starts_with(begins)).map(|(_, system)| *system)
}

/// Returns whether the recording's system counts a sleep from the last tick before it, as NT does; `None` where it is
/// not known which system it is. Windows 9x is not NT.
pub(super) fn counts_from_last_tick(recording: &Recording) -> Option<bool> {
    let name = name(&recording.meta);
    let known = SYSTEMS.iter().find(|(begins, _)| name.starts_with(begins));
    known.map(|(begins, _)| *begins == "windows" && !name.starts_with("windows-9"))
}

/// Returns whether the recording's system may time sleeps with a clock that it refreshes only every few ticks, as FreeBSD's
/// `tc_tick` does; Linux' and Windows' clocks move at each tick, XNU's is read. `true` where it is not known which system it is.
pub(super) fn may_cache_its_clock(recording: &Recording) -> bool {
    of_remedies(recording).is_none_or(|system| !["Linux", "Windows", "macOS"].contains(&system))
}

/// What a recording's system is known to do about slack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slacks {
    /// Every thread has 50 µs unless set otherwise.
    Usual,
    /// Some threads have slack.
    Some,
    /// The recording does not name its system.
    Unknown,
    /// No thread has slack.
    None,
}

impl Slacks {
    pub(super) fn new(recording: &Recording) -> Self {
        let name = name(&recording.meta);
        let is = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        match () {
            () if is(&["linux"]) => Self::Usual,
            () if is(&["freebsd", "dragonfly", "openbsd", "netbsd", "windows", "solaris", "illumos"]) => Self::None,
            () if is(&["macos", "darwin"]) => Self::Some,
            () => Self::Unknown,
        }
    }
}

/// The first release of each system, as (major, minor), in which sleeps may be late by a share of their request; `None`
/// for systems without one. Linux: `select_estimate_accuracy` (`fs/select.c`, 2.6.28); FreeBSD: `tc_precexp`
/// (`kern_tc.c`, 10.0); XNU: timer coalescing (OS X 10.9, Darwin 13). Any 2.6 counts, as not all recordings say more.
const SHARES_FROM: &[(&str, Option<(u32, u32)>)] = &[
    ("linux", Some((2, 6))),
    ("freebsd", Some((10, 0))),
    ("macos", Some((0, 0))),
    ("darwin", Some((13, 0))),
    ("dragonfly", None),
    ("netbsd", None),
    ("openbsd", None),
    ("solaris", None),
    ("illumos", None),
    ("sunos", None),
    ("windows", None),
];

/// Returns whether a recording's sleeps may be late by a share of their request; `true` where its system or release is
/// not known.
pub(super) fn has_shares(recording: &Recording) -> bool {
    let name = name(&recording.meta);
    let Some((begins, from)) = SHARES_FROM.iter().find(|(begins, _)| name.starts_with(begins)) else { return true };
    let machine = &recording.meta.machine;
    let simulated = name[begins.len()..].trim_start_matches('-');
    let release = if machine.system == "simulated" { simulated } else { &machine.release };
    match (from, of_release(release)) {
        (None, _) => false,
        (Some(from), Some(release)) => release >= *from,
        (Some(_), None) => true,
    }
}

/// Returns the first two numbers of a release (the second is 0 if missing); `None` if it does not begin with a number.
fn of_release(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    let major = numbers.next()?.parse().ok()?;
    Some((major, numbers.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::{Kind, Plan};
    use oversleep_recording::{Meta, Origin};

    #[test]
    fn shares_of_the_request_are_of_some_systems_from_some_release_on() {
        let plan = Plan { kind: Kind::Measure, cells: Vec::new(), turns: Vec::new(), seed: 0 };
        let has = |system: &str, release: &str| {
            let mut meta = Meta::new("test", Origin::Live, plan.clone());
            (meta.machine.system, meta.machine.release) = (system.to_owned(), release.to_owned());
            has_shares(&Recording::new(meta))
        };
        let with =
            [("Linux", "6.18.44"), ("FreeBSD", "14.1-RELEASE"), ("Darwin", "23.5.0"), ("simulated", "freebsd-10")];
        let without = [("FreeBSD", "8.4-RELEASE"), ("Linux", "2.4.37"), ("Windows", "10.0"), ("Darwin", "7.0.0")];
        assert_eq!(with.map(|(system, release)| has(system, release)), [true; 4]);
        assert_eq!(without.map(|(system, release)| has(system, release)), [false; 4]);
        assert!(
            !has("simulated", "freebsd-8-hz4000") && !has("simulated", "darwin-7") && !has("simulated", "linux-2.4")
        );
        assert!(has("simulated", "linux-nohighres-hz250") && has("simulated", "mine") && has("", ""));
    }
}

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

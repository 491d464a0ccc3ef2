//! Which system a recording is of, and what that is known to do.

use oversleep_recording::Recording;

/// Returns the name of the recording's system, or of the simulated kernel, in small letters; empty where nothing is said.
fn name(recording: &Recording) -> String {
    let machine = &recording.meta.machine;
    if machine.system == "simulated" { &machine.release } else { &machine.system }.to_lowercase()
}

/// Names of systems as remedies have them, by how the names of their kernels begin.
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

/// Returns the system's name as remedies have it; `None` where the recording does not say.
pub(super) fn of_remedies(recording: &Recording) -> Option<&'static str> {
    let name = name(recording);
    SYSTEMS.iter().find(|(begins, _)| name.starts_with(begins)).map(|(_, system)| *system)
}

/// Returns whether the recording's system counts a sleep from the last tick before it, as NT does; `None` where it is
/// not known which system it is. Windows 9x is not NT.
pub(super) fn counts_from_last_tick(recording: &Recording) -> Option<bool> {
    let name = name(recording);
    let known = SYSTEMS.iter().find(|(begins, _)| name.starts_with(begins));
    known.map(|(begins, _)| *begins == "windows" && !name.starts_with("windows-9"))
}

/// What a recording's system is known to do about slack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slacks {
    /// Every thread has 50 µs unless it is told otherwise.
    Usual,
    /// Some threads have some.
    Some,
    /// The recording does not name its system.
    Unknown,
    /// There is none.
    None,
}

impl Slacks {
    pub(super) fn of(recording: &Recording) -> Self {
        let name = name(recording);
        let is = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        match () {
            () if is(&["linux"]) => Self::Usual,
            () if is(&["freebsd", "dragonfly", "openbsd", "netbsd", "windows", "solaris", "illumos"]) => Self::None,
            () if is(&["macos", "darwin"]) => Self::Some,
            () => Self::Unknown,
        }
    }
}

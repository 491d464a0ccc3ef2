//! Which door of the kernel a method goes through.

/// A door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Path {
    /// `nanosleep` and what is built on it: looks at the clock again.
    Sleep,
    /// `select` and its kin: a single shot, on Linux with slack in proportion.
    Select,
    /// Waits for something that never comes, with a timeout: a single shot.
    Wait,
    /// A timer of the process's own: a single shot, on Linux without slack.
    Timer,
    /// Waits in the kernel with a timeout in ticks: socket timeouts.
    Wheel,
    /// Gives the processor up.
    Yield,
    /// Does not ask the kernel at all: reads the clock until the time is over.
    Spin,
}

/// Words in the names of methods, the first that fits: one the catalogue gains later finds its door.
const DOORS: &[(&str, Path)] = &[
    ("spin", Path::Spin),
    ("yield", Path::Yield),
    ("switch-to-thread", Path::Yield),
    ("rcvtimeo", Path::Wheel),
    ("sndtimeo", Path::Wheel),
    ("select", Path::Select),
    ("poll", Path::Select),
    ("timer", Path::Timer),
    ("time-set-event", Path::Timer),
    ("sleep", Path::Sleep),
    ("mach-wait-until", Path::Sleep),
    ("nt-delay", Path::Sleep),
    ("kevent", Path::Wait),
    ("wait", Path::Wait),
    ("timed", Path::Wait),
    ("park", Path::Wait),
    ("io-uring", Path::Wait),
    ("port-get", Path::Wait),
    ("get-queued", Path::Wait),
];

impl Path {
    /// The door of a method, or `None` if a simulated kernel has none for it.
    pub(crate) fn of(method: &str) -> Option<Self> {
        DOORS.iter().find(|(word, _)| method.contains(word)).map(|&(_, path)| path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_of_the_catalogue_has_a_door() {
        for row in oversleep_recording::catalog::ROWS {
            assert!(Path::of(row.name).is_some(), "{}", row.name);
        }
        assert_eq!(Path::of("clock-nanosleep-abs"), Some(Path::Sleep));
        assert_eq!(Path::of("wait-for-single-object"), Some(Path::Wait));
        assert_eq!(Path::of("winsock-select"), Some(Path::Select));
        assert_eq!(Path::of("nap"), None);
    }
}

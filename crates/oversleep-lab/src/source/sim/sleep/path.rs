//! Which door of the kernel a method goes through.

/// A door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Path {
    /// Sleeps for a duration: `nanosleep` and what is built on it.
    Sleep,
    /// Sleeps until a time on the clock.
    Absolute,
    /// Waits for something that never comes, with a timeout: `select` and its kin.
    Select,
    /// Waits in the kernel with a timeout in ticks: socket timeouts.
    Wheel,
    /// Gives the processor up.
    Yield,
}

impl Path {
    /// The door of the catalogue's method, or `None` if a simulated kernel has none for it.
    ///
    /// Families are known by the word in the method's name, so that one the catalogue gains later finds its door.
    pub(crate) fn of(method: &str) -> Option<Self> {
        const DOORS: &[(&str, Path)] = &[
            ("yield", Path::Yield),
            ("rcvtimeo", Path::Wheel),
            ("sndtimeo", Path::Wheel),
            ("nanosleep-abs", Path::Absolute),
            ("select", Path::Select),
            ("poll", Path::Select),
            ("kevent", Path::Select),
            ("kqueue", Path::Select),
            ("timedwait", Path::Select),
            ("cond", Path::Select),
            ("futex", Path::Select),
            ("wait", Path::Sleep),
            ("sleep", Path::Sleep),
            ("timer", Path::Sleep),
            ("itimer", Path::Sleep),
            ("park", Path::Select),
            ("delay", Path::Sleep),
        ];
        DOORS.iter().find(|(word, _)| method.contains(word)).map(|&(_, path)| path)
    }
}

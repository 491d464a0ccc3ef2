//! The words a catalogue row is written in.

use crate::units::Nanos;
use std::fmt;

/// One sleep primitive: what it is called, what it takes, what it promises.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its identity in code.
    pub id: super::MethodId,
    /// Its name on the command line and in files, in kebab-case, from the system's own name.
    pub name: &'static str,
    /// The call or calls made, as the system's documentation writes them.
    pub call: &'static str,
    /// Where its code lives.
    pub family: Family,
    /// The systems that have it.
    pub systems: &'static [System],
    /// What the request is counted in. A request that is no multiple is rounded **up** by us, so that a late
    /// wake-up is never our rounding down; what the kernel rounds after that is measured.
    pub unit: Unit,
    /// How the wake-up time is given.
    pub mode: Mode,
    /// The clock its timer runs on.
    pub clock: TimerClock,
    /// Whether it may return before the time is over (signals aside).
    pub early: Early,
    /// What its documentation promises, in our words.
    pub promise: &'static str,
    /// Where the documentation is.
    pub source: &'static str,
}

impl Row {
    /// `request` as the call takes it: rounded up to the call's unit.
    pub fn rounded(&self, request: Nanos) -> Nanos {
        self.unit.step().map_or(request, |step| request.ceil_to(step))
    }
}

/// The folder a method's code lives in: what kind of system has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Everywhere Rust runs.
    Portable,
    /// POSIX, wherever the system has it.
    Posix,
    /// Linux alone.
    Linux,
    /// The BSDs and `macOS`.
    Kqueue,
    /// `macOS` alone.
    Apple,
    /// illumos and Solaris.
    Illumos,
    /// Windows.
    Windows,
}

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum System {
    /// Linux.
    Linux,
    /// `macOS`.
    MacOs,
    /// Windows.
    Windows,
    /// FreeBSD.
    FreeBsd,
    /// NetBSD.
    NetBsd,
    /// OpenBSD.
    OpenBsd,
    /// `DragonFly` BSD.
    DragonFly,
    /// illumos.
    Illumos,
}

impl System {
    /// Every system of the catalogue.
    pub const ALL: &[Self] = &[
        Self::Linux,
        Self::MacOs,
        Self::Windows,
        Self::FreeBsd,
        Self::NetBsd,
        Self::OpenBsd,
        Self::DragonFly,
        Self::Illumos,
    ];

    /// The system this program was built for, if the catalogue knows it.
    pub const HERE: Option<Self> = if cfg!(target_os = "linux") {
        Some(Self::Linux)
    } else if cfg!(target_os = "macos") {
        Some(Self::MacOs)
    } else if cfg!(target_os = "windows") {
        Some(Self::Windows)
    } else if cfg!(target_os = "freebsd") {
        Some(Self::FreeBsd)
    } else if cfg!(target_os = "netbsd") {
        Some(Self::NetBsd)
    } else if cfg!(target_os = "openbsd") {
        Some(Self::OpenBsd)
    } else if cfg!(target_os = "dragonfly") {
        Some(Self::DragonFly)
    } else if cfg!(target_os = "illumos") {
        Some(Self::Illumos)
    } else {
        None
    };

    /// The name its users write.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::MacOs => "macOS",
            Self::Windows => "Windows",
            Self::FreeBsd => "FreeBSD",
            Self::NetBsd => "NetBSD",
            Self::OpenBsd => "OpenBSD",
            Self::DragonFly => "DragonFly BSD",
            Self::Illumos => "illumos",
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a call's time argument counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Nanoseconds.
    Nanosecond,
    /// Hundreds of nanoseconds, as Windows counts.
    HundredNanoseconds,
    /// Microseconds.
    Microsecond,
    /// Milliseconds.
    Millisecond,
    /// Whole seconds.
    Second,
    /// The call takes no time at all (`sched_yield`).
    Nothing,
}

impl Unit {
    /// One step of the unit; `None` for a call that takes no time.
    pub const fn step(self) -> Option<Nanos> {
        match self {
            Self::Nanosecond => Some(Nanos::new(1)),
            Self::HundredNanoseconds => Some(Nanos::new(100)),
            Self::Microsecond => Some(Nanos::MICROSECOND),
            Self::Millisecond => Some(Nanos::MILLISECOND),
            Self::Second => Some(Nanos::SECOND),
            Self::Nothing => None,
        }
    }

    /// As a person writes it in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nanosecond => "1 ns",
            Self::HundredNanoseconds => "100 ns",
            Self::Microsecond => "1 µs",
            Self::Millisecond => "1 ms",
            Self::Second => "1 s",
            Self::Nothing => "–",
        }
    }
}

/// How a call is told when to wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// After a duration.
    Relative,
    /// At a time on its clock.
    Absolute,
    /// Again and again at a fixed period, from one call.
    Periodic,
    /// It gives up the processor and takes no time.
    Yield,
}

impl Mode {
    /// One word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::Periodic => "periodic",
            Self::Yield => "yield",
        }
    }
}

/// The clock a call's timer runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimerClock {
    /// Time since boot, without suspend, steered in rate only.
    Monotonic,
    /// Wall-clock time; may be stepped.
    Realtime,
    /// Time since boot, with suspend.
    Boottime,
    /// Atomic time: wall-clock time without leap seconds.
    Tai,
    /// The kernel's tick counter.
    Tick,
    /// A processor counter read in user space.
    Counter,
    /// The call takes no time.
    None,
}

impl TimerClock {
    /// One word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Monotonic => "monotonic",
            Self::Realtime => "realtime",
            Self::Boottime => "boottime",
            Self::Tai => "tai",
            Self::Tick => "tick",
            Self::Counter => "counter",
            Self::None => "none",
        }
    }
}

/// Whether a call may return before the time it was given is over, signals and spurious wake-ups aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Early {
    /// Its documentation rules it out.
    Never,
    /// Its documentation allows it, or says nothing while it has been seen.
    Possible,
}

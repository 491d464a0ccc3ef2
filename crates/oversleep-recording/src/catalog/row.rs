//! The types of a catalogue row.

use super::System;
use oversleep_sys::clock::TimerClock;
use oversleep_sys::units::Nanos;

/// One sleep method: its name, its request, and what its documentation promises.
#[derive(Debug, Clone, Copy)]
pub struct MethodRow {
    /// Identifier in code.
    pub id: super::MethodId,
    /// Name on the command line and in files, in kebab-case, derived from the system's own name.
    pub name: &'static str,
    /// The call or calls made, as the system's documentation writes them.
    pub call: &'static str,
    /// Folder of its code.
    pub family: Family,
    /// The systems that have it.
    pub systems: &'static [System],
    /// Unit of the request. A request that is not a multiple of the unit is rounded **up** here, so that a late wake-up is
    /// never caused by our rounding down; what the kernel rounds after that is measured.
    pub unit: ArgumentUnit,
    /// How the wake-up time is given.
    pub mode: Mode,
    /// Clock that the method's timer runs on.
    pub clock: TimerClock,
    /// Whether the method may return before the time is over (signals aside).
    pub early: Early,
    /// Kind of kernel timer that the method waits for.
    pub timer: super::KernelTimer,
    /// How timer slack applies to that timer.
    pub slack: super::SlackRule,
    /// Sleep path that represents the method in a simulated kernel.
    pub simulated: super::SimulatedPath,
    /// Method of the same timer that takes a deadline in place of a duration, or the reverse. `nanosleep` has
    /// `clock-nanosleep-abs`, whose own counterpart is `clock-nanosleep`.
    pub counterpart: Option<super::MethodId>,
    /// Rank among the methods that an intervention tries in place of another one; `None` if it is not tried.
    pub substitute: Option<u8>,
    /// Other names of this method, on the command line and in files of other tools.
    pub aliases: &'static [&'static str],
    /// What its documentation promises, in our words.
    pub promise: &'static str,
    /// Address of the documentation.
    pub source: &'static str,
}

impl MethodRow {
    /// Returns `request` as the call takes it: rounded up to the call's unit.
    pub fn rounded(&self, request: Nanos) -> Nanos {
        self.unit.step().map_or(request, |step| request.ceil_to(step))
    }

    /// Returns whether the method never sleeps: it only reads the clock, or only yields to threads that wait, and
    /// otherwise keeps its processor.
    pub fn spins(&self) -> bool {
        self.timer == super::KernelTimer::None
    }

    /// Returns whether one call is one sleep that gives up the processor, so that it can be compared with other
    /// methods.
    pub fn comparable(&self) -> bool {
        !self.spins() && matches!(self.mode, Mode::Relative | Mode::Absolute)
    }

    /// Checks that kernel events can be matched to this method's sleeps. An error says why not.
    pub fn traceable(&self) -> Result<(), String> {
        if self.clock != TimerClock::Monotonic || !matches!(self.mode, Mode::Relative | Mode::Absolute) {
            let name = self.name;
            return Err(format!("{name} does not sleep on the monotonic clock, on which kernel events are timed"));
        }
        if self.spins() {
            return Err(format!("{} asks no kernel for a timer, so there is nothing to trace", self.name));
        }
        Ok(())
    }
}

/// The folder of a method's code, by the kind of system that has the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Every system that Rust's standard library supports.
    Portable,
    /// POSIX systems.
    Posix,
    /// Only Linux.
    Linux,
    /// The BSDs and `macOS`.
    Kqueue,
    /// Only `macOS`.
    Apple,
    /// illumos and Solaris.
    Illumos,
    /// Windows.
    Windows,
}

/// The unit of a call's time argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentUnit {
    /// Nanoseconds.
    Nanosecond,
    /// Hundreds of nanoseconds, the unit of Windows.
    HundredNanoseconds,
    /// Microseconds.
    Microsecond,
    /// Milliseconds.
    Millisecond,
    /// Whole seconds.
    Second,
    /// None: the call takes no time argument (`sched_yield`).
    Nothing,
}

impl ArgumentUnit {
    /// Returns one step of the unit; `None` for a call that takes no time.
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

    /// Returns the unit's symbol for tables.
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

/// How a call is given the time to wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// After a duration.
    Relative,
    /// At a time on its clock.
    Absolute,
    /// Again and again at a fixed period, from one call.
    Periodic,
    /// Never: the call yields the processor and takes no time.
    Yield,
}

impl Mode {
    /// Returns the mode as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::Periodic => "periodic",
            Self::Yield => "yield",
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

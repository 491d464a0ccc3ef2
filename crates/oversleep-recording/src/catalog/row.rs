//! The words a catalogue row is written in.

use oversleep_sys::System;
use oversleep_sys::clock::TimerClock;
use oversleep_sys::units::Nanos;

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
    /// What kind of kernel timer it waits for.
    pub timer: super::KernelTimer,
    /// How slack treats that timer.
    pub slack: super::SlackRule,
    /// What stands for it on a simulated kernel.
    pub simulated: super::SimulatedPath,
    /// The call of the same timer that takes a deadline in place of a duration, or the reverse. `nanosleep` has
    /// `clock-nanosleep-abs`, whose own counterpart is `clock-nanosleep`.
    pub counterpart: Option<super::MethodId>,
    /// Its place among the calls that an intervention tries in place of another one; `None` if it is not tried.
    pub substitute: Option<u8>,
    /// Other names under which files of other tools have it.
    pub aliases: &'static [&'static str],
    /// What its documentation promises, in our words.
    pub promise: &'static str,
    /// Where the documentation is.
    pub source: &'static str,
}

impl Row {
    /// Returns `request` as the call takes it: rounded up to the call's unit.
    pub fn rounded(&self, request: Nanos) -> Nanos {
        self.unit.step().map_or(request, |step| request.ceil_to(step))
    }

    /// Returns whether it never sleeps: it reads the clock, or yields to whoever waits, and keeps its processor
    /// otherwise.
    pub fn spins(&self) -> bool {
        self.timer == super::KernelTimer::None
    }

    /// Returns whether one call is one sleep that gives the processor up, so that it can be compared with other calls.
    pub fn comparable(&self) -> bool {
        !self.spins() && matches!(self.mode, Mode::Relative | Mode::Absolute)
    }

    /// Checks that kernel events can be matched to its sleeps. An error says why not.
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

    /// Returns the name as a person writes it in a table.
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
    /// Returns one word.
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

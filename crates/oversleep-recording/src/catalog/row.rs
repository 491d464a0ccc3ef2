//! The types of a catalogue row.

use super::System;
use crate::names;
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

names! {
    /// The unit of a call's time argument.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ArgumentUnit {
        /// Nanoseconds.
        Nanosecond = "1 ns",
        /// Hundreds of nanoseconds, the unit of Windows.
        HundredNanoseconds = "100 ns",
        /// Microseconds.
        Microsecond = "1 µs",
        /// Milliseconds.
        Millisecond = "1 ms",
        /// Whole seconds.
        Second = "1 s",
        /// None: the call takes no time argument (`sched_yield`).
        Nothing = "–",
    }
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
}

names! {
    /// How a call is given the time to wake.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Mode {
        /// After a duration.
        Relative = "relative",
        /// At a time on its clock.
        Absolute = "absolute",
        /// Again and again at a fixed period, from one call.
        Periodic = "periodic",
        /// Never: the call yields the processor and takes no time.
        Yield = "yield",
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

/// The kind of kernel timer a method waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KernelTimer {
    /// One that the waiting call arms and removes itself.
    Call,
    /// An object created before the call that expires whether or not a thread waits for it.
    Object,
    /// The timer wheel, which counts kernel ticks (Linux `schedule_timeout` in net/core/sock.c).
    Wheel,
    /// None: the method never sleeps.
    None,
}

/// How much later than its time a method's timer may fire, where the kernel knows slack.
///
/// Rules of Linux 6.18: `kernel/time/{hrtimer,itimer,posix-timers,sleep_timeout}.c`, `fs/{select,eventpoll,timerfd}.c`,
/// `kernel/futex/`, `io_uring/timeout.c`, `ipc/mqueue.c`. A real-time thread has none with any method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlackRule {
    /// The thread's own timer slack. On other systems: the slack that the system gives every timer.
    Thread,
    /// 0.1 % of the time left (0.5 % at a niceness above 0), at most 100 ms and at least the thread's own slack.
    Share,
    /// None. `mq_timedreceive` is one of these: `wq_sleep` in `ipc/mqueue.c` passes a range of 0 to
    /// `schedule_hrtimeout_range_clock` (since 2.6.35; seen on 6.18.44, where a slack of 2 ms adds nothing).
    None,
    /// Depends on the kernel's version. `semtimedop` counts ticks before Linux 5.19 and has the thread's slack
    /// since.
    Varies,
}

/// The sleep path of a simulated kernel that represents a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SimulatedPath {
    /// `nanosleep` and what is built on it: reads the clock after waking and sleeps on if it is too early.
    Sleep,
    /// `select` and similar calls: a single timer shot, on Linux with slack in proportion to the request.
    Select,
    /// Waits for an event that never comes, with a timeout: a single timer shot.
    Wait,
    /// A single timer shot without slack on Linux: mostly timers that belong to the process.
    Timer,
    /// A single timer shot that asks for precision: `NOTE_CRITICAL`, `CLOCK_HIGHRES`.
    Precise,
    /// Waits in the kernel with a timeout in ticks: socket timeouts.
    Wheel,
    /// Yields the processor.
    Yield,
    /// Never waits in the kernel: reads the clock until the time is over.
    Spin,
}

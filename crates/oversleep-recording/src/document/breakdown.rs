//! One oversleep, split into parts.

use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::fmt;

/// One oversleep, split.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Breakdown {
    /// Which sleep of the run.
    pub sequence: u64,
    /// When it should have ended, on the monotonic clock.
    #[serde(rename = "deadline_ns")]
    pub deadline: Nanos,
    /// When the sleeper saw that it had ended, on the same clock.
    #[serde(rename = "end_ns")]
    pub end: Nanos,
    /// From the deadline to the end, in order. Complete: they sum to [`Breakdown::oversleep`].
    pub parts: Vec<Part>,
    /// Whether the chain of marks is whole.
    pub complete: Complete,
}

impl Breakdown {
    /// Returns how late the sleep was.
    pub fn oversleep(&self) -> Nanos {
        self.end.saturating_sub(self.deadline)
    }

    /// Returns the time of the parts of one kind.
    pub fn of(&self, kind: PartKind) -> Nanos {
        self.parts
            .iter()
            .filter(|part| part.kind == kind)
            .map(|part| part.time)
            .fold(Nanos::ZERO, Nanos::saturating_add)
    }

    /// Returns what the parts sum to.
    pub fn sum(&self) -> Nanos {
        self.parts.iter().map(|part| part.time).fold(Nanos::ZERO, Nanos::saturating_add)
    }

    /// Returns whether the chain is whole.
    pub fn is_complete(&self) -> bool {
        self.complete == Complete::Complete
    }
}

/// Whether a chain is whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Complete {
    /// Every part lies between two marks that were seen, in order, and they sum to the oversleep.
    Complete,
    /// It does not; why.
    Partial(String),
}

/// A stretch of an oversleep.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// What happened in it.
    pub kind: PartKind,
    /// How long it was.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// The processor it was on, where known.
    pub cpu: Option<u16>,
    /// Who had the processor meanwhile, where it matters; together never more than `time`.
    pub owners: Vec<(Owner, Nanos)>,
    /// How it is known.
    pub evidence: Evidence,
}

impl Part {
    /// Returns who had more than half of it.
    pub fn mostly(&self) -> Option<&Owner> {
        self.owners.iter().find(|(_, time)| time.get() > self.time.get() - time.get()).map(|(owner, _)| owner)
    }
}

/// What happened in a part, in the order in which it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// From the sleeper's reading of its clock until the kernel's, which the duration counts from.
    Entry,
    /// The timer was armed (again) only after it could have fired.
    ArmedLate,
    /// The kernel was free to wait, to serve other timers with the same interrupt.
    Slack,
    /// From the latest time set until the interrupt came in.
    IrqLate,
    /// From the interrupt until its handler read the clock.
    IrqEntry,
    /// The handler served other timers first.
    OtherTimers,
    /// From the timer's function until the sleeper was on a run queue.
    Wake,
    /// The sleeper could run but did not.
    RunQueue,
    /// It ran, and was taken off again before it returned.
    Preempted,
    /// It ran, and an interrupt took the processor.
    Irq,
    /// It was stopped by a signal or a debugger.
    Stopped,
    /// From running in the kernel until its reading of the clock.
    Return,
    /// From the end of the slack until it ran, not told apart further.
    NotYetRun,
    /// Not told apart at all.
    Rest,
}

impl PartKind {
    /// Every kind, in order.
    pub const ALL: &[Self] = &[
        Self::Entry,
        Self::ArmedLate,
        Self::Slack,
        Self::IrqLate,
        Self::IrqEntry,
        Self::OtherTimers,
        Self::Wake,
        Self::NotYetRun,
        Self::RunQueue,
        Self::Preempted,
        Self::Irq,
        Self::Stopped,
        Self::Return,
        Self::Rest,
    ];

    /// Returns the name as people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entering the kernel",
            Self::ArmedLate => "timer armed late",
            Self::Slack => "timer slack",
            Self::IrqLate => "interrupt late",
            Self::IrqEntry => "interrupt entry",
            Self::OtherTimers => "other timers first",
            Self::Wake => "wake-up",
            Self::RunQueue => "run queue",
            Self::Preempted => "preempted",
            Self::Irq => "interrupted",
            Self::Stopped => "stopped",
            Self::Return => "return to the program",
            Self::NotYetRun => "not yet running",
            Self::Rest => "not told apart",
        }
    }

    /// Returns whether it is straight-line work of the kernel: what exceeds the usual has no named cause.
    pub const fn is_straight_line(self) -> bool {
        matches!(self, Self::Entry | Self::IrqEntry | Self::OtherTimers | Self::Wake | Self::Return)
    }
}

/// Who had the processor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// Nobody: it was idle, in this state where the kernel said which; or leaving it.
    Idle(Option<u32>),
    /// Another thread.
    Task {
        /// Its number.
        tid: i32,
        /// Its name.
        comm: String,
        /// The kernel's priority: below 100 real time.
        prio: i32,
    },
    /// The sleeper itself.
    Sleeper,
    /// The processor's timer interrupt.
    Timer,
    /// A device's interrupt.
    Irq {
        /// Its number.
        irq: i32,
        /// Its name.
        name: String,
    },
    /// A softirq, by its vector's number.
    Softirq(u32),
    /// Another vector of the processor.
    Vector(String),
    /// The quota of the sleeper's control group.
    Throttled,
    /// A thread that this kernel hides from the trace: the switches do not join up.
    Hidden,
    /// Nothing is known.
    Unknown,
}

impl Owner {
    /// Returns whether it names somebody.
    pub const fn is_named(&self) -> bool {
        !matches!(self, Self::Hidden | Self::Unknown)
    }
}

/// The kernel's softirq vectors, in the order of its `enum` (`include/linux/interrupt.h`, since 4.6).
const SOFTIRQS: &[&str] =
    &["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"];

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle(None) => f.write_str("idle processor"),
            Self::Idle(Some(state)) => write!(f, "idle processor, state {state}"),
            Self::Task { tid, comm, prio } if *prio < 100 => write!(f, "{comm} ({tid}, real time {})", 99 - prio),
            Self::Task { tid, comm, prio } => write!(f, "{comm} ({tid}, nice {})", prio - 120),
            Self::Sleeper => f.write_str("the sleeper itself"),
            Self::Timer => f.write_str("timer interrupt"),
            Self::Irq { irq, name } => write!(f, "interrupt {irq} {name}"),
            Self::Softirq(vector) => match usize::try_from(*vector).ok().and_then(|at| SOFTIRQS.get(at)) {
                Some(name) => write!(f, "softirq {name}"),
                None => write!(f, "softirq {vector}"),
            },
            Self::Vector(name) => write!(f, "{name} interrupt"),
            Self::Throttled => f.write_str("control group's quota"),
            Self::Hidden => f.write_str("a thread hidden from the trace"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// How a part is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Between two kernel events.
    Tracepoint,
    /// From the thread's own switch records.
    SwitchRecord,
    /// From the scheduler's counters.
    SchedStat,
    /// A setting that was read back.
    Known,
    /// What is left between known ones.
    Inferred,
}

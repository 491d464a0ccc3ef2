//! One oversleep, split into the times of its parts.

use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::fmt;

/// One oversleep, split into parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Breakdown {
    /// Number of the sleep in the run.
    pub sequence: u64,
    /// Deadline, on the monotonic clock.
    #[serde(rename = "deadline_ns")]
    pub deadline: Nanos,
    /// When the sleeper saw that the sleep had ended, on the monotonic clock.
    #[serde(rename = "end_ns")]
    pub end: Nanos,
    /// Parts from the deadline to the end, in order. If complete, they sum to [`Breakdown::oversleep`].
    pub parts: Vec<OversleepPart>,
    /// Whether the chain of marks is complete.
    pub complete: Complete,
}

impl Breakdown {
    /// Returns how late the sleep was.
    pub fn oversleep(&self) -> Nanos {
        self.end.saturating_sub(self.deadline)
    }

    /// Returns the total time of the parts of one kind.
    pub fn total(&self, kind: PartKind) -> Nanos {
        self.parts
            .iter()
            .filter(|part| part.kind == kind)
            .map(|part| part.time)
            .fold(Nanos::ZERO, Nanos::saturating_add)
    }

    /// Returns the sum of all parts.
    pub fn sum(&self) -> Nanos {
        self.parts.iter().map(|part| part.time).fold(Nanos::ZERO, Nanos::saturating_add)
    }

    /// Returns the lowest real-time priority with which the sleeper would not have waited as it mostly did, for the threads
    /// that had its processor; `None` if it mostly did not, or if nothing runs before them.
    pub fn needed_priority(&self) -> Option<i32> {
        let largest = self.parts.iter().max_by_key(|part| part.time)?;
        let waited = matches!(largest.kind, PartKind::RunQueue | PartKind::Preempted);
        largest.needed_priority().filter(|_| waited)
    }

    /// Returns whether the chain of marks is complete.
    pub fn is_complete(&self) -> bool {
        self.complete == Complete::Complete
    }
}

/// Whether the chain of marks of a sleep is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Complete {
    /// Every part lies between two observed marks, the marks are in order, and the parts sum to the oversleep.
    Complete,
    /// The chain is incomplete, for this reason.
    Partial(String),
}

/// One part of an oversleep.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OversleepPart {
    /// What happened during the part.
    pub kind: PartKind,
    /// Duration of the part.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// Processor of the part, where known.
    pub cpu: Option<u16>,
    /// Who used the processor during the part, where it matters; the times sum to at most `time`.
    pub owners: Vec<(Owner, Nanos)>,
    /// How the part is known.
    pub evidence: PartEvidence,
}

impl OversleepPart {
    /// Returns who used the processor for more than half of the part.
    pub fn mostly(&self) -> Option<&Owner> {
        self.owners.iter().find(|(_, time)| time.get() > self.time.get() - time.get()).map(|(owner, _)| owner)
    }

    /// Returns the lowest real-time priority that runs before those who had more than half of the part.
    fn needed_priority(&self) -> Option<i32> {
        let above = |owner: &Owner| match owner {
            Owner::Task { prio: 100.., .. } => Some(LOWEST_PRIORITY),
            Owner::Task { prio, .. } => Some(99 - prio + 1).filter(|above| *above <= HIGHEST_PRIORITY),
            _ => None,
        };
        let half = self.time.get() / 2;
        let before = |priority: &i32| {
            let theirs = self.owners.iter().filter(|(owner, _)| above(owner).is_some_and(|above| above <= *priority));
            theirs.map(|(_, time)| time.get()).sum::<i64>() > half
        };
        self.owners.iter().filter_map(|(owner, _)| above(owner)).filter(before).min()
    }
}

/// What happened in a part, in the order of occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// From the sleeper's reading of the clock to the kernel's, from which the duration counts.
    Entry,
    /// The timer was armed, perhaps again, only after it could have fired.
    ArmedLate,
    /// The kernel was allowed to wait, to serve other timers with the same interrupt.
    Slack,
    /// From the latest time the timer was set for to the interrupt.
    IrqLate,
    /// From the interrupt until its handler read the clock.
    IrqEntry,
    /// The handler served other timers first.
    OtherTimers,
    /// From the call of the timer's function until the sleeper was on a run queue.
    Wake,
    /// The sleeper could run but did not.
    RunQueue,
    /// The sleeper ran, and was preempted before it returned.
    Preempted,
    /// The sleeper ran, and an interrupt took the processor.
    Irq,
    /// The sleeper was stopped by a signal or a debugger.
    Stopped,
    /// From the sleeper running in the kernel until it read the clock.
    Return,
    /// From the end of the slack until the sleeper ran, not split further.
    NotYetRun,
    /// Not split at all.
    Rest,
}

impl PartKind {
    /// Every kind, in order of occurrence.
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

    /// Returns the name shown to users.
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
            Self::Rest => "not separated",
        }
    }

    /// Returns whether the part is straight-line work of the kernel: time beyond the usual then has no named cause.
    pub const fn is_straight_line(self) -> bool {
        matches!(self, Self::Entry | Self::IrqEntry | Self::OtherTimers | Self::Wake | Self::Return)
    }
}

/// Who used the processor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// No thread: the processor was in this idle state, where the kernel reported which, or was leaving it.
    Idle(Option<u32>),
    /// Another thread.
    Task {
        /// Thread ID.
        tid: i32,
        /// Thread name.
        comm: String,
        /// Kernel priority: below 100 is real time, below 0 `SCHED_DEADLINE`.
        prio: i32,
    },
    /// The sleeper itself.
    Sleeper,
    /// The processor's timer interrupt.
    Timer,
    /// A device's interrupt.
    Irq {
        /// Interrupt number.
        irq: i32,
        /// Interrupt name.
        name: String,
    },
    /// A softirq, by its vector number.
    Softirq(u32),
    /// Another interrupt vector of the processor, by name.
    Vector(String),
    /// The quota of the sleeper's control group, which was used up.
    Throttled,
    /// A thread that the kernel hides from the trace: consecutive switches do not match.
    Hidden,
    /// Not known.
    Unknown,
}

impl Owner {
    /// Returns whether the owner is identified.
    pub const fn is_named(&self) -> bool {
        !matches!(self, Self::Hidden | Self::Unknown)
    }
}

/// Lowest and highest real-time priority that Linux gives (`sched(7)`).
const LOWEST_PRIORITY: i32 = 1;
const HIGHEST_PRIORITY: i32 = 99;

/// Returns the real-time class of a thread with this kernel priority, and its priority there; `None` for time sharing.
pub fn real_time_class(prio: i32) -> Option<String> {
    match prio {
        ..0 => Some("deadline".to_owned()),
        0..100 => Some(format!("real time {}", 99 - prio)),
        _ => None,
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
            Self::Task { tid, comm, prio } => {
                let class = real_time_class(*prio).unwrap_or_else(|| format!("nice {}", prio - 120));
                write!(f, "{comm} ({tid}, {class})")
            }
            Self::Sleeper => f.write_str("the sleeper itself"),
            Self::Timer => f.write_str("timer interrupt"),
            Self::Irq { irq, name } => write!(f, "interrupt {irq} {name}"),
            Self::Softirq(vector) => match usize::try_from(*vector).ok().and_then(|index| SOFTIRQS.get(index)) {
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

/// How a part of an oversleep is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartEvidence {
    /// Measured between two kernel events.
    Tracepoint,
    /// From the thread's own switch records.
    SwitchRecord,
    /// From the scheduler's counters.
    SchedStat,
    /// Follows from a setting that was read back.
    Known,
    /// Remains between parts that are known.
    Inferred,
}

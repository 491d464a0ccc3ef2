//! Kernel events that matter to a sleep, in the same form for every kernel.

use super::columns::Columns;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// One kernel event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Time, on the monotonic clock.
    pub at: Nanos,
    /// Processor that recorded the event.
    pub cpu: u16,
    /// Thread that was running on that processor.
    pub thread: i32,
    /// What happened.
    pub kind: EventKind,
}

/// A thread as the scheduler names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Task {
    /// Thread ID; 0 is the idle loop of a processor.
    pub tid: i32,
    /// Name.
    pub comm: String,
    /// Kernel priority: below 0 deadline, 0–98 real time (99 − priority), 100–139 time-sharing (120 + nice).
    pub prio: i32,
}

/// The kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// The running thread armed a timer.
    TimerStart {
        /// Number of the timer.
        timer: i64,
        /// The earliest time at which it may fire.
        soft: Nanos,
        /// Latest time, for which the hardware is set.
        hard: Nanos,
    },
    /// A timer's function is about to be called.
    TimerExpire {
        /// Number of the timer.
        timer: i64,
        /// Reading of the timer's clock by the interrupt handler.
        now: Nanos,
    },
    /// A timer was taken out of its queue: it was stopped, or is about to expire.
    TimerCancel {
        /// Number of the timer.
        timer: i64,
    },
    /// The running thread entered a system call.
    CallEntry {
        /// Name of the call; `other` for calls that do not wait.
        call: Cow<'static, str>,
        /// Its arguments as numbers; what an address points to is not known.
        arguments: [i64; 6],
    },
    /// The running thread is about to return from a system call.
    CallExit {
        /// The result: negative error numbers, some of which programs never see (restarts).
        result: i64,
    },
    /// The processor's timer interrupt began.
    TimerInterrupt,
    /// Another interrupt began.
    InterruptEntry {
        /// Kind of interrupt.
        what: Interrupt,
    },
    /// The innermost interrupt of this kind ended.
    InterruptExit {
        /// Kind of interrupt.
        what: Interrupt,
    },
    /// A thread is about to be woken.
    Waking {
        /// Thread ID.
        tid: i32,
    },
    /// A thread was put on a run queue.
    Wakeup {
        /// Thread ID.
        tid: i32,
        /// Processor whose run queue it is; `None` where it is not known.
        queue: Option<u16>,
    },
    /// A thread was moved to the run queue of another processor.
    Moved {
        /// Thread ID.
        tid: i32,
        /// Processor whose run queue it is now.
        queue: u16,
    },
    /// The processor switched from one thread to another.
    Switch {
        /// Thread that ran before.
        prev: Task,
        /// State of that thread: 0 if it was still runnable.
        state: i64,
        /// Thread that runs now.
        next: Task,
    },
    /// The processor's idle state changed.
    Idle {
        /// Number of the idle state entered; `None` when it is left.
        state: Option<u32>,
    },
}

/// A kind of interrupt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interrupt {
    /// Timer of the processor itself.
    Timer,
    /// A device.
    Device {
        /// Interrupt number; the entry event has the name too.
        irq: i32,
        /// Name, in the entry event.
        name: String,
    },
    /// A softirq, by its vector number.
    Softirq(u32),
    /// Another vector of the processor, by its name (`reschedule`, `call_function`).
    Vector(Cow<'static, str>),
}

/// The kernel events of a time range.
///
/// In JSON they are a table of columns with times as differences (see [`Columns`]): about 30 bytes per event. Timers
/// are numbered in the order in which they first appear, because the kernel identifies them by memory addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Columns", try_from = "Columns")]
pub struct KernelEvents {
    /// Events of all processors, in order of time.
    pub events: Vec<Event>,
    /// Gaps where events were lost: the ring buffer was full, or a page could not be read.
    pub gaps: Vec<Gap>,
}

impl KernelEvents {
    /// Returns whether there are neither events nor gaps.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.gaps.is_empty()
    }

    /// Returns the same events with timers numbered as in a file, without the kernel's addresses.
    #[must_use]
    pub fn without_addresses(mut self) -> Self {
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        for event in &mut self.events {
            if let EventKind::TimerStart { timer, .. }
            | EventKind::TimerExpire { timer, .. }
            | EventKind::TimerCancel { timer } = &mut event.kind
            {
                let next = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
                *timer = *numbers.entry(*timer).or_insert(next);
            }
        }
        self
    }
}

/// A gap in a processor's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Number of the processor.
    pub cpu: u16,
    /// Last known time before the gap.
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// First known time after the gap.
    #[serde(rename = "until_ns")]
    pub until: Nanos,
    /// Number of records lost; 0 where the kernel does not say.
    pub records: u64,
}

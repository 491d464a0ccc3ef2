//! Events that matter to a sleep, in one shape whatever kernel wrote them.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One kernel event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, on the monotonic clock.
    pub at: Nanos,
    /// The processor that recorded it.
    pub cpu: u16,
    /// The thread that was running there.
    pub thread: i32,
    /// What happened.
    pub kind: Kind,
}

/// A thread as the scheduler names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Task {
    /// Its number; 0 is the idle loop of a processor.
    pub tid: i32,
    /// Its name.
    pub comm: String,
    /// The kernel's priority: below 0 deadline, 0–98 real time (99 − priority), 100–139 time-sharing (120 + nice).
    pub prio: i32,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A timer was armed by the running thread.
    TimerStart {
        /// Which one.
        timer: i64,
        /// The earliest time at which it may fire.
        soft: Nanos,
        /// The time for which the hardware is set at the latest.
        hard: Nanos,
    },
    /// A timer's function is about to be called.
    TimerExpire {
        /// Which one.
        timer: i64,
        /// What the interrupt handler read from the timer's clock.
        now: Nanos,
    },
    /// The processor's timer interrupt came in.
    TimerInterrupt,
    /// Another interrupt began. Names are few and repeat.
    InterruptEntry {
        /// Which kind.
        what: Interrupt,
    },
    /// The innermost interrupt of the kind ended.
    InterruptExit {
        /// Which kind.
        what: Interrupt,
    },
    /// A thread is about to be woken.
    Waking {
        /// Which one.
        tid: i32,
    },
    /// A thread was put on a run queue.
    Wakeup {
        /// Which one.
        tid: i32,
    },
    /// One thread gave way to another.
    Switch {
        /// The one that ran.
        prev: Task,
        /// Its state: 0 if it would have gone on running.
        state: i64,
        /// The one that runs now.
        next: Task,
    },
    /// The processor's idle state changed.
    Idle {
        /// Number of the state entered; `None` when it is left.
        state: Option<u32>,
    },
}

/// Kinds of interrupts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interrupt {
    /// The processor's own timer.
    Timer,
    /// A device.
    Device {
        /// Its number; the name is in the entry only.
        irq: i32,
        /// Its name, on entry.
        name: String,
    },
    /// A softirq vector, by its number.
    Softirq(u32),
    /// Another vector of the processor, by its name (`reschedule`, `call_function`).
    Vector(Cow<'static, str>),
}

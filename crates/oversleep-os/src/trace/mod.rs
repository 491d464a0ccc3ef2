//! Kernel events around a sleep: what the kernel itself recorded between the deadline and the return.
//!
//! Two sources of events, both on the monotonic clock:
//!
//! * [`Tracer`]: a private tracefs instance (`instances/oversleep-PID`), its raw ring-buffer pages read and parsed
//!   here. Needs root or rights on tracefs.
//! * [`OwnSwitches`]: context switches of the calling thread alone, through `perf_event_open`. Needs no right up to
//!   `perf_event_paranoid` 2, and sees switches that this kernel hides from tracefs (see [`OwnSwitches`]).
//!
//! and [`Readings`], counters of the calling thread for where neither can be had.
//!
//! The parsers ([`mod@format`], [`page`]) are plain code and exist on every system. Only Linux has the sources; elsewhere
//! opening one answers [`crate::Refusal::Unavailable`].

pub mod event;
pub mod format;
pub mod page;
pub mod tracked;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere as here;
#[cfg(target_os = "linux")]
use linux as here;

pub use event::{Event, Gap, Kind, Task};
pub use here::{OwnSwitches, Readings, Tracer, mark, reap, thread_id, threads};

/// What was recorded between two drains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Events of all processors, in order of time.
    pub events: Vec<Event>,
    /// Where events were lost: the ring was full, or a page could not be read.
    pub gaps: Vec<Gap>,
}

/// How a [`Tracer`] is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Ring buffer of each processor, in KiB. 2048 hold some 20 000 events.
    pub buffer_kib: u32,
    /// Also record what only explains (interrupt handlers, softirqs, idle states), not only what the chain of marks
    /// needs.
    pub explain: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { buffer_kib: 4096, explain: true }
    }
}

/// A context switch of one thread, as the kernel told the thread itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnSwitch {
    /// When, on the monotonic clock.
    pub at: oversleep_sys::units::Nanos,
    /// Onto the processor, or off it.
    pub to: Direction,
    /// Which processor.
    pub cpu: u16,
}

/// Which way a thread was switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It began to run.
    In,
    /// It stopped running of its own accord: it sleeps or waits.
    OutWaiting,
    /// It stopped running although it wanted to go on. (Kernels before 4.17 call every switch off so waiting.)
    OutPreempted,
}

/// Counters of the calling thread; differences between two readings say what happened in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// Time spent runnable but not running (`/proc/thread-self/schedstat`). Stays where it is for a wake-up that
    /// preempts at once, because the kernel then skips the clock update: a lower bound.
    pub run_delay: Option<oversleep_sys::units::Nanos>,
    /// Involuntary switches (`getrusage`).
    pub preempted: Option<i64>,
    /// Time the thread's control group was kept from running by its quota, all of its threads together.
    pub throttled: Option<oversleep_sys::units::Nanos>,
}

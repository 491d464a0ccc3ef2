//! Kernel events around a sleep: what the kernel itself recorded between the deadline and the return.
//!
//! Three sources of events, both on the monotonic clock:
//!
//! * [`Tracer`]: a private tracefs instance (`instances/oversleep-PID`), its raw ring-buffer pages read and parsed
//!   here. Needs root or rights on tracefs.
//! * [`OwnSwitches`]: context switches of the calling thread alone, through `perf_event_open`. Needs no right up to
//!   `perf_event_paranoid` 2, and sees switches that this kernel hides from tracefs (see [`OwnSwitches`]).
//!
//! * [`CallTracer`]: which times other processes tell the kernel in their system calls, through tracefs.
//!
//! and [`Readings`], counters of the calling thread for where neither can be had.
//!
//! The parsers ([`mod@format`], [`page`]) are plain code and exist on every system. Only Linux has the sources; elsewhere
//! opening one answers [`oversleep_sys::Refusal::Unavailable`].

pub mod format;
pub mod page;
pub mod timed;
pub mod tracked;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere as here;
#[cfg(target_os = "linux")]
use linux as here;

pub use here::{CallTracer, OwnSwitches, Readings, Tracer, mark, reap, thread_id, threads};

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

//! Kernel events around a sleep: what the kernel recorded between the deadline and the return.
//!
//! Three sources of events, all on the monotonic clock:
//!
//! * [`Tracer`]: a private tracefs instance (`instances/oversleep-PID`), its raw ring-buffer pages read and parsed
//!   here. Needs root or rights on tracefs. For another program's waits it has a second one, filtered to that program.
//! * [`OwnSwitches`]: context switches of one thread, through `perf_event_open`. Needs no privilege up to
//!   `perf_event_paranoid` 2, and sees switches that some kernels hide from tracefs (see [`OwnSwitches`]).
//!
//! * [`CallTracer`]: the times that other processes pass to the kernel in their system calls, through tracefs.
//!
//! and [`Readings`], counters of the calling thread, for systems where no events are available.
//!
//! The parsers ([`mod@format`], [`page`]) are plain code and exist on every system. Only Linux has the sources;
//! elsewhere opening one returns [`oversleep_sys::Refusal::Unavailable`].

pub mod format;
pub mod page;
pub mod timed;
pub mod tracked;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod unsupported;

#[cfg(target_os = "linux")]
use linux as here;
#[cfg(not(target_os = "linux"))]
use unsupported as here;

pub use here::{
    CallTracer, OwnSwitches, Readings, RunQueueCounter, Tracer, call_name, mark, reap, thread_id, threads, wake_ups,
};

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) use here::counter_khz;

/// The configuration of a [`Tracer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Size of each processor's ring buffer, in KiB. 2048 hold about 20 000 events.
    pub buffer_kib: u32,
    /// Whether to record events that only explain (interrupt handlers, softirqs, idle states), in addition to those
    /// that the chain of marks needs.
    pub explain: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { buffer_kib: 4096, explain: true }
    }
}

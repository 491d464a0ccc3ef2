//! Settings that change how a thread sleeps, each restored when its guard is dropped.
//!
//! Those of the thread (affinity, niceness, policy, timer slack) are in [`oversleep_sys::settings`] and are re-exported
//! here; memory locks, limits, priority classes and timer resolutions belong to the process, and the latency hold to an
//! open file, so exit, a signal or `kill -9` undo them as a drop does.

pub mod latency_hold;
pub mod memory_lock;
pub mod multimedia;
pub mod priority_class;
pub mod qos;
pub mod realtime_limit;
pub mod rt_guard;
pub mod throttling;
pub mod timer_resolution;

pub use oversleep_sys::settings::{Guard, Policy, affinity, nice, policy, timer_slack};
pub use realtime_limit::limit_realtime;

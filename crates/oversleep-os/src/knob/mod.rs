//! What changes how a thread sleeps, each restored when its guard is dropped.
//!
//! Every knob is a module with `read`, which asks the system, and `apply`, which sets it for the calling thread
//! and gives a [`Guard`]. What [`Guard::obtained`] says was read back from the system after setting; it is never
//! an echo of what was asked. Nothing here outlives the process: scheduling, slack and affinity belong to the
//! thread, memory locks and limits to the process, and the latency hold to an open file, so exit, a signal or
//! `kill -9` undo them as a drop does.
//!
//! Apply in the order affinity, slack, policy: a thread under `SCHED_DEADLINE` may not change its affinity, and
//! since Linux 6.13 a real-time thread's slack is 0 whatever is set.

pub mod affinity;
mod guard;
pub mod latency_hold;
pub mod memory_lock;
pub mod nice;
pub mod policy;
#[cfg(target_os = "linux")]
mod privilege;
pub mod rt_guard;
pub mod timer_slack;
pub mod watchdog;

pub use guard::Guard;
pub use policy::Policy;
pub use watchdog::realtime_watchdog;

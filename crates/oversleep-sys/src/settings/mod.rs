//! Settings of the calling thread that change how it sleeps, each restored when its guard is dropped.
//!
//! Every setting is a module with `read`, which reads it from the system, and `apply`, which sets it for the calling
//! thread and returns a [`Guard`]. [`Guard::obtained`] returns the value read back from the system after setting, never
//! simply the requested one. All settings belong to the thread, so exit, a signal or `kill -9` undo them as a drop
//! does.
//!
//! Apply them in the order affinity, slack, policy: a thread under `SCHED_DEADLINE` may not change its affinity, and
//! since Linux 6.13 a real-time thread's slack is 0 whatever is set.

pub mod affinity;
mod guard;
pub mod nice;
pub mod policy;
#[cfg(target_os = "linux")]
pub mod privilege;
pub mod timer_slack;

pub use guard::Guard;
pub use policy::Policy;

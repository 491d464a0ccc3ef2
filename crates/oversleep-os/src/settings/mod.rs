//! Settings that change how a thread sleeps, each restored when its guard is dropped.
//!
//! Every setting is a module with `read`, which reads it from the system, `apply`, which sets it and returns a
//! [`Guard`], and its [`Setting`], by which it is a condition of the table. [`Guard::obtained`] returns the value read
//! back from the system after setting, never simply the requested one. Affinity, niceness, policy and timer slack belong to the thread; memory locks, limits, priority classes and timer
//! resolutions to the process; the latency hold to an open file: so exit, a signal or `kill -9` undo them as a drop does.
//!
//! Apply those of the thread in the order affinity, slack, policy: a thread under `SCHED_DEADLINE` may not change its
//! affinity, and since Linux 6.13 a real-time thread's slack is 0 whatever is set.

/// Defines what `here` has, of a setting that this system lacks, or that is not supported on it yet: each is refused with the reason.
macro_rules! unsupported {
    ($why:literal: $($name:ident($($asked:ty)?) -> $answer:ty),+) => {
        mod here {
            #[allow(clippy::wildcard_imports)] // whatever the types are made of
            use super::*;

            $(pub(super) fn $name($(_: $asked)?) -> Result<$answer, Refusal> {
                Err(Refusal::Unavailable($why.into()))
            })+
        }
    };
}

pub mod affinity;
mod condition;
mod guard;
pub mod latency_hold;
pub mod memory_lock;
pub mod multimedia;
pub mod nice;
pub mod policy;
pub mod priority_class;
#[cfg(target_os = "linux")]
pub(crate) mod privilege;
pub mod qos;
pub mod realtime_limit;
pub mod rt_guard;
pub mod throttling;
pub mod timer_resolution;
pub mod timer_slack;

use oversleep_recording::plan::Typed;

pub use condition::{Setting, of_scope};
pub use guard::Guard;
pub use oversleep_recording::plan::Policy;
pub use realtime_limit::limit_realtime;

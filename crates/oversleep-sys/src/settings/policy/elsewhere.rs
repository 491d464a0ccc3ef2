//! Systems whose threads have no policy we can set yet.
//!
//! macOS has real-time threads through Mach's `thread_policy_set`, illumos through `priocntl`, Windows through
//! `SetThreadPriority` and its multimedia scheduler; none of them takes a policy of these names.

use super::Policy;
use crate::refusal::Refusal;
use crate::settings::Guard;

pub(super) fn read() -> Result<Policy, Refusal> {
    Err(Refusal::Unavailable("oversleep cannot read a thread's scheduling policy on this system yet".into()))
}

pub(super) fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    Err(Refusal::Unavailable(format!("oversleep cannot set the policy '{asked}' on this system yet")))
}

pub(super) fn enter(asked: Policy) -> Result<Policy, Refusal> {
    apply(asked).map(Guard::keep)
}

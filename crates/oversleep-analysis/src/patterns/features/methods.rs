//! What the catalogue says of a group's method.

use super::group::Group;
use oversleep_recording::catalog::{KernelTimer, MethodId, MethodRow, SlackRule};
use oversleep_recording::plan::Policy;

/// Returns whether a group's lateness cannot contain slack: by its method, or because real-time threads have none.
pub fn slackless(group: &Group) -> bool {
    let policy = group.obtained.as_ref().and_then(|obtained| obtained.policy);
    let never = known_method(group).is_some_and(|row| row.slack == SlackRule::None);
    never || policy.is_some_and(Policy::is_real_time)
}

/// Returns whether a group's method is a timer of the kernel's that is known to have no slack.
pub(super) fn is_timer_without(group: &Group) -> bool {
    known_method(group)
        .is_some_and(|row| row.slack == SlackRule::None && matches!(row.timer, KernelTimer::Call | KernelTimer::Object))
}

/// Returns whether a group's method is known to hand its timeout to the kernel's timer wheel.
pub(super) fn counts_ticks(group: &Group) -> bool {
    known_method(group).is_some_and(|row| row.timer == KernelTimer::Wheel)
}

/// Returns whether a group's method is known to sleep on a timer of the kernel's that its timer wheel does not count.
pub(super) fn is_kernel_timer(group: &Group) -> bool {
    known_method(group).is_some_and(|row| matches!(row.timer, KernelTimer::Call | KernelTimer::Object))
}

/// Returns the catalogue's row of a group's method, if it has one.
pub(super) fn known_method(group: &Group) -> Option<&'static MethodRow> {
    MethodId::recognise(&group.method).map(MethodId::row)
}

//! illumos: event ports and the relative wait on a condition.

mod cond_reltimedwait;
mod port;
mod timer_port;

use super::MethodEntry;

pub(super) static ENTRIES: &[MethodEntry] =
    &[port::ENTRY, timer_port::REALTIME, timer_port::HIGHRES, cond_reltimedwait::ENTRY];

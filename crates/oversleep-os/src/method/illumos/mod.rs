//! illumos: event ports and the relative wait on a condition.

mod cond_reltimedwait;
mod port;
mod timer_port;

use super::Entry;

pub(super) static ENTRIES: &[Entry] =
    &[port::ENTRY, timer_port::REALTIME, timer_port::HIGHRES, cond_reltimedwait::ENTRY];

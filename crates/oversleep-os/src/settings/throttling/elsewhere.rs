//! Systems that do not throttle the timers of processes.

use super::Guard;
use oversleep_sys::Refusal;

pub(super) fn opt_out() -> Result<Guard<bool>, Refusal> {
    Err(Refusal::Unavailable("throttling a process's timers is a thing of Windows and macOS".into()))
}

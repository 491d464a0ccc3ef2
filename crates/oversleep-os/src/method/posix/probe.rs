//! Probes: one short call when a method is opened, for calls that a kernel may lack or a sandbox may forbid.
//!
//! Other methods are not probed, because a probe also warms up the call, which would hide the cost of the first one.

use crate::method::{Request, Waiter, Woken};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::io;

/// Returns the waiter, if a wait that ends at once works; otherwise the reason.
///
/// The request is valid by construction, so `EINVAL` can only mean a clock or option that this kernel lacks.
pub(crate) fn probed(what: &str, mut waiter: impl Waiter + 'static) -> Result<Box<dyn Waiter>, Refusal> {
    waiter.prepare(Request::Until(Nanos::ZERO));
    match waiter.wait() {
        Woken::TimedOut | Woken::Interrupted => Ok(Box::new(waiter)),
        Woken::Failed(libc::EINVAL) => {
            Err(Refusal::Unavailable(format!("{what}: {}", io::Error::from_raw_os_error(libc::EINVAL))))
        }
        Woken::Failed(errno) => Err(Refusal::from_os(what, &io::Error::from_raw_os_error(errno))),
    }
}

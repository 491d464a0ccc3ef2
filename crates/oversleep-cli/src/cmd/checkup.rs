//! The check-up: no arguments, any user, about 15 seconds.

use crate::args::Args;
use crate::failure::Failure;
use crate::session::{Session, Show};
use oversleep_os::method;
use oversleep_recording::plan::build;
use oversleep_sys::units::Nanos;

/// Where sleeps take ten times what they ask for, the check-up ends with fewer of them.
const LIMIT: Nanos = Nanos::from_secs(18);

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let plan = build::checkup(method::entries().map(|entry| entry.id.row()), 1);
    let Args { keep, output, late, late_tier, .. } = args;
    let (time_limit, show) = (Some(LIMIT), Show::Causes);
    Session { keep, output, late, late_tier, time_limit, flush_every: None, show }.run(plan, None)
}

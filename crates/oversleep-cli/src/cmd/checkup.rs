//! The check-up: no arguments, any user, about 15 seconds.

use crate::args::{Keep, Output};
use crate::failure::Failure;
use crate::session::{Session, Show};
use oversleep_lab::plan::build;
use oversleep_os::method;
use oversleep_os::units::Nanos;

/// Where sleeps take ten times what they ask for, the check-up ends with fewer of them.
const LIMIT: Nanos = Nanos::from_secs(18);

pub(crate) fn run(keep: &Keep, output: &Output) -> Result<(), Failure> {
    let plan = build::checkup(method::entries().map(|entry| entry.id.row()), 1);
    Session { keep, output, time_limit: Some(LIMIT), flush_every: None, show: Show::Causes }.run(plan, None)
}

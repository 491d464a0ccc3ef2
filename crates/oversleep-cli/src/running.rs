//! What all commands that measure share: the program's name in recordings, Ctrl-C, notices on standard error.

use crate::failure::Failure;
use crate::interrupt;
use crate::say::notice;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::session::Runner;

/// Name and version of this program in recordings.
pub(crate) const TOOL: &str = concat!("oversleep ", env!("CARGO_PKG_VERSION"));

/// Returns a runner whose runs Ctrl-C ends.
pub(crate) fn run<'a>() -> Result<Runner<'a>, Failure> {
    Ok(Runner { stop: on_signals()?, ..unstoppable() })
}

/// Returns a runner that does not handle Ctrl-C: for runs that take no time, or are stopped by other means.
pub(crate) fn unstoppable<'a>() -> Runner<'a> {
    Runner::new(TOOL, &notice)
}

/// Returns a stop that Ctrl-C, SIGTERM and SIGHUP trigger. A second signal ends the process.
pub(crate) fn on_signals() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let handle = stop.clone();
    interrupt::on_first(move || handle.stop())?;
    Ok(stop)
}

//! What all commands that measure share: the program's name in recordings, Ctrl-C, notices on standard error.

use crate::failure::Failure;
use crate::interrupt;
use crate::say::say;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::session::Run;

/// Name and version of this program in recordings.
pub(crate) const TOOL: &str = concat!("oversleep ", env!("CARGO_PKG_VERSION"));

/// Returns a run that Ctrl-C ends.
pub(crate) fn run<'a>() -> Result<Run<'a>, Failure> {
    Ok(Run { stop: on_signals()?, ..unstoppable() })
}

/// Returns a run that does not handle Ctrl-C: one that takes no time, or is stopped by other means.
pub(crate) fn unstoppable<'a>() -> Run<'a> {
    Run::new(TOOL, &|line| say!("{line}"))
}

/// Returns a stop that Ctrl-C, SIGTERM and SIGHUP trigger. A second signal ends the process.
pub(crate) fn on_signals() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let handle = stop.clone();
    interrupt::on_first(move || handle.stop())?;
    Ok(stop)
}

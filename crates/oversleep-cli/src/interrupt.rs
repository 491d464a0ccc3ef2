//! Ctrl-C, SIGTERM and SIGHUP.

use crate::failure::Failure;
use std::time::{Duration, Instant};

/// Signals so near to each other are one: `timeout` sends its signal to the program and then to the whole group, the
/// program among it.
const TOGETHER: Duration = Duration::from_millis(500);

/// Calls `stop` at the first one. A later one ends the process at once: somebody is impatient, and nothing is lost but
/// the last second. All settings belong to this process, the file is readable at any moment, and a trace instance left
/// behind is removed by the next run.
pub(crate) fn on_first(stop: impl Fn() + Send + 'static) -> Result<(), Failure> {
    on_first_and_later(stop, || {})
}

/// Calls `stop` at the first one, and `leave` before a later one ends the process.
pub(crate) fn on_first_and_later(
    stop: impl Fn() + Send + 'static,
    leave: impl Fn() + Send + 'static,
) -> Result<(), Failure> {
    let mut first = None;
    ctrlc::set_handler(move || {
        let now = Instant::now();
        match first {
            None => {
                first = Some(now);
                stop();
            }
            Some(first) if now.duration_since(first) < TOGETHER => {}
            Some(_) => {
                leave();
                std::process::exit(130)
            }
        }
    })
    .map_err(|error| Failure::trouble(format!("cannot listen for Ctrl-C: {error}")))
}

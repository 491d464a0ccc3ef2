//! Ctrl-C, SIGTERM and SIGHUP.

use crate::failure::Failure;
use std::time::{Duration, Instant};

/// Signals closer together than this count as one: `timeout` sends its signal to the program and then to the whole
/// process group, which contains the program.
const TOGETHER: Duration = Duration::from_millis(500);

/// Calls `stop` at the first signal. A later one ends the process at once (exit 130), and only the last second of
/// samples is lost: all settings belong to this process, the file is readable at any moment, and the next run removes a
/// trace instance left behind.
pub(crate) fn on_first(stop: impl Fn() + Send + 'static) -> Result<(), Failure> {
    on_first_and_later(stop, || {})
}

/// Calls `stop` at the first signal, and `leave` before a later one ends the process.
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
                // Nothing is dropped from here on, so programs that sleep for us are ended here, and their folder removed.
                oversleep_os::process::end_all();
                oversleep_lab::capture::runtimes::remove_folders();
                std::process::exit(130)
            }
        }
    })
    .map_err(|error| Failure::trouble(format!("cannot listen for Ctrl-C: {error}")))
}

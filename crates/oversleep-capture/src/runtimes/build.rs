//! Builds of the probes that are compiled first, as processes that leave nothing behind.

use super::output_lines::{OutputLine, lines};
use super::probe::{END, LOOK_UP};
use crate::sleeps::Stop;
use oversleep_os::process::ProcessTree;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::io;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// A running build; it is ended when this is dropped.
pub(super) struct Build {
    group: ProcessTree,
    /// What it writes to standard error.
    lines: Receiver<OutputLine>,
}

/// How a build ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Built {
    Done,
    /// It did not end in time.
    Late,
    /// The run is to stop.
    Stopped,
    Failed(String),
}

impl Build {
    /// Starts it.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut group = ProcessTree::start(&mut command)?;
        let output = group.child().stderr.take().map_or_else(|| lines(io::empty()), lines);
        Ok(Self { group, lines: output })
    }

    /// Waits for its end until this time.
    pub(super) fn wait(self, until: Nanos, stop: &Stop) -> Built {
        let mut last = String::new();
        loop {
            if stop.stopped() {
                return Built::Stopped;
            }
            let left = (until - monotonic()).to_duration().unwrap_or(Duration::ZERO);
            match self.lines.recv_timeout(left.min(LOOK_UP)) {
                Ok(OutputLine::Line { text, .. }) if !text.trim().is_empty() => last = text,
                Ok(OutputLine::Line { .. }) => {}
                Ok(_) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Built::Late,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        match self.group.end(END) {
            Ok(status) if status.success() => Built::Done,
            _ => Built::Failed(format!("it could not be built: {last}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_os::command;

    fn build(line: &str, limit: Nanos) -> Built {
        Build::start(command::of_line(line)).expect("a shell").wait(monotonic() + limit, &Stop::default())
    }

    #[test]
    fn a_build_succeeds_fails_with_its_last_line_or_is_late() {
        if !command::SHELL_IS_POSIX {
            return println!("skipped: there is no `sh`");
        }
        assert_eq!(build("echo warning >&2", Nanos::from_secs(60)), Built::Done);
        let failed = build("echo first >&2; echo last >&2; exit 1", Nanos::from_secs(60));
        assert_eq!(failed, Built::Failed("it could not be built: last".to_owned()));
        assert_eq!(build("sleep 1000", Nanos::ZERO), Built::Late);
        let stop = Stop::default();
        stop.stop();
        let build = Build::start(command::of_line("sleep 1000")).expect("a shell");
        assert_eq!(build.wait(Nanos::MAX, &stop), Built::Stopped);
    }

    #[test]
    fn a_program_that_is_not_installed_is_not_found() {
        let missing = Build::start(Command::new("/nowhere/go")).err().expect("it is missing");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}

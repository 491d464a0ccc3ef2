//! How the runs of `every`'s command ended.

use crate::failure::Failure;
use crate::say::say;
use std::process::ExitStatus;

/// A shell's exit status above this means that a signal ended its command.
const BY_SIGNAL: i32 = 128;

/// Counts of runs that ended and that failed.
#[derive(Default)]
pub(super) struct Exits {
    ended: u64,
    failed: u64,
    /// Number (from 1) and exit status of the last run that failed.
    last_failure: Option<(u64, ExitStatus)>,
}

impl Exits {
    pub(super) fn add(&mut self, status: ExitStatus) {
        self.ended += 1;
        if !status.success() {
            self.failed += 1;
            self.last_failure = Some((self.ended, status));
        }
    }

    /// Uncounts the last run if a signal ended it. Ctrl-C ends the command too, and the command's end may be counted
    /// before the signal is handled; such a run did not fail.
    pub(super) fn forgive_the_interrupted(&mut self) {
        let by_signal = |status: ExitStatus| status.code().is_none_or(|code| code > BY_SIGNAL);
        if self.last_failure.is_some_and(|(run, status)| run == self.ended && by_signal(status)) {
            (self.ended, self.failed) = (self.ended - 1, self.failed - 1);
        }
    }

    /// Says how many runs failed, if any did; returns an error if all did.
    pub(super) fn judge(&self) -> Result<(), Failure> {
        let Self { ended, failed, last_failure: Some((_, last)) } = self else { return Ok(()) };
        match failed {
            0 => {}
            1 if *ended == 1 => return Err(Failure::trouble(format!("the command failed ({last})"))),
            _ if failed == ended => {
                return Err(Failure::trouble(format!("every one of {ended} runs failed, the last with {last}")));
            }
            _ => say!("oversleep: {failed} of {ended} runs failed, the last of them with {last}"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_os::command::of_line;

    /// Judges runs that ended with `codes`; if `interrupted`, a signal ended the schedule after the last one.
    fn judged(codes: &[i32], interrupted: bool) -> Result<(), Failure> {
        let mut exits = Exits::default();
        for code in codes {
            exits.add(of_line(&format!("exit {code}")).status().expect("a shell"));
        }
        if interrupted {
            exits.forgive_the_interrupted();
        }
        exits.judge()
    }

    #[test]
    fn all_that_fail_are_trouble_and_what_a_signal_ended_did_not_fail() {
        assert!(judged(&[], true).is_ok() && judged(&[0, 0], false).is_ok() && judged(&[0, 1], false).is_ok());
        assert!(judged(&[1], false).is_err() && judged(&[1, 7], false).is_err() && judged(&[130], false).is_err());
        assert!(judged(&[130], true).is_ok() && judged(&[1], true).is_err());
        // The failure before the last one is not forgiven.
        assert!(judged(&[130, 130], true).is_err());
    }
}

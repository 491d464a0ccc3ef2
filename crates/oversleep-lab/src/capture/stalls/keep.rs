//! What is kept of a run in memory: each processor's account.

use super::worker::Closed;
use oversleep_recording::Watched;
use oversleep_sys::units::Nanos;

/// One processor's part of the run.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) account: Watched,
    /// Time within windows.
    watched: Nanos,
    sequence: u64,
}

impl Kept {
    pub(super) fn new(account: Watched) -> Self {
        Self { account, watched: Nanos::ZERO, sequence: 0 }
    }

    /// Enters a window's account.
    pub(super) fn window(&mut self, closed: &Closed) {
        self.watched += closed.length;
        let account = &mut self.account;
        account.stalled += closed.stalled;
        account.looked += closed.looked;
        account.spun += closed.length - closed.stalled - closed.looked;
        account.readings += closed.ticks.readings;
        account.stalls += closed.ticks.gaps;
        account.unlisted += closed.ticks.gaps - closed.stalls.len() as u64;
        account.backwards += closed.ticks.backwards;
    }

    /// Returns the next stall's number.
    pub(super) fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence - 1
    }

    /// Returns the account from `begun` to now, `elapsed` later: what was not within a window was a pause.
    pub(super) fn account(&self, begun: Nanos, elapsed: Nanos) -> Watched {
        Watched { begun, elapsed, paused: elapsed - self.watched, ..self.account }
    }
}

//! The totals of each processor, which are kept in memory during a run.

use super::worker::Closed;
use oversleep_recording::WatchedCpu;
use oversleep_sys::units::Nanos;

/// The totals of one processor.
#[derive(Debug)]
pub(super) struct ProcessorTotals {
    pub(super) account: WatchedCpu,
    /// Total time within windows, in ns.
    watched: Nanos,
    sequence: u64,
}

impl ProcessorTotals {
    pub(super) fn new(account: WatchedCpu) -> Self {
        Self { account, watched: Nanos::ZERO, sequence: 0 }
    }

    /// Adds the totals of a window.
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

    /// Returns the number of the next stall.
    pub(super) fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence - 1
    }

    /// Returns the totals from `begun` until `elapsed` later; time outside of windows counts as paused.
    pub(super) fn account(&self, begun: Nanos, elapsed: Nanos) -> WatchedCpu {
        WatchedCpu { begun, elapsed, paused: elapsed - self.watched, ..self.account }
    }
}

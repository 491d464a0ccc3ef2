//! Counts of late sleeps, and of sleeps that a stop cut off.

use oversleep_recording::plan::{Pattern, Plan};
use oversleep_recording::{LateAccount, Note};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Counts every sample. `planned = slept + cut`; with a stop, `slept = until_stop + after_stop`.
#[derive(Debug, Clone)]
pub struct Account {
    late: LateAccount,
    slept: HashMap<u32, u64>,
}

impl Account {
    /// Returns the counts of a run in which nothing has slept yet.
    pub fn new(threshold: Nanos) -> Self {
        Self { late: LateAccount { threshold, ..LateAccount::default() }, slept: HashMap::new() }
    }

    /// Counts a sleep of a cell; `late` says whether it was too late.
    pub fn enter(&mut self, cell: u32, late: bool) {
        *self.slept.entry(cell).or_default() += 1;
        self.late.slept += 1;
        self.late.late += u64::from(late);
        if self.late.stopped {
            self.late.after_stop += 1;
        }
    }

    /// Returns the counts of a run with this number of planned sleeps.
    pub fn of_planned(&self, planned: u64) -> LateAccount {
        LateAccount { planned, cut: planned.saturating_sub(self.late.slept), ..self.late }
    }

    /// Marks the last sample counted as the one to stop at.
    pub fn stop(&mut self) {
        self.late.stopped = true;
    }

    /// Returns whether a stop was marked.
    pub fn stopped(&self) -> bool {
        self.late.stopped
    }

    /// Counts the last sample as examined.
    pub fn found(&mut self) {
        self.late.found += 1;
    }

    /// Returns the counts with the numbers of planned sleeps and of those cut off. Methods that the run noted as
    /// unavailable were not planned, and periods that were skipped were not cut off.
    pub fn finish(&self, plan: &Plan, note: &Note) -> LateAccount {
        let mut late = self.late;
        for cell in &plan.cells {
            if note.unavailable.iter().any(|missing| missing.what == cell.method) {
                continue;
            }
            let threads = u64::from(cell.conditions.threads.unwrap_or(1).max(1));
            let turns = plan.turns.iter().filter(|turn| turn.cell == cell.id);
            let planned = turns.map(|turn| turn.sleeps).sum::<u64>().saturating_mul(threads);
            let slept = self.slept.get(&cell.id).copied().unwrap_or(0);
            let skipped = match cell.pattern {
                Pattern::Periodic { .. } => {
                    note.periods.iter().filter(|account| account.cell == cell.id).map(|account| account.skipped).sum()
                }
                _ => 0,
            };
            late.planned += planned;
            late.cut += planned.saturating_sub(slept + skipped);
        }
        late
    }
}

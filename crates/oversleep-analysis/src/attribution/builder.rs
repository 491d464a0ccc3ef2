//! Builds a breakdown from marks in order; the parts lie between them.

use super::{Breakdown, Complete, OversleepPart, Owner, PartEvidence, PartKind};
use oversleep_sys::units::Nanos;

/// Builds a breakdown mark by mark. Each mark ends the part that began at the previous one.
#[derive(Debug)]
pub struct BreakdownBuilder {
    sequence: u64,
    deadline: Nanos,
    end: Nanos,
    last: Nanos,
    parts: Vec<OversleepPart>,
    trouble: Option<String>,
}

impl BreakdownBuilder {
    /// Starts at the deadline.
    pub fn new(sequence: u64, deadline: Nanos, end: Nanos) -> Self {
        Self { sequence, deadline, end, last: deadline, parts: Vec::new(), trouble: None }
    }

    /// Returns the time of the last mark.
    pub fn last(&self) -> Nanos {
        self.last
    }

    /// Ends a part at `at`. If `at` is before the last mark, the part is negative and the breakdown becomes partial.
    pub fn mark(
        &mut self,
        kind: PartKind,
        at: Nanos,
        cpu: Option<u16>,
        evidence: PartEvidence,
    ) -> &mut Vec<(Owner, Nanos)> {
        let time = at.saturating_sub(self.last);
        if time < Nanos::ZERO {
            self.trouble(format!("{} would be {time:#}: marks out of order", kind.name()));
        }
        self.last = at;
        self.parts.push(OversleepPart { kind, time, cpu, owners: Vec::new(), evidence });
        &mut self.parts.last_mut().expect("just pushed").owners
    }

    /// Ends a part that lasted for `time`.
    pub fn part(
        &mut self,
        kind: PartKind,
        time: Nanos,
        cpu: Option<u16>,
        evidence: PartEvidence,
    ) -> &mut Vec<(Owner, Nanos)> {
        self.mark(kind, self.last.saturating_add(time), cpu, evidence)
    }

    /// Makes the breakdown partial; of several reasons the first is kept.
    pub fn trouble(&mut self, why: String) {
        self.trouble.get_or_insert(why);
    }

    /// Finishes the breakdown: checks that parts sum to the oversleep, and that no owner has more time than its part.
    pub fn finish(mut self) -> Breakdown {
        let (sum, whole) = (
            self.parts.iter().map(|part| i128::from(part.time.get())).sum::<i128>(),
            self.end.saturating_sub(self.deadline),
        );
        if sum != i128::from(whole.get()) {
            self.trouble(format!("the parts sum to {sum} ns of {} ns", whole.get()));
        }
        let over = self.parts.iter().find(|part| {
            let owned: i128 = part.owners.iter().map(|(_, time)| i128::from(time.get())).sum();
            owned > i128::from(part.time.get()) || part.owners.iter().any(|(_, time)| *time < Nanos::ZERO)
        });
        if let Some(kind) = over.map(|part| part.kind) {
            self.trouble(format!("more owners than time in {}", kind.name()));
        }
        let complete = self.trouble.map_or(Complete::Complete, Complete::Partial);
        self.parts.retain(|part| part.time != Nanos::ZERO || part.kind == PartKind::Slack);
        Breakdown { sequence: self.sequence, deadline: self.deadline, end: self.end, parts: self.parts, complete }
    }
}

//! Marks in order, and the parts between them.

use super::{Breakdown, Complete, Evidence, Owner, Part, PartKind};
use oversleep_sys::units::Nanos;

/// Builds a breakdown mark by mark. Each mark closes the part that began at the one before.
#[derive(Debug)]
pub struct Chain {
    sequence: u64,
    deadline: Nanos,
    end: Nanos,
    last: Nanos,
    parts: Vec<Part>,
    trouble: Option<String>,
}

impl Chain {
    /// Begins at the deadline.
    pub fn new(sequence: u64, deadline: Nanos, end: Nanos) -> Self {
        Self { sequence, deadline, end, last: deadline, parts: Vec::new(), trouble: None }
    }

    /// The last mark.
    pub fn last(&self) -> Nanos {
        self.last
    }

    /// Closes a part at `at`. A mark before the last one is kept as it is, and makes the breakdown partial.
    pub fn mark(
        &mut self,
        kind: PartKind,
        at: Nanos,
        cpu: Option<u16>,
        evidence: Evidence,
    ) -> &mut Vec<(Owner, Nanos)> {
        let time = at.saturating_sub(self.last);
        if time < Nanos::ZERO {
            self.trouble(format!("{} would be {time:#}: marks out of order", kind.name()));
        }
        self.last = at;
        self.parts.push(Part { kind, time, cpu, owners: Vec::new(), evidence });
        &mut self.parts.last_mut().expect("just pushed").owners
    }

    /// Closes a part that lasted so long.
    pub fn part(
        &mut self,
        kind: PartKind,
        time: Nanos,
        cpu: Option<u16>,
        evidence: Evidence,
    ) -> &mut Vec<(Owner, Nanos)> {
        self.mark(kind, self.last.saturating_add(time), cpu, evidence)
    }

    /// Makes the breakdown partial; the first reason counts.
    pub fn trouble(&mut self, why: String) {
        self.trouble.get_or_insert(why);
    }

    /// Ends the chain: checks the sum, and that no owner had more than there was.
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

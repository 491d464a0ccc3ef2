//! Checks whether samples are possible, because a file may come from anyone, with checksums that fit.

use crate::plan::{Cell, ClockName, Plan};
use crate::{Fault, Sample, Unsound};
use std::collections::HashMap;

/// Checks samples as they are read.
pub(super) struct SampleCheck {
    /// For each cell, whether its clock can be set back.
    steps: Vec<bool>,
    /// Last sequence number, by cell and thread.
    last: Vec<Vec<Option<u64>>>,
    /// The same of threads from [`FEW`] on, of which a damaged file has some.
    last_of_others: HashMap<(u32, u16), u64>,
}

/// Number of threads of a cell that are looked up by their number. More of them, and a list as long as the largest number
/// would take 1 MiB for one sample.
const FEW: usize = 1 << 8;

impl SampleCheck {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            steps: plan.cells.iter().map(|cell| may_step(cell.clock)).collect(),
            last: vec![Vec::new(); plan.cells.len()],
            last_of_others: HashMap::new(),
        }
    }

    /// Adds a cell that became known later. Returns `false` if its number is not the next one.
    pub(super) fn add(&mut self, cell: &Cell) -> bool {
        let is_next = u32::try_from(self.steps.len()) == Ok(cell.id);
        if is_next {
            self.steps.push(may_step(cell.clock));
            self.last.push(Vec::new());
        }
        is_next
    }

    /// Removes impossible samples, and counts them and those out of order. `offset` is where their batch begins, in
    /// bytes.
    pub(super) fn check(&mut self, samples: &mut Vec<Sample>, offset: u64) -> Vec<Unsound> {
        let mut counts = [(Fault::EndsBeforeStart, 0), (Fault::UnknownCell, 0), (Fault::OutOfOrder, 0)];
        samples.retain(|sample| {
            let Some(fault) = self.fault(sample) else { return true };
            counts.iter_mut().filter(|(known, _)| *known == fault).for_each(|(_, count)| *count += 1);
            !fault.left_out()
        });
        let present = counts.into_iter().filter(|(_, samples)| *samples > 0);
        present.map(|(fault, samples)| Unsound { fault, samples, first_byte: offset }).collect()
    }

    #[inline]
    fn fault(&mut self, sample: &Sample) -> Option<Fault> {
        let cell = sample.cell as usize;
        let (Some(&steps), Some(threads)) = (self.steps.get(cell), self.last.get_mut(cell)) else {
            return Some(Fault::UnknownCell);
        };
        if sample.end < sample.start && !steps {
            return Some(Fault::EndsBeforeStart);
        }
        let thread = usize::from(sample.thread);
        let before = if thread < FEW {
            if thread >= threads.len() {
                threads.resize(thread + 1, None);
            }
            threads[thread].replace(sample.sequence)
        } else {
            self.last_of_others.insert((sample.cell, sample.thread), sample.sequence)
        };
        (before.is_some_and(|before| sample.sequence <= before)).then_some(Fault::OutOfOrder)
    }
}

/// Returns whether somebody may set this clock.
fn may_step(clock: ClockName) -> bool {
    matches!(clock, ClockName::Realtime | ClockName::Tai)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::MethodId;
    use crate::plan::{Conditions, build};
    use oversleep_sys::units::Nanos;

    #[test]
    fn what_cannot_be_is_counted_and_left_out() {
        let mut plan = build::wall_second(MethodId::Nanosleep.row(), 3, &Conditions::default(), 5);
        plan.cells[0].clock = ClockName::Monotonic;
        let sample = |cell, sequence, end| Sample { cell, sequence, end: Nanos::new(end), ..Sample::BLANK };
        let sound = [sample(0, 0, 5), sample(0, 3, 5), sample(0, 9, 0)];
        let mut sample_check = SampleCheck::new(&plan);
        let mut samples = sound.to_vec();
        assert_eq!(sample_check.check(&mut samples, 8), []);
        assert_eq!(samples, sound);

        let mut samples = vec![sample(0, 9, 1), sample(0, 10, -1), sample(9, 11, 1), sample(0, 12, 1), sample(7, 0, 1)];
        let found = sample_check.check(&mut samples, 64);
        assert_eq!(samples, [sample(0, 9, 1), sample(0, 12, 1)]);
        let expected = [(Fault::EndsBeforeStart, 1), (Fault::UnknownCell, 2), (Fault::OutOfOrder, 1)];
        assert_eq!(found, expected.map(|(fault, samples)| Unsound { fault, samples, first_byte: 64 }));

        let of_thread = |thread, sequence| Sample { thread, ..sample(0, sequence, 1) };
        let mut samples = vec![of_thread(9_000, 5), of_thread(9_001, 1), of_thread(9_000, 5), of_thread(9_000, 6)];
        let found = sample_check.check(&mut samples, 0);
        assert_eq!(found, [Unsound { fault: Fault::OutOfOrder, samples: 1, first_byte: 0 }], "of many threads too");

        plan.cells[0].clock = ClockName::Realtime;
        let mut samples = vec![sample(0, 0, -1)];
        assert_eq!(SampleCheck::new(&plan).check(&mut samples, 0), [], "a clock that was set back");
    }
}

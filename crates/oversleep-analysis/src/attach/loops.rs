//! The loops in another program's table of sleeps.

use super::rounds::Rounds;
use oversleep_recording::document::attach::Loop;
use oversleep_recording::plan::Cell;
use oversleep_recording::{AttachedThread, Note, Sample, Sink};
use std::collections::BTreeMap;

/// A sink that finds the threads whose sleeps come again and again.
#[derive(Debug, Default)]
pub struct LoopsOfTable {
    cells: BTreeMap<(u32, u16), Rounds>,
}

impl LoopsOfTable {
    /// Returns the loops, the one with most rounds first. Sleeps of the methods that this program measures are no program's loop.
    pub fn finish<'a>(&self, cells: impl Iterator<Item = &'a Cell> + Clone) -> Vec<Loop> {
        let of_thread = |((id, thread), rounds): (&(u32, u16), &Rounds)| {
            let cell = cells.clone().find(|cell| cell.id == *id && cell.row().is_none())?;
            let name = cell.method.clone();
            rounds.of_thread(
                &AttachedThread { cell: *id, thread: *thread, name, ..AttachedThread::default() },
                Vec::new(),
            )
        };
        let mut loops: Vec<Loop> = self.cells.iter().filter_map(of_thread).collect();
        loops.sort_by_key(|found| std::cmp::Reverse(found.rounds));
        loops
    }
}

impl Sink for LoopsOfTable {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            let due = sample.end.saturating_sub(sample.oversleep());
            let rounds = self.cells.entry((sample.cell, sample.thread)).or_default();
            rounds.add(&Sample { deadline: Some(sample.deadline.unwrap_or(due)), ..*sample });
        }
    }

    fn note(&mut self, _: &Note) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::attach::LoopKind;
    use oversleep_recording::plan::Pattern;
    use oversleep_sys::units::Nanos;

    /// Work of 1 ms, then a sleep of 5 ms that is 0.2 ms late.
    #[test]
    fn a_table_of_a_loop_says_which_rate_it_reached() {
        let mut loops = LoopsOfTable::default();
        let us = |us: u64| Nanos::from_micros(us.cast_signed());
        let sleeps: Vec<Sample> = (0..100)
            .map(|round| Sample {
                sequence: round,
                requested: us(5_000),
                start: us(6_200 * round + 1_000),
                end: us(6_200 * (round + 1)),
                ..Sample::BLANK
            })
            .collect();
        loops.samples(&sleeps);
        let cell = |method| Cell::new(0, method, Pattern::fixed(us(5_000)));
        let found = loops.finish([cell("unknown")].iter());
        let [found] = &found[..] else { panic!("{found:?}") };
        assert_eq!((found.kind, found.rounds, found.asked), (LoopKind::Durations, 99, us(5_000)));
        assert_eq!((found.period, found.late, found.work), (us(6_200), us(200), us(1_000)));
        assert!(found.sentence().starts_with("161.3 a second instead of 200.0: "), "{}", found.sentence());
        assert!(found.remedy("").is_some_and(|remedy| remedy.contains("until start + n × 5 ms")), "{found:?}");
        assert_eq!(loops.finish([cell("nanosleep")].iter()), []);
    }
}

//! The loops in another program's table of sleeps.

use super::rounds::Rounds;
use oversleep_recording::document::attach::{Loop, LoopKind};
use oversleep_recording::plan::Cell;
use oversleep_recording::{AttachedThread, Note, Sample, Sink};
use std::collections::{BTreeMap, BTreeSet};

/// A sink that finds the threads whose sleeps come again and again.
#[derive(Debug, Default)]
pub struct LoopsOfTable {
    threads: BTreeMap<u16, ThreadOfTable>,
}

#[derive(Debug, Default)]
struct ThreadOfTable {
    rounds: Rounds,
    /// Cells whose sleeps it makes, each a request of its own.
    cells: BTreeSet<u32>,
}

impl LoopsOfTable {
    /// Returns the loops, the one with most rounds first. Sleeps of the methods that this program measures are no program's loop.
    pub fn finish(&self, cells: &[&Cell]) -> Vec<Loop> {
        let of_thread = |(number, thread): (&u16, &ThreadOfTable)| {
            let id = *thread.cells.first()?;
            let cell = cells.iter().find(|cell| cell.id == id && cell.row().is_none())?;
            let name = if self.threads.len() > 1 { format!("thread {number}") } else { cell.method.clone() };
            let known = AttachedThread { cell: id, thread: *number, name, ..AttachedThread::default() };
            // Sleeps of several durations that keep no deadlines are no rounds of one length.
            let is_one = |found: &Loop| found.kind == LoopKind::Deadlines || thread.cells.len() == 1;
            thread.rounds.of_thread(&known, Vec::new()).filter(is_one)
        };
        let mut loops: Vec<Loop> = self.threads.iter().filter_map(of_thread).collect();
        loops.sort_by_key(|found| std::cmp::Reverse(found.rounds));
        loops
    }
}

impl Sink for LoopsOfTable {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            let due = sample.end.saturating_sub(sample.oversleep());
            let thread = self.threads.entry(sample.thread).or_default();
            thread.cells.insert(sample.cell);
            thread.rounds.add(&Sample { deadline: Some(sample.deadline.unwrap_or(due)), ..*sample });
        }
    }

    fn note(&mut self, _: &Note) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::Pattern;
    use oversleep_sys::units::Nanos;

    fn us(us: i64) -> Nanos {
        Nanos::from_micros(us)
    }

    /// Returns sleeps in a row from their requests, starts and ends, in µs; each request has a cell of its own.
    fn sleeps(rows: impl Iterator<Item = (i64, i64, i64)>) -> Vec<Sample> {
        let sample = |(sequence, (asked, start, end)): (u64, (i64, i64, i64))| Sample {
            cell: u32::try_from(asked / 1_000).unwrap(),
            sequence,
            requested: us(asked),
            start: us(start),
            end: us(end),
            ..Sample::BLANK
        };
        (0..).zip(rows).map(sample).collect()
    }

    fn found(rows: &[Sample]) -> Vec<Loop> {
        let mut loops = LoopsOfTable::default();
        loops.samples(rows);
        let cells: Vec<Cell> = (0..100).map(|id| Cell::new(id, "unknown", Pattern::fixed(us(5_000)))).collect();
        loops.finish(&cells.iter().collect::<Vec<_>>())
    }

    /// Returns rounds one after the other: each works, asks for a time and is late, in µs.
    fn rounds(each: impl Iterator<Item = (i64, i64, i64)>) -> Vec<(i64, i64, i64)> {
        let mut now = 0;
        each.map(|(work, asked, late)| {
            let start = now + work;
            now = start + asked + late;
            (asked, start, now)
        })
        .collect()
    }

    /// A table that is out of order, twice there, of sleeps of several lengths, or of something else than sleeps, has no rate.
    #[test]
    fn what_is_no_loop_has_no_rate() {
        let steady = rounds((0..100).map(|round| (1_000, 5_000, 150 + round % 7 * 10)));
        assert_eq!(found(&sleeps(steady.iter().copied())).len(), 1);
        let lengths = rounds((0..100).map(|round| (1_000, 5_000 * (1 + round % 2), round % 5 * 20)));
        let work = (0..100).map(|round| (5_000, 6_200 * round, 6_200 * round + 900 + round % 9 * 10));
        for (name, rows) in [
            ("out of order", sleeps((0..100).map(|round| steady[round * 37 % 100]))),
            ("twice", sleeps((0..200).map(|row| steady[row / 2]))),
            ("one moment", sleeps((0..100).map(|_| steady[3]))),
            ("two lengths", sleeps(lengths.into_iter())),
            ("stamps of the work", sleeps(work)),
        ] {
            assert_eq!(found(&rows), [], "{name}");
        }
    }

    #[test]
    fn a_clock_that_is_set_back_and_a_stop_are_no_rounds() {
        let steady = rounds((0..200).map(|round| (1_000, 5_000, 150 + round % 7 * 10)));
        let set_back = steady.iter().map(|(asked, start, end)| {
            let back = if *start < 600_000 { 0 } else { 50_000 };
            (*asked, start - back, end - back)
        });
        let loops = found(&sleeps(set_back));
        assert!((loops[0].reached_hz() - 161.8).abs() < 0.2, "{loops:?}");
        let stopped = rounds((0..200).map(|round| (1_000, 5_000, if round == 100 { 3_600_000_000 } else { 180 })));
        let loops = found(&sleeps(stopped.into_iter()));
        assert_eq!((loops[0].pauses, loops[0].period), (1, us(6_180)), "{loops:?}");
        assert!(loops[0].sentence().ends_with("; a pause between rounds is left out"), "{}", loops[0].sentence());
    }

    /// Work that is long each time is the loop's; deadlines are told from durations where the work is constant too.
    #[test]
    fn long_work_counts_and_deadlines_are_told_from_durations() {
        let often =
            rounds((0..100).map(|round| (if round % 10 == 0 { 300_000 } else { 1_000 }, 5_000, 150 + round % 7 * 10)));
        let loops = found(&sleeps(often.into_iter()));
        assert!((loops[0].reached_hz() - 30.0).abs() < 0.5 && loops[0].with_deadlines_hz.is_none(), "{loops:?}");
        let grid = (0..200).map(|round| (12_000, 16_667 * round, 16_667 * round + 12_040 + round % 11 * 8));
        let grid = found(&sleeps(grid));
        assert_eq!((grid[0].kind, grid[0].asked), (LoopKind::Deadlines, Nanos::new(16_666_667)), "{grid:?}");
    }

    /// Work of 1 ms, then a sleep of 5 ms that is 0.2 ms late.
    #[test]
    fn a_table_of_a_loop_says_which_rate_it_reached() {
        let mut loops = LoopsOfTable::default();
        let sleeps: Vec<Sample> = (0..100)
            .map(|round| Sample {
                sequence: round,
                requested: us(5_000),
                start: us(6_200 * round.cast_signed() + 1_000),
                end: us(6_200 * (round.cast_signed() + 1)),
                ..Sample::BLANK
            })
            .collect();
        loops.samples(&sleeps);
        let cell = |method| Cell::new(0, method, Pattern::fixed(us(5_000)));
        let found = loops.finish(&[&cell("unknown")]);
        let [found] = &found[..] else { panic!("{found:?}") };
        assert_eq!((found.kind, found.rounds, found.asked), (LoopKind::Durations, 99, us(5_000)));
        assert_eq!((found.period, found.late, found.work), (us(6_200), us(200), us(1_000)));
        assert!(found.sentence().starts_with("161.3 a second instead of 200.0: "), "{}", found.sentence());
        assert!(found.remedy("").is_some_and(|remedy| remedy.contains("until start + n × 5 ms")), "{found:?}");
        assert_eq!(loops.finish(&[&cell("nanosleep")]), []);
    }
}

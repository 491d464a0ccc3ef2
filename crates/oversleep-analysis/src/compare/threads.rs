//! Rows of several threads, split into one for each.

use super::run::{CellKey, THREAD};
use super::{CellValues, ComparableRun, Values};
use oversleep_recording::Note;
use oversleep_recording::plan::{Cell, Conditions};
use std::collections::BTreeMap;

/// Returns the runs of a side with a row for each thread, where the other side counts threads separately, as cyclictest
/// does; `None` where nothing is to be split.
pub(super) fn split(side: &[&ComparableRun], other: &[&ComparableRun]) -> Option<Vec<ComparableRun>> {
    let single = |own: &&CellValues| matches!(own.values, Values::Counts(_)) && own.key().thread().is_some();
    let separate = other.iter().any(|run| run.cells.iter().filter(single).count() > 1);
    let several = side.iter().flat_map(|run| &run.cells).any(CellValues::is_of_several);
    (separate && several).then(|| side.iter().map(|run| each_thread(run)).collect())
}

fn each_thread(run: &ComparableRun) -> ComparableRun {
    ComparableRun {
        name: run.name.clone(),
        meta: run.meta.clone(),
        note: run.note.clone(),
        cells: run.cells.iter().flat_map(|own| threads(own, &run.note)).collect(),
        runtimes: run.runtimes.clone(),
        checksum: run.checksum,
    }
}

/// Returns a row for each thread of a row.
fn threads(own: &CellValues, note: &Note) -> Vec<CellValues> {
    let CellKey { cell, .. } = own.key();
    let whole = |values| {
        let (threads, time_left) = (own.threads.clone(), own.time_left);
        vec![CellValues { cell: cell.clone(), values, threads, time_left }]
    };
    let series = match &own.values {
        Values::Samples(series) if own.is_of_several() => series,
        Values::Samples(series) => return whole(Values::Samples(series.clone())),
        Values::Counts(counts) => return whole(Values::Counts(counts.clone())),
    };
    let mut of: BTreeMap<u16, Vec<i64>> = BTreeMap::new();
    for (thread, value) in own.threads.iter().zip(series) {
        of.entry(*thread).or_default().push(*value);
    }
    let row = |(thread, series)| CellValues {
        cell: of_thread(&cell, thread, note),
        values: Values::Samples(series),
        threads: Vec::new(),
        time_left: None,
    };
    of.into_iter().map(row).collect()
}

/// Returns a cell as one of its threads had it: with the processor on which this alone could run, if it was one.
fn of_thread(cell: &Cell, thread: u16, note: &Note) -> Cell {
    let obtained = note.obtained.iter().find(|obtained| obtained.cell == cell.id && obtained.thread == thread);
    let processor = obtained.and_then(|obtained| obtained.conditions.affinity.clone()).filter(|cpus| cpus.len() == 1);
    let affinity = processor.or_else(|| cell.conditions.affinity.clone());
    let conditions = Conditions { affinity, one_cpu_each: None, threads: None, ..cell.conditions.clone() };
    Cell { method: format!("{}{THREAD}{thread}", cell.method), conditions, ..cell.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Gather, compare};
    use oversleep_recording::document::PairedBy;
    use oversleep_recording::plan::{Kind, Pattern, Plan};
    use oversleep_recording::{Distribution, Meta, Obtained, Origin, Quantity, Sample, Sink};
    use oversleep_sys::units::Nanos;

    fn meta(cells: Vec<Cell>) -> Meta {
        Meta::new("test", Origin::Live, Plan { kind: Kind::Periodic, cells, turns: Vec::new(), seed: 1 })
    }

    fn cell(id: u32, method: &str, conditions: Conditions) -> Cell {
        let pattern = Pattern::Periodic { period: Nanos::MILLISECOND };
        Cell { conditions, ..Cell::new(id, method, pattern) }
    }

    fn on(cpus: &[u32]) -> Conditions {
        Conditions { affinity: Some(cpus.to_vec()), ..Conditions::default() }
    }

    /// Returns counts of two threads; `cpus`: the processor of each.
    fn counted(cpus: Option<[u32; 2]>) -> ComparableRun {
        let conditions = |at: u32| cpus.map_or_else(Conditions::default, |cpus| on(&[cpus[at as usize]]));
        let meta = meta((0..2).map(|id| cell(id, &format!("cyclictest thread {id}"), conditions(id))).collect());
        let mut gather = Gather::new("theirs", &meta);
        let of = |cell| {
            let us = Nanos::from_micros(i64::from(cell) + 1);
            let buckets = vec![(us, us + Nanos::new(999), 1_000)];
            let (min, max) = (Some(us), Some(us + Nanos::new(999)));
            let quantity = Quantity::Oversleep;
            Distribution {
                cell,
                quantity,
                count: 1_000,
                buckets,
                outside_from: None,
                min,
                max,
                mean_ns: None,
                lost: Vec::new(),
            }
        };
        gather.note(&Note { distributions: vec![of(0), of(1)], ..Note::default() });
        gather.finish()
    }

    /// Returns a recording of two threads in one row, the first of them on processor 0 and 1 µs late, the second twice that.
    fn ours() -> ComparableRun {
        let asked = Conditions { threads: Some(2), one_cpu_each: Some(true), ..on(&[0, 1]) };
        let mut gather = Gather::new("ours", &meta(vec![cell(0, "clock-nanosleep-abs", asked)]));
        let conditions = |thread: u16| on(&[u32::from(thread)]);
        let obtained = (0..2).map(|thread| Obtained { cell: 0, thread, conditions: conditions(thread) }).collect();
        gather.note(&Note { obtained, ..Note::default() });
        let sample = |n: u64| {
            let thread = u16::try_from(n % 2).unwrap();
            let late = Nanos::from_micros(i64::from(thread) + 1);
            let deadline = Some(Nanos::MILLISECOND);
            Sample { thread, sequence: n / 2, deadline, end: Nanos::MILLISECOND + late, ..Sample::BLANK }
        };
        gather.samples(&(0..800).map(sample).collect::<Vec<_>>());
        gather.finish()
    }

    /// Returns the names of paired rows, and what they were paired by.
    fn pairs(a: &ComparableRun, b: &ComparableRun) -> Vec<(String, String, PairedBy)> {
        let compared = compare(&[a], &[b], false);
        assert!(compared.only_a.is_empty() && compared.only_b.is_empty(), "{compared:?}");
        compared.cells.into_iter().map(|cell| (cell.a.method, cell.b.method, cell.paired_by)).collect()
    }

    #[test]
    fn threads_are_paired_by_their_processors_or_else_in_their_order() {
        let pair =
            |a: u16, b: u16, by| (format!("cyclictest thread {a}"), format!("clock-nanosleep-abs thread {b}"), by);
        let (processor, thread) = (PairedBy::Processor, PairedBy::Thread);
        assert_eq!(pairs(&counted(Some([0, 1])), &ours()), [pair(0, 0, processor), pair(1, 1, processor)]);
        assert_eq!(pairs(&counted(Some([1, 0])), &ours()), [pair(0, 1, processor), pair(1, 0, processor)]);
        assert_eq!(pairs(&counted(None), &ours()), [pair(0, 0, thread), pair(1, 1, thread)]);
        // Recordings of ours are compared as a whole.
        let whole = "clock-nanosleep-abs".to_owned();
        assert_eq!(pairs(&ours(), &ours()), [(whole.clone(), whole, PairedBy::Same)]);
    }

    #[test]
    fn each_thread_has_its_own_sleeps() {
        let (theirs, ours) = (counted(Some([0, 1])), ours());
        let compared = compare(&[&theirs], &[&ours], false);
        assert_eq!(compared.cells.iter().map(|cell| cell.n_b).collect::<Vec<_>>(), [400, 400]);
        let medians: Vec<Nanos> = compared.cells.iter().map(|cell| cell.shifts[0].b_ns).collect();
        assert_eq!(medians, [1, 2].map(Nanos::from_micros));
    }
}

//! Samples waiting to be written, column by column.

use super::columns::CellNames;
use crate::{Sample, Wakes};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, UInt16Array, UInt32Array, UInt64Array};
use arrow_buffer::{NullBufferBuilder, ScalarBuffer};
use arrow_schema::{ArrowError, Schema};
use std::sync::Arc;

/// The columns of a recording, under construction. `columns.rs` says what each means.
pub(super) struct Pending {
    cell: Vec<u32>,
    thread: Vec<u16>,
    sequence: Vec<u64>,
    requested: Vec<i64>,
    deadline: Vec<i64>,
    has_deadline: NullBufferBuilder,
    start: Vec<i64>,
    end: Vec<i64>,
    cpu_start: Vec<u16>,
    cpu_end: Vec<u16>,
    flags: Vec<u16>,
    run_queue: Vec<u32>,
    has_run_queue: NullBufferBuilder,
    oversleep: Vec<i64>,
}

impl Pending {
    /// Creates empty columns with capacity for this number of rows.
    pub(super) fn with_capacity(rows: usize) -> Self {
        Self {
            cell: Vec::with_capacity(rows),
            thread: Vec::with_capacity(rows),
            sequence: Vec::with_capacity(rows),
            requested: Vec::with_capacity(rows),
            deadline: Vec::with_capacity(rows),
            has_deadline: NullBufferBuilder::new(rows),
            start: Vec::with_capacity(rows),
            end: Vec::with_capacity(rows),
            cpu_start: Vec::with_capacity(rows),
            cpu_end: Vec::with_capacity(rows),
            flags: Vec::with_capacity(rows),
            run_queue: Vec::with_capacity(rows),
            has_run_queue: NullBufferBuilder::new(rows),
            oversleep: Vec::with_capacity(rows),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.end.len()
    }

    /// Appends samples, in one tight loop per column.
    pub(super) fn samples(&mut self, samples: &[Sample]) {
        self.cell.extend(samples.iter().map(|s| s.cell));
        self.thread.extend(samples.iter().map(|s| s.thread));
        self.sequence.extend(samples.iter().map(|s| s.sequence));
        self.requested.extend(samples.iter().map(|s| s.requested.get()));
        self.deadline.extend(samples.iter().map(|s| s.deadline.unwrap_or_default().get()));
        self.start.extend(samples.iter().map(|s| s.start.get()));
        self.end.extend(samples.iter().map(|s| s.end.get()));
        self.cpu_start.extend(samples.iter().map(|s| s.cpu_start));
        self.cpu_end.extend(samples.iter().map(|s| s.cpu_end));
        self.flags.extend(samples.iter().map(|s| s.flags.0));
        self.run_queue.extend(samples.iter().map(|s| s.run_queue.or_zero()));
        mark_known(&mut self.has_run_queue, samples, |s| s.run_queue.get().is_some());
        self.oversleep.extend(samples.iter().map(|s| s.oversleep().get()));
        mark_known(&mut self.has_deadline, samples, |s| s.deadline.is_some());
    }

    /// Appends a schedule's wake-ups: shared values are filled in, the others follow from the ends of the wake-ups.
    pub(super) fn wakes(&mut self, run: &Wakes) {
        let (rows, wakes) = (self.len() + run.wakes.len(), run.wakes);
        let Some((_, all_but_last)) = wakes.split_last() else { return };
        self.cell.resize(rows, run.cell);
        self.thread.resize(rows, run.thread);
        self.requested.resize(rows, run.period.get());
        self.sequence.extend(wakes.iter().map(|wake| run.sequence_of(wake)));
        self.deadline.extend(wakes.iter().map(|wake| run.deadline_of(run.sequence_of(wake)).get()));
        self.has_deadline.append_n_non_nulls(wakes.len());
        self.start.push(run.start.get());
        self.start.extend(all_but_last.iter().map(|wake| wake.end.get()));
        self.end.extend(wakes.iter().map(|wake| wake.end.get()));
        self.cpu_start.push(run.cpu_start);
        self.cpu_start.extend(all_but_last.iter().map(|wake| wake.cpu));
        self.cpu_end.extend(wakes.iter().map(|wake| wake.cpu));
        self.flags.extend(wakes.iter().map(|wake| wake.flags.0));
        self.run_queue.resize(rows, 0);
        self.has_run_queue.append_n_nulls(wakes.len());
        self.oversleep.extend(wakes.iter().map(|wake| run.oversleep_of(wake).1.get()));
    }

    /// Returns the columns as a batch. They are moved, not copied.
    pub(super) fn batch(mut self, schema: &Arc<Schema>, names: &CellNames) -> Result<RecordBatch, ArrowError> {
        let u16s = |values: Vec<u16>| -> ArrayRef { Arc::new(UInt16Array::from(values)) };
        let times = |values: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(values)) };
        let deadlines = Int64Array::try_new(ScalarBuffer::from(self.deadline), self.has_deadline.finish())?;
        let waits = UInt32Array::try_new(ScalarBuffer::from(self.run_queue), self.has_run_queue.finish())?;
        let [methods, conditions] = names.columns(&self.cell)?;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(self.cell)),
            u16s(self.thread),
            Arc::new(UInt64Array::from(self.sequence)),
            times(self.requested),
            Arc::new(deadlines),
            times(self.start),
            times(self.end),
            u16s(self.cpu_start),
            u16s(self.cpu_end),
            u16s(self.flags),
            Arc::new(waits),
            times(self.oversleep),
            methods,
            conditions,
        ];
        RecordBatch::try_new(Arc::clone(schema), columns)
    }
}

/// Appends to a bitmap whether each sample has a value. Usually all of a batch have one, or none has: the bitmap is then not
/// built bit by bit.
fn mark_known(known: &mut NullBufferBuilder, samples: &[Sample], has: impl Fn(&Sample) -> bool) {
    match samples.iter().filter(|sample| has(sample)).count() {
        0 => known.append_n_nulls(samples.len()),
        all if all == samples.len() => known.append_n_non_nulls(all),
        _ => samples.iter().for_each(|sample| known.append(has(sample))),
    }
}

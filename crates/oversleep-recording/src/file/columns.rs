//! Conversion of samples to columns and back: those of files, and those that the Python package passes to other
//! libraries.

use super::pending::Pending;
use crate::plan::Plan;
use crate::{Flags, RunQueueWait, Sample};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::sync::Arc;

/// The columns that samples are read from: name, type, whether it may be null, and meaning. The last may be missing.
const COLUMNS: [(&str, DataType, bool, &str); 11] = [
    ("cell", DataType::UInt32, false, "number of the cell in the plan"),
    ("thread", DataType::UInt16, false, "which of the cell's threads slept"),
    ("sequence", DataType::UInt64, false, "number within cell and thread; in a periodic cell, of the period"),
    ("requested_ns", DataType::Int64, false, "what was asked for; in a periodic cell, the period"),
    ("deadline_ns", DataType::Int64, true, "deadline on the cell's clock, where there is one"),
    ("start_ns", DataType::Int64, false, "the cell's clock before the call"),
    ("end_ns", DataType::Int64, false, "the cell's clock after the call"),
    ("cpu_start", DataType::UInt16, false, "processor before the call; 65535 unknown"),
    ("cpu_end", DataType::UInt16, false, "processor after the call; 65535 unknown"),
    ("flags", DataType::UInt16, false, "1 first call, 2 interrupted, 4 failed"),
    (
        "run_queue_ns",
        DataType::UInt32,
        true,
        "wait in run queues during the call, where it was counted; at most 4.29 s",
    ),
];

/// Returns the columns that follow from the others and from the plan, for readers that know neither.
fn derived() -> [(&'static str, DataType, bool, &'static str); 3] {
    let names = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    [
        ("oversleep_ns", DataType::Int64, false, "actual minus requested; negative: early"),
        ("method", names(), true, "the cell's method"),
        ("condition", names(), true, "the requested conditions; the notes have the obtained ones"),
    ]
}

/// Returns the schema, with `document` in its metadata.
pub fn schema(document: String) -> Schema {
    let fields: Vec<_> = COLUMNS
        .into_iter()
        .chain(derived())
        .map(|(name, kind, nullable, what)| {
            Field::new(name, kind, nullable).with_metadata(HashMap::from([("description".to_owned(), what.to_owned())]))
        })
        .collect();
    Schema::new_with_metadata(fields, HashMap::from([(super::KEY.to_owned(), document)]))
}

/// Returns the indices of the columns that samples are read from, in our order; `None` if the schema lacks one or has
/// it with another type. Other columns do not matter.
pub fn places(schema: &Schema) -> Option<Vec<usize>> {
    let place = |(name, kind, ..): &(&str, DataType, bool, &str)| {
        let place = schema.index_of(name).ok()?;
        (schema.field(place).data_type() == kind).then_some(place)
    };
    let mut places: Vec<_> = COLUMNS.iter().map(place).collect();
    if places.last() == Some(&None) {
        places.pop();
    }
    places.into_iter().collect()
}

/// The names of a plan's cells, each once.
pub struct CellNames {
    /// For each cell, the indices of its method and its condition.
    of_cell: Vec<[i32; 2]>,
    lists: [ArrayRef; 2],
}

impl CellNames {
    /// Collects the names of a plan.
    pub fn from_plan(plan: &Plan) -> Self {
        let mut lists: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        let mut places: [HashMap<String, i32>; 2] = [HashMap::new(), HashMap::new()];
        let mut place = |kind: usize, name: String| {
            let list = &mut lists[kind];
            *places[kind].entry(name).or_insert_with_key(|name| {
                list.push(name.clone());
                i32::try_from(list.len() - 1).unwrap_or(i32::MAX)
            })
        };
        let of_cell =
            plan.cells.iter().map(|cell| [place(0, cell.method.clone()), place(1, cell.conditions.name(None))]);
        let of_cell = of_cell.collect();
        Self { of_cell, lists: lists.map(|list| Arc::new(StringArray::from(list)) as ArrayRef) }
    }

    /// Returns the columns of methods and conditions for samples of these cells; null for a cell that the plan lacks.
    pub(super) fn columns(&self, cells: &[u32]) -> Result<[ArrayRef; 2], ArrowError> {
        let column = |kind: usize| -> Result<ArrayRef, ArrowError> {
            let keys = cells.iter().map(|cell| self.of_cell.get(*cell as usize).map(|keys| keys[kind]));
            let keys: Int32Array = keys.collect();
            Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&self.lists[kind]))?))
        };
        Ok([column(0)?, column(1)?])
    }
}

/// Converts samples to columns.
///
/// # Errors
/// If the schema is not that of [`schema`].
pub fn batch(schema: &Arc<Schema>, names: &CellNames, samples: &[Sample]) -> Result<RecordBatch, ArrowError> {
    let mut pending = Pending::with_capacity(samples.len());
    pending.samples(samples);
    pending.batch(schema, names)
}

/// Converts columns to samples; the columns must be those of [`places`], in that order.
pub fn samples(batch: &RecordBatch) -> Vec<Sample> {
    let (cells, sequences) = (numbers::<UInt32Type>(batch, 0), numbers::<UInt64Type>(batch, 2));
    let [threads, cpu_starts, cpu_ends, flags] = [1, 7, 8, 9].map(|column| numbers::<UInt16Type>(batch, column));
    let [requests, deadlines, starts, ends] = [3, 4, 5, 6].map(|column| numbers::<Int64Type>(batch, column));
    let has_deadline = batch.column(4).nulls();
    let waits = batch.columns().get(10).map(AsArray::as_primitive::<UInt32Type>);
    let wait = |row: usize| {
        let known = waits.filter(|waits| waits.is_valid(row));
        known.map_or(RunQueueWait::UNKNOWN, |waits| RunQueueWait::new(Nanos::new(waits.value(row).into())))
    };
    (0..batch.num_rows())
        .map(|row| Sample {
            cell: cells[row],
            thread: threads[row],
            sequence: sequences[row],
            requested: Nanos::new(requests[row]),
            deadline: has_deadline.is_none_or(|known| known.is_valid(row)).then(|| Nanos::new(deadlines[row])),
            start: Nanos::new(starts[row]),
            end: Nanos::new(ends[row]),
            cpu_start: cpu_starts[row],
            cpu_end: cpu_ends[row],
            flags: Flags(flags[row]),
            run_queue: wait(row),
        })
        .collect()
}

/// Returns the values of a column, as many as the batch has rows, which spares a check of each index.
fn numbers<T: ArrowPrimitiveType>(batch: &RecordBatch, column: usize) -> &[T::Native] {
    &batch.column(column).as_primitive::<T>().values()[..batch.num_rows()]
}

//! Samples as columns and back: the file's, and what the Python package hands to other libraries.

use super::pending::Pending;
use crate::{Flags, Sample};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::sync::Arc;

/// The columns of a recording: name, type, whether it may be null, and what it is.
const COLUMNS: &[(&str, DataType, bool, &str)] = &[
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
];

/// The schema with its document.
pub fn schema(document: String) -> Schema {
    let fields: Vec<_> = COLUMNS
        .iter()
        .map(|(name, kind, nullable, what)| {
            Field::new(*name, kind.clone(), *nullable)
                .with_metadata(HashMap::from([("description".to_owned(), (*what).to_owned())]))
        })
        .collect();
    Schema::new_with_metadata(fields, HashMap::from([(super::KEY.to_owned(), document)]))
}

/// Whether a schema has our columns, in our order and types.
pub fn matches(schema: &Schema) -> bool {
    schema.fields().len() == COLUMNS.len()
        && schema
            .fields()
            .iter()
            .zip(COLUMNS)
            .all(|(field, (name, kind, ..))| field.name() == name && field.data_type() == kind)
}

/// Samples to columns.
///
/// # Errors
/// If the schema is not that of [`schema`].
pub fn batch(schema: &Arc<Schema>, samples: &[Sample]) -> Result<RecordBatch, ArrowError> {
    let mut pending = Pending::with_capacity(samples.len());
    pending.samples(samples);
    pending.batch(schema)
}

/// Columns to samples; the batch's schema must have been checked with [`matches()`].
pub fn samples(batch: &RecordBatch) -> Vec<Sample> {
    let u16s = |column: usize| batch.column(column).as_primitive::<UInt16Type>();
    let times = |column: usize| batch.column(column).as_primitive::<Int64Type>();
    let (cells, sequences) =
        (batch.column(0).as_primitive::<UInt32Type>(), batch.column(2).as_primitive::<UInt64Type>());
    let (threads, cpu_starts, cpu_ends, flags) = (u16s(1), u16s(7), u16s(8), u16s(9));
    let (requests, deadlines, starts, ends) = (times(3), times(4), times(5), times(6));
    (0..batch.num_rows())
        .map(|row| Sample {
            cell: cells.value(row),
            thread: threads.value(row),
            sequence: sequences.value(row),
            requested: Nanos::new(requests.value(row)),
            deadline: deadlines.is_valid(row).then(|| Nanos::new(deadlines.value(row))),
            start: Nanos::new(starts.value(row)),
            end: Nanos::new(ends.value(row)),
            cpu_start: cpu_starts.value(row),
            cpu_end: cpu_ends.value(row),
            flags: Flags(flags.value(row)),
        })
        .collect()
}

//! The table of findings: one row per finding of a recording.

use super::facts::{Facts, Partition};
use super::table::{Column, Kind, Table, Value};
use oversleep_recording::Meta;
use oversleep_recording::document::{Diagnosis, Finding};
use oversleep_sys::units::Nanos;
use std::io::{self, Write};

const COLUMNS: [Column; 11] = [
    ("cell", Kind::Number),
    ("method", Kind::Text),
    ("requested_ns", Kind::Number),
    ("condition", Kind::Text),
    ("cause", Kind::Text),
    ("size", Kind::Real),
    ("unit", Kind::Text),
    ("low", Kind::Real),
    ("high", Kind::Real),
    ("confidence", Kind::Real),
    ("share", Kind::Real),
];

/// A file with the findings of any number of recordings.
pub struct FindingsTable<W: Write + Send> {
    table: Table<W>,
    partitions: Vec<Partition>,
    rows: Vec<Vec<Value>>,
}

impl<W: Write + Send> FindingsTable<W> {
    /// Begins a file in a dataset split by `partitions`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(partitions: &[Partition], out: W) -> io::Result<Self> {
        let columns = Facts::columns(partitions).into_iter().chain(COLUMNS).collect();
        let table = Table::new("oversleep_findings", columns, out)?;
        Ok(Self { table, partitions: partitions.to_vec(), rows: Vec::new() })
    }

    /// Adds the findings of a recording. A finding that concerns the whole machine has no cell.
    pub fn add(&mut self, meta: &Meta, facts: &Facts, diagnosis: &Diagnosis) {
        let facts = facts.values(&self.partitions);
        let of_cells =
            diagnosis.cells.iter().flat_map(|cell| cell.findings.iter().map(|found| (Some(cell.cell), found)));
        let all = of_cells.chain(diagnosis.machine.iter().map(|found| (None, found)));
        self.rows.extend(all.map(|(cell, finding)| facts.iter().cloned().chain(row(meta, cell, finding)).collect()));
    }

    /// Writes the rows and the end of the file, and returns the output, flushed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let rows = &self.rows;
        if !rows.is_empty() {
            self.table.write(rows.len(), |row, column| rows[row][column].clone())?;
        }
        self.table.finish()
    }
}

fn row(meta: &Meta, number: Option<u32>, finding: &Finding) -> [Value; COLUMNS.len()] {
    let cell = number.and_then(|number| meta.plan.cells.get(number as usize));
    let unit = serde_json::to_value(finding.unit).ok();
    [
        Value::number(number.map(i64::from)),
        cell.map_or(Value::Null, |cell| Value::text(&cell.method)),
        Value::number(cell.and_then(|cell| cell.pattern.requested()).map(Nanos::get)),
        cell.map_or(Value::Null, |cell| Value::text(&cell.conditions.name(None))),
        Value::text(finding.cause().name()),
        Value::Real(finding.size),
        Value::text(unit.as_ref().and_then(|unit| unit.as_str()).unwrap_or_default()),
        Value::real(finding.low),
        Value::real(finding.high),
        Value::Real(finding.confidence),
        Value::real(finding.share),
    ]
}

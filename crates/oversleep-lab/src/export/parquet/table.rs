//! A Parquet file with optional columns of a few types.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::Result as ParquetResult;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::io::{self, Write};
use std::sync::Arc;

/// Name and type of a column.
pub(super) type Column = (&'static str, Kind);

/// Type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A whole number that differs from row to row by similar amounts: written as differences.
    Running,
    /// A whole number.
    Number,
    /// A number with a fraction.
    Real,
    /// UTF-8 text.
    Text,
    /// True or false.
    Truth,
    /// Microseconds since 1970, UTC.
    Time,
    /// Days since 1970, UTC.
    Date,
}

/// A value in a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Unknown.
    Null,
    /// A whole number, a time or a date.
    Number(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text, shared by clones.
    Text(ByteArray),
    /// True or false.
    Truth(bool),
}

impl Value {
    /// Returns text as a value; [`Value::Null`] if it is empty.
    pub(super) fn text(text: &str) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(ByteArray::from(text.as_bytes().to_vec())) }
    }

    /// Returns a whole number as a value.
    pub(super) fn number(number: Option<i64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }

    /// Returns a number with a fraction as a value.
    pub(super) fn real(number: Option<f64>) -> Self {
        number.map_or(Self::Null, Self::Real)
    }
}

/// A table that is written in groups of rows.
pub(super) struct Table<W: Write + Send> {
    columns: Vec<Column>,
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> Table<W> {
    /// Begins a table with this name.
    pub(super) fn new(name: &str, columns: Vec<Column>, out: W) -> io::Result<Self> {
        let fields: Vec<String> = columns.iter().map(|(name, kind)| kind.field(name)).collect();
        let schema = parse_message_type(&format!("message {name} {{\n{}}}", fields.concat()))?;
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("oversleep ", env!("CARGO_PKG_VERSION")).to_owned());
        for (name, _) in columns.iter().filter(|(_, kind)| *kind == Kind::Running) {
            let path = ColumnPath::from(*name);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        Ok(Self { columns, writer })
    }

    /// Writes a group of rows. `value` returns a value by the number of its row and of its column.
    pub(super) fn write(&mut self, rows: usize, value: impl Fn(usize, usize) -> Value) -> io::Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in 0..self.columns.len() {
            let Some(writer) = group.next_column()? else { break };
            write_column(writer, (0..rows).map(|row| value(row, column)))?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the end of the file and returns the output, flushed.
    pub(super) fn finish(self) -> io::Result<W> {
        let mut out = self.writer.into_inner()?;
        out.flush()?;
        Ok(out)
    }
}

impl Kind {
    fn field(self, name: &str) -> String {
        let (kind, meaning) = match self {
            Self::Running | Self::Number => ("int64", ""),
            Self::Real => ("double", ""),
            Self::Text => ("binary", " (UTF8)"),
            Self::Truth => ("boolean", ""),
            Self::Time => ("int64", " (TIMESTAMP(MICROS,true))"),
            Self::Date => ("int32", " (DATE)"),
        };
        format!("optional {kind} {name}{meaning};\n")
    }
}

fn write_column(mut column: SerializedColumnWriter<'_>, values: impl Iterator<Item = Value>) -> ParquetResult<()> {
    let (mut numbers, mut reals, mut texts, mut truths) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let present: Vec<i16> = values
        .map(|value| {
            match value {
                Value::Null => return 0,
                Value::Number(number) => numbers.push(number),
                Value::Real(number) => reals.push(number),
                Value::Text(text) => texts.push(text),
                Value::Truth(truth) => truths.push(truth),
            }
            1
        })
        .collect();
    let present = Some(present.as_slice());
    match column.untyped() {
        ColumnWriter::Int64ColumnWriter(column) => column.write_batch(&numbers, present, None)?,
        ColumnWriter::Int32ColumnWriter(column) => {
            let days: Vec<i32> = numbers.iter().map(|days| i32::try_from(*days).unwrap_or(i32::MAX)).collect();
            column.write_batch(&days, present, None)?
        }
        ColumnWriter::DoubleColumnWriter(column) => column.write_batch(&reals, present, None)?,
        ColumnWriter::ByteArrayColumnWriter(column) => column.write_batch(&texts, present, None)?,
        ColumnWriter::BoolColumnWriter(column) => column.write_batch(&truths, present, None)?,
        _ => unreachable!("the schema has no other types"),
    };
    column.close()
}

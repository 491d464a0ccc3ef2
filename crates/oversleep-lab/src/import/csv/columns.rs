//! Positions of a table's columns, and the reading of rows by them.

use super::error::CsvError;
use super::kinds::{KindColumns, Kinds};
use super::units::{Mapping, TimeUnit};
use super::{Row, check, shown, text};
use csv::StringRecord;
use oversleep_recording::Sample;
use std::rc::Rc;

/// A column of times.
#[derive(Debug, Clone)]
struct Time {
    at: usize,
    name: String,
    unit: TimeUnit,
}

/// Positions of the columns.
pub(super) struct Columns {
    requested: Time,
    start: Time,
    end: Time,
    deadline: Option<Time>,
    real: Option<(Time, Time)>,
    method: Option<usize>,
    thread: Option<usize>,
    cpu: Option<usize>,
    sequence: Option<usize>,
    flags: Option<usize>,
    /// Whether a mapping gives the units of all three times, so that they are not questioned.
    told: bool,
    /// Number of lines that are read but are not in the file; subtracted from line numbers.
    added: u64,
}

/// Finds the columns of a header by the names in a mapping, or by their usual names.
struct Finder<'a> {
    header: &'a StringRecord,
    mapping: &'a Mapping,
}

impl Finder<'_> {
    fn named(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column.trim_start_matches('\u{feff}') == name)
    }

    fn plain(&self, field: &str) -> Option<usize> {
        match self.mapping.of(field) {
            Some((column, _)) => self.named(column),
            None => self.named(field),
        }
    }

    /// Returns a column named after the stem and a unit.
    fn in_unit(&self, stem: &str) -> Option<Time> {
        TimeUnit::ALL.into_iter().find_map(|unit| {
            let name = format!("{stem}_{unit}");
            Some(Time { at: self.named(&name)?, name, unit })
        })
    }

    /// Returns the column of a time: from the mapping, or else by its name.
    fn time(&self, field: &str, stems: &[&str]) -> Option<Time> {
        let Some((column, unit)) = self.mapping.of(field) else {
            return stems.iter().find_map(|stem| self.in_unit(stem));
        };
        let by_name = TimeUnit::ALL.into_iter().find(|unit| column.ends_with(&format!("_{unit}")));
        let unit = unit.or(by_name).unwrap_or(TimeUnit::Nanoseconds);
        Some(Time { at: self.named(column)?, name: column.to_owned(), unit })
    }
}

impl Columns {
    /// Finds the columns. `added` is the number of lines that are read but are not in the file.
    pub(super) fn of(header: &StringRecord, mapping: &Mapping, added: u64) -> Result<(Self, KindColumns), CsvError> {
        let finder = Finder { header, mapping };
        if let Some(missing) = mapping.columns().find(|column| finder.named(column).is_none()) {
            return Err(CsvError::Mapped { column: shown(missing).to_string(), seen: text::described(header) });
        }
        let lacks = |column: &'static str| CsvError::Column { column, seen: text::described(header) };
        let columns = Self {
            requested: finder.time("requested", &["requested"]).ok_or_else(|| lacks("requested_ns"))?,
            start: finder.time("start", &["start_mono", "start"]).ok_or_else(|| lacks("start_ns"))?,
            end: finder.time("end", &["end_mono", "end"]).ok_or_else(|| lacks("end_ns"))?,
            deadline: finder.time("deadline", &["deadline"]),
            real: finder.in_unit("start_real").zip(finder.in_unit("end_real")),
            method: finder.plain("method"),
            thread: finder.plain("thread"),
            cpu: finder.plain("cpu"),
            sequence: finder.plain("sequence"),
            flags: finder.named("flags"),
            told: ["requested", "start", "end"].iter().all(|field| mapping.has_unit(field)),
            added,
        };
        let kinds = KindColumns::of(|name| if name == "load" { finder.plain("load") } else { finder.named(name) });
        Ok((columns, kinds))
    }

    /// Reads one row. `name` is the method of the previous row; its text is shared if the method is the same.
    pub(super) fn row(&self, record: &StringRecord, name: &mut Rc<str>, kinds: &mut Kinds) -> Result<Row, CsvError> {
        let line = record.position().map_or(0, csv::Position::line).saturating_sub(self.added);
        let field = Field { record, line };
        let method = self.method.and_then(|at| record.get(at)).unwrap_or("unknown");
        if **name != *method {
            *name = shown(method);
        }
        let row = Row {
            method: Rc::clone(name),
            requested: field.time(&self.requested)?,
            start: field.time(&self.start)?,
            end: field.time(&self.end)?,
            deadline: match &self.deadline {
                Some(deadline) if field.has(deadline.at) => Some(field.time(deadline)?),
                _ => None,
            },
            real: match &self.real {
                Some((start, end)) => Some((field.time(start)?, field.time(end)?)),
                None => None,
            },
            thread: field.small(self.thread, "thread")?.unwrap_or(0),
            cpu: field.small(self.cpu, "cpu")?.unwrap_or(Sample::NO_CPU),
            sequence: field.count(self.sequence, "sequence")?,
            flags: field.small(self.flags, "flags")?,
            kind: kinds.of(record, line)?,
        };
        check(&row).map_err(|why| CsvError::Row { line, why })?;
        Ok(row)
    }

    /// Refuses times that seem to count in another unit than requests, or ends in another than starts: off by a thousand or a
    /// million, in nearly all rows.
    pub(super) fn doubt(&self, rows: &[Row]) -> Result<(), CsvError> {
        const FACTORS: [(f64, &str); 4] = [(1e6, "1 000 000"), (1e3, "1000"), (1e-3, "0.001"), (1e-6, "0.000 001")];
        if let Some(factor) = self.mixed(rows) {
            return Err(CsvError::Mixed { factor, start: self.start.name.clone(), end: self.end.name.clone() });
        }
        let asking: Vec<f64> = rows
            .iter()
            .filter(|row| row.requested > 0)
            .map(|row| (row.end - row.start) as f64 / row.requested as f64)
            .collect();
        if self.told || asking.len() < ENOUGH {
            return Ok(());
        }
        match factor_of(&asking, &FACTORS) {
            None => Ok(()),
            Some(factor) => Err(CsvError::Unit {
                factor,
                start: self.start.name.clone(),
                end: self.end.name.clone(),
                requested: self.requested.name.clone(),
            }),
        }
    }

    /// Returns by how much ends exceed starts, if that is a thousand or a million times in nearly all rows. A clock that has run
    /// for long shows it: within one unit the two differ by little.
    fn mixed(&self, rows: &[Row]) -> Option<&'static str> {
        const FACTORS: [(f64, &str); 2] = [(1e6, "1 000 000"), (1e3, "1000")];
        let begun: Vec<f64> =
            rows.iter().filter(|row| row.start > 0).map(|row| row.end as f64 / row.start as f64).collect();
        if self.told || begun.len() < ENOUGH { None } else { factor_of(&begun, &FACTORS) }
    }

    /// Returns a remark if nearly all times are whole multiples of a larger unit, which their clock seems to count in.
    pub(super) fn coarse(&self, rows: &[Row]) -> Option<String> {
        if rows.len() < ENOUGH {
            return None;
        }
        let share = |step: i64| {
            let whole = rows.iter().filter(|row| row.end % step == 0 && row.start % step == 0).count();
            100 * whole / rows.len()
        };
        let (step, name) =
            [(1_000_000, "milliseconds"), (1_000, "microseconds")].into_iter().find(|(step, _)| share(*step) >= 90)?;
        Some(format!(
            "{} and {} look like {name}: {} % are whole multiples of {step} ns; nothing finer can be said",
            self.start.name,
            self.end.name,
            share(step)
        ))
    }
}

/// Returns the factor that nine ratios in ten are near, within half and twice of it.
fn factor_of(ratios: &[f64], factors: &[(f64, &'static str)]) -> Option<&'static str> {
    let near = |factor: f64| ratios.iter().filter(|ratio| **ratio > factor * 0.5 && **ratio < factor * 2.0).count();
    factors.iter().find(|(factor, _)| near(*factor) * 10 >= ratios.len() * 9).map(|(_, name)| *name)
}

/// Number of rows from which a unit can be inferred.
const ENOUGH: usize = 20;

/// The fields of a row.
struct Field<'a> {
    record: &'a StringRecord,
    line: u64,
}

impl Field<'_> {
    fn has(&self, at: usize) -> bool {
        self.record.get(at).is_some_and(|text| !text.is_empty())
    }

    fn time(&self, column: &Time) -> Result<i64, CsvError> {
        let text = self.record.get(column.at).unwrap_or_default();
        let expected = match column.unit {
            TimeUnit::Nanoseconds => "a whole number of nanoseconds, such as 1000000",
            TimeUnit::Microseconds => "a number of microseconds, such as 1000.5",
            TimeUnit::Milliseconds => "a number of milliseconds, such as 1.5",
            TimeUnit::Seconds => "a number of seconds, such as 0.001",
        };
        column.unit.read(text).ok_or_else(|| self.wrong(&column.name, text, expected))
    }

    fn wrong(&self, column: &str, text: &str, expected: &'static str) -> CsvError {
        let (line, column) = (self.line, column.to_owned());
        match text {
            "" => CsvError::Missing { line, column },
            _ => CsvError::Number { line, column, text: shown(text).to_string(), expected },
        }
    }

    fn count(&self, at: Option<usize>, column: &str) -> Result<Option<u64>, CsvError> {
        let Some(at) = at.filter(|&at| self.has(at)) else { return Ok(None) };
        let text = self.record.get(at).unwrap_or_default();
        let value = TimeUnit::Nanoseconds.read(text).and_then(|value| u64::try_from(value).ok());
        value.map(Some).ok_or_else(|| self.wrong(column, text, "a whole number"))
    }

    fn small(&self, at: Option<usize>, column: &str) -> Result<Option<u16>, CsvError> {
        let Some(value) = self.count_signed(at, column)? else { return Ok(None) };
        let why = "a number outside 0 to 65535";
        u16::try_from(value).map(Some).map_err(|_| CsvError::Row { line: self.line, why })
    }

    fn count_signed(&self, at: Option<usize>, column: &str) -> Result<Option<i64>, CsvError> {
        let Some(at) = at.filter(|&at| self.has(at)) else { return Ok(None) };
        let text = self.record.get(at).unwrap_or_default();
        let value = TimeUnit::Nanoseconds.read(text);
        value.map(Some).ok_or_else(|| self.wrong(column, text, "a whole number"))
    }
}

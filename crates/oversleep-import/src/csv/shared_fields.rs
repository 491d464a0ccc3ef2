//! Fields that many rows share, such as conditions: each set of them is read once.

use super::error::CsvError;
use super::text::RowPosition;
use csv::StringRecord;
use oversleep_recording::plan::{ClockName, Conditions};
use oversleep_recording::table::{asked_name, condition_columns, read_conditions, read_pattern};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Number of different sets of fields above which a table is refused.
const MOST: usize = 1 << 16;

/// Number of bytes that all sets may take together, their text and their lists of processors: a few letters can stand for
/// thousands of processors.
const MOST_BYTES: usize = 32 << 20;

/// Positions of the columns whose values many rows share.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedColumns {
    cell: Option<usize>,
    pattern: Option<usize>,
    clock: Option<usize>,
    /// Those of [`condition_columns`].
    asked: Vec<Option<usize>>,
    obtained: Vec<Option<usize>>,
    periods: Option<usize>,
}

/// Requested conditions, and how requests are made.
#[derive(Debug, Clone)]
pub(super) struct RequestedFields {
    /// Number of the cell in the table.
    pub(super) cell: Option<u64>,
    pub(super) pattern: Option<String>,
    pub(super) clock: ClockName,
    pub(super) conditions: Conditions,
    /// Number of a schedule's periods, as planned for each thread.
    pub(super) periods: Option<u64>,
}

/// The fields that rows share: requested conditions, with the conditions that were read back.
#[derive(Debug, Clone)]
pub(super) struct FieldSet {
    /// Number of the requested ones.
    pub(super) requested: u32,
    pub(super) obtained: Option<Conditions>,
}

/// The sets of fields of all rows so far.
#[derive(Debug, Default)]
pub(super) struct SharedFields {
    columns: SharedColumns,
    all: Vec<FieldSet>,
    sets: Vec<RequestedFields>,
    of_text: HashMap<String, u32>,
    of_set_text: HashMap<String, u32>,
    /// Number of bytes that all of these take.
    bytes: usize,
    /// Text and set of the previous row: most rows have the same.
    last: Option<(String, u32)>,
    text: String,
}

impl SharedColumns {
    /// Finds the columns. If none is called `asked_…`, the conditions are taken as requested.
    pub(super) fn find(find: impl Fn(&str) -> Option<usize>) -> Self {
        let asked: Vec<_> = condition_columns().map(|column| find(&asked_name(&column))).collect();
        let plain: Vec<_> = condition_columns().map(|column| find(column.name)).collect();
        let both = condition_columns().zip(&asked).any(|(column, place)| column.read_back && place.is_some());
        let obtained =
            condition_columns().zip(&plain).map(|(column, place)| place.filter(|_| both && column.read_back));
        let pattern = find("pattern");
        Self {
            cell: find("cell"),
            pattern,
            clock: find("clock"),
            obtained: obtained.collect(),
            asked: if both { asked } else { plain },
            // Only our own tables have both; in another one it may be anything.
            periods: pattern.and_then(|_| find("periods")),
        }
    }

    /// Returns whether the table states numbers of busy threads, and not what these do.
    pub(super) fn lack_load_kind(&self) -> bool {
        let has = |name: &str| {
            condition_columns().zip(&self.asked).any(|(column, place)| column.name == name && place.is_some())
        };
        has("load") && !has("load_kind")
    }

    /// Returns the positions of all these columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        self.set_columns().chain(self.obtained.iter().copied().flatten())
    }

    fn set_columns(&self) -> impl Iterator<Item = usize> {
        let of_set = [self.cell, self.pattern, self.clock, self.periods];
        of_set.into_iter().chain(self.asked.iter().copied()).flatten()
    }
}

impl SharedFields {
    pub(super) fn new(columns: SharedColumns) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Returns whether the table states numbers of busy threads, and not what these do.
    pub(super) fn lack_load_kind(&self) -> bool {
        self.columns.lack_load_kind()
    }

    pub(super) fn set(&self, number: u32) -> &FieldSet {
        &self.all[number as usize]
    }

    pub(super) fn requested(&self, number: u32) -> &RequestedFields {
        &self.sets[number as usize]
    }

    /// Returns the number of a row's set of fields, which is added if it is new.
    pub(super) fn index_of(&mut self, record: &StringRecord, place: &RowPosition) -> Result<u32, CsvError> {
        self.text.clear();
        for at in self.columns.columns() {
            self.text.push_str(record.get(at).unwrap_or_default());
            self.text.push('\u{1f}');
        }
        if let Some((last, set)) = &self.last
            && *last == self.text
        {
            return Ok(*set);
        }
        let set = match self.of_text.get(&self.text) {
            Some(&set) => set,
            None => self.admit(record, place)?,
        };
        self.last = Some((self.text.clone(), set));
        Ok(set)
    }

    fn admit(&mut self, record: &StringRecord, place: &RowPosition) -> Result<u32, CsvError> {
        if self.all.len() >= MOST {
            return Err(CsvError::Row { line: place.line(), why: "more than 65536 different conditions" });
        }
        let requested = self.requested_of(record, place)?;
        let get = |at: &Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default();
        let values: Vec<&str> = self.columns.obtained.iter().map(get).collect();
        // A load of 0 says nothing: every table has that column.
        let silent = condition_columns()
            .zip(&values)
            .all(|(column, value)| value.is_empty() || (column.name == "load" && *value == "0"));
        let obtained = if silent { None } else { Some(conditions(&values, place)?) };
        self.grow(self.text.len() + obtained.as_ref().map_or(0, size), place)?;
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(FieldSet { requested, obtained });
        self.of_text.insert(self.text.clone(), number);
        Ok(number)
    }

    /// Refuses a row whose conditions take too much memory together with those before.
    fn grow(&mut self, bytes: usize, place: &RowPosition) -> Result<(), CsvError> {
        self.bytes += bytes;
        let why = "the conditions up to here take more than 32 MiB";
        if self.bytes > MOST_BYTES { Err(CsvError::Row { line: place.line(), why }) } else { Ok(()) }
    }

    fn requested_of(&mut self, record: &StringRecord, place: &RowPosition) -> Result<u32, CsvError> {
        let get = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default();
        let text: String = self
            .columns
            .set_columns()
            .map(|at| record.get(at).unwrap_or_default())
            .fold(String::new(), |text, field| text + field + "\u{1f}");
        if let Some(&number) = self.of_set_text.get(&text) {
            return Ok(number);
        }
        let columns = &self.columns;
        let asked: Vec<&str> = columns.asked.iter().map(|at| get(*at)).collect();
        let asked = conditions(&asked, place)?;
        let unreadable = |why: String| CsvError::Conditions { line: place.line(), why };
        let pattern = get(columns.pattern);
        if !pattern.is_empty() {
            read_pattern(pattern, Nanos::new(1)).map_err(|error| unreadable(error.to_string()))?;
        }
        let set = RequestedFields {
            cell: get(columns.cell).parse().ok(),
            pattern: (!pattern.is_empty()).then(|| pattern.to_owned()),
            clock: clock(get(columns.clock)),
            conditions: asked,
            periods: get(columns.periods).parse().ok(),
        };
        self.grow(text.len() + size(&set.conditions), place)?;
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(set);
        self.of_set_text.insert(text, number);
        Ok(number)
    }
}

/// Returns the number of bytes that a set of conditions takes beyond its fixed part.
fn size(conditions: &Conditions) -> usize {
    conditions.affinity.as_ref().map_or(0, |cpus| size_of_val(cpus.as_slice()))
}

fn conditions(values: &[&str], place: &RowPosition) -> Result<Conditions, CsvError> {
    read_conditions(values).map_err(|error| CsvError::Conditions { line: place.line(), why: error.to_string() })
}

/// Returns a clock by its name; any other text means the monotonic clock.
fn clock(name: &str) -> ClockName {
    const CLOCKS: [ClockName; 7] = [
        ClockName::Monotonic,
        ClockName::MonotonicRaw,
        ClockName::Realtime,
        ClockName::Boottime,
        ClockName::Tai,
        ClockName::Counter,
        ClockName::True,
    ];
    CLOCKS.into_iter().find(|clock| clock.name() == name).unwrap_or(ClockName::Monotonic)
}

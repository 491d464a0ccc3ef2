//! Positions of a table's columns, and the reading of rows by them.

use super::error::CsvError;
use super::growth::growth;
use super::shared_fields::{SharedColumns, SharedFields};
use super::text::{self, RowPosition};
use super::units::{Mapping, TimeUnit};
use super::{SleepRow, check, shown};
use crate::shown_names::ShownNames;
use csv::StringRecord;
use oversleep_recording::Sample;
use oversleep_recording::table::{CELL_COLUMNS, SAMPLE_COLUMNS};
use oversleep_sys::units::Nanos;
use std::borrow::Cow;
use std::cell::RefCell;

/// Length of a method's name, in bytes, above which a table is refused: the text of every name is kept.
const LONGEST_NAME: usize = 1 << 12;

/// A column of times.
#[derive(Debug, Clone)]
struct Time {
    at: usize,
    name: String,
    unit: TimeUnit,
    /// Whether nothing states the unit.
    is_assumed: bool,
}

/// Positions of the columns.
pub(super) struct Columns {
    /// `None` if every row asked for the same, which is stated: `request`.
    requested: Option<Time>,
    request: Option<Nanos>,
    start: Time,
    end: Time,
    deadline: Option<Time>,
    real: Option<(Time, Time)>,
    method: Option<usize>,
    /// Conditions in words, where no other columns say the same.
    condition: Option<usize>,
    thread: Option<usize>,
    cpu: Option<usize>,
    sequence: Option<usize>,
    flags: Option<usize>,
    /// Our own column, which follows from the times.
    oversleep: Option<usize>,
    /// Whether a mapping gives the units of all three times, so that they are not questioned.
    told: bool,
    /// Names of the columns that nothing is read from, and are not derived from others.
    unread: Vec<String>,
}

/// Finds the columns of a header by the names in a mapping, or by their usual names.
struct Finder<'a> {
    header: &'a StringRecord,
    mapping: &'a Mapping,
    /// The first two columns found that hold the same thing.
    conflict: RefCell<Option<CsvError>>,
}

impl Finder<'_> {
    fn named(&self, name: &str) -> Option<usize> {
        let called = |column: &str| column.trim_start_matches('\u{feff}') == name;
        let mut places = self.header.iter().enumerate().filter(|(_, column)| called(column)).map(|(at, _)| at);
        let (first, second) = (places.next(), places.next());
        if second.is_some() {
            self.conflicts(name, name, name, "rename or remove the wrong one");
        }
        first
    }

    /// Keeps the error that two columns hold the same thing, unless there is one already.
    fn conflicts(&self, field: &str, first: &str, second: &str, advice: &'static str) {
        let (field, first, second) = (shown(field), shown(first), shown(second));
        self.conflict.borrow_mut().get_or_insert(CsvError::Contradictory { field, first, second, advice });
    }

    fn plain(&self, field: &str) -> Option<usize> {
        match self.mapping.column(field) {
            Some((column, _)) => self.named(column),
            None => self.named(field),
        }
    }

    /// Returns the column named after one of the stems and a unit.
    fn in_unit(&self, stems: &[&str]) -> Option<Time> {
        let named = |stem: &str, unit: TimeUnit| {
            let name = format!("{stem}_{unit}");
            Some(Time { at: self.named(&name)?, name, unit, is_assumed: false })
        };
        let of_stem = |stem| TimeUnit::ALL.into_iter().filter_map(move |unit| named(stem, unit));
        let mut found = stems.iter().flat_map(|stem| of_stem(*stem));
        let first = found.next()?;
        if let Some(second) = found.next() {
            let field = stems.last().copied().unwrap_or_default();
            self.conflicts(field, &first.name, &second.name, "name the right one with --columns, or remove the other");
        }
        Some(first)
    }

    /// Returns the column of a time: from the mapping, or else by its name.
    fn time(&self, field: &str, stems: &[&str]) -> Option<Time> {
        let Some((column, unit)) = self.mapping.column(field) else {
            return self.in_unit(stems);
        };
        let by_name = TimeUnit::ALL.into_iter().find(|unit| column.ends_with(&format!("_{unit}")));
        let stated = unit.or(by_name);
        let unit = stated.unwrap_or(TimeUnit::Nanoseconds);
        Some(Time { at: self.named(column)?, name: column.to_owned(), unit, is_assumed: stated.is_none() })
    }
}

impl Columns {
    /// Finds the columns.
    pub(super) fn find(header: &StringRecord, mapping: &Mapping) -> Result<(Self, SharedColumns), CsvError> {
        let finder = Finder { header, mapping, conflict: RefCell::new(None) };
        if let Some(missing) = mapping.columns().find(|column| finder.named(column).is_none()) {
            return Err(CsvError::Mapped { column: shown(missing), seen: text::described(header) });
        }
        let lacks = |column: &'static str| CsvError::Column { column, seen: text::described(header) };
        // Our own tables have the same in columns of their own.
        let ours = header.iter().any(|name| name.starts_with("asked_"));
        let (requested, request) = (finder.time("requested", &["requested"]), mapping.request());
        match &requested {
            Some(column) if request.is_some() => return Err(CsvError::Asked { column: shown(&column.name) }),
            None if request.is_none() => return Err(lacks("requested_ns")),
            _ => {}
        }
        let columns = Self {
            requested,
            request,
            start: finder.time("start", &["start_mono", "start"]).ok_or_else(|| lacks("start_ns"))?,
            end: finder.time("end", &["end_mono", "end"]).ok_or_else(|| lacks("end_ns"))?,
            deadline: finder.time("deadline", &["deadline"]),
            real: finder.in_unit(&["start_real"]).zip(finder.in_unit(&["end_real"])),
            method: finder.plain("method"),
            condition: if ours { None } else { finder.named("condition") },
            thread: finder.plain("thread"),
            cpu: finder.plain("cpu"),
            sequence: finder.plain("sequence"),
            flags: finder.named("flags"),
            oversleep: finder.named("oversleep_ns"),
            told: ["requested", "start", "end"]
                .iter()
                .all(|field| mapping.has_unit(field) || *field == "requested" && request.is_some()),
            unread: Vec::new(),
        };
        let shared_fields =
            SharedColumns::find(|name| if name == "load" { finder.plain("load") } else { finder.named(name) });
        if let Some(conflict) = finder.conflict.into_inner() {
            return Err(conflict);
        }
        let used = columns.shared(header, &shared_fields)?;
        let named = |at: usize, name: &str| !used.contains(&at) && !name.is_empty() && !is_ours(name);
        let unread = header.iter().enumerate().filter(|(at, name)| named(*at, name));
        let unread = unread.map(|(_, name)| shown(name)).collect();
        Ok((Self { unread, ..columns }, shared_fields))
    }

    /// Returns a remark on the columns whose unit neither their name nor a mapping states.
    pub(super) fn assumed(&self) -> Option<String> {
        let times = [self.requested.as_ref(), Some(&self.start), Some(&self.end), self.deadline.as_ref()];
        let names: Vec<String> =
            times.into_iter().flatten().filter(|time| time.is_assumed).map(|time| shown(&time.name)).collect();
        (!names.is_empty()).then(|| {
            format!("taken to be nanoseconds: {}; --columns states another unit as in start=t0:us", names.join(", "))
        })
    }

    /// Returns a remark on the columns that nothing is read from.
    pub(super) fn unread(&self) -> Option<String> {
        let (first, rest) = self.unread.split_at(self.unread.len().min(8));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        (!first.is_empty()).then(|| format!("columns that are not read: {}{more}", first.join(", ")))
    }

    /// Returns a remark on conditions that are in words alone.
    pub(super) fn in_words(&self) -> Option<String> {
        self.condition.map(|_| {
            "`condition` is in words, which are kept as a part of the method's name; columns such as `policy`, `priority`, `nice`, \
             `timer_slack_ns` and `load` are read as conditions"
                .to_owned()
        })
    }

    /// Returns a row's method, with the conditions that are in words alone.
    fn method<'a>(&self, record: &'a StringRecord) -> Cow<'a, str> {
        let method = self.method.and_then(|at| record.get(at)).unwrap_or("unknown");
        match self.condition.and_then(|at| record.get(at)) {
            None | Some("" | "default") => Cow::Borrowed(method),
            Some(words) => Cow::Owned(format!("{method} ({words})")),
        }
    }

    /// Returns the positions of the columns that are read. Refuses one that is taken for two things, as a mapping and usual
    /// names can do together.
    fn shared(&self, header: &StringRecord, shared_fields: &SharedColumns) -> Result<Vec<usize>, CsvError> {
        let (real_start, real_end) = self.real.as_ref().map(|(start, end)| (start.at, end.at)).unzip();
        let places = [
            ("requests", self.requested.as_ref().map(|requested| requested.at)),
            ("starts", Some(self.start.at)),
            ("ends", Some(self.end.at)),
            ("deadlines", self.deadline.as_ref().map(|deadline| deadline.at)),
            ("starts by the wall clock", real_start),
            ("ends by the wall clock", real_end),
            ("methods", self.method),
            ("conditions in words", self.condition),
            ("threads", self.thread),
            ("processors", self.cpu),
            ("sequence", self.sequence),
            ("flags", self.flags),
            ("oversleep", self.oversleep),
        ];
        let conditions = shared_fields.columns().map(|at| ("conditions", at));
        let mut seen: Vec<(&'static str, usize)> = Vec::new();
        for (second, at) in places.into_iter().filter_map(|(field, at)| Some((field, at?))).chain(conditions) {
            if let Some((first, _)) = seen.iter().find(|(_, other)| *other == at) {
                let column = shown(header.get(at).unwrap_or_default());
                return Err(CsvError::Shared { column, first, second });
            }
            seen.push((second, at));
        }
        Ok(seen.into_iter().map(|(_, at)| at).collect())
    }

    /// Returns whether a column gives the thread of each row.
    pub(super) fn has_threads(&self) -> bool {
        self.thread.is_some()
    }

    /// Returns whether a column gives the number of each row.
    pub(super) fn has_sequence(&self) -> bool {
        self.sequence.is_some()
    }

    /// Reads one row; its method's name is one of `names`.
    pub(super) fn row(
        &self,
        record: &StringRecord,
        place: &RowPosition,
        names: &mut ShownNames,
        shared_fields: &mut SharedFields,
    ) -> Result<SleepRow, CsvError> {
        let wrong = |why: &'static str| CsvError::Row { line: place.line(), why };
        let field = Field { record, place };
        let method = self.method(record);
        if method.len() > LONGEST_NAME {
            return Err(wrong("a method's name of more than 4096 bytes"));
        }
        let many = match self.condition {
            Some(_) => {
                "more than 1024 different methods, with `condition`, which is a part of their names; leave that column out"
            }
            None => "more than 1024 different methods; is `method` the column of methods?",
        };
        let row = SleepRow {
            method: names.shown_form(&method).ok_or_else(|| wrong(many))?,
            requested: match &self.requested {
                Some(requested) => field.time(requested)?,
                None => self.request.unwrap_or_default().get(),
            },
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
            oversleep: field.count_signed(self.oversleep, "oversleep_ns")?,
            field_set: shared_fields.index_of(record, place)?,
        };
        check(&row).map_err(wrong)?;
        Ok(row)
    }

    /// Refuses times that seem to count in another unit than requests, or ends in another than starts: off by a thousand or a
    /// million, in nearly all rows.
    pub(super) fn doubt(&self, rows: &[SleepRow]) -> Result<(), CsvError> {
        const FACTORS: [(f64, &str); 4] = [(1e6, "1 000 000"), (1e3, "1000"), (1e-3, "0.001"), (1e-6, "0.000 001")];
        let mixed = |other: &Time, ratio: &dyn Fn(&SleepRow) -> Option<f64>| {
            let factor = self.mixed(rows, ratio)?;
            Some(CsvError::Mixed { factor, start: other.name.clone(), end: self.end.name.clone() })
        };
        let of_start = mixed(&self.start, &|row| (row.start > 0).then(|| row.end as f64 / row.start as f64));
        let of_deadline = self.deadline.as_ref().and_then(|deadline| {
            mixed(deadline, &|row| row.deadline.filter(|due| *due > 0).map(|due| row.end as f64 / due as f64))
        });
        if let Some(error) = of_start.or(of_deadline) {
            return Err(error);
        }
        let mut asked = rows.iter().filter(|row| row.requested > 0).peekable();
        if asked.peek().is_some() && rows.iter().all(|row| row.end == row.start) {
            let (start, end) = (self.start.name.clone(), self.end.name.clone());
            return Err(CsvError::Instant { rows: rows.len(), start, end });
        }
        let asking: Vec<f64> = asked.map(|row| (row.end - row.start) as f64 / row.requested as f64).collect();
        if self.told || asking.len() < ENOUGH {
            return Ok(());
        }
        let (start, end) = (self.start.name.clone(), self.end.name.clone());
        let requested =
            self.requested.as_ref().map_or_else(|| "--asked".to_owned(), |requested| requested.name.clone());
        if let Some(factor) = factor_of(&asking, &FACTORS) {
            if self.requested.is_none() {
                return Err(CsvError::StatedUnit { factor, start, end });
            }
            return Err(CsvError::Unit { factor, start, end, requested });
        }
        // What comes on top of short requests hides the ratio, but not the growth.
        let grown = growth(rows).map(|growth| [growth]);
        match grown.and_then(|growth| factor_of(&growth, &FACTORS)) {
            Some(factor) => Err(CsvError::Growth { factor, start, end, requested }),
            None => Ok(()),
        }
    }

    /// Returns by how much ends exceed other times, if that is a thousand or a million times in nearly all rows. A clock that
    /// has run for long shows it: within one unit the two differ by little.
    fn mixed(&self, rows: &[SleepRow], ratio: &dyn Fn(&SleepRow) -> Option<f64>) -> Option<&'static str> {
        const FACTORS: [(f64, &str); 2] = [(1e6, "1 000 000"), (1e3, "1000")];
        let ratios: Vec<f64> = rows.iter().filter_map(ratio).collect();
        if self.told || ratios.len() < ENOUGH { None } else { factor_of(&ratios, &FACTORS) }
    }

    /// Returns a remark if nearly all times are whole multiples of a larger unit, which their clock seems to count in.
    pub(super) fn coarse(&self, rows: &[SleepRow]) -> Option<String> {
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

/// Returns whether tables of ours have a column of this name: those that are not read are derived from others.
pub(super) fn is_ours(name: &str) -> bool {
    SAMPLE_COLUMNS.iter().any(|(ours, _)| *ours == name) || CELL_COLUMNS.iter().any(|(ours, _)| *ours == name)
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
    place: &'a RowPosition,
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
        let (line, column) = (self.place.line(), column.to_owned());
        match text {
            "" => CsvError::Missing { line, column },
            _ => CsvError::Number { line, column, text: shown(text), expected },
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
        let expected = "a whole number from 0 to 65535";
        u16::try_from(value).map(Some).map_err(|_| self.wrong(column, &value.to_string(), expected))
    }

    fn count_signed(&self, at: Option<usize>, column: &str) -> Result<Option<i64>, CsvError> {
        let Some(at) = at.filter(|&at| self.has(at)) else { return Ok(None) };
        let text = self.record.get(at).unwrap_or_default();
        let value = TimeUnit::Nanoseconds.read(text);
        value.map(Some).ok_or_else(|| self.wrong(column, text, "a whole number"))
    }
}

//! Sleeps from any program that writes a table: a header, then one row per sleep.
//!
//! Fields are separated by commas, semicolons or tabs. Columns: `requested_ns`, and either `start_ns,end_ns` or `start_mono_ns,end_mono_ns`, the latter optionally
//! with `start_real_ns,end_real_ns` beside them; optionally `method`, `thread`, `cpu`, `load` (the number of busy
//! threads). Other columns are ignored. Where the wall clock stands beside the monotonic one, each pair becomes a
//! [`Bracket`], so that steps and drift between the two can be seen.

use super::Records;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Load, LoadKind, Pattern, Plan, Turn};
use oversleep_recording::{Bracket, Flags, Meta, Origin, Recording, Sample};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::io::Read;
use std::rc::Rc;

mod error;
mod table;
mod text;

pub use error::{Count, CsvError};
pub(super) use table::Tables;

/// Reads a table as a recording; `file` is kept as its origin.
///
/// One cell per method × request × load where requests repeat; where nearly every row asks for something else, one
/// cell per method × load whose pattern is [`Pattern::Aligned`] (every sleep due at a whole second of the wall
/// clock) or [`Pattern::Random`].
pub fn read(input: impl Read, file: &str) -> Result<Recording, CsvError> {
    let mut table = table::Table::open(file, input)?;
    let mut recording = Recording::new(table.meta().clone());
    table.rows_into(&mut recording).map_err(|(why, _)| why)?;
    Ok(recording)
}

/// What files of this format are called.
const FORMAT: &str = "csv";

/// A method and a number of busy threads.
type Family = (Rc<str>, Option<u16>);

/// The same with what was asked, where that repeats.
type Asked = (Rc<str>, Option<u16>, Option<i64>);

/// One line of the table.
#[derive(Debug, Clone)]
struct Row {
    method: Rc<str>,
    requested: i64,
    start: i64,
    end: i64,
    real: Option<(i64, i64)>,
    thread: u16,
    cpu: u16,
    load: Option<u16>,
}

impl Row {
    fn sample(&self, cell: u32, sequence: u64) -> Sample {
        Sample {
            cell,
            thread: self.thread,
            sequence,
            requested: Nanos::new(self.requested),
            deadline: None,
            start: Nanos::new(self.start),
            end: Nanos::new(self.end),
            cpu_start: self.cpu,
            cpu_end: self.cpu,
            flags: if sequence == 0 { Flags::FIRST } else { Flags::default() },
        }
    }

    /// Rows that belong to the same method under the same load.
    fn family(&self) -> Family {
        (Rc::clone(&self.method), self.load)
    }

    /// How far from a whole second of the wall clock the sleep was due.
    fn off_second(&self) -> Option<i64> {
        let (start, _) = self.real?;
        let rest = start.saturating_add(self.requested).rem_euclid(1_000_000_000);
        Some(rest.min(1_000_000_000 - rest))
    }
}

/// Where each column stands.
struct Columns {
    requested: usize,
    start: usize,
    end: usize,
    real: Option<(usize, usize)>,
    method: Option<usize>,
    thread: Option<usize>,
    cpu: Option<usize>,
    load: Option<usize>,
}

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Self, CsvError> {
        let find = |name: &str| header.iter().position(|column| column.trim_start_matches('\u{feff}') == name);
        let lacks = |column: &'static str| CsvError::Column { column, seen: text::screen(header) };
        let need = |plain: &'static str, mono: &str| find(mono).or_else(|| find(plain)).ok_or_else(|| lacks(plain));
        Ok(Self {
            requested: find("requested_ns").ok_or_else(|| lacks("requested_ns"))?,
            start: need("start_ns", "start_mono_ns")?,
            end: need("end_ns", "end_mono_ns")?,
            real: find("start_real_ns").zip(find("end_real_ns")),
            method: find("method"),
            thread: find("thread"),
            cpu: find("cpu"),
            load: find("load"),
        })
    }

    /// One row; `name` is the method's of the row before, whose text is used again where it is the same.
    fn row(&self, record: &csv::StringRecord, name: &mut Rc<str>) -> Result<Row, CsvError> {
        let line = record.position().map_or(0, csv::Position::line);
        let number = |at: usize, column: &str| -> Result<i64, CsvError> {
            let text = record.get(at).unwrap_or_default();
            text.parse().ok().or_else(|| whole(text)).ok_or_else(|| match text {
                "" => CsvError::Missing { line, column: column.into() },
                _ => CsvError::Number { line, column: column.into(), text: shown(text).to_string() },
            })
        };
        let small = |at: Option<usize>, column: &str| -> Result<Option<u16>, CsvError> {
            let Some(at) = at.filter(|&at| record.get(at).is_some_and(|text| !text.is_empty())) else {
                return Ok(None);
            };
            let value = number(at, column)?;
            u16::try_from(value).map(Some).map_err(|_| CsvError::Row { line, why: "a number outside 0 to 65535" })
        };
        let method = self.method.and_then(|at| record.get(at)).unwrap_or("unknown");
        if **name != *method {
            *name = shown(method);
        }
        let row = Row {
            method: Rc::clone(name),
            requested: number(self.requested, "requested_ns")?,
            start: number(self.start, "start")?,
            end: number(self.end, "end")?,
            real: match self.real {
                Some((start, end)) => Some((number(start, "start_real_ns")?, number(end, "end_real_ns")?)),
                None => None,
            },
            thread: small(self.thread, "thread")?.unwrap_or(0),
            cpu: small(self.cpu, "cpu")?.unwrap_or(Sample::NO_CPU),
            load: small(self.load, "load")?,
        };
        check(&row).map_err(|why| CsvError::Row { line, why })?;
        Ok(row)
    }
}

/// A whole number as programs write it that know only floats: `1e6`, `1000000.0`. Up to 2⁵³ they hold every one.
#[allow(clippy::cast_possible_truncation)] // within
fn whole(text: &str) -> Option<i64> {
    let number: f64 = text.parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
}

/// A method's name as it can be shown: what would steer a terminal is left out, and nobody reads more than 60 letters.
fn shown(method: &str) -> Rc<str> {
    let letters: String = method.chars().filter(|letter| !letter.is_control()).take(60).collect();
    letters.into()
}

/// Times beyond ±146 years would overflow when subtracted; no clock reads them.
fn check(row: &Row) -> Result<(), &'static str> {
    let sane = |ns: i64| ns.unsigned_abs() < 1 << 62;
    let real = row.real.is_none_or(|(start, end)| sane(start) && sane(end));
    if !(sane(row.requested) && sane(row.start) && sane(row.end) && real) {
        return Err("a time beyond 146 years");
    }
    if row.requested < 0 {
        return Err("a request below zero");
    }
    if row.end < row.start { Err("the sleep ends before it starts") } else { Ok(()) }
}

/// Which row belongs to which of a table's cells.
struct Cells {
    numbers: HashMap<Asked, u32>,
    /// The pattern of each family whose requests vary.
    patterns: HashMap<Family, Option<Pattern>>,
}

impl Cells {
    /// The plan that the rows seem to have followed, and the number of each row's cell in it.
    fn of(rows: &[Row]) -> (Plan, Self) {
        let mut families: HashMap<Family, Vec<&Row>> = HashMap::new();
        for row in rows {
            families.entry(row.family()).or_default().push(row);
        }
        let patterns: HashMap<_, _> =
            families.into_iter().map(|(family, members)| (family, varying(&members))).collect();
        let mut plan = Plan { experiment: "imported".into(), cells: Vec::new(), turns: Vec::new(), seed: 0 };
        let mut this = Self { numbers: HashMap::new(), patterns };
        for row in rows {
            let varying = this.patterns.get(&row.family()).copied().flatten();
            this.admit(row, varying, &mut plan);
        }
        (plan, this)
    }

    fn admit(&mut self, row: &Row, varying: Option<Pattern>, plan: &mut Plan) {
        let key = (Rc::clone(&row.method), row.load, varying.is_none().then_some(row.requested));
        let next = u32::try_from(plan.cells.len()).unwrap_or(u32::MAX);
        let id = *self.numbers.entry(key).or_insert(next);
        if varying.is_some() {
            // The rows of a family without fixed requests find their cell without one.
            self.numbers.insert((Rc::clone(&row.method), row.load, None), id);
        }
        if id == next {
            plan.cells.push(Cell {
                id,
                method: row.method.to_string(),
                pattern: varying.unwrap_or(Pattern::Fixed { requested: Nanos::new(row.requested) }),
                clock: ClockName::Monotonic,
                conditions: Conditions {
                    load: row.load.map(|threads| Load { threads, kind: LoadKind::Spin }),
                    ..Conditions::default()
                },
            });
        }
        match plan.turns.last_mut() {
            Some(turn) if turn.cell == id => turn.sleeps += 1,
            _ => plan.turns.push(Turn { cell: id, sleeps: 1 }),
        }
    }

    /// The cell of a row, if it is known.
    fn number(&self, row: &Row) -> Option<u32> {
        let fixed = (Rc::clone(&row.method), row.load, Some(row.requested));
        let varying = (Rc::clone(&row.method), row.load, None);
        self.numbers.get(&fixed).or_else(|| self.numbers.get(&varying)).copied()
    }
}

/// The pattern of a family whose rows nearly all ask for something else; `None` where requests repeat.
fn varying(members: &[&Row]) -> Option<Pattern> {
    let mut requests: Vec<i64> = members.iter().map(|row| row.requested).collect();
    requests.sort_unstable();
    let (from, to) = (*requests.first()?, *requests.last()?);
    let mut off: Vec<i64> = members.iter().filter_map(|row| row.off_second()).collect();
    off.sort_unstable();
    // Due within 2 ms of a whole second in nine of ten rows: by chance that is 0.4 % per row.
    if members.len() >= 4 && off.get(off.len() * 9 / 10).is_some_and(|&ns| ns < 2_000_000) && to > 400_000_000 {
        requests.dedup();
        if requests.len() > 1 {
            return Some(Pattern::Aligned { to: Nanos::SECOND });
        }
    }
    requests.dedup();
    (members.len() >= 4 && requests.len() * 2 > members.len())
        .then_some(Pattern::Random { from: Nanos::new(from), to: Nanos::new(to) })
}

/// How wide a bracket each pair of readings is taken to be.
///
/// The table does not say how long the two readings took. A sleep measured on both clocks differs by both ends'
/// delays together, so half of the usual difference is about one bracket's width.
fn width(rows: &[Row]) -> Nanos {
    let mut spread: Vec<i64> = rows
        .iter()
        .filter_map(|row| row.real.map(|(start, end)| ((end - start) - (row.end - row.start)).abs()))
        .collect();
    spread.sort_unstable();
    // Their median, by nearest rank; importers do not know the room of figures.
    let middle = spread.len().saturating_sub(1) / 2;
    Nanos::new(spread.get(middle).copied().unwrap_or(0) / 2)
}

/// Each pair of readings as the wall clock read within a bracket of the monotonic one.
fn paired(rows: &[Row], width: Nanos) -> Vec<Bracket> {
    let bracket = |mono: i64, real: i64| Bracket {
        clock: ClockName::Realtime,
        monotonic: Nanos::new(mono),
        width,
        reading: Nanos::new(real),
    };
    rows.iter()
        .filter_map(|row| row.real.map(|(start, end)| [bracket(row.start, start), bracket(row.end, end)]))
        .flatten()
        .collect()
}

fn meta(file: &str, plan: Plan) -> Meta {
    let origin = Origin::Imported { format: FORMAT.into(), file: file.into() };
    Meta::new(concat!("oversleep ", env!("CARGO_PKG_VERSION")), origin, plan)
}

//! Explanation of figures that somebody states, without a recording.

use super::results::pretty;
use oversleep_figures::quantile::Fraction;
use oversleep_figures::{CellSummary, Summariser, buckets};
use oversleep_import::asked::{AskedTableError, LARGEST, is_asked, read};
use oversleep_import::csv::Mapping;
use oversleep_recording::asked::{AskedError, AskedPair, Figure, Question, Reading, Repeated, StatedCondition};
use oversleep_recording::document::{AskedAnswer, Bounds};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Distribution, Loss, Meta, Note, Origin, Quantity, Sample, Sink};
use oversleep_report::{self as report, Screen};
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Number of bytes in which a table's header must end.
const HEADER: u64 = 1 << 16;

/// The text of a table of sleeps without their starts.
pub struct AskedTable(String);

impl AskedTable {
    /// Returns the table in a file; `None` if the file holds something else.
    ///
    /// # Errors
    /// The system refuses to read the file.
    pub fn open(path: &Path, columns: &Mapping) -> io::Result<Option<Self>> {
        if !path.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let mut text = Vec::new();
        (&mut file).take(HEADER).read_to_end(&mut text)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
        if !std::str::from_utf8(&text[..whole]).is_ok_and(|text| is_asked(text, columns)) {
            return Ok(None);
        }
        file.take(LARGEST as u64).read_to_end(&mut text)?;
        Ok(Some(Self(String::from_utf8_lossy(&text).into_owned())))
    }

    /// Reads standard input or the like as such a table, whatever its header says.
    ///
    /// # Errors
    /// The system refuses to read.
    pub fn read(input: impl Read) -> io::Result<Self> {
        let mut text = Vec::new();
        input.take(LARGEST as u64 + 1).read_to_end(&mut text)?;
        Ok(Self(String::from_utf8_lossy(&text).into_owned()))
    }

    /// Returns whether its header is one of such a table.
    pub fn is_one(&self, columns: &Mapping) -> bool {
        is_asked(&self.0, columns)
    }

    /// Returns the text as it was read.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the table's requests with their figures. `asked` is the request of every row where no column holds it.
    ///
    /// # Errors
    /// A table that lacks a request, a unit or a number where one belongs.
    pub fn pairs(&self, columns: &Mapping, asked: Option<Repeated>) -> Result<Vec<AskedPair>, AskedTableError> {
        read(&self.0, columns, asked)
    }
}

/// Half of the step in which other programs write lateness, in ns: most write whole microseconds.
const HALF_STEP: f64 = 500.0;
/// The period of cyclictest and `rtla timerlat` if none is given, by their manuals.
const USUAL_PERIOD: Nanos = Nanos::MILLISECOND;
/// What is late by as much as a sleep is, the nearest to the program first.
const LATENESS: [Quantity; 3] = [Quantity::Oversleep, Quantity::TimerUser, Quantity::TimerThread];

/// Why a file states no figures that a question can be about.
#[derive(Debug, thiserror::Error)]
pub enum StatedFiguresError {
    /// It is a recording of this program.
    #[error("it was recorded by oversleep and says its system and call itself; leave out --system, -m and --condition")]
    Recording,
    /// It does not hold how late sleeps were.
    #[error("it does not say how late sleeps were{0}; --system, -m and --condition are about those")]
    NotSleeps(String),
    /// It does not say what was asked for.
    #[error("it does not say what was asked for; say it with --asked 1ms")]
    NoRequest,
    /// A request is stated and in the file.
    #[error("what was asked for is in the file and in --asked; leave out --asked")]
    TwoRequests,
}

/// A sink that keeps what another program's file states of its sleeps.
pub struct StatedFigures {
    is_imported: bool,
    /// Whether the program says that timers end at ticks.
    has_ticks: bool,
    summary: Summariser,
}

impl StatedFigures {
    /// Begins to read a file with this head.
    pub fn new(meta: &Meta) -> Self {
        let has_ticks = meta.machine.timekeeping.high_resolution == Some(false);
        Self { is_imported: matches!(meta.origin, Origin::Imported { .. }), has_ticks, summary: Summariser::new(meta) }
    }

    /// Returns a question about the file's sleeps, with the program that measured them as the call: for each request a summary of
    /// all threads. `asked` is the request of all where the file does not tell it.
    ///
    /// # Errors
    /// A file of this program, of something else than sleeps, or without requests.
    pub fn question(self, asked: Option<Repeated>) -> Result<Question, StatedFiguresError> {
        if !self.is_imported {
            return Err(StatedFiguresError::Recording);
        }
        let distributions = self.summary.notes().distributions.clone();
        let cells = self.summary.finish();
        let program = cells.iter().find_map(|cell| cell.cell.method.split(' ').next()).unwrap_or_default().to_owned();
        let measures = matches!(program.as_str(), "cyclictest" | "rtla");
        let request = Request { asked: asked.map(|asked| asked.each), usual: measures.then_some(USUAL_PERIOD) };
        let pairs = if distributions.iter().any(|counted| counted.count > 0) {
            of_distributions(&distributions, &cells, &request)?
        } else {
            cells.iter().filter_map(|cell| of_samples(cell, &request).transpose()).collect::<Result<Vec<_>, _>>()?
        };
        if pairs.is_empty() {
            return Err(StatedFiguresError::NotSleeps(String::new()));
        }
        // Threads of `rtla timerlat` have a real-time priority unless one is given.
        let is_real_time = program == "rtla" || cells.iter().any(|cell| cell.cell.conditions.is_real_time());
        let real_time = is_real_time.then_some(StatedCondition::RealTime);
        let conditions =
            real_time.into_iter().chain(self.has_ticks.then_some(StatedCondition::LowResolution)).collect();
        let call = if program == "rtla" { "timerlat".to_owned() } else { program };
        Ok(Question { pairs, call: measures.then_some(call), conditions, ..Question::default() })
    }
}

impl Sink for StatedFigures {
    fn samples(&mut self, batch: &[Sample]) {
        self.summary.samples(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.summary.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.summary.note(note);
    }
}

/// What was asked for where a file does not tell it.
struct Request {
    asked: Option<Nanos>,
    usual: Option<Nanos>,
}

impl Request {
    /// Returns what was asked for. `own`: what the file tells.
    fn known(&self, own: Option<Nanos>) -> Result<Nanos, StatedFiguresError> {
        match (own.filter(|own| own.get() > 0), self.asked) {
            (Some(own), Some(asked)) if own != asked => Err(StatedFiguresError::TwoRequests),
            (own, asked) => own.or(asked).or(self.usual).ok_or(StatedFiguresError::NoRequest),
        }
    }
}

/// Returns the figures of sleeps that were recorded one by one; `None` if there are none of one request.
fn of_samples(cell: &CellSummary, request: &Request) -> Result<Option<AskedPair>, StatedFiguresError> {
    let raw = &cell.raw;
    let Some(own) = cell.cell.pattern.requested().filter(|_| raw.n > 0) else { return Ok(None) };
    let requested = request.known(Some(own))?;
    let at = |late: Nanos| Reading { time: requested + late, half_digit_ns: HALF_STEP };
    let figures = [
        raw.min.map(|late| Figure::Min(at(late))),
        raw.mean_ns.map(|late| Figure::Mean(at(Nanos::from_f64(late)))),
        raw.p50.map(|late| Figure::Quantile(0.5, at(late))),
        raw.p99.map(|late| Figure::Quantile(0.99, at(late))),
        raw.max.map(|late| Figure::Max(at(late))),
    ];
    Ok(Some(pair(requested, figures.into_iter().flatten().collect(), raw.n)))
}

fn pair(requested: Nanos, figures: Vec<Figure>, count: u64) -> AskedPair {
    AskedPair { requested, figures, count: Some(count), signed: true, is_rate: false }
}

/// Returns the figures of what a program counted: of all its threads together, by request.
fn of_distributions(
    counted: &[Distribution],
    cells: &[CellSummary],
    request: &Request,
) -> Result<Vec<AskedPair>, StatedFiguresError> {
    let Some(quantity) = LATENESS.into_iter().find(|sought| counted.iter().any(|one| one.quantity == *sought)) else {
        let what = counted.first().map_or_else(String::new, |one| format!(", but {}", one.quantity.name()));
        return Err(StatedFiguresError::NotSleeps(what));
    };
    let own = |one: &Distribution| {
        let cell = cells.iter().find(|cell| cell.cell.id == one.cell).filter(|_| !one.lost.contains(&Loss::Requests));
        cell.and_then(|cell| cell.cell.pattern.requested())
    };
    let sleeps: Vec<&Distribution> = counted.iter().filter(|one| one.quantity == quantity && one.count > 0).collect();
    let requests = sleeps.iter().map(|one| request.known(own(one))).collect::<Result<Vec<Nanos>, _>>()?;
    let of_request = |requested: Nanos| {
        let same = sleeps.iter().zip(&requests).filter(|(_, own)| **own == requested).map(|(one, _)| *one);
        let same: Vec<&Distribution> = same.collect();
        let mut figures = summary(requested, &same);
        // How late the interrupt was on the processor of the latest sleep.
        let processor = |one: &Distribution| {
            cells.iter().find(|cell| cell.cell.id == one.cell).and_then(|cell| cell.cell.conditions.affinity.as_ref())
        };
        let latest = same.iter().max_by_key(|one| one.max).and_then(|one| processor(one));
        let is_there = |one: &&Distribution| one.quantity == Quantity::TimerInterrupt && processor(one) == latest;
        let interrupt = counted.iter().find(is_there);
        let late = interrupt.filter(|_| quantity != Quantity::Oversleep).and_then(|one| one.max);
        figures.extend(late.map(|time| Figure::Interrupt(Reading { time, half_digit_ns: HALF_STEP })));
        pair(requested, figures, same.iter().map(|one| one.count).sum())
    };
    Ok(requests.iter().copied().collect::<BTreeSet<Nanos>>().into_iter().map(of_request).collect())
}

/// Returns the figures of distributions taken together.
fn summary(requested: Nanos, parts: &[&Distribution]) -> Vec<Figure> {
    let mut all: Vec<(Nanos, Nanos, u64)> = parts.iter().flat_map(|one| buckets::with_those_beyond(one)).collect();
    all.sort_unstable();
    let count: u64 = parts.iter().map(|one| one.count).sum();
    let means: Option<f64> = parts.iter().map(|one| Some(one.mean_ns? * one.count as f64)).sum();
    let whole = Distribution {
        cell: 0,
        quantity: Quantity::Oversleep,
        count,
        buckets: all,
        outside_from: parts.iter().filter_map(|one| one.outside_from).min(),
        min: parts.iter().filter_map(|one| one.min).min(),
        max: parts.iter().filter_map(|one| one.max).max(),
        mean_ns: means.map(|sum| sum / count as f64),
        lost: Vec::new(),
    };
    let between = |low: Nanos, high: Nanos| Reading {
        time: requested + Nanos::from_f64(f64::midpoint(low.as_f64(), high.as_f64())),
        half_digit_ns: ((high - low).as_f64() / 2.0).max(HALF_STEP),
    };
    let within = |bounds: Bounds| Some(between(bounds.low?, bounds.high?));
    let quantile = |share: f64, fraction| {
        buckets::quantile(&whole, fraction).and_then(within).map(|at| Figure::Quantile(share, at))
    };
    let figures = [
        whole.min.map(|low| Figure::Min(between(low, low))),
        whole.mean_ns.map(|mean| Figure::Mean(between(Nanos::from_f64(mean), Nanos::from_f64(mean)))),
        quantile(0.5, Fraction::P50),
        quantile(0.99, Fraction::P99),
        whole.max.map(buckets::largest).and_then(within).map(Figure::Max),
    ];
    figures.into_iter().flatten().collect()
}

/// What would explain the figures of a question.
pub struct AskedExplanation(AskedAnswer);

impl AskedExplanation {
    /// Answers a question.
    ///
    /// # Errors
    /// What the question states cannot all be true.
    pub fn new(question: &Question) -> Result<Self, AskedError> {
        question.check()?;
        oversleep_model::asked::answer(question).map(Self)
    }

    /// Answers which cause explains two sets of figures, before and after a change.
    ///
    /// # Errors
    /// What either states cannot all be true.
    pub fn of_change(before: &Question, after: &Question) -> Result<Self, AskedError> {
        before.check()?;
        after.check()?;
        oversleep_model::asked::answer_change(before, after).map(Self)
    }

    /// Returns the document.
    pub fn document(&self) -> &AskedAnswer {
        &self.0
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> String {
        pretty(&self.0)
    }

    /// Returns the answer as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        report::asked::text(&self.0, screen)
    }
}

//! Files that are read as a whole: the recording they become, and the errors that refuse them.

use super::contradiction::contradiction;
use super::json;
use super::shown_names::ShownNames;
use super::{Ending, ImportError, Records};
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan, Turn};
use oversleep_recording::{Distribution, End, Meta, Note, Origin, Sample, Sink, Unobtained};
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value};
use std::io::{BufRead, Read};

/// Largest file that is read as a whole, in bytes: the largest histogram that a tool writes has a million lines.
pub(super) const LARGEST: u64 = 64 << 20;

/// Error of a larger one.
pub(super) const TOO_LONG: &str = "longer than 64 MiB, the most that is read of this format; record for a shorter time or with \
                                   fewer buckets";

/// Number of different threads, commands or tags above which a file is refused: each is a row of the report.
pub(super) const MOST_NAMES: usize = 1 << 13;

/// A file that was read completely.
#[derive(Debug)]
pub(super) struct Whole {
    meta: Meta,
    samples: Vec<Sample>,
    note: Note,
    remarks: Vec<String>,
    fault: Option<ImportError>,
}

impl Records for Whole {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        sink.note(&self.note);
        self.samples.chunks(1 << 12).for_each(|batch| sink.samples(batch));
        if let Some(fault) = self.fault.take() {
            return Ending::Broken(fault);
        }
        sink.note(&Note { end: Some(End::Complete), ..Note::default() });
        Ending::Complete
    }

    fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

/// Builds the recording of a file.
pub(super) struct Builder {
    name: String,
    format: &'static str,
    meta: Meta,
    samples: Vec<Sample>,
    note: Note,
    remarks: Vec<String>,
    fault: Option<ImportError>,
    names: ShownNames,
    /// Reason why the file is refused although it can be read.
    refusal: Option<String>,
    /// Whether the file breaks off among rows in the order of their values.
    has_only_shortest: bool,
    /// Whether samples have been passed on already. Turns are listed up to then.
    passed_on: bool,
}

impl Builder {
    /// Begins the recording of a file; `convention` says what its figures mean.
    pub(super) fn new(name: &str, format: &'static str, convention: &str) -> Self {
        let plan = Plan { kind: Kind::Imported, cells: Vec::new(), turns: Vec::new(), seed: 0 };
        let origin = Origin::Imported { format: format.into(), file: super::without_folder(name) };
        let note = Note { conventions: vec![convention.to_owned()], ..Note::default() };
        let meta = Meta::new(concat!("oversleep ", env!("CARGO_PKG_VERSION")), origin, plan);
        Self {
            name: name.to_owned(),
            format,
            meta,
            samples: Vec::new(),
            note,
            remarks: Vec::new(),
            fault: None,
            names: ShownNames::new(MOST_NAMES),
            refusal: None,
            has_only_shortest: false,
            passed_on: false,
        }
    }

    /// Returns the head of the recording.
    pub(super) fn meta(&mut self) -> &mut Meta {
        &mut self.meta
    }

    /// Says that the program found no high-resolution timers.
    pub(super) fn without_high_resolution(&mut self) {
        self.meta.machine.timekeeping.high_resolution = Some(false);
        self.remark(
            "it says that there are no high-resolution timers: its sleeps end at the kernel's ticks, whatever else delays them; boot \
             without highres=off, with CONFIG_HIGH_RES_TIMERS and a clock that allows them"
                .to_owned(),
        );
    }

    /// Adds a cell; without a period, its request is unknown and stands as zero.
    pub(super) fn cell(&mut self, method: &str, period: Option<Nanos>, conditions: Conditions) -> u32 {
        let id = u32::try_from(self.meta.plan.cells.len()).unwrap_or(u32::MAX);
        let pattern = match period.filter(|period| *period > Nanos::ZERO) {
            Some(period) => Pattern::Periodic { period },
            None => Pattern::Fixed { requested: Nanos::ZERO },
        };
        let shown = self.names.shown_form(method).map(|name| name.to_string());
        if shown.is_none() {
            self.refuse(format!("more than {MOST_NAMES} different threads, commands or tags"));
        }
        let method = shown.unwrap_or_default();
        self.meta.plan.cells.push(Cell { conditions, ..Cell::new(id, method, pattern) });
        id
    }

    /// Refuses the file, unless it is refused already.
    pub(super) fn refuse(&mut self, why: String) {
        self.refusal.get_or_insert(why);
    }

    /// Adds the distribution of a cell. If its figures cannot all be true, the file is refused.
    pub(super) fn distribution(&mut self, distribution: Distribution) {
        if let Some(why) = contradiction(&distribution) {
            self.contradicts(distribution.cell, &why);
        }
        if distribution.count == 0 {
            let what = self.method(distribution.cell);
            let why = "the file has no wake-up of it".to_owned();
            self.note.unavailable.push(Unobtained { what, kind: "failed".to_owned(), why });
        }
        self.note.distributions.push(distribution);
    }

    fn method(&self, cell: u32) -> String {
        self.meta.plan.cells.iter().find(|known| known.id == cell).map_or_else(String::new, |cell| cell.method.clone())
    }

    /// Refuses the file because of two figures of a cell that cannot both be true.
    pub(super) fn contradicts(&mut self, cell: u32, why: &str) {
        let method = self.method(cell);
        let why = format!("{method}: {why}; they contradict each other, so the file is damaged or was changed");
        self.refuse(why);
    }

    /// Adds a sample.
    pub(super) fn sample(&mut self, sample: Sample) {
        match self.meta.plan.turns.last_mut() {
            _ if self.passed_on => {}
            Some(turn) if turn.cell == sample.cell => turn.sleeps += 1,
            _ => self.meta.plan.turns.push(Turn { cell: sample.cell, sleeps: 1 }),
        }
        self.samples.push(sample);
    }

    /// Returns the recording so far, without its samples.
    pub(super) fn so_far(&self) -> (&Meta, &Note, &[String]) {
        (&self.meta, &self.note, &self.remarks)
    }

    /// Returns the samples so far, to be passed on before the next ones are read.
    pub(super) fn pass_on(&mut self) -> Vec<Sample> {
        self.passed_on = true;
        std::mem::take(&mut self.samples)
    }

    /// Returns the number of samples that are not passed on yet.
    pub(super) fn waiting(&self) -> usize {
        self.samples.len()
    }

    /// Adds a sentence on what the figures mean.
    pub(super) fn convention(&mut self, sentence: String) {
        self.note.conventions.push(sentence);
    }

    /// Adds a remark for users.
    pub(super) fn remark(&mut self, remark: String) {
        self.remarks.push(remark);
    }

    /// Adds the error in the file's contents and the remark on them, if there are any.
    pub(super) fn contents(&mut self, contents: Contents) {
        self.fault = contents.fault;
        self.remarks.extend(contents.remark);
    }

    /// Adds the same of a file whose rows are in the order of their values: if it breaks off, the part before shows only the
    /// shortest, and is of no use.
    pub(super) fn contents_by_value(&mut self, contents: Contents) {
        self.has_only_shortest = contents.breaks_off;
        self.contents(contents);
    }

    /// Returns the recording. If nothing was counted, returns the file's error instead, or else one with the reason
    /// `nothing`.
    pub(super) fn finish<'a>(self, nothing: &str) -> Result<Box<dyn Records + 'a>, ImportError> {
        let Self { name, format, meta, samples, note, remarks, fault, refusal, has_only_shortest, .. } = self;
        let distributed = note.distributions.iter().map(|distribution| distribution.count);
        let counted = distributed.fold(samples.len() as u64, u64::saturating_add);
        if counted == 0 {
            return Err(fault.unwrap_or_else(|| refused(&name, format, nothing.to_owned())));
        }
        // Of a file that breaks off, the extremes can be missing or of another part; that is said already.
        if let (Some(why), None) = (refusal, &fault) {
            return Err(refused(&name, format, why));
        }
        if has_only_shortest && let Some(fault) = fault {
            return Err(
                fault.with("its rows are in the order of their values, so those before that are only the shortest")
            );
        }
        let fault = fault.map(|fault| fault.with_sound(counted));
        Ok(Box::new(Whole { meta, samples, note, remarks, fault }))
    }
}

/// Reads a file as UTF-8 text.
pub(super) fn text(name: &str, format: &'static str, input: impl BufRead) -> Result<String, ImportError> {
    let mut bytes = Vec::new();
    let read = input.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|source| ImportError::Read { name: name.to_owned(), source })?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused(name, format, TOO_LONG.to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        refused(name, format, format!("byte {place}: this is not text in UTF-8"))
    })
}

/// The error in a file's contents, and the remark on them, if there are any.
#[must_use = "a fault has to reach the reader"]
pub(super) struct Contents {
    name: String,
    format: &'static str,
    fault: Option<ImportError>,
    remark: Option<String>,
    breaks_off: bool,
}

impl Contents {
    /// Begins a file without an error.
    pub(super) fn whole(name: &str, format: &'static str) -> Self {
        Self { name: name.to_owned(), format, fault: None, remark: None, breaks_off: false }
    }

    /// Sets the remark.
    pub(super) fn remarks(&mut self, remark: Option<String>) {
        self.remark = remark;
    }

    /// Sets the error, unless an earlier one is set.
    pub(super) fn fails(&mut self, why: String) {
        self.fault.get_or_insert_with(|| refused(&self.name, self.format, why));
    }

    /// Sets the error that the file breaks off before `closing`, unless an earlier one is set.
    pub(super) fn lacks(&mut self, closing: &str) {
        self.breaks_off = true;
        self.fails(format!("it breaks off: it has no line {closing}"));
    }
}

/// Reads a file that is one JSON object.
pub(super) fn read_json(
    name: &str,
    format: &'static str,
    input: impl BufRead,
) -> Result<Map<String, Value>, ImportError> {
    object(&text(name, format, input)?).map_err(|why| refused(name, format, why))
}

/// Parses a text that is one JSON object; the error says where it is not.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, String> {
    match json::parse(text.as_bytes()) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("line 1: a JSON object is expected".to_owned()),
        Err(error) => {
            let why = error.refused.as_deref().unwrap_or("this is not JSON");
            Err(format!("line {}, column {}: {why}", error.line, error.column))
        }
    }
}

/// Returns the complete lines in the beginning of a file, if they are text; the whole text if no line ends in it.
pub(super) fn whole_lines(start: &[u8]) -> Option<std::str::Lines<'_>> {
    let end = start.iter().rposition(|byte| *byte == b'\n').unwrap_or(start.len());
    std::str::from_utf8(&start[..end]).ok().map(str::lines)
}

/// Returns the error that refuses a file; `why` names the place.
pub(super) fn refused(name: &str, format: &'static str, why: String) -> ImportError {
    ImportError::Foreign { name: name.to_owned(), format, why, sound: 0 }
}

/// Converts whole units to nanoseconds; `None` beyond 146 years.
pub(super) fn times(value: i64, unit: i64) -> Option<Nanos> {
    value.checked_mul(unit).filter(|ns| ns.unsigned_abs() < 1 << 62).map(Nanos::new)
}

/// Returns the bucket of a value cut off to whole units: from the value to just below the next one.
pub(super) fn cut_off(value: i64, unit: i64) -> Option<(Nanos, Nanos)> {
    let low = times(value, unit)?;
    let high = times(value.checked_add(1)?, unit)?;
    Some((low, high - Nanos::new(1)))
}

/// Returns whether the beginning of a file contains this text.
pub(super) fn has(start: &[u8], wanted: &str) -> bool {
    start.windows(wanted.len()).any(|window| window == wanted.as_bytes())
}

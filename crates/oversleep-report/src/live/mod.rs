//! A recording as it grows: recent sleeps and their quantiles, the worst sleep, and the distribution of oversleeps over
//! time.
//!
//! Takes samples and notes like any other sink and keeps a bounded part of them. What is drawn from it, and when, is
//! decided elsewhere.

mod cell;
mod spectrum;

pub use cell::{LiveRow, Periods, Worst};
pub use spectrum::{Spectrum, TIME_STEP};

use super::requests::Requests;
use super::table::conditions;
use oversleep_recording::plan::{Cell, ClockName, Pattern};
use oversleep_recording::{ClocksAhead, Flags, Meta, Note, Origin, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A sink that keeps a live view of a recording as it grows.
#[derive(Debug)]
pub struct Live {
    meta: Meta,
    /// The requests of all cells, which labels tell apart.
    requests: Requests,
    note: Note,
    /// Offsets of the clocks from the monotonic one.
    ahead: ClocksAhead,
    /// Start of the first sleep, in ns of the monotonic clock.
    origin: Option<i64>,
    now: Nanos,
    sleeps: u64,
    failed: u64,
    rows: BTreeMap<(u32, u16), LiveRow>,
    /// Processors on which sleeps ended since they were last asked for.
    processors: BTreeSet<u16>,
    periods: BTreeMap<(u32, u16), Periods>,
    spectrum: Spectrum,
    /// Causes of late sleeps, by cell, thread and sequence number.
    causes: HashMap<(u32, u16, u64), String>,
}

impl Live {
    /// Begins the view of a recording with this head.
    pub fn new(meta: &Meta) -> Self {
        Self {
            meta: meta.clone(),
            requests: Requests::new(meta.plan.cells.iter().map(|cell| cell.pattern)),
            note: Note::default(),
            ahead: ClocksAhead::default(),
            origin: None,
            now: Nanos::ZERO,
            sleeps: 0,
            failed: 0,
            rows: BTreeMap::new(),
            processors: BTreeSet::new(),
            periods: BTreeMap::new(),
            spectrum: Spectrum::default(),
            causes: HashMap::new(),
        }
    }

    /// Forgets the sleeps seen so far; times continue from the same origin.
    pub fn reset(&mut self) {
        (self.sleeps, self.failed) = (0, 0);
        self.rows.clear();
        self.periods.clear();
        self.spectrum = Spectrum::default();
    }

    /// Returns the head of the recording.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the notes so far.
    pub fn notes(&self) -> &Note {
        &self.note
    }

    /// Returns when the most recent sleep ended, counted from the start of the first.
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// Returns the number of sleeps seen, and the number of calls that failed.
    pub fn seen(&self) -> (u64, u64) {
        (self.sleeps, self.failed)
    }

    /// Returns the figures of each cell on each processor.
    pub fn rows(&self) -> impl Iterator<Item = &LiveRow> {
        self.rows.values()
    }

    /// Returns the processors on which sleeps ended since the last call.
    pub fn take_processors(&mut self) -> BTreeSet<u16> {
        std::mem::take(&mut self.processors)
    }

    /// Returns the sleep with the largest oversleep, and its row.
    pub fn worst(&self) -> Option<(&LiveRow, Worst)> {
        self.rows.values().filter_map(|row| Some((row, row.worst?))).max_by_key(|(_, worst)| worst.late)
    }

    /// Stores the cause of a late sleep.
    pub fn name(&mut self, cell: u32, thread: u16, sequence: u64, cause: &str) {
        self.causes.insert((cell, thread, sequence), cause.to_owned());
    }

    /// Returns the cause of a row's worst sleep, if it is known.
    pub fn cause_of(&self, cell: u32, worst: Worst) -> Option<&str> {
        self.causes.get(&(cell, worst.thread, worst.sequence)).map(String::as_str)
    }

    /// Returns the counts of periods over all schedules; `None` if there are no schedules.
    pub fn periods(&self) -> Option<Periods> {
        self.periods.values().copied().reduce(Periods::with)
    }

    /// Returns the distribution of oversleeps over time.
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    /// Returns a cell of the plan by its number.
    pub fn planned(&self, id: u32) -> Option<&Cell> {
        self.meta.plan.cells.iter().find(|cell| cell.id == id)
    }

    /// Returns the label of a cell: its method, request and conditions.
    pub fn label(&self, id: u32) -> String {
        let Some(cell) = self.planned(id) else { return format!("cell {id}") };
        let label = format!("{} {}", cell.method, self.requests.text(cell.pattern));
        match conditions(&cell.conditions, None).as_str() {
            "default" => label,
            conditions => format!("{label}, {conditions}"),
        }
    }

    /// Returns the machine's ticks per second: measured, claimed, or those of the simulated kernel.
    pub fn hertz(&self) -> Option<f64> {
        if let Origin::Simulated { parameters, .. } = &self.meta.origin {
            return parameters.get("hz").and_then(serde_json::Value::as_f64);
        }
        let time = &self.meta.machine.timekeeping;
        let tick = self.note.tick_measured.or(time.tick_measured).or(time.tick_claimed)?;
        (tick > Nanos::ZERO).then(|| 1e9 / tick.as_f64())
    }

    /// Returns the timer slack in force: as read back from the sleeping threads if all agree, or the machine's default.
    pub fn slack(&self) -> Option<Nanos> {
        let mut obtained = self.note.obtained.iter().map(|obtained| obtained.conditions.timer_slack);
        match obtained.next() {
            Some(first) if obtained.all(|other| other == first) => first,
            Some(_) => None,
            None => self.meta.machine.timekeeping.timer_slack,
        }
    }

    /// Converts a time of a cell's clock to the monotonic clock.
    fn monotonic(&self, cell: u32, time: Nanos) -> i64 {
        let clock = self.planned(cell).map_or(ClockName::Monotonic, |cell| cell.clock);
        self.ahead.monotonic(clock, time).get()
    }

    fn take(&mut self, sample: &Sample) {
        if sample.flags.has(Flags::FAILED) {
            self.failed += 1;
            return;
        }
        let begun = self.monotonic(sample.cell, sample.start);
        let origin = *self.origin.get_or_insert(begun);
        let time = Nanos::new(self.monotonic(sample.cell, sample.end).saturating_sub(origin));
        self.now = self.now.max(time);
        self.sleeps += 1;
        self.spectrum.count(time, sample.oversleep());
        self.processors.insert(sample.cpu_end);
        let place = (sample.cell, sample.cpu_end);
        self.rows.entry(place).or_insert_with(|| LiveRow::new(sample.cell, sample.cpu_end)).take(sample, time);
        if let Some(Pattern::Periodic { period }) = self.planned(sample.cell).map(|cell| cell.pattern) {
            self.periods.entry((sample.cell, sample.thread)).or_default().take(sample, period);
        }
    }
}

impl Sink for Live {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            self.take(sample);
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.requests.add(cell.pattern);
        self.meta.plan.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        self.ahead.take(&note.brackets);
        self.note.absorb(note.without_details());
        self.note.late_sleeps.truncate(0);
    }
}

#[cfg(test)]
mod tests;

//! A recording as it grows: the latest sleeps, quantiles of the recent ones, the worst, and how latencies spread over time.
//!
//! Takes samples and notes like any other sink and keeps a bounded part of them. What is drawn from it, and when, is
//! decided elsewhere.

mod cell;
mod spectrum;

pub use cell::{Periods, Row, Worst};
pub use spectrum::{Spectrum, TIME_STEP};

use oversleep_recording::plan::{Cell, ClockName, Pattern};
use oversleep_recording::{ClocksAhead, Flags, Meta, Note, Origin, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashMap};

/// A recording as it grows.
#[derive(Debug)]
pub struct Live {
    meta: Meta,
    note: Note,
    /// How far each clock is ahead of the monotonic one.
    ahead: ClocksAhead,
    /// When the first sleep began, on the monotonic clock.
    origin: Option<i64>,
    now: Nanos,
    sleeps: u64,
    failed: u64,
    rows: BTreeMap<(u32, u16), Row>,
    periods: BTreeMap<(u32, u16), Periods>,
    spectrum: Spectrum,
    /// What late sleeps are put down to, by cell, thread and number.
    causes: HashMap<(u32, u16, u64), String>,
}

impl Live {
    /// Begins with a recording that begins like this.
    pub fn new(meta: &Meta) -> Self {
        Self {
            meta: meta.clone(),
            note: Note::default(),
            ahead: ClocksAhead::default(),
            origin: None,
            now: Nanos::ZERO,
            sleeps: 0,
            failed: 0,
            rows: BTreeMap::new(),
            periods: BTreeMap::new(),
            spectrum: Spectrum::default(),
            causes: HashMap::new(),
        }
    }

    /// Forgets the sleeps seen so far; time goes on.
    pub fn reset(&mut self) {
        (self.sleeps, self.failed) = (0, 0);
        self.rows.clear();
        self.periods.clear();
        self.spectrum = Spectrum::default();
    }

    /// Returns what was known beforehand.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns what was learned on the way.
    pub fn notes(&self) -> &Note {
        &self.note
    }

    /// Returns when the latest sleep ended, since the first began.
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// Returns how many sleeps were seen, and how many calls failed.
    pub fn seen(&self) -> (u64, u64) {
        (self.sleeps, self.failed)
    }

    /// Returns what is known of each cell on each processor.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// Returns the latest of all sleeps, and its row.
    pub fn worst(&self) -> Option<(&Row, Worst)> {
        self.rows.values().filter_map(|row| Some((row, row.worst?))).max_by_key(|(_, worst)| worst.late)
    }

    /// Remembers the cause to which a late sleep is attributed.
    pub fn name(&mut self, cell: u32, thread: u16, sequence: u64, cause: &str) {
        self.causes.insert((cell, thread, sequence), cause.to_owned());
    }

    /// Returns what a row's worst sleep is put down to, where that is known.
    pub fn cause_of(&self, cell: u32, worst: Worst) -> Option<&str> {
        self.causes.get(&(cell, worst.thread, worst.sequence)).map(String::as_str)
    }

    /// Returns the account of the schedules' periods; `None` where none is kept.
    pub fn periods(&self) -> Option<Periods> {
        self.periods.values().copied().reduce(Periods::with)
    }

    /// Returns how latencies spread over time.
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    /// Returns a cell of the plan.
    pub fn planned(&self, id: u32) -> Option<&Cell> {
        self.meta.plan.cells.iter().find(|cell| cell.id == id)
    }

    /// Returns the machine's ticks per second: as measured, as claimed, or as the simulated kernel has them.
    pub fn hertz(&self) -> Option<f64> {
        if let Origin::Simulated { parameters, .. } = &self.meta.origin {
            return parameters.get("hz").and_then(serde_json::Value::as_f64);
        }
        let time = &self.meta.machine.timekeeping;
        let tick = self.note.tick_measured.or(time.tick_measured).or(time.tick_claimed)?;
        (tick > Nanos::ZERO).then(|| 1e9 / tick.as_f64())
    }

    /// Returns the timer slack in force: as read back from the sleeping threads where all agree, or the machine's default.
    pub fn slack(&self) -> Option<Nanos> {
        let mut obtained = self.note.obtained.iter().map(|obtained| obtained.conditions.timer_slack);
        match obtained.next() {
            Some(first) if obtained.all(|other| other == first) => first,
            Some(_) => None,
            None => self.meta.machine.timekeeping.timer_slack,
        }
    }

    /// Returns a time of a cell's clock on the monotonic one.
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
        let at = Nanos::new(self.monotonic(sample.cell, sample.end).saturating_sub(origin));
        self.now = self.now.max(at);
        self.sleeps += 1;
        self.spectrum.count(at, sample.oversleep());
        let place = (sample.cell, sample.cpu_end);
        self.rows.entry(place).or_insert_with(|| Row::new(sample.cell, sample.cpu_end)).take(sample, at);
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

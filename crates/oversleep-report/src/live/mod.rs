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
mod tests {
    use super::{Live, Spectrum, TIME_STEP};
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Cell, Conditions, Pattern, build};
    use oversleep_recording::{Meta, Origin, Sample, Sink};
    use oversleep_sys::units::Nanos;

    fn live() -> Live {
        let row = MethodId::ClockNanosleepAbs.row();
        let plan = build::periodic(row, Nanos::MILLISECOND, 1_000, &Conditions::default(), 1);
        Live::new(&Meta::new("test", Origin::Live, plan))
    }

    /// Returns the wake-up of period `sequence`, with this lateness.
    fn wake(sequence: u64, late: Nanos, cpu: u16) -> Sample {
        let due = Nanos::from_millis(1 + sequence.cast_signed());
        let start = due - Nanos::MILLISECOND;
        let deadline = Some(due);
        Sample {
            sequence,
            requested: Nanos::MILLISECOND,
            deadline,
            start,
            end: due + late,
            cpu_end: cpu,
            ..Sample::BLANK
        }
    }

    #[test]
    fn rows_are_by_processor_and_periods_are_accounted_for() {
        let mut live = live();
        let us = Nanos::from_micros;
        live.samples(&[wake(0, us(50), 0), wake(1, us(-3), 1), wake(2, us(2_500), 0), wake(5, us(60), 0)]);
        let rows: Vec<_> = live.rows().map(|row| (row.cpu, row.n, row.early, row.latest)).collect();
        assert_eq!(rows, [(0, 3, 0, us(60)), (1, 1, 1, us(-3))]);
        let (row, worst) = live.worst().expect("sleeps");
        assert_eq!((row.cpu, worst.late, worst.at, worst.sequence), (0, us(2_500), us(5_500), 2));
        let periods = live.periods().expect("a schedule");
        assert_eq!((periods.asked, periods.fresh, periods.late, periods.skipped), (6, 3, 1, 2));
        assert_eq!(
            live.rows().next().map(super::LiveRow::quantiles),
            Some([None, None]),
            "three sleeps carry no median"
        );
        live.reset();
        assert_eq!((live.seen(), live.rows().count(), live.periods()), ((0, 0), 0, None));
        assert_eq!(live.now(), us(6_060));
    }

    #[test]
    fn a_picture_has_every_sleep_and_the_latest_last() {
        let mut live = live();
        let sleeps: Vec<Sample> =
            (0..600).map(|n| wake(n, Nanos::from_micros(if n == 599 { 90_000 } else { 55 }), 0)).collect();
        live.samples(&sleeps);
        let picture = live.spectrum().picture(4, 6, 1);
        let sums: Vec<u64> = (0..4).map(|x| picture.iter().map(|row| row[x]).sum()).collect();
        assert_eq!((sums.iter().sum::<u64>(), sums[0]), (600, 0), "{picture:?}");
        // 10 to 100 µs is the fifth of six rows, 10 to 100 ms the second; no sleep is early.
        assert_eq!((picture[4].iter().sum::<u64>(), picture[1][3], picture[6].iter().sum::<u64>()), (599, 1, 0));
        assert_eq!((Spectrum::edge(6, 4), Spectrum::edge(6, 0)), (Nanos::from_micros(10), Nanos::from_millis(100)));
        let grouped = live.spectrum().picture(4, 6, 100);
        assert_eq!(grouped.iter().map(|row| row[3]).sum::<u64>(), 600);
        assert!(TIME_STEP < Nanos::SECOND);
    }

    #[test]
    fn cells_whose_requests_round_alike_have_different_labels() {
        let mut live = live();
        assert_eq!(live.label(0), "clock-nanosleep-abs every 1.00 ms");
        let planned = live.planned(0).expect("a cell").clone();
        for (id, us) in [(1, 16_670), (2, 16_700)] {
            live.cell(&Cell { id, pattern: Pattern::fixed(Nanos::from_micros(us)), ..planned.clone() });
        }
        let labels = [1, 2, 3].map(|cell| live.label(cell));
        assert_eq!(labels, ["clock-nanosleep-abs 16.67 ms", "clock-nanosleep-abs 16.7 ms", "cell 3"]);
    }
}

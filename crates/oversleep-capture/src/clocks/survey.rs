//! The whole survey of clocks, one stage after another.

use super::timetable::{SurveyProgress, Timetable};
use super::{processor_agreement, steps};
use oversleep_os::clock::{self, OpenClock};
use oversleep_recording::catalog::{CLOCKS, ClockId, System};
use oversleep_recording::plan::{Kind, Plan};
use oversleep_recording::{
    ClockCost, ClockPoint, ClockReadings, ClockSeries, ClockSurvey, CounterFacts, End, LoadedClockCost, Note, Sink,
    Unobtained,
};
use oversleep_sys::Refusal;
use oversleep_sys::clock::counter::{self, Support};
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread;

/// What to measure, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockOptions {
    /// Clocks to measure; empty means every clock of this system.
    pub clocks: Vec<ClockId>,
    /// Numbers of calls in a loop, ascending. The reported cost per call is that of the last loop.
    pub calls: Vec<u64>,
    /// Number of threads that read the same clock during one more loop; 0 for no such loop.
    pub readers: u16,
    /// How long the steps of each clock are observed.
    pub watch: Nanos,
    /// How long a clock that does not advance is observed at most.
    pub patience: Nanos,
    /// How long two processors are compared, for each clock.
    pub across: Nanos,
    /// How long drift is measured.
    pub drift: Nanos,
}

impl Default for ClockOptions {
    /// Returns a full survey, with the OS X article's 1 000, 1 000 000 and 5 000 000 calls: about 25 s.
    fn default() -> Self {
        Self {
            clocks: Vec::new(),
            calls: vec![1_000, 1_000_000, 5_000_000],
            readers: 0,
            watch: Nanos::from_millis(50),
            patience: Nanos::from_millis(1_100),
            across: Nanos::from_millis(100),
            drift: Nanos::from_secs(5),
        }
    }
}

impl ClockOptions {
    /// Returns a brief survey of all clocks: about 3 s.
    pub fn quick() -> Self {
        Self {
            calls: vec![1_000, 10_000, 100_000],
            watch: Nanos::from_millis(20),
            patience: Nanos::from_millis(20),
            across: Nanos::from_millis(20),
            drift: Nanos::SECOND,
            ..Self::default()
        }
    }
}

/// Returns the plan for the recording: nothing sleeps, so there are no cells.
pub fn plan() -> Plan {
    Plan { kind: Kind::Clocks, cells: Vec::new(), turns: Vec::new(), seed: SEED }
}

/// Clocks ready to be read.
#[derive(Debug)]
pub struct Clocks {
    probes: Vec<OpenClock>,
    /// Clocks that cannot be read, with reasons.
    pub unavailable: Vec<Unobtained>,
}

impl Clocks {
    /// Opens these clocks, or every clock of this system if there are none, in the catalogue's order.
    pub fn open(asked: &[ClockId]) -> Self {
        let here = |id: &ClockId| System::HERE.is_some_and(|system| id.row().systems.contains(&system));
        let every = CLOCKS.iter().map(|row| row.id);
        let ids: Vec<_> = if asked.is_empty() { every.filter(here).collect() } else { asked.to_vec() };
        let mut clocks = Self { probes: Vec::new(), unavailable: Vec::new() };
        for id in ids {
            match clock::open(id) {
                Ok(probe) => clocks.probes.push(probe),
                Err(refusal) => clocks.unavailable.push(unobtained(id.name(), &refusal)),
            }
        }
        clocks
    }

    /// Returns whether no clock can be read.
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty()
    }
}

/// Measures the clocks and passes the readings to the sink. Calls `tell` with the progress between measurements; if it
/// returns `false`, the survey ends, and what was measured so far is kept.
pub fn survey(
    clocks: &Clocks,
    options: &ClockOptions,
    sink: &mut dyn Sink,
    tell: &mut dyn FnMut(SurveyProgress<'_>) -> bool,
) -> End {
    let mut all: Vec<_> = clocks.probes.iter().map(|probe| (*probe, unread(probe))).collect();
    sink.note(&beginning(clocks, &all, options));
    let mut table = Timetable::new(expected(&clocks.probes, options), tell);
    for (probe, readings) in &mut all {
        let going = measure(probe, readings, options, &mut table);
        enter(sink, ClockSurvey { clocks: vec![readings.clone()], ..ClockSurvey::default() });
        if !going {
            break;
        }
    }
    let timed = || all.iter().filter(|(probe, _)| !probe.id().row().counts.is_cpu_time());
    let fine = |(probe, readings): &&(OpenClock, ClockReadings)| is_fine(probe, readings, options.drift);
    let coarse = timed().filter(|clock| !fine(clock)).map(|(_, readings)| readings.clock.clone()).collect();
    enter(sink, ClockSurvey { too_coarse: coarse, ..ClockSurvey::default() });
    if !table.stopped {
        let probes: Vec<_> = timed().filter(fine).map(|(probe, _)| *probe).collect();
        let going = |passed| table.next_after("drift between clocks", passed);
        follow_rounds(&probes, options.drift, going, |series| {
            enter(sink, ClockSurvey { series, ..ClockSurvey::default() });
        });
    }
    let end = if table.stopped { End::Interrupted } else { End::Complete };
    sink.note(&Note { end: Some(end.clone()), ..Note::default() });
    sink.flush();
    end
}

fn enter(sink: &mut dyn Sink, part: ClockSurvey) {
    sink.note(&Note { clocks: Some(part), ..Note::default() });
    sink.flush();
}

/// Returns what is known before the first measurement.
fn beginning(clocks: &Clocks, all: &[(OpenClock, ClockReadings)], options: &ClockOptions) -> Note {
    let support = counter::support();
    let facts = |support: &Support| CounterFacts {
        invariant: support.invariant,
        nominal: support.nominal,
        clocksource: support.clocksource.clone(),
    };
    let survey = ClockSurvey {
        drift_window: Some(options.drift),
        counter: support.as_ref().ok().map(facts),
        counter_refused: support.as_ref().err().map(|refusal| unobtained("counter", refusal)),
        clocks: all.iter().map(|(_, readings)| readings.clone()).collect(),
        ..ClockSurvey::default()
    };
    Note { clocks: Some(survey), unavailable: clocks.unavailable.clone(), ..Note::default() }
}

fn unread(probe: &OpenClock) -> ClockReadings {
    let clock = probe.id().name().to_owned();
    let (rate, claimed) = (probe.rate(), probe.claimed());
    ClockReadings { clock, rate, claimed, costs: Vec::new(), loaded: None, steps: None, across: None }
}

fn unobtained(what: &str, refusal: &Refusal) -> Unobtained {
    Unobtained { what: what.to_owned(), kind: refusal.kind().to_owned(), why: refusal.reason().to_owned() }
}

/// Returns the expected duration, estimated from a first loop of 1 000 calls of each clock, whose cost is discarded.
fn expected(probes: &[OpenClock], options: &ClockOptions) -> Nanos {
    let per_clock = probes.iter().map(|probe| {
        let first = time_calls(probe, 1_000);
        let loops: Nanos = options.calls.iter().map(|&calls| scaled(first, calls)).sum();
        loops + loop_with_readers(first, options) + options.watch + options.across
    });
    per_clock.sum::<Nanos>() + options.drift
}

/// Returns the number of calls in the loop with other readers: the middle of the other loops', since these calls may
/// cost many times as much.
fn calls_beside(options: &ClockOptions) -> u64 {
    options.calls.get(options.calls.len() / 2).copied().unwrap_or(1_000)
}

/// Returns the expected duration of that loop, estimated without readers: it takes longer if they delay each other.
fn loop_with_readers(first: ClockCost, options: &ClockOptions) -> Nanos {
    if options.readers == 0 { Nanos::ZERO } else { scaled(first, calls_beside(options)) }
}

fn scaled(cost: ClockCost, calls: u64) -> Nanos {
    Nanos::from_f64(cost.total.as_f64() / cost.calls.max(1) as f64 * calls as f64)
}

/// Measures one clock; `false` if the survey is to stop.
fn measure(probe: &OpenClock, readings: &mut ClockReadings, options: &ClockOptions, table: &mut Timetable<'_>) -> bool {
    let first = time_calls(probe, 1_000);
    for &calls in &options.calls {
        if !table.next(probe.id().name()) {
            return false;
        }
        readings.costs.push(time_calls(probe, calls));
        table.passed(scaled(first, calls));
    }
    if options.readers > 0 {
        if !table.next(probe.id().name()) {
            return false;
        }
        readings.loaded = Some(time_beside_readers(probe, calls_beside(options), options.readers));
        table.passed(loop_with_readers(first, options));
    }
    readings.steps = Some(steps::observe(probe, options.watch, options.patience));
    table.passed(options.watch);
    if !table.next(probe.id().name()) {
        return false;
    }
    readings.across = Some(processor_agreement::compare(probe, options.across));
    table.passed(options.across);
    true
}

/// Returns whether 100 of the clock's steps fit into the time for which drift is measured.
fn is_fine(probe: &OpenClock, readings: &ClockReadings, drift: Nanos) -> bool {
    let step = readings.steps.and_then(|steps| steps.smallest_ticks).and_then(|ticks| i64::try_from(ticks).ok());
    step.is_some_and(|ticks| probe.nanos(ticks) <= Nanos::new(drift.get() / 100))
}

/// Times a loop of `calls`. One untimed call beforehand loads code and data into the caches.
pub(super) fn time_calls(probe: &OpenClock, calls: u64) -> ClockCost {
    probe.repeat(1);
    let start = monotonic();
    probe.repeat(calls);
    ClockCost { calls, total: monotonic() - start }
}

/// Calls between two checks of the stop flag: few enough for the slowest clock, many enough to dominate the time.
const BATCH: u64 = 64;

/// Times a loop of `calls` while other threads read: as many of the `readers` as could be started, all of them already
/// reading.
///
/// A counter that each processor has for itself costs the same; a shared counter, or a port that all send to, costs
/// more. With more threads than processors the loop also waits for its turn, so the number of threads is reported with
/// the cost.
pub(super) fn time_beside_readers(probe: &OpenClock, calls: u64, readers: u16) -> LoadedClockCost {
    let (begun, stop) = (AtomicU16::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let read = || {
            begun.fetch_add(1, Ordering::Relaxed);
            while !stop.load(Ordering::Relaxed) {
                probe.repeat(BATCH);
            }
        };
        let start = |number| thread::Builder::new().name(format!("reader-{number}")).spawn_scoped(scope, read).ok();
        let started = u16::try_from((0..readers).filter_map(start).count()).unwrap_or(readers);
        while begun.load(Ordering::Relaxed) < started {
            thread::yield_now();
        }
        let cost = time_calls(probe, calls);
        stop.store(true, Ordering::Relaxed);
        LoadedClockCost { readers: started, cost }
    })
}

/// Number of tries, of which the tightest is kept.
const TRIES: u32 = 4;
/// Approximate number of rounds in a run, which are at least [`CLOSEST`] apart.
const ROUNDS: i64 = 1_000;
const CLOSEST: Nanos = Nanos::from_millis(10);
/// Approximate interval at which rounds are passed on.
const HANDED_ON: Nanos = Nanos::SECOND;
/// Seed of the intervals.
pub(super) const SEED: u64 = 0x0c10_c45e;

/// Reads all of `probes` for `time`, at irregular intervals, and passes the rounds on in pieces. Calls `going` between
/// rounds with the time passed; ends when it returns `false`.
///
/// The intervals are drawn uniformly between half and one and a half times their mean, from a fixed seed: the steps of
/// a coarse clock must not fall into step with the rounds.
pub(super) fn follow_rounds(
    probes: &[OpenClock],
    time: Nanos,
    mut going: impl FnMut(Nanos) -> bool,
    mut hand_on: impl FnMut(Vec<ClockSeries>),
) {
    let none = |probe: &OpenClock| ClockSeries { clock: probe.id().name().to_owned(), points: Vec::new() };
    let mut series: Vec<_> = probes.iter().map(none).collect();
    let mut dice = Pcg64::seed_from_u64(SEED);
    let mut handed = Nanos::ZERO;
    let mean = (time.get() / ROUNDS).max(CLOSEST.get());
    let start = monotonic();
    loop {
        for (probe, series) in probes.iter().zip(&mut series) {
            series.points.push(read_clock(probe));
        }
        let passed = monotonic() - start;
        let left = time.saturating_sub(passed);
        if left <= Nanos::ZERO || !going(passed) {
            return hand_on(series);
        }
        if passed - handed >= HANDED_ON {
            hand_on(std::mem::replace(&mut series, probes.iter().map(none).collect()));
            handed = passed;
        }
        let pause = Nanos::new(dice.random_range(mean / 2..=mean + mean / 2)).min(left);
        thread::sleep(pause.to_duration().unwrap_or_default());
    }
}

fn read_clock(probe: &OpenClock) -> ClockPoint {
    let found = probe.bracket(TRIES);
    ClockPoint { monotonic: found.middle(), width: found.width(), reading: found.reading }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_read_and_have_ended_afterwards() {
        let probe = clock::open(ClockId::StdInstant).unwrap();
        for readers in [0, 1, 3] {
            let loaded = time_beside_readers(&probe, 10_000, readers);
            assert_eq!((loaded.readers, loaded.cost.calls), (readers, 10_000));
            assert!(loaded.cost.total.get() > 0);
        }
        // The scope has joined the threads; the system may still list a thread for a moment after it has ended.
        let left = || {
            let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
            let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
            names.filter(|name| name.starts_with("reader-")).count()
        };
        assert!((0..6_000).any(|_| left() == 0 || {
            thread::sleep(std::time::Duration::from_millis(10));
            false
        }));
    }
}

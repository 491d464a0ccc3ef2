//! The whole survey, one stage after the other.

use super::timetable::{Progress, Timetable};
use super::{Across, Cost, Series, across, cost, resolution, rounds};
use crate::analysis::clocks::Steps;
use oversleep_recording::catalog::System;
use oversleep_sys::Refusal;
use oversleep_sys::clock::counter::{self, Support};
use oversleep_sys::clock::{self, CLOCKS, ClockId, Probe};
use oversleep_sys::units::Nanos;

/// How much to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The clocks; empty means every clock of this system.
    pub clocks: Vec<ClockId>,
    /// Loops of so many calls, ascending. The last one's cost per call is the one reported.
    pub calls: Vec<u64>,
    /// How long each clock is watched for its steps.
    pub watch: Nanos,
    /// How long a clock that has not moved by then is watched.
    pub patience: Nanos,
    /// How long two processors are compared, per clock.
    pub across: Nanos,
    /// How long drift is followed.
    pub drift: Nanos,
}

impl Default for Options {
    /// Everything, with the OS X article's 1 000, 1 000 000 and 5 000 000 calls: about 25 s.
    fn default() -> Self {
        Self {
            clocks: Vec::new(),
            calls: vec![1_000, 1_000_000, 5_000_000],
            watch: Nanos::from_millis(50),
            patience: Nanos::from_millis(1_100),
            across: Nanos::from_millis(100),
            drift: Nanos::from_secs(5),
        }
    }
}

impl Options {
    /// Everything, briefly: about 3 s.
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

/// What was measured of one clock.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The clock.
    pub probe: Probe,
    /// One per loop.
    pub costs: Vec<Cost>,
    /// How it advanced on one thread; `None` if the survey was stopped before.
    pub steps: Option<Steps>,
    /// Whether processors agree; `None` if the survey was stopped before.
    pub across: Option<Across>,
}

/// What was measured of all clocks.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The clocks read, in the catalogue's order.
    pub clocks: Vec<Measured>,
    /// Those of this system, or asked for, that could not be read, and why.
    pub unavailable: Vec<(ClockId, Refusal)>,
    /// Readings together, of the clocks fine enough.
    pub series: Vec<Series>,
    /// Clocks left out of drift because 100 of their steps do not fit into its time.
    pub too_coarse: Vec<ClockId>,
    /// How long drift was to be followed.
    pub drift: Nanos,
    /// What is known of the processor's counter.
    pub counter: Result<Support, Refusal>,
    /// Somebody asked to stop before the end.
    pub stopped: bool,
}

/// Measures. `tell` hears of progress between measurements and answers whether to go on; what was measured until then
/// is kept.
pub fn survey(options: &Options, tell: &mut dyn FnMut(Progress<'_>) -> bool) -> Survey {
    let (mut clocks, unavailable) = open(&options.clocks);
    let mut table = Timetable::new(expected(&clocks, options), tell);
    for measured in &mut clocks {
        if !measure(measured, options, &mut table) {
            break;
        }
    }
    let fine = |measured: &&Measured| is_fine(measured, options.drift);
    let timed = || clocks.iter().filter(|measured| !measured.probe.id().row().counts.is_cpu_time());
    let probes: Vec<_> = timed().filter(fine).map(|measured| measured.probe).collect();
    let too_coarse: Vec<_> = timed().filter(|measured| !fine(measured)).map(|measured| measured.probe.id()).collect();
    let series = if table.stopped {
        Vec::new()
    } else {
        rounds::follow(&probes, options.drift, |passed| table.next_after("drift between clocks", passed))
    };
    let stopped = table.stopped;
    Survey { too_coarse, series, unavailable, stopped, drift: options.drift, counter: counter::support(), clocks }
}

fn open(asked: &[ClockId]) -> (Vec<Measured>, Vec<(ClockId, Refusal)>) {
    let here = |id: &ClockId| System::HERE.is_some_and(|system| id.row().systems.contains(&system));
    let every = CLOCKS.iter().map(|row| row.id);
    let ids: Vec<_> = if asked.is_empty() { every.filter(here).collect() } else { asked.to_vec() };
    let (mut clocks, mut unavailable) = (Vec::new(), Vec::new());
    for id in ids {
        match clock::open(id) {
            Ok(probe) => clocks.push(Measured { probe, costs: Vec::new(), steps: None, across: None }),
            Err(refusal) => unavailable.push((id, refusal)),
        }
    }
    (clocks, unavailable)
}

/// From a first loop of 1 000 calls of each clock, which is thrown away.
fn expected(clocks: &[Measured], options: &Options) -> Nanos {
    let each = clocks.iter().map(|measured| {
        let first = cost::time(&measured.probe, 1_000);
        let loops: Nanos = options.calls.iter().map(|&calls| scaled(first, calls)).sum();
        loops + options.watch + options.across
    });
    each.sum::<Nanos>() + options.drift
}

fn scaled(cost: Cost, calls: u64) -> Nanos {
    Nanos::from_f64(cost.per_call() * calls as f64)
}

/// Fills in one clock; `false` if somebody asked to stop.
fn measure(measured: &mut Measured, options: &Options, table: &mut Timetable<'_>) -> bool {
    let probe = measured.probe;
    let first = cost::time(&probe, 1_000);
    for &calls in &options.calls {
        if !table.next(probe.id().name()) {
            return false;
        }
        measured.costs.push(cost::time(&probe, calls));
        table.passed(scaled(first, calls));
    }
    measured.steps = Some(resolution::observe(&probe, options.watch, options.patience));
    table.passed(options.watch);
    if !table.next(probe.id().name()) {
        return false;
    }
    measured.across = Some(across::compare(&probe, options.across));
    table.passed(options.across);
    true
}

/// Whether 100 of the clock's steps fit into the time drift is followed.
fn is_fine(measured: &Measured, drift: Nanos) -> bool {
    let step = measured.steps.and_then(|steps| steps.smallest).and_then(|ticks| i64::try_from(ticks).ok());
    step.is_some_and(|ticks| measured.probe.nanos(ticks) <= Nanos::new(drift.get() / 100))
}

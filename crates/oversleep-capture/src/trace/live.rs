//! Traced sleeps, in turns of traced and untraced blocks.

use super::sleeper::Sleeper;
use super::sleeper::{Lateness, Recorded};
use super::thread_tracers::ThreadTracers;
use crate::clocks::bracket_all;
use crate::late::LateRule;
use crate::sleeps::{Busy, Enforced, ProcessWide, Stop, unobtained};
use oversleep_os::method;
use oversleep_os::trace::{Setup, thread_id};
use oversleep_recording::plan::{Cell, Pattern, Plan, Turn};
use oversleep_recording::trace::{CountedSleeps, Tier};
use oversleep_recording::{End, Missing, Note, Obtained, Sink, TracedSleeps, Tracing};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Settings of a run of traced sleeps.
#[derive(Debug, Clone)]
pub struct TraceRunSettings {
    /// Best tier to try.
    pub best: Tier,
    /// How events are recorded.
    pub setup: Setup,
    /// Threshold and handling of late sleeps.
    pub rule: Option<LateRule>,
    /// Handle that ends the run early.
    pub stop: Stop,
    /// Duration after which the run ends.
    pub time_limit: Option<Nanos>,
}

impl Default for TraceRunSettings {
    /// Returns settings for the best tier, without a rule for late sleeps or a time limit.
    fn default() -> Self {
        let (setup, stop) = (Setup::default(), Stop::default());
        Self { best: Tier::Events, setup, rule: None, stop, time_limit: None }
    }
}

/// Number of sleeps before the first block, which are not recorded: they touch memory and code for the first time.
const WARM_UPS: u64 = 5;
/// Interval at which the recording is flushed.
const FLUSH: Nanos = Nanos::from_millis(618);

/// Returns why the sleeps of a cell cannot be traced; `None` if they can. An unavailable tier is not a reason.
pub fn refusal(cell: &Cell) -> Option<Refusal> {
    let Some(row) = cell.row() else {
        return Some(Refusal::Unavailable(format!("no sleep method is called '{}'", cell.method)));
    };
    // A method that this system lacks is reported as such, whatever other reasons there are.
    if let Err(refusal) = method::open(row.id) {
        return Some(refusal);
    }
    row.traceable().err().map(Refusal::Unavailable)
}

/// Runs the plan's traced cells and their untraced counterparts on the calling thread, whose conditions are restored
/// afterwards. Notes what was recorded, cells that cannot be traced, and each late sleep after its block. If the rule
/// says so, the first late sleep ends the run.
pub fn run(plan: &Plan, settings: &TraceRunSettings, sink: &mut dyn Sink) -> End {
    let end = pairs(plan, settings, sink);
    sink.note(&Note { end: Some(end.clone()), ..Note::default() });
    sink.flush();
    end
}

/// Does the same as a part of a longer run, whose end is not noted here.
pub fn pairs(plan: &Plan, settings: &TraceRunSettings, sink: &mut dyn Sink) -> End {
    let pairs = plan.traced_pairs();
    let begun = monotonic();
    let mut note = Note { brackets: bracket_all(), ..Note::default() };
    let process = ProcessWide::apply(pairs.iter().map(|(_, traced)| &traced.conditions), &mut note);
    sink.note(&note);
    let lateness = settings.rule.map(Lateness::new);
    let until = settings.time_limit.map(|limit| begun.saturating_add(limit));
    let mut run = TraceRun { settings, sink, process, lateness, until, flushed: begun };
    let mut planned = 0_u64;
    for (untraced, traced) in pairs {
        let turns: Vec<Turn> =
            plan.turns.iter().filter(|turn| turn.cell == untraced.id || turn.cell == traced.id).copied().collect();
        planned = turns.iter().map(|turn| turn.sleeps).fold(planned, u64::saturating_add);
        if !run.is_over()
            && let Err(refusal) = run.pair(untraced, traced, &turns)
        {
            run.sink.note(&Note { unavailable: vec![unobtained(&traced.method, &refusal)], ..Note::default() });
        }
    }
    let end = run.end();
    let late = run.lateness.as_ref().map(|lateness| lateness.finish(planned));
    run.sink.note(&Note { late, brackets: bracket_all(), ..Note::default() });
    run.sink.flush();
    end
}

/// A run of pairs of traced and untraced cells.
struct TraceRun<'a> {
    settings: &'a TraceRunSettings,
    sink: &'a mut dyn Sink,
    process: ProcessWide,
    lateness: Option<Lateness>,
    until: Option<Nanos>,
    flushed: Nanos,
}

impl TraceRun<'_> {
    fn is_over(&self) -> bool {
        self.settings.stop.stopped() || self.time_is_over() || self.lateness.as_ref().is_some_and(Lateness::stopped)
    }

    fn time_is_over(&self) -> bool {
        self.until.is_some_and(|until| monotonic() >= until)
    }

    fn end(&self) -> End {
        match () {
            () if self.settings.stop.stopped() || self.lateness.as_ref().is_some_and(Lateness::stopped) => {
                End::Interrupted
            }
            () if self.time_is_over() => End::TimeOver,
            () => End::Complete,
        }
    }

    /// Runs one pair of cells, under its conditions.
    fn pair(&mut self, untraced: &Cell, traced: &Cell, turns: &[Turn]) -> Result<(), Refusal> {
        if let Some(refusal) = refusal(traced) {
            return Err(refusal);
        }
        let (Some(row), Pattern::Fixed { requested }) = (traced.row(), traced.pattern) else {
            return Err(Refusal::Unavailable("only sleeps of one length can be traced".to_owned()));
        };
        let conditions = &traced.conditions;
        let _busy = conditions.load.filter(|load| load.threads > 0).map(|load| Busy::start(load, conditions, None));
        let enforced = Enforced::apply(conditions, 0);
        let waiter = method::open(row.id)?;
        let tracers = ThreadTracers::open(self.settings.best, self.settings.setup);
        let mut tracing = tracers.tracing(traced.id);
        self.note_conditions([untraced, traced], &mut tracing, &enforced);
        let stop = &self.settings.stop;
        let mut sleeper = Sleeper { row, requested, waiter, tracers, stop, until: self.until };
        let longest = turns.iter().map(|turn| turn.sleeps).max().unwrap_or(0);
        drop(sleeper.block(untraced.id, 0, longest.min(WARM_UPS), None));
        if let Err(refusal) = self.turns(&mut sleeper, &tracing, turns) {
            tracing.ended = Some(refusal);
            self.sink.note(&Note { tracing: vec![tracing], ..Note::default() });
        }
        Ok(())
    }

    /// Reads back the conditions in force, and notes them with how the sleeps are traced.
    fn note_conditions(&mut self, cells: [&Cell; 2], tracing: &mut Tracing, enforced: &Enforced) {
        let mut note = Note::default();
        let mut in_force = enforced.read_back();
        let [_, traced] = cells;
        self.process.settle(&traced.conditions, &mut in_force, &mut note);
        in_force.memory_locked = traced.conditions.memory_locked.and(in_force.memory_locked);
        let refused = enforced.refused().iter().map(|(what, why)| Missing { what: what.clone(), why: why.clone() });
        tracing.conditions_refused = refused.collect();
        note.unavailable
            .extend(tracing.conditions_refused.iter().map(|missing| unobtained(&missing.what, &missing.why)));
        note.obtained = cells.map(|cell| Obtained { cell: cell.id, thread: 0, conditions: in_force.clone() }).into();
        note.tracing = vec![tracing.clone()];
        self.sink.note(&note);
    }

    fn turns(&mut self, sleeper: &mut Sleeper<'_>, tracing: &Tracing, turns: &[Turn]) -> Result<(), Refusal> {
        let mut slept: HashMap<u32, u64> = HashMap::new();
        for turn in turns {
            if self.is_over() {
                break;
            }
            let next = slept.entry(turn.cell).or_default();
            let first = std::mem::replace(next, next.saturating_add(turn.sleeps));
            if turn.cell == tracing.cell {
                self.traced(sleeper, tracing, first, turn)?;
            } else {
                self.untraced(sleeper, tracing, first, turn);
            }
            if monotonic() - self.flushed >= FLUSH {
                self.sink.flush();
                self.flushed = monotonic();
            }
        }
        Ok(())
    }

    fn traced(&mut self, sleeper: &mut Sleeper<'_>, tracing: &Tracing, first: u64, turn: &Turn) -> Result<(), Refusal> {
        sleeper.tracers.start()?;
        let block = sleeper.block(turn.cell, first, turn.sleeps, self.lateness.as_ref());
        self.sink.samples(&block.samples);
        let (events, switches) = sleeper.tracers.stop()?;
        let (Some(begin), Some(end)) = (block.samples.first(), block.samples.last()) else { return Ok(()) };
        let (from, until) = (begin.start, end.end);
        let traced = Some((&events, &switches));
        let recorded = Recorded { tid: thread_id(), tier: tracing.tier, refused: &tracing.refused, traced };
        let late_sleeps = self
            .lateness
            .as_mut()
            .map_or_else(Vec::new, |lateness| lateness.block(&block.samples, &block.counted, &recorded));
        let events = events.around(from, until);
        let sleeps = TracedSleeps {
            cell: turn.cell,
            thread: 0,
            tid: thread_id(),
            first,
            sleeps: block.samples.len() as u64,
            own: switches.around(&events, from, until),
            events,
            counted: CountedSleeps::new(block.counted),
        };
        self.sink.note(&Note { traced_sleeps: vec![sleeps], late_sleeps, ..Note::default() });
        Ok(())
    }

    fn untraced(&mut self, sleeper: &mut Sleeper<'_>, tracing: &Tracing, first: u64, turn: &Turn) {
        let block = sleeper.block(turn.cell, first, turn.sleeps, self.lateness.as_ref());
        self.sink.samples(&block.samples);
        let recorded = Recorded { tid: thread_id(), tier: tracing.tier, refused: &tracing.refused, traced: None };
        if let Some(lateness) = &mut self.lateness {
            let late_sleeps = lateness.block(&block.samples, &block.counted, &recorded);
            if !late_sleeps.is_empty() {
                self.sink.note(&Note { late_sleeps, ..Note::default() });
            }
        }
    }
}

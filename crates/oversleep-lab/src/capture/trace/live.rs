//! Sleeping with a witness, in traced and untraced blocks by turns.

use super::lateness::Lateness;
use super::tier::{Tier, Witness};
use super::{Slept, counters, expected_slack, join, switches};
use crate::analysis::attribution::Breakdown;
use crate::analysis::quantile::median;
use crate::capture::late::{Finding, Rule};
use crate::capture::sleeps::{Busy, Enforced, Stop};
use oversleep_os::method::{self, Request, Waiter, Woken};
use oversleep_os::settings::{Policy, nice, policy, timer_slack};
use oversleep_os::trace::{Setup, thread_id};
use oversleep_recording::Late;
use oversleep_recording::catalog::{MethodId, Mode};
use oversleep_recording::plan::Conditions;
use oversleep_recording::trace::{KernelEvents, OwnSwitch, ThreadCounters};
use oversleep_sys::Refusal;
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;

/// Sleeps of a block, unless asked otherwise: few, as idle processors here change by tens of µs from second to second,
/// and what changes between the two blocks of a pair is taken for tracing's doing.
pub const BLOCK: u64 = 20;

/// What to sleep, and how to look.
#[derive(Debug, Clone)]
pub struct Options {
    /// How.
    pub method: MethodId,
    /// How long.
    pub requested: Nanos,
    /// How often traced; as often again untraced.
    pub sleeps: u64,
    /// Sleeps of a block.
    pub block: u64,
    /// Policy, slack, affinity and load.
    pub conditions: Conditions,
    /// The best tier to try.
    pub best: Tier,
    /// How events are recorded.
    pub setup: Setup,
    /// Ends the run early.
    pub stop: Stop,
}

/// What came of it.
#[derive(Debug)]
pub struct Run {
    /// The tier reached.
    pub tier: Tier,
    /// Why each higher one was not.
    pub refused: Vec<(Tier, Refusal)>,
    /// Events that this kernel lacks.
    pub missing: Vec<(String, Refusal)>,
    /// Whether the thread's own switch records were there too.
    pub own_switches: bool,
    /// Conditions that could not be had.
    pub conditions_refused: Vec<(String, Refusal)>,
    /// Conditions read back.
    pub obtained: Conditions,
    /// The traced sleeps, split.
    pub breakdowns: Vec<Breakdown>,
    /// Oversleeps of the untraced blocks, in order.
    pub untraced: Vec<Nanos>,
    /// How much later each traced block was than the untraced one beside it, by their medians.
    pub shifts: Vec<Nanos>,
    /// Where the switches of a processor did not join up: threads hidden from the trace.
    pub breaks: u64,
    /// Events lost, at least: where the kernel does not say how many, a gap counts as one.
    pub lost: u64,
    /// Sleeps that a signal or an error ended; in no figure.
    pub interrupted: u64,
    /// Why the run ended before its time, if it did.
    pub ended: Option<Refusal>,
}

/// Sleeps on the calling thread, whose conditions are put back afterwards.
///
/// # Errors
/// Why the method cannot be traced here. A tier that cannot be had is no error; see [`Run::refused`].
pub fn run(options: &Options) -> Result<Run, Refusal> {
    run_watching(options, None, &mut |_| {}).map(|(run, _)| run)
}

/// The same, watching for late sleeps: `found` is called for each that is looked into, after the block it was in. A
/// rule that stops ends the run at the first one. Gives the account of the sleeps as well.
///
/// # Errors
/// As [`run`].
pub fn run_watching(
    options: &Options,
    rule: Option<Rule>,
    found: &mut dyn FnMut(Finding),
) -> Result<(Run, Option<Late>), Refusal> {
    let row = options.method.row();
    row.traceable().map_err(Refusal::Unavailable)?;
    let _busy = options.conditions.load.map(|load| Busy::beside(load, &options.conditions));
    let enforced = Enforced::apply(&options.conditions, 0);
    let waiter = method::open(options.method)?;
    let witness = Witness::open(options.best, options.setup);
    let lateness = rule.map(|rule| Lateness::new(rule, options.method.name(), found));
    let (slack, sequence) = (slack(options), 0);
    let mut sleeper = Sleeper { options, waiter, witness, slack, sequence, interrupted: 0, lateness: None };
    let mut run = Run {
        tier: sleeper.witness.tier(),
        refused: sleeper.witness.refused.clone(),
        missing: sleeper.witness.tracer.as_ref().map_or_else(Vec::new, |tracer| tracer.missing().to_vec()),
        own_switches: sleeper.witness.switches.is_some(),
        conditions_refused: enforced.refused().to_vec(),
        obtained: Enforced::read_back(),
        breakdowns: Vec::new(),
        untraced: Vec::new(),
        shifts: Vec::new(),
        breaks: 0,
        lost: 0,
        interrupted: 0,
        ended: None,
    };
    // The first sleeps touch memory and code for the first time: not part of either series.
    sleeper.block(options.block.min(5));
    sleeper.lateness = lateness;
    run.ended = blocks(&mut sleeper, &mut run).err();
    run.interrupted = sleeper.interrupted;
    let late = sleeper.lateness.map(|lateness| lateness.finish(options.sleeps.saturating_mul(2)));
    Ok((run, late))
}

/// Untraced, traced, traced, untraced, and so on: a drift of the machine meets both alike.
fn blocks(sleeper: &mut Sleeper<'_, '_>, run: &mut Run) -> Result<(), Refusal> {
    let mut left = sleeper.options.sleeps;
    // Who looks for late sleeps wants the first one traced.
    let mut number = u32::from(sleeper.lateness.is_some());
    while left > 0 && !sleeper.over() {
        let count = left.min(sleeper.options.block.max(1));
        let (traced_before, untraced_before) = (run.breakdowns.len(), run.untraced.len());
        for traced in if number.is_multiple_of(2) { [false, true] } else { [true, false] } {
            if traced {
                sleeper.traced(count, run)?;
            } else {
                sleeper.untraced(count, run);
            }
            if sleeper.over() {
                return Ok(());
            }
        }
        let traced = median(run.breakdowns[traced_before..].iter().map(|sleep| sleep.oversleep().get()).collect());
        let untraced = median(run.untraced[untraced_before..].iter().map(|late| late.get()).collect());
        run.shifts.extend(traced.zip(untraced).map(|(traced, untraced)| Nanos::new(traced - untraced)));
        left -= count;
        number += 1;
    }
    Ok(())
}

struct Sleeper<'a, 'f> {
    options: &'a Options,
    waiter: Box<dyn Waiter>,
    witness: Witness,
    slack: Option<Nanos>,
    sequence: u64,
    interrupted: u64,
    lateness: Option<Lateness<'f>>,
}

impl Sleeper<'_, '_> {
    /// Whether somebody asked to stop, or a late sleep did.
    fn over(&self) -> bool {
        self.options.stop.stopped() || self.lateness.as_ref().is_some_and(Lateness::stopped)
    }

    fn traced(&mut self, count: u64, run: &mut Run) -> Result<(), Refusal> {
        self.witness.start()?;
        let sleeps = self.block(count);
        let (batch, own, lost) = self.witness.stop()?;
        let breakdowns = match run.tier {
            Tier::Events => {
                let (breakdowns, breaks) = join::join(&batch, &own, thread_id(), &sleeps);
                run.breaks += breaks;
                run.lost += batch.gaps.iter().map(|gap| gap.records.max(1)).sum::<u64>();
                breakdowns
            }
            Tier::Switches => switches::join(&own, lost, &sleeps),
            Tier::Counters | Tier::Slack => counters::join(&sleeps),
        };
        if let Some(lateness) = &mut self.lateness {
            lateness.traced(&sleeps, &breakdowns, run.tier, &run.refused, &batch.events);
        }
        run.breakdowns.extend(breakdowns);
        Ok(())
    }

    fn untraced(&mut self, count: u64, run: &mut Run) {
        let sleeps = self.block(count);
        run.untraced.extend(sleeps.iter().map(|slept| slept.end.saturating_sub(slept.due())));
        if let Some(lateness) = &mut self.lateness {
            lateness.untraced(&sleeps, run.tier);
        }
    }

    fn block(&mut self, count: u64) -> Vec<Slept> {
        let mut sleeps = Vec::with_capacity(usize::try_from(count).unwrap_or(0).min(100_000));
        for _ in 0..count {
            if self.options.stop.stopped() {
                break;
            }
            match self.once() {
                Some(slept) => {
                    sleeps.push(slept);
                    if self.lateness.as_ref().is_some_and(|lateness| lateness.ends(&slept)) {
                        break;
                    }
                }
                None => self.interrupted += 1,
            }
        }
        sleeps
    }

    /// One sleep. Untraced sleeps read the counters too, so that the blocks differ in nothing but the tracing.
    fn once(&mut self) -> Option<Slept> {
        let requested = self.options.method.row().rounded(self.options.requested);
        let before = self.witness.read();
        let deadline =
            (self.options.method.row().mode == Mode::Absolute).then(|| clock::monotonic().saturating_add(requested));
        self.waiter.arm(deadline.map_or(Request::For(requested), Request::Until));
        let start = clock::monotonic();
        let woken = self.waiter.wait();
        let end = clock::monotonic();
        let after = self.witness.read();
        let sequence = self.sequence;
        self.sequence += 1;
        let slept = Slept { sequence, requested, deadline, start, end, slack: self.slack, before, after };
        (woken == Woken::TimedOut).then_some(slept)
    }
}

impl Witness {
    fn start(&mut self) -> Result<(), Refusal> {
        self.tracer.as_mut().map_or(Ok(()), oversleep_os::trace::Tracer::start)?;
        self.switches.as_mut().map_or(Ok(()), oversleep_os::trace::OwnSwitches::start)
    }

    fn stop(&mut self) -> Result<(KernelEvents, Vec<OwnSwitch>, u64), Refusal> {
        let (own, lost) = match &mut self.switches {
            Some(switches) => {
                switches.stop()?;
                switches.drain()
            }
            None => (Vec::new(), 0),
        };
        let batch = match &mut self.tracer {
            Some(tracer) => {
                tracer.stop()?;
                tracer.drain()?
            }
            None => KernelEvents::default(),
        };
        Ok((batch, own, lost))
    }

    fn read(&mut self) -> ThreadCounters {
        self.readings.as_mut().map_or_else(ThreadCounters::default, oversleep_os::trace::Readings::now)
    }
}

/// By rule, from what is in force on the calling thread.
fn slack(options: &Options) -> Option<Nanos> {
    let policy = policy::read().unwrap_or(Policy::Other);
    let thread = timer_slack::read().ok()?;
    expected_slack(options.method, options.requested, thread, policy, nice::read().unwrap_or(0))
}

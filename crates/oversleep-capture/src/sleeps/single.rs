//! Single sleeps, with fixed, random or aligned requests.

use super::awake_early;
use super::spent::Spent;
use super::worker::{OpenCell, Tools};
use oversleep_os::cpu;
use oversleep_os::method::{Request, Woken};
use oversleep_os::trace::RunQueueCounter;
use oversleep_recording::catalog::Mode;
use oversleep_recording::plan::{Cell, Pattern, Phase};
use oversleep_recording::{Flags, RunQueueWait, Sample, SleepCost};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use rand::RngExt;
use std::hint::spin_loop;

/// Sleeps `count` times, or until stopped. Returns what the sleeps took of the processor, where that is known: not of a thread that is
/// awake before.
pub(super) fn sleep(place: &mut OpenCell, tools: &mut Tools, count: u64) -> Option<SleepCost> {
    let mut cost = Some(SleepCost::default());
    for _ in 0..count {
        if tools.stopped() {
            break;
        }
        if let Some(Phase::Random { window }) = place.cell.conditions.phase {
            linger(tools, window);
        }
        if let Some(counters) = &mut tools.counters {
            counters.before();
        }
        tools.waited = tools.run_queue.as_ref().filter(|_| counts(&place.cell)).and_then(RunQueueCounter::read);
        if let Some(Phase::Warm { lead }) = place.cell.conditions.phase {
            awake_early::once(place, tools, lead);
            cost = None;
        } else {
            let spent = once(place, tools);
            cost = cost.zip(spent).map(|(cost, spent)| cost.with(&spent));
        }
    }
    cost
}

/// Shortest request, or longest of a random range, that reading the run-queue counter twice, 1.2 µs, does not change.
const COUNTED_FROM: Nanos = Nanos::from_micros(100);

/// Returns whether run-queue waits of a cell's sleeps are counted.
fn counts(cell: &Cell) -> bool {
    let longest = match cell.pattern {
        Pattern::Fixed { requested } | Pattern::Periodic { period: requested } => requested,
        Pattern::Random { to, .. } | Pattern::Aligned { to } => to,
    };
    longest >= COUNTED_FROM
}

/// Spins for a random time below `window`, so that the next sleep starts anywhere within a tick.
fn linger(tools: &mut Tools, window: Nanos) {
    let until = clock::monotonic() + Nanos::new(tools.random.random_range(0..window.get().max(1)));
    while clock::monotonic() < until {
        spin_loop();
    }
}

/// Sleeps once; returns what that took of the processor.
fn once(place: &mut OpenCell, tools: &mut Tools) -> Option<SleepCost> {
    let (requested, deadline) = request(place, tools);
    let absolute = place.mode == Mode::Absolute;
    place.waiter.prepare(match deadline {
        Some(deadline) if absolute => Request::Until(deadline),
        _ => Request::For(requested),
    });

    let spent = Spent::now();
    // Only the wait is between the two readings of the clock.
    let cpu_start = cpu::current();
    let start = place.clock.now();
    let woken = place.waiter.wait();
    let end = place.clock.now();
    let cpu_end = cpu::current();
    let cost = spent.and_then(|before| before.until_now(1));

    enter(place, tools, &SleepReadings { requested, deadline, clock: (start, end), cpu: (cpu_start, cpu_end), woken });
    cost
}

/// Observations of one sleep; pairs are before and after it.
pub(super) struct SleepReadings {
    pub(super) requested: Nanos,
    pub(super) deadline: Option<Nanos>,
    pub(super) clock: (Nanos, Nanos),
    pub(super) cpu: (Option<u16>, Option<u16>),
    pub(super) woken: Woken,
}

/// Passes a sleep on as the cell's next sample.
pub(super) fn enter(place: &mut OpenCell, tools: &mut Tools, slept: &SleepReadings) {
    let waited = tools.waited.take().zip(tools.run_queue.as_ref().and_then(RunQueueCounter::read));
    let run_queue = waited.map_or(RunQueueWait::UNKNOWN, |(before, after)| RunQueueWait::new(after - before));
    tools.keep(Sample {
        cell: place.cell.id,
        thread: tools.thread,
        sequence: place.sequence,
        requested: slept.requested,
        deadline: slept.deadline,
        start: slept.clock.0,
        end: slept.clock.1,
        cpu_start: slept.cpu.0.unwrap_or(Sample::NO_CPU),
        cpu_end: slept.cpu.1.unwrap_or(Sample::NO_CPU),
        flags: flags(slept.woken),
        run_queue,
    });
    place.sequence += 1;
}

/// Returns the request of the next sleep, and its deadline if it has one: absolute sleeps do, and so do those aligned
/// to the wall clock, whose error counts from the intended second (Herman's `tv2 − (tv1 + s)`).
fn request(place: &OpenCell, tools: &mut Tools) -> (Nanos, Option<Nanos>) {
    let requested = match place.cell.pattern {
        Pattern::Fixed { requested } | Pattern::Periodic { period: requested } => requested,
        Pattern::Random { from, to } => Nanos::new(tools.random.random_range(from.get()..=to.get().max(from.get()))),
        Pattern::Aligned { to } => {
            let now = place.clock.now();
            let requested = to - Nanos::new(now.get().rem_euclid(to.get()));
            return (requested, Some(now + requested));
        }
    };
    let deadline = (place.mode == Mode::Absolute).then(|| place.clock.now().saturating_add(requested));
    (requested, deadline)
}

pub(super) fn flags(woken: Woken) -> Flags {
    match woken {
        Woken::TimedOut => Flags::default(),
        Woken::Interrupted => Flags::INTERRUPTED,
        Woken::Failed(_) => Flags::FAILED,
    }
}

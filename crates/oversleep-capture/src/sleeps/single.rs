//! Single sleeps, with fixed, random or aligned requests.

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
use std::hint::{black_box, spin_loop};

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
            once_awake_early(place, tools, lead);
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

/// Bytes of memory that are walked while waiting: as much as a small program uses, within most first-level caches.
const WORKING_SET: usize = 16 << 10;

/// Sleeps once; the lateness counts from the deadline of the whole sleep.
///
/// While a thread sleeps, its memory drops out of the caches, and the processor idles more deeply the longer it lasts.
/// Both effects are smaller if the thread wakes `lead` before the deadline, is busy for half of that time, and sleeps
/// the rest. This is all that a program can do: it cannot keep the kernel's own path from the timer to the thread in
/// the caches during the last part.
pub(super) fn once_awake_early(place: &mut OpenCell, tools: &mut Tools, lead: Nanos) {
    let Pattern::Fixed { requested } = place.cell.pattern else { return };
    let cpu_start = cpu::current();
    let start = place.clock.now();
    let deadline = start.saturating_add(requested);
    let first = sleep_until(place, deadline.saturating_sub(lead));
    warm_up(place, deadline.saturating_sub(Nanos::new(lead.get() / 2)));
    let woken = if first == Woken::TimedOut { sleep_until(place, deadline) } else { first };
    let end = place.clock.now();
    let cpu_end = cpu::current();
    let (clock, cpu) = ((start, end), (cpu_start, cpu_end));
    enter(place, tools, &SleepReadings { requested, deadline: Some(deadline), clock, cpu, woken });
}

/// Sleeps until this time by the cell's own method. Returns at once if the time has passed.
fn sleep_until(place: &mut OpenCell, at: Nanos) -> Woken {
    let left = at.saturating_sub(place.clock.now());
    if left <= Nanos::ZERO {
        return Woken::TimedOut;
    }
    place.waiter.prepare(if place.mode == Mode::Absolute { Request::Until(at) } else { Request::For(left) });
    place.waiter.wait()
}

/// Walks memory and reads the clock until this time.
fn warm_up(place: &OpenCell, sleep_until: Nanos) {
    let mut memory = [0_u8; WORKING_SET];
    while place.clock.now() < sleep_until {
        for byte in memory.iter_mut().step_by(64) {
            *byte = black_box(byte.wrapping_add(1));
        }
    }
}

//! A thread that sleeps.

use super::enforce::Enforced;
use super::ring::RingProducer;
use super::spent::Spent;
use super::{periodic, single};
use crate::late::{Counting, SleepCounters};
use oversleep_os::method::{self, Waiter};
use oversleep_os::trace::RunQueueCounter;
use oversleep_recording::catalog::{MethodId, Mode, TimerClock};
use oversleep_recording::plan::{Cell, ClockName, Pattern, Turn};
use oversleep_recording::{Flags, Obtained, Periods, Sample, SleepCost};
use oversleep_sys::units::Nanos;
use oversleep_sys::{Refusal, clock};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

/// A command to a worker.
pub(super) enum Command {
    /// Open the methods of these cells and report which are available.
    Open(Vec<Cell>),
    /// Sleep this turn.
    Turn(Turn),
}

/// An answer of a worker.
pub(super) enum Answer {
    /// The worker has applied its conditions; some conditions and methods may have been refused.
    Ready { obtained: Vec<Obtained>, refused: Vec<(String, Refusal)>, methods: Vec<(u32, Refusal)> },
    /// The turn is over.
    Done { periods: Option<Periods>, cost: SleepCost },
    /// Wakes the coordinator without an answer.
    Wake,
}

/// A cell on a thread: its open method, and how many sleeps it has made.
pub(super) struct OpenCell {
    pub(super) cell: Cell,
    pub(super) mode: Mode,
    pub(super) waiter: Box<dyn Waiter>,
    pub(super) clock: clock::Reader,
    pub(super) sequence: u64,
    /// What its waits took of the processor so far.
    pub(super) cost: SleepCost,
    periods: Periods,
}

/// Data that a thread needs in every cell.
pub(super) struct Tools {
    pub(super) thread: u16,
    pub(super) random: Pcg64Mcg,
    pub(super) producer: RingProducer,
    pub(super) stop: Arc<AtomicBool>,
    /// The thread's counters, if a watch for late sleeps may want them.
    pub(super) counters: Option<SleepCounters>,
    /// The counter of the thread's waits in run queues, where the system has one.
    pub(super) run_queue: Option<RunQueueCounter>,
    /// Its reading before the present sleep, if that is counted.
    pub(super) waited: Option<Nanos>,
}

impl Tools {
    /// Returns whether the run is to stop.
    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Passes a sample on.
    #[inline]
    pub(super) fn keep(&mut self, mut sample: Sample) {
        if let Some(counters) = &mut self.counters {
            counters.after(sample.cell, sample.sequence, sample.oversleep());
        }
        if sample.sequence == 0 {
            sample.flags = sample.flags.with(Flags::FIRST);
        }
        self.producer.push(sample);
    }
}

/// Data with which a thread starts.
pub(super) struct Worker {
    pub(super) thread: u16,
    pub(super) seed: u64,
    pub(super) producer: RingProducer,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) counting: Option<Counting>,
    pub(super) answers: Sender<Answer>,
}

impl Worker {
    /// Runs the thread: applies conditions, opens methods, sleeps turns, ends.
    pub(super) fn work(self, commands: &Receiver<Command>) {
        let Ok(Command::Open(cells)) = commands.recv() else { return };
        let conditions = cells.first().map(|cell| cell.conditions.clone()).unwrap_or_default();
        let enforced = Enforced::for_life(&conditions, self.thread);
        let (mut places, methods) = open(cells);
        let obtained = places
            .keys()
            .map(|&cell| Obtained { cell, thread: self.thread, conditions: enforced.read_back() })
            .collect();
        let ready = Answer::Ready { obtained, refused: enforced.refused().to_vec(), methods };
        if self.answers.send(ready).is_err() {
            return;
        }
        let random = Pcg64Mcg::seed_from_u64(self.seed.wrapping_add(u64::from(self.thread)));
        let counters = self.counting.and_then(|counting| SleepCounters::open(counting, self.thread));
        let mut tools = Tools {
            thread: self.thread,
            random,
            producer: self.producer,
            stop: self.stop,
            counters,
            run_queue: RunQueueCounter::open(),
            waited: None,
        };
        while let Ok(Command::Turn(turn)) = commands.recv() {
            let place = places.get_mut(&turn.cell);
            let (periods, cost) = place.map(|place| sleep(place, &mut tools, turn.sleeps)).unwrap_or_default();
            if self.answers.send(Answer::Done { periods, cost }).is_err() {
                return;
            }
        }
    }
}

/// Sleeps one turn; returns the counts of a periodic cell so far, and what the cell's waits have taken of the processor.
fn sleep(place: &mut OpenCell, tools: &mut Tools, sleeps: u64) -> (Option<Periods>, SleepCost) {
    let (cell, thread) = (place.cell.id, tools.thread);
    let cost = match place.cell.pattern {
        Pattern::Periodic { period } => {
            let spent = Spent::now();
            let turn = periodic::keep(place, tools, period, sleeps);
            place.periods.add(&Periods { cell, ..turn });
            place.periods.thread = thread;
            spent.and_then(|before| before.until_now(turn.fresh + turn.late))
        }
        _ => single::sleep(place, tools, sleeps),
    };
    place.cost = SleepCost { cell, thread, ..place.cost.with(&cost.unwrap_or_default()) };
    (matches!(place.cell.pattern, Pattern::Periodic { .. }).then_some(place.periods), place.cost)
}

/// Opens the methods that are available; returns the refusals of the others.
fn open(cells: Vec<Cell>) -> (HashMap<u32, OpenCell>, Vec<(u32, Refusal)>) {
    let mut places = HashMap::new();
    let mut refused = Vec::new();
    for cell in cells {
        match open_one(cell) {
            Ok(place) => drop(places.insert(place.cell.id, place)),
            Err(refusal) => refused.push(refusal),
        }
    }
    (places, refused)
}

pub(super) fn open_one(cell: Cell) -> Result<OpenCell, (u32, Refusal)> {
    let refused = |refusal| (cell.id, refusal);
    let id = MethodId::from_name(&cell.method)
        .ok_or_else(|| refused(Refusal::Unavailable(format!("no sleep method is called '{}'", cell.method))))?;
    let clock = reader(cell.clock)
        .ok_or_else(|| refused(Refusal::Unavailable(format!("this system has no {:?} clock", cell.clock))))?;
    let waiter = method::open(id).map_err(refused)?;
    Ok(OpenCell {
        mode: id.row().mode,
        waiter,
        clock,
        sequence: 0,
        cost: SleepCost::default(),
        periods: Periods::default(),
        cell,
    })
}

fn reader(clock: ClockName) -> Option<clock::Reader> {
    clock::Reader::for_timer(match clock {
        ClockName::Monotonic => TimerClock::Monotonic,
        ClockName::Realtime => TimerClock::Realtime,
        ClockName::Boottime => TimerClock::Boottime,
        ClockName::Tai => TimerClock::Tai,
        ClockName::MonotonicRaw | ClockName::Counter | ClockName::True => return None,
    })
}

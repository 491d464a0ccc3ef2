//! A thread that sleeps.

use super::enforce::Enforced;
use super::ring::Outlet;
use super::{periodic, single};
use oversleep_os::method::{self, Waiter};
use oversleep_recording::catalog::{MethodId, Mode, TimerClock};
use oversleep_recording::plan::{Cell, ClockName, Pattern, Turn};
use oversleep_recording::{Flags, Obtained, Periods, Sample};
use oversleep_sys::{Refusal, clock};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

/// A command to a worker.
pub(super) enum Command {
    /// Open these cells' methods and say which can be had.
    Open(Vec<Cell>),
    /// Sleep.
    Turn(Turn),
}

/// What a worker says.
pub(super) enum Answer {
    /// It has put its conditions on; these were refused.
    Ready { obtained: Vec<Obtained>, refused: Vec<(String, Refusal)>, methods: Vec<(u32, Refusal)> },
    /// Its turn is over.
    Done { periods: Option<Periods> },
    /// Nothing: the coordinator is to look up.
    Wake,
}

/// A cell's place on a thread: the method, ready, and how far the cell has come.
pub(super) struct Place {
    pub(super) cell: Cell,
    pub(super) mode: Mode,
    pub(super) waiter: Box<dyn Waiter>,
    pub(super) clock: clock::Reader,
    pub(super) sequence: u64,
    periods: Periods,
}

/// What a thread needs in every cell.
pub(super) struct Tools {
    pub(super) thread: u16,
    pub(super) random: Pcg64Mcg,
    pub(super) outlet: Outlet,
    pub(super) stop: Arc<AtomicBool>,
}

impl Tools {
    /// Returns whether somebody asked to stop.
    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Hands a sample on.
    #[inline]
    pub(super) fn keep(&mut self, mut sample: Sample) {
        if sample.sequence == 0 {
            sample.flags = sample.flags.with(Flags::FIRST);
        }
        self.outlet.push(sample);
    }
}

/// The thread's own things.
pub(super) struct Worker {
    pub(super) thread: u16,
    pub(super) seed: u64,
    pub(super) outlet: Outlet,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) answers: Sender<Answer>,
}

impl Worker {
    /// Runs the thread from beginning to end: conditions on, methods open, turns, end.
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
        let mut tools = Tools { thread: self.thread, random, outlet: self.outlet, stop: self.stop };
        while let Ok(Command::Turn(turn)) = commands.recv() {
            let periods = places.get_mut(&turn.cell).and_then(|place| sleep(place, &mut tools, turn.sleeps));
            if self.answers.send(Answer::Done { periods }).is_err() {
                return;
            }
        }
    }
}

/// One turn; returns a periodic cell's account so far.
fn sleep(place: &mut Place, tools: &mut Tools, sleeps: u64) -> Option<Periods> {
    let Pattern::Periodic { period } = place.cell.pattern else {
        single::sleep(place, tools, sleeps);
        return None;
    };
    let turn = periodic::keep(place, tools, period, sleeps);
    place.periods.add(&Periods { cell: place.cell.id, ..turn });
    place.periods.thread = tools.thread;
    Some(place.periods)
}

/// Opens what can be opened.
fn open(cells: Vec<Cell>) -> (HashMap<u32, Place>, Vec<(u32, Refusal)>) {
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

pub(super) fn open_one(cell: Cell) -> Result<Place, (u32, Refusal)> {
    let refused = |refusal| (cell.id, refusal);
    let id = MethodId::from_name(&cell.method)
        .ok_or_else(|| refused(Refusal::Unavailable(format!("no sleep method is called '{}'", cell.method))))?;
    let clock = reader(cell.clock)
        .ok_or_else(|| refused(Refusal::Unavailable(format!("this system has no {:?} clock", cell.clock))))?;
    let waiter = method::open(id).map_err(refused)?;
    Ok(Place { mode: id.row().mode, waiter, clock, sequence: 0, periods: Periods::default(), cell })
}

fn reader(clock: ClockName) -> Option<clock::Reader> {
    clock::Reader::of(match clock {
        ClockName::Monotonic => TimerClock::Monotonic,
        ClockName::Realtime => TimerClock::Realtime,
        ClockName::Boottime => TimerClock::Boottime,
        ClockName::Tai => TimerClock::Tai,
        ClockName::MonotonicRaw | ClockName::Counter | ClockName::True => return None,
    })
}

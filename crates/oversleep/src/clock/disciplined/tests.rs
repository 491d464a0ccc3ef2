//! The clock on simulated clocks, with other threads acting at every point where this one may be interrupted.

use super::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const MS: u64 = 1_000_000;
const US: u64 = 1_000;

/// What is to happen after this many more readings of the clocks.
type Interruption = (u32, Box<dyn FnOnce()>);

/// A counter of 1 GHz, and a system's clock with a given difference from it. A reading takes 10 or 20 ns.
#[derive(Default)]
struct World {
    ns: Cell<u64>,
    ahead: Cell<i64>,
    /// Until then a reading of the system's clock takes 6 µs, and shows the time at its end.
    slow_until: Cell<u64>,
    counter_is_trusted: Cell<bool>,
    process: Cell<u32>,
    interruption: RefCell<Option<Interruption>>,
}

impl World {
    fn pass(&self, ns: u64) {
        self.ns.set(self.ns.get() + ns);
    }

    fn steer(&self, ns: i64) {
        self.ahead.set(self.ahead.get() + ns);
    }

    fn shown(&self) -> u64 {
        (1_000_000_000 + self.ns.get()).saturating_add_signed(self.ahead.get())
    }

    /// Interrupts the reader after `reads` more readings, for the actions of others.
    fn interrupt(&self, reads: u32, others: impl FnOnce() + 'static) {
        *self.interruption.borrow_mut() = Some((reads, Box::new(others)));
    }

    fn may_be_interrupted(&self) {
        let due = self.interruption.borrow_mut().take_if(|(reads, _)| *reads == 0);
        if let Some((_, others)) = due {
            others();
        } else if let Some((reads, _)) = self.interruption.borrow_mut().as_mut() {
            *reads -= 1;
        }
    }
}

impl CounterAndClock for Rc<World> {
    fn counter(&self) -> u64 {
        self.pass(10);
        let counter = 1_000 + self.ns.get();
        self.may_be_interrupted();
        counter
    }

    fn system(&self) -> u64 {
        self.pass(if self.ns.get() < self.slow_until.get() { 6 * US } else { 20 });
        let shown = self.shown();
        self.may_be_interrupted();
        shown
    }

    fn counter_is_trusted(&self) -> bool {
        self.counter_is_trusted.get()
    }

    fn process(&self) -> u32 {
        self.process.get()
    }
}

/// A clock, and its latest completed reading: no reading that begins afterwards may be below it.
struct CheckedClock {
    world: Rc<World>,
    clock: Disciplined<Rc<World>>,
    done: Cell<u64>,
}

impl CheckedClock {
    fn new() -> Rc<Self> {
        let world = Rc::new(World { counter_is_trusted: Cell::new(true), process: Cell::new(1), ..World::default() });
        Rc::new(Self { clock: Disciplined::new(Rc::clone(&world)), world, done: Cell::new(0) })
    }

    fn read(&self) -> u64 {
        let before = self.done.get();
        let counter = self.world.counter();
        let ns = self.clock.at(counter).unwrap_or_else(|| self.clock.now());
        assert!(ns >= before, "{} ns back", before - ns);
        self.done.set(self.done.get().max(ns));
        ns
    }

    fn read_for(&self, ns: u64) {
        let step = if ns > MS { 20 * US } else { US };
        let end = self.world.ns.get() + ns;
        while self.world.ns.get() < end {
            self.read();
            self.world.pass(step);
        }
    }

    /// Reads until the next reading compares the clocks.
    fn read_to_the_next_look(&self) {
        let end = self.clock.lines().expect("lines are drawn").next.start;
        while 1_000 + self.world.ns.get() + 21 * US < end {
            self.read();
            self.world.pass(20 * US);
        }
        self.world.pass(22 * US);
    }

    fn is_counter(&self) -> bool {
        self.read();
        self.clock.lines().is_some()
    }
}

fn warm() -> Rc<CheckedClock> {
    let watched = CheckedClock::new();
    watched.read_for(500 * MS);
    assert!(watched.is_counter());
    watched
}

/// What may happen to the clocks at a comparison.
type Event = (&'static str, fn(&CheckedClock));

const EVENTS: [Event; 8] = [
    ("nothing", |_| {}),
    ("steered back by 30 ppm", |at| at.world.steer(-3_000)),
    ("steered on by 30 ppm", |at| at.world.steer(3_000)),
    ("a suspension that the system's clock does not count", |at| at.world.steer(-20_000_000)),
    ("a jump ahead", |at| at.world.steer(20_000_000)),
    ("nobody read for a while", |at| at.world.pass(300 * MS)),
    ("nobody read for a while, steered back", |at| {
        at.world.pass(300 * MS);
        at.world.steer(-9_000);
    }),
    ("the system left the counter", |at| at.world.counter_is_trusted.set(false)),
];

#[test]
fn no_reading_is_below_one_that_was_done_wherever_a_thread_is_stopped() {
    for (what, happens) in EVENTS {
        for reads in 0..24 {
            for stopped in [0, 60 * US, 4 * MS, 150 * MS, 700 * MS] {
                let watched = warm();
                watched.read_to_the_next_look();
                happens(&watched);
                let others = Rc::clone(&watched);
                watched.world.interrupt(reads, move || {
                    others.read();
                    others.world.pass(stopped);
                    others.read();
                    others.world.pass(50);
                    others.read();
                });
                println!("{what}: stopped after {reads} readings for {stopped} ns");
                watched.read_for(100 * US);
                watched.read_for(3 * MS);
                assert!(watched.world.interruption.borrow().is_none(), "nobody was stopped");
            }
        }
    }
}

#[test]
fn a_thread_that_begins_the_clock_may_be_stopped_anywhere_too() {
    for reads in 0..40 {
        for stopped in [0, 30 * US, 2 * MS, 300 * MS] {
            let watched = CheckedClock::new();
            watched.read();
            watched.world.pass(MS);
            let others = Rc::clone(&watched);
            watched.world.interrupt(reads, move || {
                others.read();
                others.world.pass(stopped);
                others.read();
            });
            watched.read_for(100 * US);
            assert!(watched.world.interruption.borrow().is_none(), "nobody was stopped");
        }
    }
}

#[test]
fn it_shows_the_system_s_time_to_within_what_it_is_steered() {
    let watched = warm();
    for step in 0..1_000_000_u64 {
        if step % 10 == 0 {
            watched.world.steer(1);
        }
        watched.world.pass(US);
        let (read, shown) = (watched.read(), watched.world.shown());
        assert!(read.abs_diff(shown) < 40 * US, "step {step}: {read} for {shown}");
    }
    assert_eq!(watched.clock.account().disagreements, 0);
}

/// The reader is interrupted within the readings that give the first rate, in all of them, or between those and the
/// lines.
#[test]
fn first_lines_are_as_exact_as_later_ones_wherever_their_reader_is_stopped() {
    for reads in 0..40 {
        for (stopped, slow_until) in [(900, MS), (7 * US, MS), (60 * US, MS), (4 * MS, MS), (60 * US, 0), (200 * MS, 0)]
        {
            let watched = CheckedClock::new();
            let world = Rc::clone(&watched.world);
            world.slow_until.set(slow_until);
            watched.read();
            world.pass(MS);
            let inner = Rc::clone(&world);
            world.interrupt(reads, move || {
                inner.pass(stopped);
                inner.steer(i64::try_from(stopped / 2_000).unwrap()); // 500 ppm
            });
            for _ in 0..5_000 {
                let (before, read, after) = (world.shown(), watched.read(), world.shown());
                let fits = read + 10 * US >= before && read <= after + 10 * US;
                assert!(fits, "{reads} {stopped}: {read} for {before} to {after}");
                world.pass(US);
            }
            assert!(watched.is_counter());
        }
    }
}

#[test]
fn a_suspension_is_a_disagreement_and_the_counter_is_back_a_millisecond_later() {
    let watched = warm();
    watched.world.pass(3_600_000 * MS);
    watched.world.steer(-3_600_000_000_000);
    let read = watched.read();
    assert!(read.abs_diff(watched.world.shown()) < 210 * MS, "ahead by more than its lines");
    watched.read_for(250 * MS);
    assert_eq!(watched.clock.account().disagreements, 1);
    assert!(watched.is_counter());
    assert!(watched.read().abs_diff(watched.world.shown()) < US);
}

#[test]
fn after_an_idle_time_the_first_reading_is_the_counter_s() {
    let watched = warm();
    watched.world.pass(60_000 * MS);
    assert!(watched.is_counter());
    assert!(watched.read().abs_diff(watched.world.shown()) < US);
    assert_eq!(watched.clock.account().disagreements, 0);
}

#[test]
fn a_clock_that_ran_ahead_stands_no_longer_than_that() {
    let watched = warm();
    watched.read_to_the_next_look();
    watched.world.steer(-20_000_000);
    watched.read();
    let ahead = watched.read() - watched.world.shown();
    assert!((19 * MS..=20 * MS + 100 * US).contains(&ahead), "{ahead}");
}

#[test]
fn a_day_of_suspensions_does_not_refuse_the_counter_but_three_in_a_row_do() {
    let suspend = |watched: &CheckedClock| {
        watched.world.pass(20_000 * MS);
        watched.world.steer(-20_000_000_000);
    };
    let watched = warm();
    for _ in 0..5 {
        suspend(&watched);
        watched.read_for(15_000 * MS);
        assert!(watched.is_counter());
    }
    assert_eq!(watched.clock.account().disagreements, 5);
    for _ in 0..3 {
        assert!(watched.is_counter());
        suspend(&watched);
        watched.read_for(300 * MS);
    }
    assert!(!watched.is_counter());
    watched.read_for(1_000 * MS);
    assert!(!watched.is_counter());
    assert!(watched.read().abs_diff(watched.world.shown()) < 100);
}

#[test]
fn a_counter_that_the_system_leaves_is_left_within_a_hundred_comparisons() {
    let watched = warm();
    watched.world.counter_is_trusted.set(false);
    watched.read_for(11_000 * MS);
    assert!(!watched.is_counter());
    assert_eq!(watched.clock.account().disagreements, 0);
    watched.world.counter_is_trusted.set(true);
    watched.read_for(11_000 * MS);
    assert!(!watched.is_counter(), "for good");
    let never = CheckedClock::new();
    never.world.counter_is_trusted.set(false);
    let never = Disciplined::new(Rc::clone(&never.world));
    never.now();
    assert_eq!(never.account().comparisons, 0);
}

#[test]
fn a_child_of_a_fork_amid_a_comparison_compares_again() {
    let watched = warm();
    watched.clock.comparing.store(1, Ordering::Relaxed);
    watched.read_for(1_000 * MS);
    assert!(!watched.is_counter(), "the lines have ended, and a thread compares that never ends");
    watched.world.process.set(2);
    watched.read_for(MS);
    assert!(watched.is_counter());
}

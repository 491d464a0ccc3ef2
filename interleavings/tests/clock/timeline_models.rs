//! One thread reads while another writes, in every interleaving.

use super::atomic::{AtomicU64, Ordering};
use super::compare::restart;
use super::counter_and_clock::CounterAndClock;
use super::mapping::Line;
use super::timeline::{LinePair, Timeline};
use loom::sync::Arc;

/// A counter that advances with every reading, and a system's clock slightly ahead of it: lines drawn along the counter
/// are below the system's clock.
struct Ticking(AtomicU64);

impl CounterAndClock for Ticking {
    fn counter(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    fn system(&self) -> u64 {
        self.0.load(Ordering::SeqCst) + 7
    }

    fn counter_is_trusted(&self) -> bool {
        true
    }

    fn process(&self) -> u32 {
        1
    }
}

struct World {
    timeline: Timeline,
    clocks: Ticking,
    done: AtomicU64,
}

impl World {
    fn at_one() -> Self {
        Self { timeline: Timeline::new(), clocks: Ticking(AtomicU64::new(1)), done: AtomicU64::new(0) }
    }

    /// Reads as the clock does, and checks that no reading is below one that was completed when it began.
    fn read(&self) {
        let before = self.done.load(Ordering::Acquire);
        let counter = self.clocks.counter();
        let ns = self.timeline.at(counter).unwrap_or_else(|| self.timeline.now(&self.clocks));
        assert!(ns >= before, "{before} was done, then {ns}");
        self.done.fetch_max(ns, Ordering::AcqRel);
    }

    fn open(&self, interval: u64) {
        let line = Line { start: 0, value: 0, slope: 1 << 40 };
        self.timeline.open(&self.clocks, line, u64::MAX, 100, |first| restart(first, interval));
    }
}

/// Runs a reader beside a thread that writes and then reads, in every order in which each is interrupted up to twice.
fn model(prepare: fn(&World), write: fn(&World)) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let world = World { timeline: Timeline::new(), clocks: Ticking(AtomicU64::new(1)), done: AtomicU64::new(0) };
        let world = Arc::new(world);
        prepare(&world);
        let writer = {
            let world = Arc::clone(&world);
            loom::thread::spawn(move || {
                write(&world);
                world.read();
            })
        };
        world.read();
        world.read();
        writer.join().unwrap();
        world.read();
    });
}

#[test]
fn nobody_goes_back_while_lines_are_opened() {
    model(|_| {}, |world| world.open(1_000));
}

#[test]
fn nobody_goes_back_while_lines_end_and_others_follow() {
    model(|world| world.open(2), |world| world.open(1_000));
}

#[test]
fn nobody_goes_back_while_lines_are_withdrawn() {
    model(|world| world.open(1_000_000), |world| world.timeline.close(&world.clocks));
}

#[test]
fn nobody_goes_back_while_lines_are_continued() {
    let write = |world: &World| {
        if let Some(lines) = world.timeline.lines() {
            let next = Line { start: lines.end, value: lines.most, slope: 1 << 39 };
            world.timeline.go_on(&LinePair::new(lines.next, next, lines.end + 1_000));
        }
    };
    model(|world| world.open(2), write);
}

/// The writer writes twice, so that words are replaced while they are read. On all lines the time equals the counter.
#[test]
fn nobody_reads_lines_half_replaced() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let world = Arc::new(World::at_one());
        world.open(1_000_000);
        let writer = {
            let world = Arc::clone(&world);
            loom::thread::spawn(move || {
                for _ in 0..2 {
                    let line = |value| Line { start: value, value, slope: 1 << 40 };
                    let now = world.clocks.counter();
                    world.timeline.go_on(&LinePair::new(line(now), line(now + 1_000), now + 2_000));
                }
            })
        };
        let before = world.clocks.counter();
        let ns = world.timeline.now(&world.clocks);
        let after = world.clocks.counter();
        assert!((before..after).contains(&ns), "{ns} between {before} and {after}");
        writer.join().unwrap();
    });
}

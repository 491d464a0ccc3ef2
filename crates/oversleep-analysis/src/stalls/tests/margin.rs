//! Events far from stalls change nothing: what a recording keeps names each stall as the whole trace would.

use crate::attribution::Owner;
use crate::attribution::Timeline;
use crate::stalls::owners::{Events, own};
use oversleep_recording::StallWindow;
use oversleep_recording::trace::{Event, EventKind, Interrupt, KernelEvents, Task};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::BTreeMap;

const WATCHER: i32 = 900;

/// A simulated processor on which a thread spins, is interrupted and preempted, and reads counters after each stall.
struct Processor {
    dice: Pcg64,
    now: i64,
    /// The thread that runs: each event comes from it.
    running: i32,
    events: Vec<Event>,
    stalls: Vec<(Nanos, Nanos)>,
}

impl Processor {
    fn event(&mut self, after: i64, kind: EventKind) {
        self.now += after;
        let next = if let EventKind::Switch { next, .. } = &kind { next.tid } else { self.running };
        let thread = std::mem::replace(&mut self.running, next);
        self.events.push(Event { at: Nanos::new(self.now), cpu: 1, thread, kind });
    }

    fn interrupt(&mut self, what: &Interrupt, longest: i64) {
        self.event(20, EventKind::InterruptEntry { what: what.clone() });
        if self.dice.random_range(0..3) == 0 {
            let inner = Interrupt::Softirq(self.dice.random_range(0..9));
            self.event(50, EventKind::InterruptEntry { what: inner.clone() });
            self.event(longest / 3, EventKind::InterruptExit { what: inner });
        }
        let rest = self.dice.random_range(100..longest);
        self.event(rest, EventKind::InterruptExit { what: what.clone() });
        self.now += 20;
    }

    /// Switches the thread out for one to three others, one after another, and back in.
    fn preemption(&mut self) {
        let others = self.dice.random_range(1..4);
        let mut before = WATCHER;
        for next in (0..others).map(|other| 10 + other).chain([WATCHER]) {
            let task = |tid| Task { tid, comm: format!("task-{tid}"), prio: 120 };
            let after = self.dice.random_range(30..40_000);
            self.event(after, EventKind::Switch { prev: task(before), state: 0, next: task(next) });
            if self.dice.random_range(0..4) == 0 {
                self.interrupt(&Interrupt::Timer, 3_000);
            }
            before = next;
        }
        self.now += 30;
    }

    fn anything(&mut self) {
        let device = Interrupt::Device { irq: 36, name: "disk".to_owned() };
        match self.dice.random_range(0..4) {
            0 => self.interrupt(&Interrupt::Timer, 30_000),
            1 => self.interrupt(&device, 9_000),
            2 => self.preemption(),
            _ => self.now += 5_000,
        }
    }

    /// Adds a stall whose ends are known to some tens of ns, and a reading of counters that may itself be disturbed.
    fn stall(&mut self) {
        let from = self.now + self.dice.random_range(-40..40);
        self.anything();
        let until = (self.now + self.dice.random_range(-40..40)).max(from + 1);
        self.stalls.push((Nanos::new(from), Nanos::new(until)));
        self.now += self.dice.random_range(900..90_000);
        if self.dice.random_range(0..5) == 0 {
            self.anything();
        }
    }

    fn spin(&mut self) {
        self.now += self.dice.random_range(100..50_000);
        if self.dice.random_range(0..3) == 0 {
            // An interrupt too short for a stall.
            self.interrupt(&Interrupt::Timer, 700);
            self.now += self.dice.random_range(100..50_000);
        }
    }
}

fn by_the_whole_trace(timeline: &Timeline, from: Nanos, until: Nanos) -> BTreeMap<Owner, Nanos> {
    let mut sums = BTreeMap::new();
    for (owner, time) in timeline.cut(1, from, until) {
        *sums.entry(own(owner, WATCHER)).or_default() += time;
    }
    sums
}

#[test]
fn the_events_near_a_stall_name_the_same_owners_as_the_whole_trace() {
    let seed = 0x57a1_1ed0;
    println!("seed {seed:#x}");
    let dice = Pcg64::seed_from_u64(seed);
    let mut processor = Processor { dice, now: 1_000_000, running: WATCHER, events: Vec::new(), stalls: Vec::new() };
    for _ in 0..5_000 {
        processor.spin();
        processor.stall();
    }
    let Processor { events, stalls, .. } = processor;
    assert_eq!(misnamed(&events, &stalls, StallWindow::MARGIN), 0);
    // Without a margin some stalls have other owners, as their ends are not known to the nanosecond.
    assert!(misnamed(&events, &stalls, Nanos::ZERO) > 0);
}

/// Returns how many stalls have other owners if only events within `margin` of a stall are kept.
fn misnamed(events: &[Event], stalls: &[(Nanos, Nanos)], margin: Nanos) -> usize {
    let whole = Timeline::build(events, &[], -1);
    let near = |event: &&Event| {
        let ended = stalls.partition_point(|(_, until)| *until + margin < event.at);
        stalls.get(ended).is_some_and(|(from, _)| *from - margin <= event.at)
    };
    let kept: Vec<Event> = events.iter().filter(near).cloned().collect();
    assert!(kept.len() < events.len());
    let batch = KernelEvents { events: kept, gaps: Vec::new() };
    let kept = Events::new(&batch);
    let differ = |(from, until): &&(Nanos, Nanos)| {
        let owners: BTreeMap<_, _> = kept.owners(1, WATCHER, *from, *until).unwrap().into_iter().collect();
        owners != by_the_whole_trace(&whole, *from, *until)
    };
    stalls.iter().filter(differ).count()
}

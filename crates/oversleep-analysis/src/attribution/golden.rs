//! Tests with traces: handmade ones with one idea each, one captured, and random ones.

mod captured;
mod handmade;
mod lower;
mod random;

use super::TimedSleep;
use super::{Breakdown, Complete, Owner, PartKind};
use oversleep_recording::trace::{Event, EventKind, KernelEvents, OwnSwitch, Task, ThreadCounters};
use oversleep_sys::units::Nanos;

const SLEEPER: i32 = 100;

fn at(ns: i64) -> Nanos {
    Nanos::new(ns)
}

fn task(tid: i32, comm: &str) -> Task {
    Task { tid, comm: comm.to_owned(), prio: if tid == 7 { 19 } else { 120 } }
}

fn event(ns: i64, thread: i32, kind: EventKind) -> Event {
    Event { at: at(ns), cpu: 0, thread, kind }
}

fn switch(ns: i64, prev: i32, state: i64, next: i32) -> Event {
    let name = |tid| match tid {
        0 => task(0, "swapper/0"),
        SLEEPER => task(SLEEPER, "sleeper"),
        7 => task(7, "hog"),
        tid => task(tid, "other"),
    };
    event(ns, prev, EventKind::Switch { prev: name(prev), state, next: name(next) })
}

/// Returns a sleep of 1000 ns that starts at 10 000 and ends at `end`.
fn slept(end: i64) -> TimedSleep {
    TimedSleep {
        sequence: 0,
        requested: at(1_000),
        deadline: None,
        relative_unit: None,
        start: at(10_000),
        end: at(end),
        slack: Some(at(50)),
        counted: ThreadCounters::default(),
    }
}

/// Returns the usual sequence of events: armed, off, idle, interrupt, expiry, wake-up, on, back.
fn usual() -> Vec<Event> {
    let timer = 1;
    vec![
        switch(9_000, 0, 0, SLEEPER),
        event(10_020, SLEEPER, EventKind::TimerStart { timer, soft: at(11_010), hard: at(11_060) }),
        switch(10_050, SLEEPER, 1, 0),
        event(11_090, 0, EventKind::TimerInterrupt),
        event(11_105, 0, EventKind::TimerExpire { timer, now: at(11_100) }),
        event(11_110, 0, EventKind::Waking { tid: SLEEPER }),
        event(11_125, 0, EventKind::Wakeup { tid: SLEEPER, queue: None }),
        event(11_140, 0, EventKind::InterruptExit { what: oversleep_recording::trace::Interrupt::Timer }),
        switch(11_180, 0, 0, SLEEPER),
    ]
}

fn join(mut events: Vec<Event>, own: &[OwnSwitch], slept: TimedSleep) -> Breakdown {
    events.sort_by_key(|event| event.at);
    let batch = KernelEvents { events, gaps: Vec::new() };
    super::join::join(&batch, own, SLEEPER, &[slept]).0.remove(0)
}

fn times(breakdown: &Breakdown) -> Vec<(PartKind, i64)> {
    breakdown.parts.iter().map(|part| (part.kind, part.time.get())).collect()
}

fn owners(breakdown: &Breakdown, kind: PartKind) -> Vec<(Owner, i64)> {
    let parts = breakdown.parts.iter().filter(|part| part.kind == kind);
    parts.flat_map(|part| part.owners.iter().map(|(owner, time)| (owner.clone(), time.get()))).collect()
}

fn whole(breakdown: &Breakdown) {
    assert_eq!(breakdown.complete, Complete::Complete, "{breakdown:?}");
    assert_eq!(breakdown.sum(), breakdown.oversleep());
}

fn partial(breakdown: &Breakdown, why: &str) {
    assert_eq!(breakdown.complete, Complete::Partial(why.to_owned()), "{breakdown:?}");
}

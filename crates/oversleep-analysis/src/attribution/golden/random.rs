//! For any sequence of events: the sum holds, no part of a complete breakdown is negative, no owner has too much time.

use super::*;
use oversleep_recording::trace::Direction;
use oversleep_recording::trace::Interrupt;
use oversleep_recording::trace::OwnSwitches;
use proptest::prelude::*;

fn any_event_kind() -> impl Strategy<Value = EventKind> {
    let thread = prop_oneof![Just(0), Just(SLEEPER), Just(7), Just(8)];
    let state = prop_oneof![Just(0), Just(1), Just(4), Just(0x100)];
    prop_oneof![
        (0..3_i64, 10_900..11_200_i64, 0..200_i64).prop_map(|(timer, soft, slack)| EventKind::TimerStart {
            timer,
            soft: at(soft),
            hard: at(soft + slack)
        }),
        (0..3_i64, 10_900..12_500_i64).prop_map(|(timer, now)| EventKind::TimerExpire { timer, now: at(now) }),
        Just(EventKind::TimerInterrupt),
        Just(EventKind::InterruptExit { what: Interrupt::Timer }),
        (0..3_u32).prop_map(|vector| EventKind::InterruptEntry { what: Interrupt::Softirq(vector) }),
        (0..3_u32).prop_map(|vector| EventKind::InterruptExit { what: Interrupt::Softirq(vector) }),
        Just(EventKind::Waking { tid: SLEEPER }),
        Just(EventKind::Wakeup { tid: SLEEPER, queue: None }),
        (0..3_u16).prop_map(|queue| EventKind::Moved { tid: SLEEPER, queue }),
        (thread.clone(), state, thread).prop_map(|(prev, state, next)| switch(0, prev, state, next).kind),
    ]
}

fn course() -> impl Strategy<Value = Vec<Event>> {
    let extra = (9_500..13_000_i64, 0..2_u16, any_event_kind())
        .prop_map(|(ns, cpu, kind)| Event { cpu, ..event(ns, SLEEPER, kind) });
    (any::<bool>(), proptest::collection::vec(extra, 0..25)).prop_map(|(with, extra)| {
        let mut events = if with { usual() } else { Vec::new() };
        events.extend(extra);
        events
    })
}

fn records() -> impl Strategy<Value = Vec<OwnSwitch>> {
    let to = prop_oneof![Just(Direction::In), Just(Direction::OutWaiting), Just(Direction::OutPreempted)];
    let one = (9_500..13_000_i64, to).prop_map(|(ns, to)| OwnSwitch { at: at(ns), to, cpu: 0 });
    proptest::collection::vec(one, 0..6).prop_map(|mut all| {
        all.sort_by_key(|switch| switch.at);
        all
    })
}

proptest! {
    #[test]
    fn parts_sum_to_the_oversleep_or_the_reason_is_given(events in course(), own in records(), end in 10_500..13_000_i64) {
        let breakdown = join(events, &own, slept(end));
        if breakdown.is_complete() {
            prop_assert_eq!(breakdown.sum(), breakdown.oversleep());
            prop_assert!(breakdown.parts.iter().all(|part| part.time >= Nanos::ZERO));
            for part in &breakdown.parts {
                prop_assert!(part.owners.iter().all(|(_, time)| *time >= Nanos::ZERO));
                prop_assert!(part.owners.iter().map(|(_, time)| *time).sum::<Nanos>() <= part.time);
            }
        } else if let Complete::Partial(why) = &breakdown.complete {
            prop_assert!(!why.is_empty());
        }
        let lower = crate::attribution::switches::join(&own, 0, &[slept(end)]).remove(0);
        prop_assert!(!lower.is_complete() || lower.sum() == lower.oversleep());
    }

    /// Events and switches as a recording keeps them, written to its file's form and read back, give the same
    /// breakdown. (No handler reads a clock time after the sleep's end.)
    #[test]
    fn what_is_kept_splits_as_everything_does(events in course(), own in records(), end in 12_500..13_000_i64) {
        let mut events = events;
        events.sort_by_key(|event| event.at);
        let whole = KernelEvents { events, gaps: Vec::new() };
        let own = OwnSwitches { switches: own, lost: 0 };
        let slept = slept(end);
        let kept = whole.around(slept.start, slept.end);
        let kept_own = own.around(&kept, slept.start, slept.end);
        prop_assert!(kept.events.len() <= whole.events.len());
        let json = serde_json::to_string(&(&kept, &kept_own)).unwrap();
        let (kept, kept_own): (KernelEvents, OwnSwitches) = serde_json::from_str(&json).unwrap();
        let split = |events: &KernelEvents, own: &OwnSwitches| {
            super::super::join::join(events, &own.switches, SLEEPER, &[slept]).0.remove(0)
        };
        prop_assert_eq!(split(&kept, &kept_own), split(&whole, &own));
        let lower = |own: &OwnSwitches| crate::attribution::switches::join(&own.switches, 0, &[slept]);
        prop_assert_eq!(lower(&kept_own), lower(&own));
    }
}

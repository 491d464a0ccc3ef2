//! 24 sleeps of 1 ms on a busy machine (Linux 6.18, slack 50 µs), decoded from the raw trace pages.

use super::*;
use crate::attribution::join;
use oversleep_os::trace::format::{EventLayout, PageLayout};
use oversleep_os::trace::page::Page;
use oversleep_os::trace::tracked::{Decoder, TRACKED};

const FORMATS: &[&str] = &[
    include_str!("../../../tests/data/trace/format/hrtimer_start"),
    include_str!("../../../tests/data/trace/format/hrtimer_expire_entry"),
    include_str!("../../../tests/data/trace/format/sched_waking"),
    include_str!("../../../tests/data/trace/format/sched_wakeup"),
    include_str!("../../../tests/data/trace/format/sched_switch"),
    include_str!("../../../tests/data/trace/format/local_timer_entry"),
    include_str!("../../../tests/data/trace/format/local_timer_exit"),
    include_str!("../../../tests/data/trace/format/softirq_entry"),
    include_str!("../../../tests/data/trace/format/softirq_exit"),
    include_str!("../../../tests/data/trace/format/cpu_idle"),
    include_str!("../../../tests/data/trace/format/irq_handler_entry"),
    include_str!("../../../tests/data/trace/format/irq_handler_exit"),
];

fn events() -> Vec<Event> {
    let mut decoder = Decoder::default();
    for text in FORMATS {
        let format = EventLayout::parse(text).unwrap();
        decoder.add(TRACKED.iter().find(|row| row.name == format.name).unwrap(), &format).unwrap();
    }
    let layout = PageLayout::parse(include_str!("../../../tests/data/trace/header_page")).unwrap();
    let pages = include_bytes!("../../../tests/data/trace/sleeps-cpu0.raw").chunks(layout.page());
    let records = pages.flat_map(|bytes| Page::parse(bytes, &layout).unwrap().records()).map(Result::unwrap);
    records.filter_map(|record| decoder.decode(record.at, 0, record.bytes)).collect()
}

fn sleeps() -> (i32, Vec<TimedSleep>) {
    let mut lines = include_str!("../../../tests/data/trace/sleeps.txt").lines();
    let sleeper = lines.next().unwrap().strip_prefix("tid ").unwrap().parse().unwrap();
    let sleep = |line: &str| {
        let (start, end) = line.split_once(' ').unwrap();
        let (start, end) = (at(start.parse().unwrap()), at(end.parse().unwrap()));
        // Python's own sleep is absolute, to a deadline that it computes after our first reading: the timer shows it.
        TimedSleep { requested: Nanos::MILLISECOND, start, ..slept(end.get()) }
    };
    (sleeper, lines.map(sleep).collect())
}

#[test]
fn every_captured_sleep_is_complete_and_its_slack_is_the_setting() {
    let (sleeper, sleeps) = sleeps();
    let batch = KernelEvents { events: events(), gaps: Vec::new() };
    let (breakdowns, _) = join::join(&batch, &[], sleeper, &sleeps);
    assert_eq!(breakdowns.len(), 24);
    for breakdown in &breakdowns {
        whole(breakdown);
        assert!(breakdown.total(PartKind::Slack) <= Nanos::from_micros(50));
        assert!(breakdown.total(PartKind::Return) > Nanos::ZERO);
    }
    let full = breakdowns.iter().filter(|breakdown| breakdown.total(PartKind::Slack) == Nanos::from_micros(50));
    assert!(full.count() >= 20, "other timers cut the slack of a few short");
}

/// Splits the same sleeps by what a recording's file holds of their events: sleep by sleep, and all in one block.
#[test]
fn what_a_file_holds_splits_as_the_captured_events_do() {
    let (sleeper, sleeps) = sleeps();
    let batch = KernelEvents { events: events(), gaps: Vec::new() };
    let (whole, _) = join::join(&batch, &[], sleeper, &sleeps);
    let through_a_file = |from: Nanos, until: Nanos| -> KernelEvents {
        serde_json::from_str(&serde_json::to_string(&batch.around(from, until)).unwrap()).unwrap()
    };
    let block = through_a_file(sleeps[0].start, sleeps[23].end);
    assert_eq!(join::join(&block, &[], sleeper, &sleeps).0, whole);
    for (slept, breakdown) in sleeps.iter().zip(&whole) {
        let around = through_a_file(slept.start, slept.end);
        assert!(around.events.len() < batch.events.len() / 10);
        assert_eq!(&join::join(&around, &[], sleeper, &[*slept]).0[0], breakdown);
    }
}

//! Breakdowns of the lower tiers.

use super::*;
use crate::attribution::{counters, switches};
use PartKind::{NotYetRun, Preempted, Rest, Return, RunQueue, Slack};
use oversleep_recording::trace::Direction;

fn own(ns: i64, to: Direction) -> OwnSwitch {
    OwnSwitch { at: at(ns), to, cpu: 1 }
}

fn waited(ns: i64, end: i64) -> TimedSleep {
    let counted = ThreadCounters { run_delay: Some(at(ns)), preempted: Some(0), throttled: None };
    TimedSleep { counted, ..slept(end) }
}

#[test]
fn switches_split_at_the_switch_in() {
    let on = [own(10_050, Direction::OutWaiting), own(11_180, Direction::In)];
    let breakdown = switches::join(&on, 0, &[waited(30, 11_200)]).remove(0);
    whole(&breakdown);
    assert_eq!(times(&breakdown), [(Slack, 50), (NotYetRun, 100), (RunQueue, 30), (Return, 20)]);
}

#[test]
fn preempted_before_sleeping_and_after_waking() {
    let course = [
        own(10_010, Direction::OutPreempted),
        own(10_040, Direction::In),
        own(10_050, Direction::OutWaiting),
        own(11_180, Direction::In),
        own(11_190, Direction::OutPreempted),
        own(11_300, Direction::In),
    ];
    let breakdown = switches::join(&course, 0, &[waited(140, 11_310)]).remove(0);
    whole(&breakdown);
    assert_eq!(times(&breakdown), [(Slack, 50), (NotYetRun, 130), (Return, 10), (Preempted, 110), (Return, 10)]);
}

#[test]
fn what_switches_cannot_tell_is_partial() {
    let of = |own: &[OwnSwitch], lost, slept| switches::join(own, lost, &[slept]).remove(0);
    let course = [own(10_050, Direction::OutWaiting), own(11_180, Direction::In)];
    partial(&of(&[], 0, waited(0, 11_200)), "its switch off the processor was not seen");
    partial(&of(&course[..1], 0, waited(0, 11_200)), "its switch onto a processor was not seen");
    partial(&of(&course, 1, waited(0, 11_200)), "switch records were lost");
    partial(&of(&course, 0, waited(131, 11_200)), "it waited on run queues for longer than since its slack was over");
    partial(
        &of(&course, 0, TimedSleep { slack: None, ..waited(0, 11_200) }),
        "no rule is known for the slack of this call",
    );
    let within = [own(10_050, Direction::OutWaiting), own(11_030, Direction::In)];
    let breakdown = of(&within, 0, waited(0, 11_200));
    partial(&breakdown, "it ran before its slack was over, so how much was used is unknown");
    assert_eq!(breakdown.sum(), breakdown.oversleep());
}

#[test]
fn counters_tell_slack_and_waiting_alone() {
    let breakdown = counters::join(&[waited(30, 11_200)]).remove(0);
    whole(&breakdown);
    assert_eq!(times(&breakdown), [(Slack, 50), (RunQueue, 30), (Rest, 120)]);
    let nothing = counters::join(&[slept(11_200)]).remove(0);
    whole(&nothing);
    assert_eq!(times(&nothing), [(Slack, 50), (Rest, 150)]);
    partial(
        &counters::join(&[slept(11_049)]).remove(0),
        "it ran before its slack was over, so how much was used is unknown",
    );
    partial(&counters::join(&[slept(10_900)]).remove(0), "woke early");
}

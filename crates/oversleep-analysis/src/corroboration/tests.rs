use super::trace::traced;
use crate::attribution::{Breakdown, BreakdownBuilder, Owner, PartEvidence, PartKind};
use oversleep_sys::units::Nanos;

/// Returns a sleep with 50 µs of slack, an interrupt 25 µs late (20 of them to leave idle), `rest` µs to be woken, and
/// 8 µs in the run queue.
fn breakdown(sequence: u64, rest: i64, evidence: PartEvidence) -> Breakdown {
    let us = |us: i64| Nanos::from_micros(us);
    let mut chain = BreakdownBuilder::new(sequence, Nanos::ZERO, us(83 + rest));
    chain.part(PartKind::Slack, us(50), None, evidence);
    chain.part(PartKind::IrqLate, us(25), None, PartEvidence::Tracepoint).push((Owner::Idle(None), us(20)));
    chain.part(PartKind::Wake, us(rest), None, PartEvidence::Tracepoint);
    *chain.part(PartKind::RunQueue, us(8), None, PartEvidence::Tracepoint) =
        vec![(Owner::Timer, us(2)), (Owner::Softirq(9), us(1)), (Owner::Idle(Some(1)), us(4))];
    chain.finish()
}

#[test]
fn parts_go_to_their_causes_and_nothing_is_lost() {
    let breakdowns: Vec<Breakdown> = (0..300).map(|number| breakdown(number, 3, PartEvidence::Tracepoint)).collect();
    assert!(breakdowns.iter().all(Breakdown::is_complete));
    let witness = traced(7, "events", &breakdowns, &[Nanos::from_micros(80); 9], &[Nanos::from_micros(6); 5]);
    let us = |cause: &str| witness.parts.iter().find(|part| part.cause == cause).map(|part| part.p50.get() / 1_000);
    assert_eq!(us("timer-slack"), Some(50));
    assert_eq!(us("idle-exit"), Some(24));
    assert_eq!(us("late-interrupt"), Some(5));
    assert_eq!(us("constant-cost"), Some(5));
    assert_eq!(us("run-queue"), Some(2));
    assert_eq!(witness.parts.iter().map(|part| part.p50.get()).sum::<i64>(), 86_000);
    assert_eq!(witness.parts.iter().filter_map(|part| part.at_p99).map(Nanos::get).sum::<i64>(), 86_000);
    assert!((witness.parts.iter().map(|part| part.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!((witness.cell, witness.sleeps, witness.complete), (7, 300, 300));
    assert_eq!(
        (witness.traced_p50, witness.untraced_p50),
        (Some(Nanos::from_micros(86)), Some(Nanos::from_micros(80)))
    );
    assert_eq!(witness.shift.map(|shift| shift.size), Some(Nanos::from_micros(6)));
}

#[test]
fn slack_by_rule_is_no_observation() {
    let breakdowns: Vec<Breakdown> = (0..20).map(|number| breakdown(number, 3, PartEvidence::Known)).collect();
    let witness = traced(0, "switches", &breakdowns, &[], &[]);
    assert!(witness.parts.iter().all(|part| part.cause != "timer-slack"));
    assert!(witness.parts.iter().any(|part| part.cause == "unexplained" && part.p50 == Nanos::from_micros(50)));
    // 20 sleeps do not support a 99th percentile, and no untraced ones no median.
    assert!(witness.parts.iter().all(|part| part.at_p99.is_none()));
    assert_eq!((witness.untraced_p50, witness.shift), (None, None));
}

#[test]
fn too_few_sleeps_say_nothing() {
    assert!(traced(0, "events", &[breakdown(0, 3, PartEvidence::Tracepoint)], &[], &[]).parts.is_empty());
}

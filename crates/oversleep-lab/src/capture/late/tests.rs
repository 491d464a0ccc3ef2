//! Late sleeps among samples that nobody had to sleep.

use super::{Finding, Rule, Watch, cause, finding, sentence};
use crate::analysis::attribution::{Chain, Evidence, Owner, PartKind};
use crate::capture::trace::Tier;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Pattern, Plan, Turn};
use oversleep_recording::{Flags, Mark, Note, Periods, Sample, Unobtained};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

fn us(us: i64) -> Nanos {
    Nanos::from_micros(us)
}

fn rule(threshold: i64, stop: bool, most: u64) -> Rule {
    Rule { threshold: us(threshold), stop, most, best: None }
}

/// `planned` sleeps of 1 ms on two threads.
fn plan(planned: u64) -> Plan {
    let conditions = Conditions { threads: Some(2), ..Conditions::default() };
    let cell = Cell {
        id: 0,
        method: "nanosleep".to_owned(),
        pattern: Pattern::fixed(Nanos::MILLISECOND),
        clock: ClockName::Monotonic,
        conditions,
    };
    Plan { experiment: "measure".into(), cells: vec![cell], turns: vec![Turn { cell: 0, sleeps: planned }], seed: 1 }
}

/// Sleeps that were so many microseconds late, one after another.
fn samples(late: &[i64]) -> Vec<Sample> {
    let one = |(sequence, late): (u64, &i64)| Sample {
        sequence,
        requested: Nanos::MILLISECOND,
        start: Nanos::SECOND,
        end: Nanos::SECOND + Nanos::MILLISECOND + us(*late),
        cpu_end: 3,
        ..Sample::BLANK
    };
    (0..).zip(late).map(one).collect()
}

#[test]
fn later_than_allowed_is_late_and_exactly_as_late_is_not() {
    let mut watch = Watch::new(rule(50, false, 10), &plan(3));
    let found = watch.samples(&samples(&[49, 50, 51, -900]));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].mark.sequence, found[0].mark.length), (2, us(51)));
    let account = watch.finish();
    assert_eq!((account.slept, account.late, account.found, account.stopped), (4, 1, 1, false));
    assert_eq!((account.planned, account.cut), (6, 2), "three on each of two threads");
}

#[test]
fn a_stop_is_at_the_first_and_what_follows_is_counted() {
    let mut watch = Watch::new(rule(50, true, 10), &plan(10));
    let found = watch.samples(&samples(&[10, 60, 70, 10]));
    assert_eq!(found.iter().map(|finding| finding.mark.sequence).collect::<Vec<_>>(), [1]);
    assert!(watch.stopped());
    assert!(watch.samples(&samples(&[80])).is_empty());
    let account = watch.finish();
    assert_eq!((account.slept, account.late, account.after_stop), (5, 3, 3));
    assert_eq!((account.planned, account.cut), (20, 15));
}

#[test]
fn beyond_the_most_late_sleeps_are_counted_only() {
    let mut watch = Watch::new(rule(1, false, 2), &plan(5));
    assert_eq!(watch.samples(&samples(&[9, 9, 9, 9])).len(), 2);
    let account = watch.finish();
    assert_eq!((account.late, account.found), (4, 2));
}

#[test]
fn failed_calls_are_not_late() {
    let mut failed = samples(&[5_000]);
    failed[0].flags = Flags::FAILED;
    let mut watch = Watch::new(rule(1, true, 1), &plan(1));
    assert!(watch.samples(&failed).is_empty() && !watch.stopped());
}

#[test]
fn what_a_schedule_skipped_or_a_method_lacks_was_not_cut_off() {
    let mut periodic = plan(10);
    periodic.cells[0].pattern = Pattern::Periodic { period: Nanos::MILLISECOND };
    let mut watch = Watch::new(rule(1_000_000, false, 1), &periodic);
    watch.samples(&samples(&[1, 2, 3]));
    let account = |thread, skipped| Periods { thread, asked: 5 + skipped, skipped, ..Periods::default() };
    watch.learn(&Note { periods: vec![account(0, 4), account(1, 1)], ..Note::default() });
    assert_eq!((watch.finish().planned, watch.finish().cut), (20, 12));
    let missing = Unobtained { what: "nanosleep".into(), kind: "unavailable".into(), why: String::new() };
    watch.learn(&Note { unavailable: vec![missing], ..Note::default() });
    assert_eq!((watch.finish().planned, watch.finish().cut), (0, 0));
}

fn chain_owners(chain: &mut Chain, owners: &[(Owner, Nanos)]) {
    let time = owners.iter().map(|(_, time)| *time).sum();
    chain.part(PartKind::RunQueue, time, Some(1), Evidence::Tracepoint).extend_from_slice(owners);
}

/// Of a finding's environment.
fn variable(finding: &Finding, name: &str) -> String {
    let environment = finding.environment();
    environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

#[test]
fn a_command_finds_everything_in_its_environment() {
    let mut watch = Watch::new(rule(50, true, 10), &plan(10));
    let mut found = watch.samples(&samples(&[10, 60]));
    found[0].mark.trace = Some("run-late-1.txt".into());
    let of = |name| variable(&found[0], name);
    assert_eq!((of("OVERSLEEP_METHOD"), of("OVERSLEEP_LATE_NS")), ("nanosleep".into(), "60000".into()));
    assert_eq!((of("OVERSLEEP_REQUESTED_NS"), of("OVERSLEEP_DEADLINE_NS")), ("1000000".into(), "1001000000".into()));
    assert_eq!((of("OVERSLEEP_END_NS"), of("OVERSLEEP_SEQUENCE")), ("1001060000".into(), "1".into()));
    assert_eq!((of("OVERSLEEP_CPU"), of("OVERSLEEP_TRACE_FILE")), ("3".into(), "run-late-1.txt".into()));
    assert_eq!(of("OVERSLEEP_WITNESS"), "none");
    assert!(of("OVERSLEEP_WITNESS_REFUSED").contains("a simulated kernel keeps no trace"));
}

#[test]
fn the_explanation_names_the_largest_parts_and_who_had_them() {
    let due = Nanos::SECOND;
    let mut chain = Chain::new(7, due, due + us(812));
    chain.part(PartKind::Slack, us(50), None, Evidence::Known);
    let hog = Owner::Task { tid: 12, comm: "hog".into(), prio: 19 };
    chain.part(PartKind::RunQueue, us(750), Some(1), Evidence::Tracepoint).push((hog, us(700)));
    chain.part(PartKind::Return, us(12), Some(1), Evidence::Tracepoint);
    let breakdown = chain.finish();
    let place = Mark { length: us(812), at: due + us(812), ..Mark::default() };
    let refused = [(Tier::Events, Refusal::Forbidden("no".into()))];
    let finding = finding("nanosleep", us(1_000), place, Some((Tier::Switches, &breakdown)), &refused);
    assert_eq!(
        finding.mark.explanation,
        "812 µs late: 750 µs run queue (hog (12, real time 80)), 50.0 µs timer slack, 12.0 µs return to the program"
    );
    assert_eq!(finding.mark.cause, "run queue: hog (real time 80)");
    assert_eq!(finding.mark.refused, ["not by events: forbidden: no"]);
    assert_eq!((finding.due, cause(&breakdown)), (due, finding.mark.cause.clone()));
    let mut shared = Chain::new(7, due, due + us(10));
    let task = |comm: &str| Owner::Task { tid: 1, comm: comm.into(), prio: 120 };
    let owners = [(task("a"), us(1)), (task("b"), us(4)), (task("c"), us(3)), (task("d"), us(2))];
    chain_owners(&mut shared, &owners);
    let said = sentence(&shared.finish());
    assert_eq!(
        said,
        "10.0 µs late: 10.0 µs run queue (b (1, nice 0) 4.00 µs, c (1, nice 0) 3.00 µs, d (1, nice 0) 2.00 µs and 1 more)"
    );
    let mut torn = Chain::new(7, due, due + us(9));
    torn.trouble("its wake-up was not seen".into());
    torn.mark(PartKind::Rest, due + us(9), None, Evidence::Inferred).push((Owner::Timer, us(9)));
    let said = sentence(&torn.finish());
    assert_eq!(said, "9.00 µs late: 9.00 µs not told apart (timer interrupt) (partial: its wake-up was not seen)");
}

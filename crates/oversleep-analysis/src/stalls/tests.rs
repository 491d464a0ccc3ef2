//! Tests of the causes of stalls.

mod facts;
mod margin;

use super::name::{StallFacts, name, shares};
use crate::attribution::Owner;
use oversleep_recording::Stall;
use oversleep_recording::document::stalls::{NamedStall, StallKind};
use oversleep_recording::trace::{ProcessorCounters, ThreadCounters};
use oversleep_sys::units::Nanos;

fn us(us: i64) -> Nanos {
    Nanos::from_micros(us)
}

fn task(comm: &str) -> Owner {
    Owner::Task { tid: 7, comm: comm.to_owned(), prio: 120 }
}

const UNSEEN: &str = StallKind::Unseen.phrase();
const AT_ONCE: &str = StallKind::AtOnce.phrase();

/// Returns the sentence that explains a stall.
fn explained(evidence: &StallFacts) -> String {
    let verdict = name(evidence);
    let known = Some(verdict.evidence(evidence));
    let (cause, witness, together) = (verdict.cause, verdict.witness.to_owned(), evidence.together.clone());
    NamedStall { cause, witness, together, evidence: known, ..NamedStall::default() }.explanation()
}

/// Returns a stall of 100 µs, seen by a trace.
fn traced(owners: &[(Owner, i64)]) -> StallFacts {
    let owners = owners.iter().map(|(owner, time)| (owner.clone(), us(*time))).collect();
    StallFacts { length: us(100), owners: Some(owners), usual: us(3), ..StallFacts::default() }
}

/// Returns a stall of 100 µs, seen by counters.
fn counted(interrupts: &[(&str, u64)], preempted: i64, run_delay: i64) -> StallFacts {
    let thread =
        ThreadCounters { run_delay: Some(us(run_delay)), preempted: Some(preempted), throttled: Some(Nanos::ZERO) };
    let rows = |rows: &[(&str, u64)]| rows.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    let processor = ProcessorCounters {
        stolen: Some(Nanos::ZERO),
        interrupts: Some(rows(interrupts)),
        softirqs: Some(Vec::new()),
        smi: Some(0),
        heat: Some(0),
    };
    let counted = Stall { thread: Some(thread), processor: Some(processor), ..Stall::default() };
    StallFacts { length: us(100), counted, usual: us(3), ..StallFacts::default() }
}

#[test]
fn the_trace_names_owners_and_the_shares_sum_to_the_stall() {
    let evidence = traced(&[(task("hog"), 70), (Owner::Timer, 20), (Owner::Sleeper, 10)]);
    let verdict = name(&evidence);
    assert_eq!((verdict.cause.as_str(), verdict.witness), ("hog", "trace"));
    assert_eq!(explained(&evidence), "hog (7, nice 0) 70.0 µs, timer interrupt 20.0 µs, unseen 10.0 µs");
    let shares = shares(&evidence, &verdict);
    assert_eq!(shares.iter().map(|(_, time)| *time).sum::<Nanos>(), evidence.length);
    assert!(shares.iter().all(|(cause, _)| cause != UNSEEN), "{shares:?}");
}

#[test]
fn what_the_trace_does_not_see_is_nobodys_unless_something_tells() {
    let unseen = traced(&[(Owner::Sleeper, 90), (Owner::Timer, 10)]);
    assert_eq!(name(&unseen).cause, UNSEEN);
    let at_once = StallFacts { together: vec![2, 3], ..unseen.clone() };
    assert_eq!(name(&at_once).cause, AT_ONCE);
    assert!(explained(&at_once).ends_with("with processor 2, 3 at the same time"));
    let grown =
        |smi, stolen| ProcessorCounters { smi: Some(smi), stolen: Some(stolen), ..ProcessorCounters::default() };
    let with =
        |processor| StallFacts { counted: Stall { processor: Some(processor), ..Stall::default() }, ..unseen.clone() };
    assert_eq!(name(&with(grown(1, Nanos::ZERO))).cause, "system-management interrupt");
    let stolen = with(grown(0, us(10_000)));
    assert_eq!(name(&stolen).cause, "stolen by the host");
    assert!(explained(&stolen).contains("10.0 ms stolen by the host"), "{}", explained(&stolen));
}

#[test]
fn processors_whose_ticks_coincide_are_no_host() {
    // With a trace: named by its owners, whatever happens on other processors.
    let ticks = StallFacts { together: vec![2], ..traced(&[(Owner::Timer, 90), (Owner::Sleeper, 10)]) };
    assert_eq!(name(&ticks).cause, "timer interrupt");
    // With counters: other processors count only if the length is unusual.
    let usual = StallFacts { together: vec![2], usual: us(60), ..counted(&[("local timer", 1)], 0, 0) };
    assert_eq!(name(&usual).cause, "local timer interrupt");
    let unusual = StallFacts { usual: us(3), ..usual };
    assert_eq!(name(&unusual).cause, AT_ONCE);
}

#[test]
fn counters_say_who_it_may_have_been() {
    let evidence = counted(&[("local timer", 1)], 2, 95);
    assert_eq!(name(&evidence).cause, "another thread ran");
    assert_eq!(explained(&evidence), "another thread ran (preempted 2 ×, 95.0 µs on the run queue)");
    let evidence = counted(&[("local timer", 2), ("36 disk", 1)], 0, 0);
    assert_eq!(name(&evidence).cause, "interrupt 36 disk");
    assert_eq!(explained(&evidence), "2 × local timer interrupt, interrupt 36 disk");
    let evidence = counted(&[], 0, 0);
    let verdict = name(&evidence);
    assert_eq!((verdict.cause.as_str(), verdict.witness), (UNSEEN, "counters"));
    assert!(explained(&evidence).contains("no counter moved"), "{}", explained(&evidence));
}

#[test]
fn nothing_read_is_nothing_said() {
    let verdict = name(&StallFacts { length: us(5), ..StallFacts::default() });
    assert_eq!(verdict.witness, "none");
    assert!(verdict.cause.contains("not read"), "{}", verdict.cause);
}

#[test]
fn counters_shared_with_earlier_stalls_say_so() {
    let mut evidence = counted(&[("local timer", 4)], 0, 0);
    evidence.counted.processor_since = 3;
    assert!(explained(&evidence).ends_with("counted over this stall and the 3 before it"));
}

#[test]
fn a_quota_takes_the_blame_before_everything_else() {
    let mut evidence = counted(&[], 1, 90);
    if let Some(grown) = &mut evidence.counted.thread {
        grown.throttled = Some(us(60));
    }
    assert_eq!(name(&evidence).cause, "control group's quota");
}

use super::*;
use crate::analysis::attribution::{Breakdown, Chain, Evidence, Owner, PartKind};
use crate::capture::sleeps::Stop;
use oversleep_os::trace::Setup;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::Conditions;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

fn options() -> Options {
    Options {
        method: MethodId::Nanosleep,
        requested: Nanos::MILLISECOND,
        sleeps: 6,
        block: 3,
        conditions: Conditions::default(),
        best: Tier::Events,
        setup: Setup::default(),
        stop: Stop::default(),
    }
}

fn breakdown(sequence: u64, waited: i64) -> Breakdown {
    let mut chain = Chain::new(sequence, Nanos::ZERO, Nanos::new(53_000 + waited));
    chain.part(PartKind::Slack, Nanos::from_micros(50), None, Evidence::Known);
    let hog = Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 };
    *chain.part(PartKind::RunQueue, Nanos::new(waited), Some(0), Evidence::Tracepoint) =
        vec![(hog, Nanos::new(waited))];
    chain.part(PartKind::Return, Nanos::from_micros(3), Some(0), Evidence::Tracepoint);
    chain.finish()
}

fn run() -> Run {
    Run {
        tier: Tier::Switches,
        refused: vec![(Tier::Events, Refusal::Forbidden("tracefs is for root".to_owned()))],
        missing: Vec::new(),
        own_switches: true,
        conditions_refused: Vec::new(),
        obtained: Conditions::default(),
        breakdowns: (0..6).map(|n| breakdown(n, 1_000 * i64::try_from(n).unwrap())).collect(),
        untraced: (0..6).map(|n| Nanos::from_micros(50 + n)).collect(),
        shifts: (0..6).map(|n| Nanos::from_micros(1 + n)).collect(),
        breaks: 0,
        lost: 0,
        interrupted: 0,
        ended: None,
    }
}

#[test]
fn the_budget_is_told_with_its_means_and_its_price() {
    let (options, run) = (options(), run());
    let text = Findings::new(&options, &run).text(Look::PLAIN);
    let expected = "\
nanosleep of 1.00 ms: 55.0 µs late at the median, – at p99

Part                   Sleep at p50  Sleep at p99  Own p50  Own p99   Share
timer slack                 50.0 µs             –  50.0 µs        –  90.1 %
run queue                   2.00 µs             –  2.00 µs        –   4.5 %
return to the program       3.00 µs             –  3.00 µs        –   5.4 %
= oversleep                 55.0 µs             –
of it unexplained                                     0 ns        –   0.0 %
The parts of one sleep sum to its oversleep to the nanosecond; medians of parts do not sum.

Who had the processor  During     Sleeps  Together
hog (real time 80)     run queue       5   15.0 µs

Complete: 6 of 6 traced sleeps (100.0 %).
Tracing shifted the median by +3.00 µs, 95 % between +1.00 µs and +5.00 µs (6 pairs of blocks side by side; untraced 52.0 µs).
Tier: the thread's own switch records, schedstat and the slack by rule.
  not events: forbidden: tracefs is for root
";
    assert_eq!(text, expected);
}

#[test]
fn json_carries_figures_and_null_where_there_are_none() {
    let (options, run) = (options(), run());
    let findings = Findings::new(&options, &run);
    let document = findings.json(true);
    assert_eq!(document["tier"], "switches");
    assert_eq!(document["higher_tiers"][0]["why"]["forbidden"], "tracefs is for root");
    assert_eq!(document["trace_shift_ns"], 3_000);
    assert_eq!(document["trace"]["oversleep"]["p99_ns"], Value::Null);
    assert_eq!(document["sleeps"].as_array().unwrap().len(), 6);
    assert_eq!(findings.json(false).get("sleeps"), None);
}

#[test]
fn nothing_measured_is_said_to_be_nothing() {
    let options = options();
    let empty = Run { breakdowns: Vec::new(), untraced: Vec::new(), shifts: Vec::new(), ..run() };
    let text = Findings::new(&options, &empty).text(Look::PLAIN);
    assert!(text.contains("not enough complete sleeps to tell") && text.contains("0 of 0"), "{text}");
}

use super::*;
use oversleep_analysis::attribution::{Breakdown, BreakdownBuilder, Owner, PartEvidence, PartKind, spread, summarise};
use oversleep_figures::interval::median_difference;
use oversleep_recording::RefusedTier;
use oversleep_recording::document::trace::{Traced, Untraced};
use oversleep_recording::plan::Conditions;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use serde_json::{Value, to_value};

fn breakdown(sequence: u64, waited: i64) -> Breakdown {
    let mut chain = BreakdownBuilder::new(sequence, Nanos::ZERO, Nanos::new(53_000 + waited));
    chain.part(PartKind::Slack, Nanos::from_micros(50), None, PartEvidence::Known);
    let hog = Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 };
    *chain.part(PartKind::RunQueue, Nanos::new(waited), Some(0), PartEvidence::Tracepoint) =
        vec![(hog, Nanos::new(waited))];
    chain.part(PartKind::Return, Nanos::from_micros(3), Some(0), PartEvidence::Tracepoint);
    chain.finish()
}

fn document(breakdowns: Vec<Breakdown>, untraced: &[i64], shifts: &[i64]) -> Trace {
    let shifts: Vec<Nanos> = shifts.iter().map(|ns| Nanos::new(*ns)).collect();
    let shift = median_difference(&shifts);
    let why = Refusal::Forbidden("tracefs is for root".to_owned());
    Trace {
        format: 1,
        method: "nanosleep".to_owned(),
        requested: Nanos::MILLISECOND,
        conditions: TraceConditions { asked: Conditions::default(), obtained: Conditions::default() },
        tier: Tier::Switches,
        own_switches: true,
        higher_tiers: vec![RefusedTier { tier: Tier::Events, why }],
        trace: summarise(&breakdowns),
        complete_share: (!breakdowns.is_empty()).then_some(1.0),
        traced: spread(breakdowns.iter().map(|breakdown| breakdown.oversleep().get()).collect()),
        untraced: Untraced { n: untraced.len() as u64, spread: spread(untraced.to_vec()) },
        trace_shift: shift.map(|apart| apart.size),
        trace_shift_low: shift.map(|apart| apart.low),
        trace_shift_high: shift.map(|apart| apart.high),
        pairs: shifts.len(),
        hidden_breaks: 0,
        lost_events: 0,
        interrupted: 0,
        ended_early: None,
        unavailable: Vec::new(),
        sleeps: Some(breakdowns),
    }
}

fn run() -> Trace {
    let us = |from: i64| [0, 1, 2, 3, 4, 5].map(|n| 1_000 * (from + n));
    let breakdowns = (0..6).map(|n| breakdown(n, 1_000 * i64::try_from(n).unwrap())).collect();
    document(breakdowns, &us(50), &us(1))
}

#[test]
fn the_budget_is_told_with_its_means_and_its_price() {
    let text = text(&[run()], None, Screen::PLAIN);
    let expected = "\
nanosleep of 1.00 ms: 55.0 µs late at the median, – at p99

Part                   Sleep at p50  Sleep at p99  p50 of part  p99 of part   Share
timer slack                 50.0 µs             –      50.0 µs            –  90.1 %
run queue                   2.00 µs             –      2.00 µs            –   4.5 %
return to the program       3.00 µs             –      3.00 µs            –   5.4 %
= oversleep                 55.0 µs             –
of it unexplained                                         0 ns            –   0.0 %
The parts of one sleep sum to its oversleep to the nanosecond; medians of parts do not sum.

Who had the processor  During     Sleeps  Total time
hog (real time 80)     run queue       5     15.0 µs

Complete: 6 of 6 traced sleeps (100.0 %).
Tracing shifted the median by +3.00 µs, 95 % between +1.00 µs and +5.00 µs (6 pairs of blocks side by side; untraced 52.0 µs).
Tier: the thread's own switch records, schedstat and the slack by rule.
  not events: forbidden: tracefs is for root
";
    assert_eq!(text, expected);
}

#[test]
fn json_carries_figures_and_null_where_there_are_none() {
    let both = [run(), Trace { sleeps: None, ..run() }];
    let document = to_value(Traced::new(&both[..1], None)).unwrap();
    assert_eq!(document["tier"], "switches");
    assert_eq!(document["higher_tiers"][0]["why"]["forbidden"], "tracefs is for root");
    assert_eq!(document["trace_shift_ns"], 3_000);
    assert_eq!(document["trace"]["oversleep"]["p99_ns"], Value::Null);
    assert_eq!(document["sleeps"].as_array().unwrap().len(), 6);
    assert_eq!(to_value(Traced::new(&both[1..], None)).unwrap().get("sleeps"), None);
    let several = to_value(Traced::new(&both, None)).unwrap();
    assert_eq!((&several["format"], &several["breakdowns"][0]), (&Value::from(1), &document));
}

#[test]
fn nothing_measured_is_said_to_be_nothing() {
    let text = text(&[document(Vec::new(), &[], &[])], None, Screen::PLAIN);
    assert!(text.contains("too few complete sleeps") && text.contains("0 of 0"), "{text}");
}

#[test]
fn several_budgets_name_the_conditions_in_which_they_differ() {
    let slack = Conditions { timer_slack: Some(Nanos::new(1)), ..Conditions::default() };
    let conditions = TraceConditions { asked: slack.clone(), obtained: slack };
    let text = text(&[run(), Trace { conditions, ..run() }], None, Screen::PLAIN);
    assert!(text.contains("nanosleep of 1.00 ms, default: 55.0 µs late"), "{text}");
    assert!(text.contains("nanosleep of 1.00 ms, slack 1 ns: 55.0 µs late"), "{text}");
}

use super::document::{Known, judge};
use super::planted::{Planted, run};
use super::rules::RequestRule;
use super::schedule::settled;
use super::share::share;
use oversleep_recording::document::runtimes::Mechanism;
use oversleep_sys::units::Nanos;

/// The slack with which planted runtimes are started, in ns.
const SLACK: Known = Known { own_slack: Some(1.0), proved: None, load_inside: false, compiles: false };

fn found(rule: Planted, busy: bool, seed: u64) -> (Vec<(Mechanism, f64)>, Option<String>) {
    let (api, native) = run(rule, busy, seed);
    let (api, rearmed) = settled(api);
    let (mechanisms, open) = judge(&api, &native, rearmed, SLACK);
    (mechanisms.iter().map(|found| (found.mechanism, found.size.as_f64())).collect(), open)
}

#[test]
fn each_of_twelve_planted_rules_is_named_and_sized_and_nothing_else_is_said() {
    let mut wrong = Vec::new();
    for rule in Planted::ALL {
        for busy in [false, true] {
            for seed in 1..=5 {
                let (found, open) = found(rule, busy, seed);
                let sized = match (rule.expected(), found.as_slice()) {
                    (None, []) => true,
                    (Some((wanted, size)), [(mechanism, found)]) => {
                        wanted == *mechanism && (found - size).abs() <= (0.05 * size).max(10e3)
                    }
                    _ => false,
                };
                if !sized || open.is_some() {
                    wrong.push(format!("{rule:?}, busy {busy}, seed {seed}: {found:?} {open:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_constant_is_a_timer_thread_s_slack_only_where_none_was_in_force() {
    let (api, native) = run(Planted::TimerThreadSlack, false, 1);
    for (own, wanted) in [(None, Mechanism::AddsConstant), (Some(50e3), Mechanism::AddsConstant)] {
        assert_eq!(judge(&api, &native, false, Known { own_slack: own, ..Known::default() }).0[0].mechanism, wanted);
    }
}

#[test]
fn one_request_alone_names_no_rule() {
    let (api, native) = run(Planted::RoundsUp, false, 1);
    let named = |requests: usize| judge(&api[..requests], &native[..requests], false, Known::default()).0;
    assert_eq!(named(4)[0].mechanism, Mechanism::RoundedUp);
    let (mechanisms, open) = judge(&api[..1], &native[..1], false, Known::default());
    assert!(mechanisms.is_empty() && open.is_some_and(|open| open.contains("give several")), "{mechanisms:?}");
}

#[test]
fn a_rule_that_the_trace_proves_needs_no_second_request_and_contradicts_no_sample() {
    let (api, native) = run(Planted::RoundsUp, true, 1);
    let told = |rule: RequestRule| Known { proved: Some(rule), ..Known::default() };
    let (mechanisms, open) = judge(&api[..1], &native[..1], false, told(RequestRule::RoundedUp(1e6)));
    let found: Vec<_> = mechanisms.iter().map(|found| (found.mechanism, found.size)).collect();
    assert_eq!((found, open), (vec![(Mechanism::RoundedUp, Nanos::MILLISECOND)], None));
    // What it leaves is open still, and the rule is stated all the same.
    let (adds, native) = run(Planted::Coalesces, false, 1);
    let (mechanisms, open) = judge(&adds, &native, false, told(RequestRule::Truncated(1e6)));
    assert!(mechanisms.iter().any(|found| found.mechanism == Mechanism::Truncated), "{mechanisms:?} {open:?}");
}

#[test]
fn what_delays_every_sleep_is_no_yielding() {
    let (mut api, native) = run(Planted::YieldsFirst, false, 1);
    for point in api.iter_mut().flat_map(|of| &mut of.points) {
        point.end += 300e3;
    }
    let (mechanisms, open) = judge(&api, &native, false, SLACK);
    assert!(mechanisms.is_empty() && open.is_some(), "{mechanisms:?}");
}

#[test]
fn without_a_primitive_beside_it_nothing_is_judged() {
    let (api, _) = run(Planted::Adds, false, 1);
    let (mechanisms, open) = judge(&api, &[], false, Known::default());
    assert!(mechanisms.is_empty() && open.is_some());
}

#[test]
fn the_share_is_the_difference_of_blocks_with_its_interval() {
    let (api, native) = run(Planted::Adds, false, 1);
    let share = share(&api[0], &native[0]).unwrap();
    assert_eq!(share.blocks, 6);
    assert!(share.low <= share.size && share.size <= share.high);
    assert!((share.size - Nanos::MILLISECOND).abs() < Nanos::from_micros(3), "{}", share.size);
}

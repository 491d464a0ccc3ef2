use super::document::{ApiContext, judge};
use super::planted::{Planted, drifting, run};
use super::points::RequestSeries;
use super::rules::{RequestRule, TimeRule};
use super::schedule::settled;
use super::share::share;
use oversleep_recording::Difference;
use oversleep_recording::document::runtimes::Mechanism;
use oversleep_sys::units::Nanos;

/// The slack with which planted runtimes are started, in ns.
const SLACK: ApiContext<'_> = ApiContext { own_slack: Some(1.0), proved: None, told: &[], starts_cold: false };

#[test]
fn each_of_twelve_planted_rules_is_named_and_sized_and_nothing_else_is_said() {
    let mut wrong = Vec::new();
    for rule in Planted::ALL {
        for busy in [false, true] {
            for seed in 1..=5 {
                let (api, native, slip) = drifting(rule, busy, seed);
                let (api, rearmed) = settled(api);
                let (found, open) = judge(&api, &native, rearmed, SLACK);
                let sized = match (rule.expected(slip), found.as_slice()) {
                    (None, []) => true,
                    (Some((wanted, size)), [found]) => {
                        let error = (found.size.as_f64() - size).abs();
                        wanted == found.mechanism && error <= (0.05 * size).max(10e3)
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

/// tokio counts deadlines in milliseconds since its start, and rounds the wait for one up to whole milliseconds.
#[test]
fn a_deadline_and_its_wait_may_both_be_rounded_up() {
    for seed in 1..=5 {
        let (mut api, native) = run(Planted::Nothing, false, seed);
        for point in api.iter_mut().flat_map(|of| &mut of.points) {
            let due = TimeRule::CoalescedThenRounded(1e6).due(point.start, point.requested, 0.3e6);
            point.end = due + point.lateness();
        }
        let (found, open) = judge(&api, &native, false, SLACK);
        let named: Vec<_> = found.iter().map(|found| (found.mechanism, found.size)).collect();
        let ms = Nanos::MILLISECOND;
        assert_eq!(named, [(Mechanism::Coalesced, ms), (Mechanism::RoundedUp, ms)], "seed {seed}: {open:?}");
        assert_eq!(open, None);
    }
}

/// Rounding up to 5 ms was told as truncation, a least request and a constant, which make the same of four requests.
#[test]
fn a_rule_of_a_rare_unit_is_named_alone_or_stays_open() {
    let cases = [
        (RequestRule::RoundedUp(5e6), TimeRule::Exact, Some((Mechanism::RoundedUp, 5e6))),
        (RequestRule::RoundedUp(2.5e6), TimeRule::Exact, Some((Mechanism::RoundedUp, 2.5e6))),
        (RequestRule::RoundedUp(7e6), TimeRule::Exact, None),
        (RequestRule::Exact, TimeRule::Coalesced(3e6), Some((Mechanism::Coalesced, 3e6))),
        (RequestRule::Exact, TimeRule::Coalesced(20e6), Some((Mechanism::Coalesced, 20e6))),
        (RequestRule::Exact, TimeRule::Coalesced(7e6), None),
        (RequestRule::Exact, TimeRule::Cached(2e6), Some((Mechanism::CachedClock, 2e6))),
    ];
    let mut wrong = Vec::new();
    for (request, time, wanted) in cases {
        for seed in 1..=3 {
            let (mut api, native) = run(Planted::Nothing, false, seed);
            for point in api.iter_mut().flat_map(|of| &mut of.points) {
                let waits = request.apply(point.requested, point.index, |_| 0.0);
                let due = time.due(point.start, waits.total(), 0.3e6);
                point.end = due.max(point.start) + point.lateness();
            }
            let (found, open) = judge(&api, &native, false, SLACK);
            let named: Vec<_> = found.iter().map(|one| (one.mechanism, one.size.as_f64())).collect();
            let is_right =
                if let Some(wanted) = wanted { named == [wanted] } else { named.is_empty() && open.is_some() };
            if !is_right {
                wrong.push(format!("{request:?} {time:?} seed {seed}: {named:?} {open:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sleeps_that_end_early_by_no_rule_are_said_to() {
    let (mut api, native) = run(Planted::Nothing, false, 1);
    api.iter_mut().flat_map(|of| &mut of.points).step_by(3).for_each(|point| point.end -= 200e3);
    let (mechanisms, open) = judge(&api, &native, false, SLACK);
    assert!(mechanisms.is_empty(), "{mechanisms:?}");
    assert_eq!(open.as_deref(), Some("33 % of its sleeps end early, by no rule tried here"));
}

#[test]
fn what_the_kernel_was_told_contradicts_a_rule() {
    use oversleep_recording::document::runtimes::{KernelRequest, RequestChange};
    let (api, native) = run(Planted::RoundsUp, false, 1);
    let of = |told: i64| KernelRequest {
        requested: Nanos::from_micros(1_500),
        call: Some("nanosleep".to_owned()),
        told: vec![Nanos::from_micros(told)],
        exact: true,
        rule: Some(RequestChange::Longer),
        sleeps: 20,
        agreeing: 20,
        own: 20,
        shared: 0,
        by_others: 0,
    };
    let judged = |told: i64| judge(&api, &native, false, ApiContext { told: &[of(told)], ..SLACK });
    assert_eq!(judged(2_000).1, None);
    let (mechanisms, open) = judged(5_000);
    assert!(mechanisms.is_empty(), "{mechanisms:?}");
    assert_eq!(open.as_deref(), Some("no rule tried here makes 5.00 ms of 1.50 ms, which the kernel was told"));
}

/// A drift is what a schedule slips by: with few long delays, far more than the usual lateness.
#[test]
fn a_drift_is_the_mean_of_what_every_tick_adds() {
    for seed in 1..=5 {
        let (api, native, slip) = drifting(Planted::Drifts, true, seed);
        let (api, rearmed) = settled(api);
        let size = judge(&api, &native, rearmed, SLACK).0[0].size.as_f64();
        let usual = api.iter().map(RequestSeries::median_lateness).sum::<f64>() / api.len() as f64;
        assert!((size - slip).abs() < 1.0 && slip > 4.0 * usual, "seed {seed}: {size} {slip} {usual}");
    }
}

#[test]
fn a_constant_is_a_timer_thread_s_slack_only_where_none_was_in_force() {
    let (api, native) = run(Planted::TimerThreadSlack, false, 1);
    for (own, wanted) in [(None, Mechanism::AddsConstant), (Some(50e3), Mechanism::AddsConstant)] {
        assert_eq!(
            judge(&api, &native, false, ApiContext { own_slack: own, ..ApiContext::default() }).0[0].mechanism,
            wanted
        );
    }
}

/// Waking from an idle processor costs more than beside a running thread, for the primitive as for the runtime.
#[test]
fn a_constant_is_named_where_the_primitive_s_own_earliest_sleeps_are_as_much_earlier() {
    let (mut api, mut native) = run(Planted::TimerThreadSlack, false, 1);
    for of in api.iter_mut().chain(&mut native) {
        of.points.iter_mut().step_by(6).for_each(|point| point.end -= 20e3);
    }
    let (found, open) = judge(&api, &native, false, SLACK);
    let named: Vec<Mechanism> = found.iter().map(|one| one.mechanism).collect();
    assert_eq!((named, open), (vec![Mechanism::TimerThreadSlack], None));
}

#[test]
fn one_request_alone_names_no_rule() {
    let (api, native) = run(Planted::RoundsUp, false, 1);
    let named = |requests: usize| judge(&api[..requests], &native[..requests], false, ApiContext::default()).0;
    assert_eq!(named(4)[0].mechanism, Mechanism::RoundedUp);
    let (mechanisms, open) = judge(&api[..1], &native[..1], false, ApiContext::default());
    assert!(mechanisms.is_empty() && open.is_some_and(|open| open.contains("give several")), "{mechanisms:?}");
}

/// Whatever requests were chosen, no rule for requests is named but the one that is there. (A clock that is read every
/// millisecond makes sleeps begin and end with it, and then cuts off as much as truncation.)
#[test]
fn requests_that_do_not_tell_rules_apart_name_none() {
    let mut wrong = Vec::new();
    let told_apart = |rule: &Planted| !matches!(rule, Planted::Truncates | Planted::CachedClock);
    for rule in Planted::ALL.into_iter().filter(told_apart) {
        for chosen in 1..16_usize {
            let (api, native, slip) = drifting(rule, false, 1);
            let is_chosen = |at: &usize| chosen & (1 << at) != 0;
            let of = |all: &[RequestSeries]| (0..4).filter(is_chosen).map(|at| all[at].clone()).collect::<Vec<_>>();
            let (api, rearmed) = settled(of(&api));
            let (found, open) = judge(&api, &of(&native), rearmed, SLACK);
            let named: Vec<_> = found.iter().map(|one| (one.mechanism, one.size)).collect();
            let is_true = |one: &(Mechanism, Nanos)| rule.expected(slip).is_some_and(|(wanted, _)| wanted == one.0);
            if !named.iter().all(is_true) {
                wrong.push(format!("{rule:?}, requests {chosen:04b}: {named:?} {open:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_rule_that_the_trace_proves_needs_no_second_request_and_contradicts_no_sample() {
    let (api, native) = run(Planted::RoundsUp, true, 1);
    let told = |rule: RequestRule| ApiContext { proved: Some(rule), ..ApiContext::default() };
    let (mechanisms, open) = judge(&api[..1], &native[..1], false, told(RequestRule::RoundedUp(1e6)));
    let found: Vec<_> = mechanisms.iter().map(|found| (found.mechanism, found.size)).collect();
    assert_eq!((found, open), (vec![(Mechanism::RoundedUp, Nanos::MILLISECOND)], None));
    // What it leaves is open still, and the rule is stated all the same.
    let (adds, native) = run(Planted::Coalesces, false, 1);
    let (mechanisms, open) = judge(&adds, &native, false, told(RequestRule::Truncated(1e6)));
    assert!(mechanisms.iter().any(|found| found.mechanism == Mechanism::Truncated), "{mechanisms:?} {open:?}");
}

/// Node.js asked for no more than 1.5 ms was told as a clock that is read every 15.6 ms.
#[test]
fn a_clock_is_not_read_less_often_than_the_longest_sleep_lasts() {
    let (api, native) = run(Planted::Nothing, false, 1);
    let mut whole = api[..3].to_vec();
    for of in &mut whole {
        let more = 1e6 - of.requested.as_f64();
        of.points.iter_mut().for_each(|point| point.end += more);
    }
    let (mechanisms, open) = judge(&whole, &native[..3], false, SLACK);
    let found: Vec<_> = mechanisms.iter().map(|found| (found.mechanism, found.size)).collect();
    let wanted = [Mechanism::Truncated, Mechanism::Clamped].map(|mechanism| (mechanism, Nanos::MILLISECOND));
    assert_eq!((found, open), (wanted.to_vec(), None));
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
    let (mechanisms, open) = judge(&api, &[], false, ApiContext::default());
    assert!(mechanisms.is_empty() && open.is_some());
}

#[test]
fn the_share_is_the_difference_of_blocks_with_its_interval() {
    let (api, native) = run(Planted::Adds, false, 1);
    let share = share(&api[0], &native[0]).unwrap();
    assert_eq!(share.blocks, 6);
    let Difference { size, low, high } = share.difference;
    assert!(low <= size && size <= high);
    assert!((size - Nanos::MILLISECOND).abs() < Nanos::from_micros(3), "{size}");
    // One object in JSON.
    let document = serde_json::to_value(share).unwrap();
    let expected = serde_json::json!({ "size_ns": size, "low_ns": low, "high_ns": high, "blocks": 6 });
    assert_eq!(document, expected);
}

//! Interventions on simulated kernels find their parameters.

use oversleep_lab::analysis::interventions::{CauseSize, Effect, Interventions, intervene};
use oversleep_lab::analysis::patterns::Cause;
use oversleep_lab::report::{Screen, interventions};
use oversleep_recording::Recording;
use oversleep_recording::plan::intervene::{Change, LocalMachine, cells};
use oversleep_recording::plan::{Cell, Conditions, Pattern, Policy, build};
use oversleep_sim::{Kernel, Mechanism, Parameters, meta, run};
use oversleep_sys::units::Nanos;

/// Returns a kernel with high-resolution timers, this slack, and a latency of 5 µs and Exp(3 µs).
pub(crate) fn timers(slack_us: f64) -> Kernel {
    let parameters = Parameters {
        mechanism: Mechanism::Hrtimer,
        slack_us,
        select_slack_frac: 0.001,
        select_slack_cap_us: 100_000.0,
        lat_base_us: 5.0,
        lat_exp_us: 3.0,
        read_unit_ns: 1,
        ..Parameters::default()
    };
    Kernel::new("timers", parameters).expect("parameters")
}

/// Returns a recording of at least ten seconds of interventions on a kernel.
pub(crate) fn recorded(kernel: &Kernel, method: &str, requested: Nanos, conditions: &Conditions) -> Recording {
    let base = Cell { conditions: conditions.clone(), ..Cell::new(0, method, Pattern::fixed(requested)) };
    let methods = ["nanosleep", "clock-nanosleep", "clock-nanosleep-abs", "timerfd", "select"].map(str::to_owned);
    let all =
        cells(&base, &LocalMachine { cpu: Some(0), methods: methods.to_vec(), slack: Some(Nanos::from_micros(50)) });
    let time = build::diagnose_takes(&all).max(Nanos::from_secs(10));
    let plan = build::diagnose(all, time, 1);
    let mut recording = Recording::new(meta(kernel, &plan));
    run(kernel, &plan, 5, &mut recording);
    recording
}

fn found(kernel: &Kernel, method: &str, requested: Nanos, conditions: &Conditions) -> Interventions {
    intervene(&recorded(kernel, method, requested, conditions)).expect("blocks enough")
}

fn first_effect(found: &Interventions, fits: impl Fn(&Change) -> bool) -> &Effect {
    found.first_effect(fits).expect("it was tried")
}

fn slack(ns: i64) -> impl Fn(&Change) -> bool {
    move |change| *change == Change::Slack { slack_ns: Some(Nanos::new(ns)) }
}

fn slack_varied(change: &Change) -> bool {
    matches!(change, Change::Slack { .. } | Change::SlackAsLong { .. })
}

fn fifo(change: &Change) -> bool {
    matches!(change, Change::Policy { policy: Some(Policy::Fifo { .. }) })
}

fn reading(found: &Interventions, cause: Cause) -> &CauseSize {
    found.readings.iter().find(|reading| reading.cell == found.base && reading.cause == cause).expect("a reading")
}

fn near(got: f64, us: f64, give: f64) {
    assert!((got / 1e3 - us).abs() <= give, "{} µs is not {us} ± {give}", got / 1e3);
}

#[test]
fn fifty_microseconds_of_slack_go_with_every_way_to_have_none() {
    let found = found(&timers(50.0), "nanosleep", Nanos::MILLISECOND, &Conditions::default());
    near(first_effect(&found, slack(1)).p50.size, -50.0, 0.5);
    near(first_effect(&found, slack(1_000_000)).p50.size, 950.0, 0.5);
    near(first_effect(&found, fifo).p50.size, -50.0, 0.5);
    near(first_effect(&found, |change| *change == Change::Method { method: "timerfd".into() }).p50.size, -50.0, 0.5);
    for effect in &found.effects {
        let real_time = matches!(effect.change, Change::Policy { policy: Some(policy) } if policy.is_real_time());
        let timerfd = effect.change == Change::Method { method: "timerfd".into() };
        let expected = effect.given.is_none() && (slack_varied(&effect.change) || real_time || timerfd);
        let entry = matches!(effect.change, Change::Absolute { .. });
        assert!(entry || effect.p50.seen == expected, "{effect:?}");
    }
    let slack = reading(&found, Cause::TimerSlack);
    assert!(slack.seen);
    near(slack.p50.size, 50.0, 0.5);
    assert_eq!(slack.by, "slack 1 ns, request 1.05 ms");
    let finding = slack.finding.as_ref().expect("a finding");
    assert!(!finding.remedy.is_empty() && finding.confidence > 0.95);
    assert!(!reading(&found, Cause::RunQueue).seen);
}

#[test]
fn no_slack_a_millisecond_and_real_time_are_told() {
    let reading_of = |conditions: &Conditions| {
        let found = found(&timers(50.0), "nanosleep", Nanos::MILLISECOND, conditions);
        reading(&found, Cause::TimerSlack).clone()
    };
    let least = reading_of(&Conditions { timer_slack: Some(Nanos::new(1)), ..Conditions::default() });
    near(least.p50.size, 0.0, 0.5);
    assert!(!least.seen && least.finding.is_none());
    let much = reading_of(&Conditions { timer_slack: Some(Nanos::MILLISECOND), ..Conditions::default() });
    near(much.p50.size, 1_000.0, 0.5);
    assert!(much.seen);
    let real_time = reading_of(&Conditions { policy: Some(Policy::Fifo { priority: 50 }), ..Conditions::default() });
    near(real_time.p50.size, 0.0, 0.5);
    assert!(!real_time.seen && real_time.finding.is_none());
}

/// Checks that slack which a real-time policy makes ineffective is not reported as slack that is missing.
#[test]
fn slack_varied_under_real_time_is_no_known_slack() {
    let policy = Some(Policy::Fifo { priority: 50 });
    for timer_slack in [None, Some(Nanos::new(1))] {
        let conditions = Conditions { policy, timer_slack, ..Conditions::default() };
        let found = found(&timers(50.0), "nanosleep", Nanos::MILLISECOND, &conditions);
        for reading in found.readings.iter().filter(|reading| reading.cause == Cause::TimerSlack) {
            near(reading.p50.size, 0.0, 0.5);
        }
    }
}

#[test]
fn select_of_a_second_is_late_by_a_thousandth() {
    let found = found(&timers(50.0), "select", Nanos::SECOND, &Conditions::default());
    let share = reading(&found, Cause::ProportionalSlack);
    near(share.p50.size, 1_000.0, 3.0);
    let ratio = share.finding.as_ref().and_then(|finding| finding.evidence.intervention()?.ratio).expect("a ratio");
    assert!((ratio - 0.001).abs() < 2e-5, "{ratio}");
}

#[test]
fn a_kernel_without_slack_has_none_and_a_tick_is_not_taken_for_it() {
    let none = found(&timers(0.0), "nanosleep", Nanos::MILLISECOND, &Conditions::default());
    assert!(!reading(&none, Cause::TimerSlack).seen);
    near(reading(&none, Cause::TimerSlack).p50.size, 0.0, 0.5);
    let tick = Kernel::new("tick", Parameters { hz: 250, ..Parameters::default() }).expect("parameters");
    let tick = found(&tick, "nanosleep", Nanos::MILLISECOND, &Conditions::default());
    assert!(!reading(&tick, Cause::TimerSlack).seen);
    assert!(tick.readings.iter().all(|reading| reading.finding.is_none()), "{:?}", tick.readings);
}

/// A real-time thread has no slack, so another real-time policy has one comparison, not two.
#[test]
fn a_change_is_listed_once() {
    let fifo = Conditions { policy: Some(Policy::Fifo { priority: 80 }), ..Conditions::default() };
    for conditions in [Conditions::default(), fifo] {
        let found = found(&timers(50.0), "nanosleep", Nanos::MILLISECOND, &conditions);
        let text = interventions::text(&found, Screen::PLAIN);
        let rows: Vec<&str> = text.lines().filter_map(|line| line.split("  ").next()).collect();
        for policy in ["policy fifo 1", "policy rr 1", "policy fifo 1 (slack 1 ns both)"] {
            assert!(rows.iter().filter(|row| **row == policy).count() <= 1, "{text}");
        }
        let beyond = found.beyond(|change| matches!(change, Change::Policy { .. }));
        assert_eq!(beyond.is_some(), conditions.policy.is_none(), "{beyond:?}");
    }
}

/// Every cause makes sleeps later, so none has a negative size, whatever a change did.
#[test]
fn no_cause_has_a_negative_size() {
    for conditions in [Conditions::default(), Conditions { timer_slack: Some(Nanos::new(1)), ..Conditions::default() }]
    {
        let found = found(&timers(50.0), "nanosleep", Nanos::MILLISECOND, &conditions);
        assert!(found.readings.len() > 2);
        for reading in &found.readings {
            assert!(reading.p50.low >= 0.0 && reading.p99.is_none_or(|p99| p99.low >= 0.0), "{reading:?}");
        }
    }
}

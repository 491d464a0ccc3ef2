//! Invariants of the judgement, on sleeps computed by the laws themselves.

use super::addition::{Addition, may_add};
use super::density::{Density, add};
use super::findings::findings;
use super::group::{Group, Sleep};
use super::posterior::{Kind as Ends, Posterior};
use super::prior::{Prior, Rule};
use super::propose::Candidate;
use super::ticks::{Places, at_slots};
use oversleep_recording::catalog::SlackRule;
use oversleep_recording::plan::{Kind, Plan};
use oversleep_recording::{Meta, Origin, Recording};
use oversleep_sim::law::{Even, FreeRtos, FromLast, Law, Share, Slack, Sleep as Asked, TickUp};

/// Numbers between 0 and 1, the same every time.
struct Dice(u64);

impl Dice {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.share()).ln()
    }
}

/// Returns a group of these sleeps, by nanosleep on a system that is not known.
fn group(sleeps: Vec<Sleep>) -> Group {
    let method = "nanosleep".to_owned();
    let (slack, read_back) = (SlackRule::Thread, None);
    Group { method, cells: vec![0], wheel: false, loaded: false, slack, read_back, step: 1.0, sleeps }
}

/// Returns sleeps of 1 to 60 ms with pauses between them that end by a law, `late(n)` ns after it.
fn slept(law: Law, sleeps: usize, seed: u64, late: impl Fn(usize) -> f64) -> Group {
    slept_for(law, sleeps, seed, |dice, _| (1e6 + 59e6 * dice.share()).round(), late)
}

/// The same for other requests, in ns.
fn slept_for(
    law: Law,
    sleeps: usize,
    seed: u64,
    asked: impl Fn(&mut Dice, usize) -> f64,
    late: impl Fn(usize) -> f64,
) -> Group {
    let mut dice = Dice(seed);
    let mut now = 1e9;
    let sleeps = (0..sleeps)
        .map(|number| {
            let (start, asked) = (now, asked(&mut dice, number));
            let end = law.end(&Asked { start, asked, absolute: false }) + late(number) + dice.exponential(3e3);
            now = end + dice.share() * 20e6;
            Sleep { start, asked, end, cell: 0, absolute: false }
        })
        .collect();
    group(sleeps)
}

fn ticks(period: f64) -> Even {
    Even { period, phase: 123_456.0 }
}

fn up(hz: f64) -> Law {
    Law::TickUp(TickUp { ticks: ticks(1e9 / hz), extra: 0 })
}

fn judged(group: Group) -> Posterior {
    Posterior::judge(vec![group], &Prior::named(""), &[])
}

#[test]
fn equal_residuals_score_equally_under_every_period() {
    let density = Density::new(500);
    let group = slept(up(125.0), 200, 1, |_| 8e3);
    // These ends lie on the grids of all three periods, so that only the level's prior differs: by the period.
    let score = |period: f64| {
        let candidate = Candidate { hz: None, period, prior: 0.0, usual: 0.0, error: 1e-6 };
        Places::new(&density, &group, &candidate, None).fixed()
    };
    for times in [2.0, 4.0] {
        let difference = score(8e6 / times) - score(8e6);
        assert!((difference - f64::ln(times)).abs() < 1e-6, "{times}: {difference}");
    }
}

#[test]
fn no_score_is_above_its_bound() {
    for (law, seed) in [(up(250.0), 1), (up(1000.0), 2), (Law::Slack(Slack { slack: 50e3 }), 3)] {
        for machine in judged(slept(law, 60, seed, |_| 8e3)).machines {
            assert!(
                machine.score <= machine.bound + 1e-9,
                "{:?}: {} {}",
                machine.candidate,
                machine.score,
                machine.bound
            );
        }
    }
}

#[test]
fn every_known_rate_and_multiple_is_scored_or_bounded_away() {
    let posterior = judged(slept(up(300.0), 100, 4, |_| 8e3));
    let best = posterior.machines.iter().map(|machine| machine.score).fold(f64::MIN, f64::max);
    let considered: Vec<Candidate> = posterior
        .machines
        .iter()
        .filter_map(|machine| machine.candidate)
        .chain(posterior.bounded.iter().map(|bounded| bounded.0))
        .collect();
    for (hz, _) in Prior::named("").rates() {
        assert!(considered.iter().any(|candidate| candidate.hz == Some(hz)), "{hz} Hz was never considered");
    }
    for times in [2.0, 3.0] {
        let multiple = |candidate: &&Candidate| (candidate.period * 300.0 / times / 1e9 - 1.0).abs() < 1e-3;
        assert!(considered.iter().any(|candidate| multiple(&candidate)), "{times} ticks were never considered");
    }
    assert!(posterior.bounded.iter().all(|bounded| bounded.1 < best - 10.0));
}

#[test]
fn rates_and_rules_are_named() {
    for (seed, hz) in [100.0, 250.0, 300.0, 1000.0].into_iter().enumerate() {
        for (law, rule) in
            [(up(hz), Rule::Up), (Law::FromLast(FromLast { ticks: ticks(1e9 / hz), counted: 1e9 / hz }), Rule::Early)]
        {
            let seen = findings(&judged(slept(law, 150, seed as u64 + 1, |_| 8e3))).groups.remove(0);
            assert!(seen.rate() == Some(hz) && seen.decides_rule(|own| own == rule), "{hz} {rule:?}: {seen:?}");
        }
    }
}

#[test]
fn requests_are_counted_by_the_ticks_nominal_length() {
    // On a clock that runs slow by 40 ppm, 250 ticks of 4 ms take less than the second that was asked for.
    let law = Law::FromLast(FromLast { ticks: ticks(4e6 * (1.0 - 40e-6)), counted: 4e6 });
    let group = slept_for(law, 120, 11, |_, number| (number % 20 + 1) as f64 * 50e6, |_| 8e3);
    let seen = findings(&judged(group)).groups.remove(0);
    assert!(seen.rate() == Some(250.0) && seen.decides_rule(|rule| rule == Rule::Early), "{seen:?}");
}

#[test]
fn a_deadline_is_rounded_up_whatever_rule_counts_durations() {
    let mut group = slept(up(100.0), 120, 4, |_| 8e3);
    group.sleeps.iter_mut().for_each(|sleep| sleep.absolute = true);
    let seen = findings(&judged(group)).groups.remove(0);
    assert!(seen.decides_rule(|rule| rule == Rule::Up), "{seen:?}");
}

#[test]
fn coarse_slots_begin_at_one_place() {
    let apart = |place: i64| at_slots(8, &[Some(0), Some(place), Some(0), Some(place), Some(0), Some(place)]);
    assert!(apart(0) > -(8f64.ln()) - 1.0, "{}", apart(0));
    assert!(apart(5) < 6.0 * -(8f64.ln()), "{}", apart(5));
}

#[test]
fn a_timer_without_ticks_has_none() {
    let judgement = findings(&judged(slept(Law::Slack(Slack { slack: 50e3 }), 300, 7, |_| 8e3)));
    assert!(judgement.groups.iter().all(|seen| seen.probability() < 0.01), "{judgement:?}");
}

/// Returns what is decided that a system adds, of sleeps of 1 ms to 60 ms or of one request.
fn adds(system: &str, law: Law, asked: Option<f64>, cost: f64) -> Option<Addition> {
    let of = |dice: &mut Dice, _| asked.unwrap_or_else(|| (1e6 + 59e6 * dice.share()).round());
    let posterior = Posterior::judge(vec![slept_for(law, 200, 3, of, |_| cost)], &Prior::named(system), &[]);
    findings(&posterior).additions[0].decided().map(|decided| decided.0)
}

#[test]
fn slack_and_shares_are_decided_by_what_the_system_may_add() {
    let slack = Law::Slack(Slack { slack: 50e3 });
    assert_eq!(adds("linux-6.1", slack, None, 60e3), Some(Addition::Slack(50e3)));
    assert_eq!(adds("windows-10", Law::Slack(Slack { slack: 0.0 }), None, 60e3), Some(Addition::Nothing));
    // Where the system is not known, 110 µs may as well be all cost, but 20 µs are.
    assert_eq!(adds("", slack, None, 60e3), None);
    assert_eq!(adds("", Law::Slack(Slack { slack: 0.0 }), None, 20e3), Some(Addition::Nothing));
    // Every tier of XNU, from many requests, and the usual one from a single one.
    for (share, cap) in [(0.125, 1e6), (0.25, 5e6), (0.5, 10e6), (4.0, 75e6)] {
        let law = Law::Share(Share { share, least: 0.0, cap });
        assert_eq!(adds("macos", law, None, 20e3), Some(Addition::Share { share, least: 0.0, cap }));
    }
    let usual = Addition::Share { share: 0.25, least: 0.0, cap: 5e6 };
    let law = Law::Share(Share { share: 0.25, least: 0.0, cap: 5e6 });
    assert_eq!(adds("macos", law, Some(1e6), 20e3), Some(usual));
    assert_eq!(adds("", law, None, 20e3), Some(usual));
}

#[test]
fn systems_add_what_they_are_known_for() {
    let by = |system: &str, release: &str, rule: SlackRule| {
        let plan = Plan { kind: Kind::Measure, cells: Vec::new(), turns: Vec::new(), seed: 0 };
        let mut meta = Meta::new("test", Origin::Live, plan);
        (meta.machine.system, meta.machine.release) = (system.to_owned(), release.to_owned());
        let may = may_add(&Recording::new(meta), rule);
        (may.slack, may.share)
    };
    let may = |system: &str, release: &str| by(system, release, SlackRule::Share);
    // Linux stretches polling calls only.
    assert_eq!(by("Linux", "6.18.44", SlackRule::Thread), (true, false));
    for (system, release) in [("Linux", "6.18.44"), ("Darwin", "23.5.0"), ("simulated", "mine"), ("", "")] {
        assert_eq!(may(system, release), (true, true), "{system} {release}");
    }
    for (system, release) in [("FreeBSD", "14.1-RELEASE"), ("simulated", "freebsd-10")] {
        assert_eq!(may(system, release), (false, true), "{system} {release}");
    }
    for (system, release) in [("FreeBSD", "8.4-RELEASE"), ("Linux", "2.4.37"), ("Windows", "10.0")] {
        assert_eq!(may(system, release), (false, false), "{system} {release}");
    }
}

#[test]
fn a_tick_whose_residuals_depend_on_time_loses_to_none_of_these() {
    let steady = judged(slept(up(100.0), 200, 9, |_| 8e3));
    assert!(steady.machines[0].kind == Ends::Tick && steady.none_of_these < 0.05, "{}", steady.none_of_these);
    let moved = judged(slept(up(100.0), 200, 9, |number| if number < 100 { 8e3 } else { 2e6 }));
    assert!(moved.none_of_these > 0.5, "{}", moved.none_of_these);
}

#[test]
fn a_newcomer_among_the_laws_is_told_from_its_neighbours() {
    // FreeRTOS counts n − 1 to n ticks with n rounded down: one less than NT, which rounds up.
    let law = Law::FreeRtos(FreeRtos { ticks: ticks(1e6), counted: 1e6 });
    let seen = findings(&judged(slept(law, 150, 5, |_| 8e3))).groups.remove(0);
    assert!(seen.rules[0].is == Rule::Down && seen.rules[0].probability > 0.95, "{seen:?}");
}

/// Returns sleeps of 1 to 60 ms, back to back, of which each lasts as `length` says of the request.
fn lasting(sleeps: usize, seed: u64, mut length: impl FnMut(&mut Dice, usize, f64, f64) -> f64) -> Group {
    let mut dice = Dice(seed);
    let mut now = 1e9;
    let sleeps = (0..sleeps)
        .map(|number| {
            let (start, asked) = (now, (1e6 + 59e6 * dice.share()).round());
            now += length(&mut dice, number, start, asked);
            Sleep { start, asked, end: now, cell: 0, absolute: false }
        })
        .collect();
    group(sleeps)
}

#[test]
fn steps_that_a_program_makes_until_its_time_has_come_are_no_tick() {
    for seed in 1..6 {
        let group = lasting(200, seed, |dice, _, _, asked| {
            let (mut steps, mut took) = (0.0, 0.0);
            while 20e6 * steps < asked {
                steps += 1.0;
                took += 20e6 + 25e3 + dice.exponential(2e3);
            }
            took
        });
        let seen = findings(&judged(group)).groups.remove(0);
        assert!(!seen.are_shown(), "{seed}: {seen:?}");
    }
}

#[test]
fn a_rate_that_changes_in_mid_run_shows() {
    let at = |hz: fn(usize) -> f64| {
        let group = lasting(200, 3, |dice, number, start, asked| {
            let law = up(hz(number));
            law.end(&Asked { start, asked, absolute: false }) + dice.exponential(3e3) - start
        });
        findings(&judged(group)).groups.remove(0)
    };
    assert!(at(|number| if number < 100 { 100.0 } else { 1000.0 }).changes);
    assert!(!at(|_| 100.0).changes && !at(|_| 1000.0).changes);
}

#[test]
fn threads_that_delay_by_a_tick_make_no_rule_that_adds_one() {
    // A quarter ends at the first tick at or after its time: a rule that adds one would end none there.
    let late = |number: usize| if number.is_multiple_of(4) { 8e3 } else { 4e6 + 8e3 };
    let seen = findings(&judged(slept(up(250.0), 150, 8, late))).groups.remove(0);
    assert!(seen.rate() == Some(250.0) && !seen.decides_rule(|rule| rule == Rule::UpPlusOne), "{seen:?}");
}

#[test]
fn logarithms_add() {
    assert!((add(2f64.ln(), 3f64.ln()) - 5f64.ln()).abs() < 1e-12);
    assert!((add(f64::NEG_INFINITY, 1.0) - 1.0).abs() < 1e-12);
}

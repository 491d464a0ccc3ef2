use super::group::ModelledGroup;
use super::*;
use crate::patterns::diagnose;
use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::plan::{Cell, Conditions, Kind, Load, LoadKind, Pattern, Phase, Plan, Turn};
use oversleep_sim::{Api, Kernel, KernelClock, Mechanism, Parameters, Scheduler, TickSource, meta, run};
use oversleep_sys::units::Nanos;

/// Returns a plan of one method's requests, `sleeps` of each: at random phase, or beside busy threads back to back.
fn plan(method: &str, patterns: &[Pattern], sleeps: u64, threads: u16) -> Plan {
    let conditions = if threads == 0 {
        Conditions { phase: Some(Phase::Random { window: Nanos::from_millis(20) }), ..Conditions::default() }
    } else {
        Conditions { load: Some(Load { threads, kind: LoadKind::Spin }), ..Conditions::default() }
    };
    let cells: Vec<Cell> = (0..)
        .zip(patterns)
        .map(|(id, &pattern)| Cell { conditions: conditions.clone(), ..Cell::new(id, method, pattern) })
        .collect();
    let turns = cells.iter().map(|cell| Turn { cell: cell.id, sleeps }).collect();
    Plan { kind: Kind::Measure, cells, turns, seed: 3 }
}

fn record(parameters: Parameters, plan: &Plan) -> Recording {
    let kernel = Kernel::new("linux-test", parameters).unwrap();
    let mut recording = Recording::new(meta(&kernel, plan));
    run(&kernel, plan, 11, &mut recording);
    recording
}

fn ticks(mechanism: Mechanism) -> Parameters {
    Parameters {
        mechanism,
        hz: 250,
        source: TickSource::Exact,
        round: oversleep_sim::Rounding::CeilPlus1,
        kclock: KernelClock::Precise,
        api: Api::Select,
        tc_true_hz: 1e9 * (1.0 + 47e-6),
        lat_base_us: 23.0,
        lat_exp_us: 1.0,
        ..Parameters::default()
    }
}

const RANDOM: [Pattern; 1] = [Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(60) }];

/// Returns the model laid over the only group of a recording, and that group.
fn laid(recording: &Recording) -> (FittedModel, ModelledGroup) {
    let over = overlay(recording, &diagnose(recording));
    assert!(over.document.left_out.is_empty(), "{:?}", over.document.left_out);
    assert_eq!(over.document.fit.map(|fit| fit.sleeps), Some(recording.samples.len()));
    (over.document.kernels.into_iter().next().unwrap(), gather(recording).remove(0))
}

fn share(group: &ModelledGroup, model: &Model) -> f64 {
    fit::measure(&predict(group, model).unwrap()).unwrap().variance_share.unwrap()
}

#[test]
fn a_tick_kernel_is_predicted_and_a_wrong_one_is_not() {
    let rules =
        [(Mechanism::Jiffies, Rounding::Up), (Mechanism::Tick, Rounding::UpPlusOne), (Mechanism::Nt, Rounding::Early)];
    for (mechanism, rule) in rules {
        let recording = record(ticks(mechanism), &plan("nanosleep", &RANDOM, 2_000, 0));
        let (laid, group) = laid(&recording);
        assert_eq!((laid.model.hz, laid.model.rule), (Some(250.0), Some(rule)));
        // A few of 2000 sleeps are due within the wake-up latency of a tick, and end a tick off.
        assert!(laid.fit.variance_share.unwrap() > 0.98, "{rule:?}: {:?}", laid.fit);
        assert!(laid.fit.trimmed_share.unwrap() > 0.999, "{rule:?}: {:?}", laid.fit);
        // The other rules, a tick 20 ppm longer, and a phase half a tick off.
        assert_eq!(laid.alternatives.len(), 3);
        assert!(laid.alternatives.iter().all(|other| other.variance_share.unwrap() < 0.8), "{:?}", laid.alternatives);
        let right = laid.model;
        let tick = right.tick.unwrap();
        assert!(share(&group, &Model { tick: Some(tick * (1.0 + 20e-6)), ..right.clone() }) < 0.8);
        assert!(share(&group, &Model { phase: right.phase + 0.5 * tick, ..right.clone() }) < 0.5);
        // A fast counter counts more per tick.
        assert!((right.drift_ppm().unwrap() - 47.0).abs() < 0.5, "{right:?}");
        assert_eq!(right.words(), format!("a kernel with HZ=250, {}", rule.words()));
    }
}

#[test]
fn slack_in_proportion_is_predicted() {
    let parameters = Parameters {
        mechanism: Mechanism::Hrtimer,
        slack_us: 50.0,
        select_slack_frac: 0.001,
        select_slack_cap_us: 100_000.0,
        lat_base_us: 4.0,
        lat_exp_us: 1.0,
        ..Parameters::default()
    };
    let patterns = [1, 5, 20, 60, 200, 500, 1_000].map(|ms| Pattern::fixed(Nanos::from_millis(ms)));
    let (laid, group) = laid(&record(parameters, &plan("select", &patterns, 60, 0)));
    assert!(laid.fit.variance_share.unwrap() > 0.99, "{laid:?}");
    assert!((laid.model.share - 0.001).abs() < 1e-5 && laid.alternatives.is_empty(), "{laid:?}");
    let right = laid.model;
    assert!(share(&group, &Model { share: 0.002, ..right.clone() }) < 0.5);
    assert!(share(&group, &Model { share: 0.0, ..right }) < 0.1);
}

#[test]
fn a_constant_lateness_is_predicted_in_level_alone() {
    let parameters =
        Parameters { mechanism: Mechanism::Hrtimer, slack_us: 50.0, lat_base_us: 4.0, ..Parameters::default() };
    let recording = record(parameters, &plan("nanosleep", &[Pattern::fixed(Nanos::MILLISECOND)], 500, 0));
    let (laid, group) = laid(&recording);
    assert!(laid.fit.level_share.unwrap() > 0.99, "{laid:?}");
    assert!(laid.fit.predicted_variance.unwrap() < 0.01, "{laid:?}");
    let wrong = Model { slack: 2.0 * laid.model.slack.max(50_000.0), ..laid.model };
    assert!(fit::measure(&predict(&group, &wrong).unwrap()).unwrap().level_share.unwrap() < 0.5);
}

#[test]
fn a_run_queue_is_predicted() {
    let parameters = Parameters {
        mechanism: Mechanism::Hrtimer,
        scheduler: Scheduler::RoundRobin,
        quantum_ms: 100.0,
        lat_base_us: 10.0,
        ..Parameters::default()
    };
    let patterns = [1, 18, 56, 120, 250, 330, 1_000].map(|ms| Pattern::fixed(Nanos::from_millis(ms)));
    let (laid, group) = laid(&record(parameters, &plan("nanosleep", &patterns, 12, 2)));
    assert!(laid.fit.variance_share.unwrap() > 0.99, "{laid:?}");
    let (quantum, threads) = laid.model.queue.unwrap();
    assert_eq!(threads, 2);
    let wrong = Model { queue: Some((quantum * 1.7, threads)), ..laid.model };
    assert!(share(&group, &wrong) < 0.9);
}

#[test]
fn predictions_for_a_picture_are_spread_over_the_sleeps() {
    let recording = record(ticks(Mechanism::Jiffies), &plan("nanosleep", &RANDOM, 2_000, 0));
    let over = overlay(&recording, &diagnose(&recording));
    assert_eq!(over.predicted.len(), 2_000, "few sleeps are all there");
    for (drawn, sample) in over.predicted.iter().zip(&recording.samples) {
        assert_eq!((drawn.cell, drawn.start), (sample.cell, sample.start));
    }
    let off = over.predicted.iter().zip(&recording.samples).filter(|(drawn, sample)| {
        drawn.late.saturating_sub(sample.oversleep()).saturating_abs() > Nanos::from_micros(100)
    });
    assert!(off.count() < 40);
    let group = gather(&recording).remove(0);
    let pairs: Vec<MeasuredAndPredicted> = group.sleeps.iter().map(|sleep| (sleep.late, sleep.start)).collect();
    let some = picture::points(&group, &pairs, 100);
    assert_eq!(some.len(), 100);
    let numbers: Vec<usize> =
        some.iter().map(|one| recording.samples.iter().position(|sample| sample.start == one.start).unwrap()).collect();
    assert!(numbers.iter().zip(0..).all(|(number, part)| (20 * part..20 * part + 20).contains(number)), "{numbers:?}");
    assert!(some.iter().all(|one| one.late.get() + group.origin == one.start.get()));
    assert_eq!(
        (picture::points_of_each(1), picture::points_of_each(4), picture::points_of_each(1_000)),
        (4_096, 1_024, 32)
    );
}

#[test]
fn where_nothing_was_found_nothing_is_laid() {
    let recording = record(ticks(Mechanism::Jiffies), &plan("nanosleep", &RANDOM, 100, 0));
    let over = overlay(&recording, &Diagnosis::default());
    assert!(over.document.kernels.is_empty() && over.document.fit.is_none());
    assert_eq!(over.document.left_out.len(), 1);
    assert_eq!((over.document.left_out[0].sleeps, over.document.left_out[0].method.as_str()), (100, "nanosleep"));
}

#[test]
fn wild_samples_are_taken_without_panic() {
    let mut recording = record(ticks(Mechanism::Jiffies), &plan("nanosleep", &RANDOM, 400, 0));
    let diagnosis = diagnose(&recording);
    // Larger times would overflow the oversleep.
    let wild = [-1 << 60, -1 << 30, -1, 0, 1, 1 << 30, 1 << 60].map(Nanos::new);
    for (at, sample) in recording.samples.iter_mut().enumerate().skip(200) {
        (sample.start, sample.end) = (wild[at % 7], wild[at / 7 % 7]);
        sample.requested = wild[at / 49 % 7];
        sample.deadline = (at % 2 == 0).then_some(wild[at % 5]);
    }
    let over = overlay(&recording, &diagnosis);
    assert!(over.document.kernels.is_empty());
    assert_eq!(over.document.left_out.last().unwrap().why, "the model cannot sleep as these sleeps did");
}

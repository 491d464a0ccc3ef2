//! Each of the rarer causes, on a recording made to have it and on the same recording without it.

use crate::random::Dice;
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose};
use oversleep_recording::document::Budget;
use oversleep_recording::document::evidence::{
    Bimodal, ChangePoint, EarlyWake, FirstCall, IdleExit, MissedPeriods, OfCause, PeriodicInterference, Stopped,
};
use oversleep_recording::machine::IdleState;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Kind, Pattern, Plan, Policy};
use oversleep_recording::{Bracket, Flags, Meta, Note, Obtained, Origin, Periods, Recording, Sample};
use oversleep_sys::units::Nanos;

/// Makes recordings of a kernel without a tick: sleeps late by 20 µs and a little, on one thread per cell.
struct Maker {
    dice: Dice,
    cells: Vec<(i64, u16)>,
    samples: Vec<Sample>,
    now: i64,
}

impl Maker {
    fn new() -> Self {
        Self { dice: Dice(11), cells: Vec::new(), samples: Vec::new(), now: 1_000_000_000 }
    }

    fn jitter(&mut self, mean: f64) -> i64 {
        Nanos::from_f64(self.dice.exponential(mean)).get()
    }

    /// Adds a cell and its sleeps; `late` returns the lateness for a sleep's number and deadline.
    fn cell(&mut self, requested: i64, sleeps: u64, mut late: impl FnMut(&mut Self, u64, i64) -> i64) -> &mut Self {
        let cell = u32::try_from(self.cells.len()).unwrap();
        self.cells.push((requested, 0));
        for sequence in 0..sleeps {
            self.now += self.jitter(300_000.0);
            let (start, due) = (self.now, self.now + requested);
            self.now = due + late(self, sequence, due);
            self.samples.push(sample(cell, 0, sequence, requested, (start, self.now)));
        }
        self
    }

    fn recording(&self) -> Recording {
        recording(&self.cells, self.samples.clone())
    }
}

fn sample(cell: u32, thread: u16, sequence: u64, requested: i64, (start, end): (i64, i64)) -> Sample {
    Sample {
        cell,
        thread,
        sequence,
        requested: Nanos::new(requested),
        deadline: None,
        start: Nanos::new(start),
        end: Nanos::new(end),
        cpu_start: thread,
        cpu_end: thread,
        flags: Flags::default(),
        ..Sample::BLANK
    }
}

fn recording(cells: &[(i64, u16)], samples: Vec<Sample>) -> Recording {
    let cell = |(id, &(requested, _)): (usize, &(i64, u16))| {
        Cell::new(u32::try_from(id).unwrap(), "nanosleep", Pattern::Fixed { requested: Nanos::new(requested) })
    };
    let plan =
        Plan { kind: Kind::Measure, cells: cells.iter().enumerate().map(cell).collect(), turns: Vec::new(), seed: 0 };
    let meta = Meta::new("test", Origin::Live, plan);
    Recording { meta, samples, note: Note::default() }
}

fn usual(made: &mut Maker, _: u64, _: i64) -> i64 {
    20_000 + made.jitter(2_000.0)
}

/// Returns a number from a cause's evidence; NaN if the cause is not found.
fn number<T: OfCause>(diagnosis: &Diagnosis, of: impl Fn(&T) -> f64) -> f64 {
    diagnosis.all().find_map(|finding| finding.evidence.get::<T>()).map_or(f64::NAN, of)
}

#[test]
fn nothing_but_the_cost_of_waking_is_just_that() {
    let mut made = Maker::new();
    let diagnosis = diagnose(&made.cell(1_000_000, 500, usual).cell(5_000_000, 200, usual).recording());
    assert!(diagnosis.all().all(|finding| finding.cause() == Cause::ConstantCost), "{diagnosis:?}");
    assert_eq!(diagnosis.cells.len(), 2);
}

#[test]
fn slack_read_back_counts_only_where_the_kernel_grants_it() {
    let slack_of = |method: &str, policy: Policy| {
        let mut made = Maker::new();
        let late = |made: &mut Maker, _: u64, _: i64| 70_000 + made.jitter(2_000.0);
        let mut recording = made.cell(1_000_000, 300, late).recording();
        recording.meta.plan.cells[0].method = method.into();
        let conditions =
            Conditions { timer_slack: Some(Nanos::from_micros(50)), policy: Some(policy), ..Conditions::default() };
        recording.note.obtained.push(Obtained { cell: 0, thread: 0, conditions });
        diagnose(&recording).all().any(|finding| finding.cause() == Cause::TimerSlack)
    };
    assert!(slack_of("nanosleep", Policy::Other));
    assert!(!slack_of("timerfd", Policy::Other));
    assert!(!slack_of("rcvtimeo", Policy::Other));
    assert!(!slack_of("nanosleep", Policy::Fifo { priority: 1 }));
}

/// Real-time threads have no slack, so nothing else would look like the cost of waking.
#[test]
fn a_real_time_thread_has_no_slack_to_confuse_its_cost_with() {
    let confounders = |policy: Policy| {
        let mut made = Maker::new();
        let late = |made: &mut Maker, _: u64, _: i64| 20_000 + made.jitter(2_000.0);
        let mut recording = made.cell(1_000_000, 300, late).recording();
        recording.meta.plan.cells[0].method = "nanosleep".into();
        let conditions = Conditions { policy: Some(policy), ..Conditions::default() };
        recording.note.obtained.push(Obtained { cell: 0, thread: 0, conditions });
        let diagnosis = diagnose(&recording);
        let cost = diagnosis.all().find(|finding| finding.cause() == Cause::ConstantCost).expect("a cost");
        cost.confounders.clone()
    };
    assert_eq!(confounders(Policy::Fifo { priority: 1 }), [""; 0]);
    assert_eq!(confounders(Policy::Other).len(), 1);
}

#[test]
fn too_few_sleeps_are_said_to_be_too_few() {
    let mut made = Maker::new();
    let diagnosis = diagnose(&made.cell(1_000_000, 4, usual).recording());
    assert!(diagnosis.all().next().is_none());
    assert!(diagnosis.undecided[0].why.contains("not enough to tell"));
    assert!(diagnosis.undecided[0].experiment.starts_with("oversleep measure"));
    assert_eq!(diagnosis.cells[0].budget.p50_ns, None);
}

#[test]
fn an_empty_recording_says_nothing() {
    assert_eq!(diagnose(&recording(&[(1_000, 0)], Vec::new())), Diagnosis::default());
}

#[test]
fn two_kinds_of_wake_up() {
    let mut made = Maker::new();
    made.cell(1_000_000, 400, |made, _, _| {
        let slow = made.dice.share() < 0.3;
        (if slow { 90_000 } else { 20_000 }) + made.jitter(2_000.0)
    });
    let diagnosis = diagnose(&made.recording());
    assert!((number(&diagnosis, |of: &Bimodal| of.upper_share) - 0.3).abs() < 0.07);
    assert!(!diagnosis.has(Cause::ChangePoint));
}

#[test]
fn from_one_moment_on() {
    let mut made = Maker::new();
    made.cell(1_000_000, 400, |made, number, _| (if number >= 150 { 80_000 } else { 20_000 }) + made.jitter(2_000.0));
    let diagnosis = diagnose(&made.recording());
    assert!((number(&diagnosis, |of: &ChangePoint| of.sleep as f64) - 150.0).abs() < 3.0);
}

#[test]
fn slow_first_calls() {
    let mut made = Maker::new();
    made.cell(1_000_000, 100, |made, number, _| (if number < 5 { 150_000_000 } else { 20_000 }) + made.jitter(2_000.0));
    let diagnosis = diagnose(&made.recording());
    assert!((number(&diagnosis, |of: &FirstCall| of.calls as f64) - 5.0).abs() < 0.5);
}

#[test]
fn a_daemon_with_a_period() {
    let mut made = Maker::new();
    made.cell(1_000_000, 20_000, |made, _, due| {
        // A disturbance of 2 ms every 0.73 s: sleeps that are due during it have to wait.
        let phase = due.rem_euclid(730_000_000);
        let wait = if phase < 2_000_000 { 60_000 } else { 0 };
        20_000 + wait + made.jitter(2_000.0)
    });
    let diagnosis = diagnose(&made.recording());
    let period = number(&diagnosis, |of: &PeriodicInterference| of.period_s);
    assert!((period - 0.73).abs() < 0.01, "{period}");
    // Its own time is one of the disturbance's, in the middle of the run.
    let at = number(&diagnosis, |of: &PeriodicInterference| of.at_ns.as_secs_f64());
    let off = (at + 0.365).rem_euclid(0.73) - 0.365;
    assert!(off.abs() < 0.02, "{at} is {off} off");
    assert!((13.0..15.5).contains(&at), "{at}");
}

/// Stalls of 2.1 to 2.7 ms every 100 ms, for a quarter of the time.
#[test]
fn a_rhythm_that_comes_and_goes_is_found_with_its_time() {
    let mut made = Maker::new();
    made.cell(1_000_000, 36_000, |made, _, due| {
        let since = due.rem_euclid(100_000_000);
        let until = 2_100_000 + due / 100_000_000 * 37_000 % 600_000;
        let met = (12_900_000_000..25_700_000_000).contains(&due) && since < until;
        30_000 + if met { until - since } else { 0 } + made.jitter(2_000.0)
    });
    let diagnosis = diagnose(&made.recording());
    let of = |fact: fn(&PeriodicInterference) -> f64| number(&diagnosis, fact);
    let (period, from, to) = (of(|of| of.period_s), of(|of| of.from_s.unwrap()), of(|of| of.to_s.unwrap()));
    assert!((period - 0.1).abs() < 1e-4, "{period}");
    // From 12.9 to 25.7 s, but for a few periods at either end.
    let middle = of(|of| of.at_ns.as_secs_f64());
    assert!((to - from - 12.8).abs() < 0.4 && (middle - 19.3).abs() < 0.3, "{from} to {to}, about {middle}");
    assert!(of(|of| of.to_error_s.unwrap()) < 0.11);
}

#[test]
fn delays_without_a_period_have_none() {
    let mut made = Maker::new();
    made.cell(1_000_000, 20_000, |made, _, _| {
        let wait = if made.dice.share() < 0.003 { 60_000 } else { 0 };
        20_000 + wait + made.jitter(2_000.0)
    });
    assert!(!diagnose(&made.recording()).has(Cause::PeriodicInterference));
}

#[test]
fn the_wall_clock_is_set() {
    let mut made = Maker::new();
    made.cell(1_000_000, 100, usual);
    let brackets = |step: i64| {
        let at = |i: i64| 1_000_000_000 + i * 500_000_000;
        let jump = move |i: i64| if i >= 12 { step } else { 0 };
        (0..30)
            .map(|i| Bracket {
                clock: ClockName::Realtime,
                monotonic: Nanos::new(at(i)),
                width: Nanos::new(100),
                reading: Nanos::new(at(i) + 1_700_000_000_000_000_000 + 50 * (i % 3) + jump(i)),
            })
            .collect::<Vec<_>>()
    };
    let mut recording = made.recording();
    recording.note.brackets = brackets(-40_000_000);
    let diagnosis = diagnose(&recording);
    let step = diagnosis.machine.iter().find(|finding| finding.cause() == Cause::ClockStep).unwrap();
    assert!((step.size + 40e6).abs() < 1_000.0);
    recording.note.brackets = brackets(0);
    assert!(!diagnose(&recording).has(Cause::ClockStep));
}

#[test]
fn the_thread_was_stopped() {
    let mut made = Maker::new();
    made.cell(1_000_000, 300, |made, number, _| if number == 170 { 3_000_000_000 } else { usual(made, number, 0) });
    let diagnosis = diagnose(&made.recording());
    assert!((number(&diagnosis, |of: &Stopped| of.times as f64) - 1.0).abs() < 1e-9);
}

#[test]
fn sleeps_that_return_early() {
    let mut made = Maker::new();
    made.cell(1_000_000, 300, |made, number, _| if number % 10 == 0 { -50_000 } else { usual(made, number, 0) });
    let diagnosis = diagnose(&made.recording());
    assert!((number(&diagnosis, |of: &EarlyWake| of.early as f64) - 30.0).abs() < 1e-9);
}

#[test]
fn deeper_idle_costs_more() {
    let mut made = Maker::new();
    for (requested, late) in [(100_000, 5_000), (1_000_000, 20_000), (10_000_000, 60_000), (100_000_000, 120_000)] {
        made.cell(requested, 60, move |made, _, _| late + made.jitter(500.0));
    }
    let diagnosis = diagnose(&made.recording());
    assert!(diagnosis.has(Cause::IdleExit));
    assert!(!diagnosis.has(Cause::ProportionalSlack));
    let deep = &diagnosis.cells[3].budget.p50_ns.as_ref().unwrap()["idle-exit"];
    assert!((*deep - 115_000).abs() < 5_000, "{deep}");
}

/// Checks that recorded idle states are named beside sizes, and bound what a latency hold may save.
#[test]
fn idle_states_are_evidence_and_never_a_cause() {
    let state = |name: &str, latency: i64, residency: i64| IdleState {
        name: name.into(),
        latency: Some(Nanos::from_micros(latency)),
        residency: Some(Nanos::from_micros(residency)),
        disabled: Some(false),
    };
    let mut made = Maker::new();
    for (requested, late) in [(100_000, 5_000), (1_000_000, 20_000), (10_000_000, 60_000), (100_000_000, 120_000)] {
        made.cell(requested, 400, move |made, _, _| late + made.jitter(500.0));
    }
    let mut recording = made.recording();
    recording.meta.machine.system = "Linux".into();
    let without: Vec<Cause> = diagnose(&recording).all().map(Finding::cause).collect();
    recording.meta.machine.idle.states = vec![state("C1E", 2, 4), state("C6", 50, 5_000)];
    let found = diagnose(&recording);
    assert_eq!(found.all().map(Finding::cause).collect::<Vec<_>>(), without);
    let of = |cell: usize, cause: Cause| {
        found.cells[cell].findings.iter().find(|finding| finding.cause() == cause).expect("its finding")
    };
    let deep = of(3, Cause::IdleExit);
    let idle = deep.evidence.get::<IdleExit>().and_then(|exit| exit.idle.clone()).expect("the state");
    assert_eq!((idle.deepest_idle.as_str(), idle.exit_latency_ns), ("C6", 50_000));
    let hold = deep.remedy_on("Linux").expect("the hold");
    assert!(hold.note.contains("at most 50.0 µs, the exit latency of C6"), "{hold:?}");
    // 115 µs grow with the sleep; a hold saves no more than the exit latency.
    let p50 = hold.predicted.as_ref().and_then(|predicted| predicted.p50).expect("a prediction");
    assert_eq!(p50.before_ns - p50.after_ns, 50_000);
    let short = of(0, Cause::ConstantCost);
    let note = short.remedy_on("Linux").map(|remedy| remedy.note.clone());
    assert!(note.is_some_and(|note| note.contains("at most 2.00 µs, the exit latency of C1E")));
}

#[test]
fn wake_ups_within_a_leeway() {
    let mut made = Maker::new();
    for requested in [1_000_000i64, 3_000_000, 10_000_000, 30_000_000, 100_000_000] {
        made.cell(requested, 60, move |made, _, _| {
            20_000 + Nanos::from_f64(made.dice.between(0.0, 0.125) * requested as f64).get()
        });
    }
    let diagnosis = diagnose(&made.recording());
    assert!(diagnosis.has(Cause::Coalescing), "{diagnosis:?}");
}

#[test]
fn several_processors_stand_still_at_once() {
    let stall = |together: bool| {
        let mut dice = Dice(4);
        let mut samples = Vec::new();
        for thread in 0..3u16 {
            let mut now = 1_000_000_000 + i64::from(thread) * 1_234;
            for sequence in 0..2_000u64 {
                let due = now + 1_000_000;
                // Every 400 ms the host takes 5 ms from all three threads: at the same time, or from each at a
                // different time.
                let shift = if together { 0 } else { i64::from(thread) * 130_000_000 };
                let phase = (due + shift).rem_euclid(400_000_000);
                let wait = if phase < 5_000_000 { 5_000_000 - phase } else { 0 };
                let end = due + wait + 20_000 + Nanos::from_f64(dice.exponential(1_000.0)).get();
                samples.push(sample(0, thread, sequence, 1_000_000, (now, end)));
                now = end + 3_000;
            }
        }
        diagnose(&recording(&[(1_000_000, 0)], samples))
    };
    assert!(stall(true).has(Cause::HostSteal));
    assert!(!stall(false).has(Cause::HostSteal));
}

#[test]
fn skipped_periods_are_missed() {
    let mut made = Maker::new();
    let mut recording = made.cell(1_000_000, 100, usual).recording();
    recording.note.periods =
        vec![Periods { cell: 0, asked: 100, fresh: 90, late: 4, skipped: 6, ..Periods::default() }];
    assert!((number(&diagnose(&recording), |of: &MissedPeriods| of.skipped as f64) - 6.0).abs() < 1e-9);
}

#[test]
fn findings_read_back_from_their_json() {
    let mut made = Maker::new();
    let diagnosis = diagnose(&made.cell(1_000_000, 300, usual).recording());
    let text = serde_json::to_string(&diagnosis).unwrap();
    let mut back: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut cell = back["cells"][0].take();
    assert_eq!(serde_json::from_value::<Budget>(cell["budget"].take()).unwrap(), diagnosis.cells[0].budget);
    let cause: Cause = serde_json::from_value(cell["findings"][0]["cause"].take()).unwrap();
    assert_eq!(cause, diagnosis.cells[0].findings[0].cause());
    assert!(text.contains("\"witnesses\":[\"pattern\"]") && text.contains("\"cause\":\"constant-cost\""));
}

#[test]
fn absurd_times_do_not_panic() {
    let (most, least) = (i64::MAX / 4, i64::MIN / 4);
    let odd = [(0, most), (least, 0), (5, 5), (0, 0), (least, most), (1, 2), (3, 9), (10, 11), (12, 13), (14, 15)];
    let samples = odd.iter().cycle().take(60).zip(0..);
    let samples = samples.map(|(&times, sequence)| sample(0, 0, sequence, times.1 - times.0, times)).collect();
    let diagnosis = diagnose(&recording(&[(1_000, 0)], samples));
    assert_eq!(diagnosis.cells.len(), 1);
}

//! Questions that the samples leave open: findings then state no more than the samples show.

use crate::foreign::design::Design;
use crate::foreign::kernel::{Foreign, Noise, Rule};
use crate::random::{self, Dice};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, diagnose};
use oversleep_lab::import::csv;
use oversleep_recording::document::evidence::TickQuantised;
use oversleep_recording::plan::Pattern;
use oversleep_sim::Kernel;
use oversleep_sys::units::Nanos;

fn kernel(hz: f64, drift: f64, rule: Rule) -> Foreign {
    Foreign {
        hz,
        drift,
        rule,
        cost: 12e3,
        scatter: 2e3,
        noise: Noise::None,
        resolution: 1.0,
        read: 140.0,
        phase: 0.37e9 / hz,
    }
}

fn explain_design(kernel: &Foreign, design: Design, seed: u64) -> Diagnosis {
    let table = design.record(kernel, &mut Dice(seed));
    diagnose(&csv::read(table.as_bytes(), "open.csv").unwrap())
}

/// Returns rate and rule of the machine's tick, and the rates that fit if it is open.
fn tick(diagnosis: &Diagnosis) -> (Option<f64>, Option<String>, Vec<f64>) {
    let tick = diagnosis.machine.iter().find(|finding| finding.cause() == Cause::TickQuantised).expect("a tick");
    let tick = tick.evidence.get::<TickQuantised>().expect("its evidence");
    (*tick.hz, tick.rounding.map(|rule| rule.name().to_owned()), tick.hz_candidates.clone().unwrap_or_default())
}

#[test]
fn one_tick_that_takes_two_may_be_one_of_half_the_rate() {
    for seed in 1..6 {
        let diagnosis = explain_design(&kernel(200.0, 40.0, Rule::Up), Design::Fixed { ticks: 1.0, sleeps: 120 }, seed);
        let (hz, _, candidates) = tick(&diagnosis);
        assert_eq!(hz, None);
        assert!(candidates.contains(&200.0) && candidates.contains(&100.0), "{candidates:?}");
        let drift = diagnosis.machine.iter().find(|finding| finding.cause() == Cause::ClockDrift).expect("a drift");
        assert!((drift.size - 40.0).abs() < 1.0, "{drift:?}");
    }
    // Sleeps of three ticks that end two ticks later may be sleeps on ticks of a fifth of the rate.
    let (hz, _, candidates) =
        tick(&explain_design(&kernel(300.0, 24.0, Rule::TickMore), Design::Fixed { ticks: 3.0, sleeps: 60 }, 1));
    assert_eq!(hz, None);
    assert!(candidates.contains(&300.0), "{candidates:?}");
    // Sleeps of two ticks that end one tick later fit 500 Hz with an extra tick as well.
    let (hz, _, candidates) =
        tick(&explain_design(&kernel(250.0, 40.0, Rule::Up), Design::Fixed { ticks: 2.0, sleeps: 120 }, 1));
    assert_eq!(hz, None);
    assert!(candidates.contains(&250.0) && candidates.contains(&500.0), "{candidates:?}");
}

#[test]
fn a_slope_without_a_jump_names_no_rate() {
    for hz in [60.0, 64.0, 100.0] {
        for seed in 1..6 {
            let kernel = Foreign { phase: 0.5e9 / hz, ..kernel(hz, 9.0, Rule::Up) };
            let (found, _, candidates) = tick(&explain_design(&kernel, Design::WallSecond { sleeps: 60 }, seed));
            assert!(found.is_none_or(|found| (found - hz).abs() < 1e-9), "{hz} {seed}: {found:?}");
            assert!(found.is_some() || candidates.contains(&hz), "{hz} {seed}: {candidates:?}");
        }
    }
}

#[test]
fn one_short_request_tells_no_share_from_slack() {
    let share = Rule::Timer { slack: 0.0, share: 0.0625, cap: f64::INFINITY };
    let diagnosis = explain_design(&kernel(1000.0, 0.0, share), Design::Paused { asked: 1e6, sleeps: 60 }, 3);
    assert!(!diagnosis.has(Cause::TimerSlack) && !diagnosis.has(Cause::ProportionalSlack));
    let both = [Cause::TimerSlack.name(), Cause::ProportionalSlack.name()];
    let offers = |candidates: &[String]| both.iter().all(|name| candidates.iter().any(|own| own == name));
    assert!(diagnosis.undecided.iter().any(|open| offers(&open.candidates)));
    // At other requests it may be slack, or entirely cost: a table does not name a system that has slack.
    let slack = Rule::Timer { slack: 50e3, share: 0.0, cap: f64::INFINITY };
    let diagnosis = explain_design(&kernel(250.0, 0.0, slack), Design::Paused { asked: 5e6, sleeps: 60 }, 3);
    assert!(!diagnosis.has(Cause::TimerSlack) && !diagnosis.has(Cause::ConstantCost));
    let offered = |cause: Cause| diagnosis.undecided.iter().any(|open| open.candidates.contains(&cause.name().into()));
    assert!(offered(Cause::TimerSlack) && offered(Cause::ConstantCost));
}

#[test]
fn counting_from_the_tick_in_progress_is_not_taken_for_rounding_up() {
    for hz in [64.0, 100.0, 1000.0] {
        for seed in 1..9 {
            let kernel = kernel(hz, 35.0, Rule::Early);
            let diagnosis = explain_design(&kernel, Design::Sweep { each: 5, most: 1e8 }, seed);
            let (found, rule, _) = tick(&diagnosis);
            assert_eq!(found, Some(hz), "{seed}");
            assert!(rule.as_deref().is_none_or(|rule| rule == "early"), "{hz} {seed}: {rule:?}");
        }
    }
}

#[test]
fn a_request_of_one_tick_shows_its_rate_where_all_sleeps_are_early() {
    let diagnosis = explain_design(&kernel(100.0, 103.0, Rule::Early), Design::Paused { asked: 1e7, sleeps: 60 }, 152);
    let (hz, rule, _) = tick(&diagnosis);
    assert_eq!((hz, rule.as_deref()), (Some(100.0), Some("early")));
    assert!(!diagnosis.has(Cause::CachedClock));
}

/// Checks wake-ups that a busy machine scatters over three ticks: it is unknown how much of that is waiting for the
/// wheel, and a wake-up does not cost 7 ms.
#[test]
fn a_socket_timeout_s_wait_is_not_taken_for_the_cost_of_waking() {
    let mut table = "method,requested_ns,start_ns,end_ns\n".to_owned();
    let (mut dice, mut now) = (Dice(9), 0_i64);
    let mut row = |method: &str, late: i64| {
        table += &format!("{method},1000000,{now},{}\n", now + 1_000_000 + late);
        now += 1_000_000 + late + 40_000;
    };
    for n in 0..300 {
        #[allow(clippy::cast_possible_truncation)] // milliseconds
        let scattered = 6_900_000 + dice.between(0.0, 200e3) as i64;
        row("rcvtimeo", if n % 7 == 0 { scattered + 3_800_000 } else { scattered });
        row("nanosleep", 22_000 + n % 9 * 1_000);
    }
    let diagnosis = diagnose(&csv::read(table.as_bytes(), "socket.csv").unwrap());
    for cell in &diagnosis.cells {
        let costs: Vec<f64> = cell
            .findings
            .iter()
            .filter(|finding| finding.cause() == Cause::ConstantCost)
            .map(|finding| finding.size)
            .collect();
        assert!(costs.iter().all(|cost| *cost < 100e3), "{costs:?}");
    }
    assert!(diagnosis.has(Cause::ConstantCost), "nanosleep's");
}

/// Checks sleeps that keep a tick on a system that says its timers fire between ticks: of another thread's, perhaps.
#[test]
fn a_tick_that_is_not_the_timers_own_is_not_called_the_kernel_s() {
    let kernel = Kernel::preset("linux-nohighres-hz250").unwrap();
    let mut recording = random::record(&kernel, &random::random_phase(), 3);
    assert!(diagnose(&recording).has(Cause::TickQuantised));
    recording.meta.machine.timekeeping.high_resolution = Some(true);
    let found = diagnose(&recording);
    assert!(!found.has(Cause::TickQuantised), "{found:?}");
    let offered: Vec<&String> = found.undecided.iter().flat_map(|open| &open.candidates).collect();
    assert!(offered.iter().any(|name| *name == Cause::RunQueue.name()), "{offered:?}");
}

/// Checks sleeps back to back, which a tick predicts as well: it is left out where timers fire between ticks.
#[test]
fn where_timers_fire_between_ticks_a_steady_lateness_is_no_tick() {
    let kernel = Kernel::preset("freebsd-4.9").unwrap();
    let pattern = (Pattern::Fixed { requested: Nanos::from_millis(1) }, 300);
    let mut recording = random::record(&kernel, &random::plan("nanosleep", &[pattern], None), 1);
    let has_tick = |found: &Diagnosis| {
        let offered = found.undecided.iter().flat_map(|open| &open.candidates);
        offered.into_iter().any(|name| name.starts_with(Cause::TickQuantised.name()))
    };
    assert!(diagnose(&recording).has(Cause::TickQuantised));
    recording.meta.machine.timekeeping.high_resolution = Some(true);
    let found = diagnose(&recording);
    assert!(!has_tick(&found) && !found.has(Cause::TickQuantised), "{found:?}");
}

/// Rates that an estimator once stated and no rule of ticks predicts the ends by, with the true one where it is decided.
#[test]
fn prediction_overrules_a_rate_that_it_contradicts() {
    let cases = [
        ("07-100hz-for-300hz", None),
        ("08-2000hz-cached-clock-for-1000hz", Some(1000.0)),
        ("09-4000hz-for-500hz", None),
        ("10-1000hz-for-333hz-model-explains-none", Some(333.3)),
        ("13-1000hz-for-1024hz-to-the-second", Some(1024.0)),
        ("23-66hz-as-1000-or-200", None),
    ];
    for (name, hz) in cases {
        let path = format!("{}/../oversleep-model/tests/data/untruths/{name}.csv", env!("CARGO_MANIFEST_DIR"));
        let found = diagnose(&csv::read(std::fs::File::open(path).unwrap(), name).unwrap());
        let stated: Vec<Option<f64>> =
            found.all().filter_map(|finding| finding.evidence.get::<TickQuantised>()).map(|tick| *tick.hz).collect();
        let right = |own: &Option<f64>| own.zip(hz).map_or(*own == hz, |(own, hz)| (own / hz - 1.0).abs() < 1e-3);
        assert!(!stated.is_empty() && stated.iter().all(right), "{name}: {stated:?}");
    }
}

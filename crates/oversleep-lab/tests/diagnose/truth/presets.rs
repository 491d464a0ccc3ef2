//! Every preset of a simulated kernel in the documents' experiments, at both phases.

use super::Case;
use super::verdict::Truth;
use oversleep_lab::analysis::patterns::Cause;
use oversleep_lab::session::{Experiment, MeasureRequest, plan};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::plan::{Conditions, Pattern, Phase, Plan};
use oversleep_sim::{FrequencyChange, Kernel, Mechanism, Rounding as Rounds, Simulation, meta, preset_names};
use oversleep_sys::units::Nanos;

/// What is measured; with `true`, after a random pause.
pub(crate) const DESIGNS: &[(&str, bool)] = &[
    ("wall-second", false),
    ("sweep", false),
    ("sweep", true),
    ("load", false),
    ("back to back", false),
    ("back to back", true),
    ("random", true),
];

/// Sleeps of a wall-second experiment, of other single cells, and of each cell of a sweep.
const SECONDS: u64 = 600;
const SINGLE: u64 = 400;
const OF_A_SWEEP: u64 = 20;

fn design(name: &str, random: bool) -> Plan {
    let experiment = match name {
        "wall-second" => Some(Experiment::Herman),
        "sweep" => Some(Experiment::Rizzo),
        "load" => Some(Experiment::Oneill),
        _ => None,
    };
    let repeats = match name {
        "wall-second" => Some(SECONDS),
        "sweep" => Some(OF_A_SWEEP),
        "load" => None,
        _ => Some(SINGLE),
    };
    let pattern = match name {
        "random" => Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(60) },
        _ => Pattern::Fixed { requested: Nanos::MILLISECOND },
    };
    let requests = if experiment.is_none() { vec![pattern] } else { Vec::new() };
    let methods = if experiment.is_none() { vec!["nanosleep".to_owned()] } else { Vec::new() };
    let request = MeasureRequest { experiment, repeats, requests, methods, ..MeasureRequest::default() };
    let mut plan = plan(&request).expect("a plan");
    if random {
        let phase = Some(Phase::Random { window: Nanos::from_millis(20) });
        for cell in &mut plan.cells {
            cell.conditions = Conditions { phase, ..cell.conditions.clone() };
        }
    }
    plan
}

/// What is so of a preset. How far its tick is off is not judged: only the simulator's own arithmetic knows.
fn truth_of(kernel: &Kernel, design: &str) -> Truth {
    let p = kernel.parameters();
    let cost = (p.irq_us + p.lat_base_us + 12.0 * p.lat_exp_us + p.syscall_us + p.call_us + p.loop_us) * 1e3 + 50e3;
    // Requests counted from the tick in progress without one more end up to a tick early.
    let rules: &[Rounding] = match p.round {
        Rounds::Ceil | Rounds::Low | Rounds::Rint => &[Rounding::Up, Rounding::UpPlusOne, Rounding::Early],
        _ => &[Rounding::Up, Rounding::UpPlusOne],
    };
    let mut truth = match p.mechanism {
        Mechanism::Tick | Mechanism::Jiffies | Mechanism::Systimer => {
            Truth::tick(if p.tick_period_us > 0.0 { 1e6 / p.tick_period_us } else { f64::from(p.hz) }, rules)
        }
        // At one place within the tick the first tick at or after the time is the same.
        Mechanism::Nt => Truth::tick(1e6 / p.tick_period_us.max(1.0), &[Rounding::Early, Rounding::Up]),
        Mechanism::Hrtimer | Mechanism::Freebsd10 | Mechanism::Macos => Truth::cost(cost),
    };
    if truth.hz.is_some() {
        truth = truth.drifting(f64::NAN).and(&[Cause::EarlyWake]);
        truth.cost = cost;
    }
    if p.mechanism == Mechanism::Nt && (900.0..1_000.0).contains(&p.tick_period_us) {
        truth.hz = Some(1_000.0);
    }
    // A calibration that interrupts held up: the rate itself is off by as much.
    truth.rate_off = truth.rate_off.max(1.2e-6 * p.cal_stalls_per_s * p.cal_stall_us);
    let slack = p.slack_us > 0.0;
    truth.slack = if slack { p.slack_us * 1e3 } else { f64::NAN };
    // A share of the request with an upper bound is that bound on long requests.
    truth.also.extend((slack || p.mechanism == Mechanism::Macos).then_some(Cause::TimerSlack));
    let share = p.alloweddeviation > 0 || p.select_slack_frac > 0.0 || p.mechanism == Mechanism::Macos;
    truth.share = f64::NAN;
    truth.also.extend(share.then_some(Cause::ProportionalSlack));
    truth.also.extend((p.tc_tick > 1 || p.hz > 1_000).then_some(Cause::CachedClock));
    truth.also.extend((p.daemon_ticks > 0).then_some(Cause::PeriodicInterference));
    truth.also.extend((design == "load").then_some(Cause::RunQueue));
    truth.also.extend([Cause::TimerWheel, Cause::Hung]);
    if matches!(p.mechanism, Mechanism::Freebsd10 | Mechanism::Macos) || slack {
        truth.main.extend(truth.also.clone());
    }
    truth
}

/// Returns the case of one preset in one design.
pub(crate) fn case(preset: &str, (name, random): (&'static str, bool), seed: u64) -> Case {
    let kernel = Kernel::preset(preset).expect("a preset");
    let plan = design(name, random);
    let mut recording = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, seed).run(&mut recording);
    Case { class: name, recording, truth: truth_of(&kernel, name) }
}

/// Returns every preset's name.
pub(crate) fn names() -> Vec<String> {
    preset_names().map(str::to_owned).collect()
}

/// Returns wall-second sleeps of a preset whose clock is steered at some moment of the run.
pub(crate) fn steered(preset: &str, sleeps: u64, change: FrequencyChange) -> Recording {
    let kernel = Kernel::preset(preset).expect("a preset");
    let request =
        MeasureRequest { experiment: Some(Experiment::Herman), repeats: Some(sleeps), ..MeasureRequest::default() };
    let plan = plan(&request).expect("a plan");
    let mut recording = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, 1).changes(&[change]).run(&mut recording);
    recording
}

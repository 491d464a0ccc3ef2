//! Every preset of a simulated kernel in the documented experiments, at both phases.

use super::verdict::Truth;
use super::{Case, ticks};
use oversleep_lab::analysis::patterns::Cause;
use oversleep_lab::session::{MeasureRequest, plan};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::plan::{Conditions, Kind, Pattern, Phase, Plan};
use oversleep_sim::{
    Api, FrequencyChange, Kernel, KernelClock, Mechanism, Rounding as Rounds, Scheduler, Simulation, TickSource,
    TimeCounter, meta, preset_names,
};
use oversleep_sys::units::Nanos;

/// Experiments; `true` adds a random pause before each sleep.
pub(crate) const DESIGNS: &[(&str, bool)] = &[
    ("wall-second", false),
    ("sweep", false),
    ("sweep", true),
    ("load", false),
    ("back to back", false),
    ("back to back", true),
    ("random", true),
];

/// Number of sleeps in a wall-second experiment, in other single cells, and in each cell of a sweep.
const SECONDS: u64 = 600;
const SINGLE: u64 = 400;
const OF_A_SWEEP: u64 = 20;

fn design(name: &str, random: bool) -> Plan {
    let experiment = match name {
        "wall-second" => Some(Kind::WallSecond),
        "sweep" => Some(Kind::Sweep),
        "load" => Some(Kind::Load),
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

/// Returns the truth about a recording of a preset.
pub(crate) fn truth_of(kernel: &Kernel, (design, plan): (&str, &Plan), seed: u64, recording: &Recording) -> Truth {
    let p = kernel.parameters();
    // The cost of a usual wake-up: only one in 150 exceeds five times the mean of the random part.
    let mut cost =
        (p.irq_us + p.lat_base_us + 5.0 * p.lat_exp_us + p.syscall_us + p.call_us + p.idle_exit_us) * 1.2e3 + 5e3;
    if p.mechanism == Mechanism::Tick && p.hz > 20_000 {
        // Ticks shorter than a wake-up's cost cannot be told from it, and no rule is found for them.
        cost += 2e9 / f64::from(p.hz);
    }
    let some_tick = plan.cells.iter().any(|cell| !between_ticks(p.mechanism, &cell.method));
    let mut truth = if some_tick { of_ticks(kernel, plan, seed, recording) } else { Truth::cost(cost) };
    truth.cost = cost;
    if some_tick && plan.cells.iter().any(|cell| between_ticks(p.mechanism, &cell.method)) {
        truth.main.push(Cause::ConstantCost);
    }
    // If interrupts delayed the calibration, the rate itself is off by as much.
    truth.rate_off = truth.rate_off.max(1.2e-6 * p.cal_stalls_per_s * p.cal_stall_us);
    let capped = p.mechanism == Mechanism::Macos && p.slack_cap_us > 0.0;
    if p.slack_us > 0.0 && p.mechanism == Mechanism::Hrtimer {
        truth.slack = p.slack_us * 1e3;
        truth.main.push(Cause::TimerSlack);
    } else if capped {
        // On long requests, a share with an upper bound is that bound.
        truth.slack = p.slack_cap_us * 1e3;
        truth.main.push(Cause::TimerSlack);
    }
    if let Some(share) = share(kernel) {
        truth.share = share;
        truth.main.push(Cause::ProportionalSlack);
    }
    let winds_rarely = p.tc_tick > 1 || (p.tc_tick == 0 && p.hz > 1_000);
    let cached = winds_rarely && p.kclock == KernelClock::Cached && p.api == Api::Nanosleep;
    let waits = design == "load" && (p.scheduler != Scheduler::Preempt || p.yield_busy_ms > 0.0);
    truth.also.extend((cached && p.mechanism == Mechanism::Tick).then_some(Cause::CachedClock));
    // Where a tick's phase is steered, a schedule's wake-ups move from one tick to the next.
    truth.also.extend((p.source == TickSource::Pll).then_some(Cause::ChangePoint));
    truth.also.extend((p.idle_exit_us > 0.0).then_some(Cause::IdleExit));
    truth.also.extend((p.daemon_ticks > 0).then_some(Cause::PeriodicInterference));
    truth.also.extend(waits.then_some(Cause::RunQueue));
    truth.also.extend((!recording.note.hung.is_empty()).then_some(Cause::Hung));
    let early = recording.samples.iter().any(|sample| sample.oversleep() < Nanos::ZERO);
    truth.also.extend(early.then_some(Cause::EarlyWake));
    truth
}

/// Returns whether sleeps of a method end between ticks.
fn between_ticks(mechanism: Mechanism, method: &str) -> bool {
    let polls = ["select", "poll"].iter().any(|name| method.contains(name));
    match mechanism {
        Mechanism::Hrtimer | Mechanism::Freebsd10 | Mechanism::Macos => true,
        // `DragonFly` of 30 January 2004 corrected only nanosleep.
        Mechanism::Systimer => !polls,
        Mechanism::Tick | Mechanism::Jiffies | Mechanism::Nt => false,
    }
}

/// Returns the share of the request by which sleeps, or some of them, may be late; NaN if it varies.
fn share(kernel: &Kernel) -> Option<f64> {
    let p = kernel.parameters();
    match p.mechanism {
        // sys/kern/kern_tc.c, `tc_adjprecision`: fls(q + q / 2) − 1 of q = (99 + p) / p.
        Mechanism::Freebsd10 if p.alloweddeviation > 0 => {
            let parts = (99 + p.alloweddeviation) / p.alloweddeviation;
            let share = 0.5f64.powi((parts + parts / 2).ilog2().try_into().unwrap_or(0));
            Some(if p.event_rate_hz > 0.0 { f64::NAN } else { share })
        }
        Mechanism::Macos if p.slack_cap_us > 0.0 => Some(0.5f64.powi(p.slack_shift)),
        Mechanism::Hrtimer if p.select_slack_frac > 0.0 => Some(p.select_slack_frac),
        _ => None,
    }
}

/// Returns the truth about a kernel whose sleeps end at ticks.
fn of_ticks(kernel: &Kernel, plan: &Plan, seed: u64, recording: &Recording) -> Truth {
    let p = kernel.parameters();
    let hz = if p.tick_period_us > 0.0 { 1e6 / p.tick_period_us } else { f64::from(p.hz) };
    let ticks = (p.mechanism != Mechanism::Systimer)
        .then(|| ticks::find(kernel, plan, &self::design("back to back", false), seed, 1e9 / hz))
        .flatten();
    let rules = ticks.and_then(|ticks| ticks.rules(recording));
    let usual = match (p.mechanism, p.round) {
        (Mechanism::Jiffies, _) if p.extra_ticks > 0 => vec![Rounding::UpPlusOne],
        (Mechanism::Jiffies, _) | (_, Rounds::LowPlus1) => vec![Rounding::Up],
        (Mechanism::Tick, Rounds::Low) => vec![Rounding::Down],
        (Mechanism::Nt, _) | (_, Rounds::Ceil | Rounds::Low | Rounds::Rint | Rounds::Hzto44) => vec![Rounding::Early],
        (_, Rounds::CeilPlus1) => vec![Rounding::UpPlusOne],
    };
    // The kernel's own rule, and any other that predicts the same ends of these sleeps.
    let mut all = rules.unwrap_or_default();
    all.extend(usual);
    let truth = Truth::tick(hz, &all);
    let calibration = calibration(kernel);
    let drift = ticks.map_or(f64::NAN, |ticks| ticks.drift_ppm());
    // Windows' resolution of 1 ms is often 0.997 ms.
    if p.mechanism == Mechanism::Nt && (900.0..1_000.0).contains(&p.tick_period_us) {
        let truth = Truth { hz: Some(1_000.0), ..truth }.drifting(drift + (p.tick_period_us * 1e-3 - 1.0) * 1e6);
        return Truth { calibration, ..truth };
    }
    // Polling calls count ticks on this kernel, nanosleep does not.
    let truth = truth.drifting(drift).and(if p.mechanism == Mechanism::Systimer { &[Cause::TimerWheel] } else { &[] });
    Truth { calibration, ..truth }
}

/// Returns by how many ppm rates that the kernel assumes wrongly lengthen its tick on its clock: the TSC's, and the
/// local APIC's, whose calibration loses whole wraps of the i8254 in each stall (docs/SIMULATOR.md).
fn calibration(kernel: &Kernel) -> f64 {
    let p = kernel.parameters();
    let clock = if p.tc == TimeCounter::Tsc { p.tc_true_hz / p.tc_assumed_hz as f64 } else { 1.0 };
    let nominal = f64::from(p.f_i8254_nom_hz);
    let wrap_us = (nominal / f64::from(p.hz)).round() / nominal * 1e6;
    let lost = p.cal_stalls_per_s * 1e-6 * wrap_us * (p.cal_stall_us / wrap_us).floor();
    let tick = if p.source == TickSource::Lapic { 1.0 + p.cal_err + lost } else { 1.0 };
    (clock * tick - 1.0) * 1e6
}

/// Returns the case of one preset in one experiment.
pub(crate) fn case(preset: &str, (name, random): (&'static str, bool), seed: u64) -> Case {
    let kernel = Kernel::preset(preset).expect("a preset");
    let plan = design(name, random);
    let mut recording = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, seed).run(&mut recording);
    let truth = truth_of(&kernel, (name, &plan), seed, &recording);
    Case { class: name, recording, truth }
}

/// Returns the names of all presets.
pub(crate) fn names() -> Vec<String> {
    preset_names().map(str::to_owned).collect()
}

/// Returns wall-second sleeps of a preset whose clock changes its frequency during the run.
pub(crate) fn steered(preset: &str, sleeps: u64, change: FrequencyChange) -> Recording {
    steered_often(preset, sleeps, 1, &[change])
}

/// Returns wall-second sleeps of a preset whose clock changes its frequency several times during the run.
pub(crate) fn steered_often(preset: &str, sleeps: u64, seed: u64, changes: &[FrequencyChange]) -> Recording {
    let kernel = Kernel::preset(preset).expect("a preset");
    let request =
        MeasureRequest { experiment: Some(Kind::WallSecond), repeats: Some(sleeps), ..MeasureRequest::default() };
    let plan = plan(&request).expect("a plan");
    let mut recording = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, seed).changes(changes).run(&mut recording);
    recording
}

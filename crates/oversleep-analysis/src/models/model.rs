//! Predicts sleeps of one group with a simulated kernel.

use super::group::GroupedSleep;
use oversleep_recording::catalog::SimulatedPath;
use oversleep_recording::document::Model;
use oversleep_recording::document::evidence::Rounding;
use oversleep_sim::{
    Api, Kernel, KernelClock, Mechanism, Parameters, Predictor, Scheduler, SleepToPredict, TickSource, ZeroTicks,
};
use oversleep_sys::units::Nanos;

const fn mechanism(rule: Rounding) -> Mechanism {
    match rule {
        Rounding::Up => Mechanism::Jiffies,
        Rounding::UpPlusOne | Rounding::Down => Mechanism::Tick,
        Rounding::Early => Mechanism::Nt,
    }
}

/// Returns the simulator's kernel; `None` if no kernel can have these parameters.
fn kernel(model: &Model) -> Option<Kernel> {
    Kernel::new("found", parameters(model)).ok()
}

fn parameters(model: &Model) -> Parameters {
    let timer = Parameters {
        mechanism: Mechanism::Hrtimer,
        source: TickSource::Exact,
        tick_phase: 0.0,
        wall_start_s: 0.0,
        read_unit_ns: 1,
        long_bits: 64,
        irq_us: 0.0,
        lat_base_us: model.cost.max(0.0) / 1e3,
        lat_exp_us: 0.0,
        call_us: 0.0,
        // In a queue, a sleep that lasts exactly as long as the others' quanta still misses its turn.
        syscall_us: if model.queue.is_some() { 1.0 } else { 0.0 },
        slack_us: model.slack / 1e3,
        select_slack_frac: model.share,
        select_slack_cap_us: model.cap.map_or(1e7, |cap| (cap / 1e3).min(1e7)),
        scheduler: model.queue.map_or(Scheduler::Preempt, |_| Scheduler::RoundRobin),
        quantum_ms: model.queue.map_or(20.0, |(quantum, _)| quantum / 1e6),
        ..Parameters::default()
    };
    let Some((hz, tick)) = model.hz.zip(model.tick) else { return timer };
    // The simulator keeps a tick's length in whole picoseconds; the remainder goes into its clock's rate.
    let period_us = (tick * 1e3).round() / 1e6;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held within the domain
    Parameters {
        mechanism: match model.rule {
            Some(rule) if !model.wheel => mechanism(rule),
            _ => Mechanism::Hrtimer,
        },
        hz: hz.round().clamp(1.0, 100_000.0) as u32,
        tick_period_us: period_us,
        tick_phase: (-model.phase / tick).rem_euclid(1.0),
        tc_true_hz: 1e9 * (tick / 1e3 / period_us),
        round: match model.rule {
            Some(Rounding::Down) => oversleep_sim::Rounding::Low,
            _ => oversleep_sim::Rounding::CeilPlus1,
        },
        zero_ticks: ZeroTicks::Return,
        kclock: KernelClock::Precise,
        api: Api::Select,
        ..timer
    }
}

/// Returns the kernel in a form that predicts sleeps; `None` if there is no such kernel.
pub(super) fn predictor(model: &Model) -> Option<Predictor> {
    // The sleep path is the one whose rule was found, whatever the method's name.
    let path = match (model.wheel, model.share > 0.0) {
        (true, _) => SimulatedPath::Wheel,
        (false, true) => SimulatedPath::Select,
        (false, false) => SimulatedPath::Sleep,
    };
    Some(Predictor::new(&kernel(model)?, path))
}

/// Returns the lateness that this kernel gives a sleep, in ns.
pub(super) fn lateness(model: &Model, kernel: &mut Predictor, sleep: &GroupedSleep) -> Option<i64> {
    let shift = shift(model);
    let asked = SleepToPredict {
        start: Nanos::new(sleep.start.saturating_add(shift)),
        requested: Nanos::new(sleep.asked),
        absolute: sleep.absolute,
        busy: model.queue.map_or(0, |(_, threads)| threads),
    };
    let wake = kernel.wake(&asked)?.get();
    Some(wake.saturating_sub(shift).saturating_sub(sleep.start).saturating_sub(sleep.wanted))
}

/// Returns the length of `count` ticks, in ns.
#[allow(clippy::cast_possible_truncation)] // some ticks
fn shift(model: &Model) -> i64 {
    (f64::from(model.count) * model.tick.unwrap_or(0.0)).round() as i64
}

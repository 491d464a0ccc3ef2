//! Helpers: plans, kernels and statistics.

use oversleep_recording::Recording;
use oversleep_recording::plan::{Cell, ClockName, Kind, Pattern, Phase, Plan, Turn};
use oversleep_sim::{Arithmetic, Kernel, Outcome, Parameters, Simulation, meta};
use oversleep_sys::units::Nanos;

pub(crate) fn cell(id: u32, method: &str, pattern: Pattern) -> Cell {
    Cell { clock: ClockName::Realtime, ..Cell::new(id, method, pattern) }
}

/// Returns a plan of one cell with this number of sleeps.
pub(crate) fn plan_of(cell: Cell, sleeps: u64) -> Plan {
    let turns = vec![Turn { cell: cell.id, sleeps }];
    Plan { kind: Kind::Measure, cells: vec![cell], turns, seed: 0 }
}

/// Returns the plan of Herman's `wakeup_latency`: sleeps until the wall clock's second rolls over.
pub(crate) fn herman(sleeps: u64) -> Plan {
    plan_of(cell(0, "nanosleep", Pattern::Aligned { to: Nanos::SECOND }), sleeps)
}

pub(crate) fn kernel(parameters: Parameters) -> Kernel {
    Kernel::new("test", parameters).expect("acceptable parameters")
}

pub(crate) fn record_as(kernel: &Kernel, plan: &Plan, seed: u64, arithmetic: Arithmetic) -> (Recording, Outcome) {
    let mut recording = Recording::new(meta(kernel, plan));
    let outcome = Simulation::new(kernel, plan, seed).arithmetic(arithmetic).run(&mut recording);
    (recording, outcome)
}

pub(crate) fn record(kernel: &Kernel, plan: &Plan, seed: u64) -> Recording {
    record_as(kernel, plan, seed, Arithmetic::Exact).0
}

/// Returns the oversleeps in whole microseconds.
pub(crate) fn late_us(recording: &Recording) -> Vec<i64> {
    recording.samples.iter().map(|sample| sample.oversleep().get() / 1_000).collect()
}

pub(crate) fn preset(name: &str) -> Kernel {
    Kernel::preset(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns a preset with parameters changed, as `--set` does.
pub(crate) fn with(name: &str, changes: &[(&str, &str)]) -> Kernel {
    preset(name).set_all(changes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn fixed(method: &str, requested: Nanos, sleeps: u64) -> Plan {
    plan_of(cell(0, method, Pattern::Fixed { requested }), sleeps)
}

/// Returns the same plan with sleeps that start at random phases of the tick.
pub(crate) fn scattered(method: &str, requested: Nanos, sleeps: u64) -> Plan {
    let mut plan = fixed(method, requested, sleeps);
    plan.cells[0].conditions.phase = Some(Phase::Random { window: Nanos::from_millis(20) });
    plan
}

/// Returns oversleeps in microseconds, with fraction.
pub(crate) fn late(kernel: &Kernel, plan: &Plan, seed: u64) -> Vec<f64> {
    record(kernel, plan, seed).samples.iter().map(|sample| sample.oversleep().as_f64() / 1e3).collect()
}

pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(crate) fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub(crate) fn sd(values: &[f64]) -> f64 {
    let centre = mean(values);
    (values.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}

/// Returns the indices at which a series falls by more than `by`.
pub(crate) fn falls(values: &[f64], by: f64) -> Vec<usize> {
    (1..values.len()).filter(|&i| values[i - 1] - values[i] > by).collect()
}

/// Returns the growth per sample, without the falls (or rises) of a sawtooth of more than `tooth`.
pub(crate) fn slope(values: &[f64], tooth: f64) -> f64 {
    let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| step.abs() < tooth).collect();
    mean(&steps)
}

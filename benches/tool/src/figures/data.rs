//! What the figures show: simulated sleeps.

use oversleep_recording::Recording;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Load, LoadKind, Pattern, Phase, Plan, Turn};
use oversleep_sim::{Kernel, ParameterError, Simulation, meta};
use oversleep_sys::units::Nanos;

/// A preset with parameters changed.
pub(super) fn kernel(name: &str, changes: &[(&str, &str)]) -> Result<Kernel, ParameterError> {
    Kernel::preset(name)?.set_all(changes)
}

/// `sleeps` of one cell.
pub(super) fn plan(method: &str, pattern: Pattern, sleeps: u64, conditions: Conditions) -> Plan {
    let cell = Cell { id: 0, method: method.to_owned(), pattern, clock: ClockName::Realtime, conditions };
    Plan { experiment: "figure".to_owned(), cells: vec![cell], turns: vec![Turn { cell: 0, sleeps }], seed: 0 }
}

/// Until the wall clock's second rolls over, again and again.
pub(super) fn herman(sleeps: u64) -> Plan {
    plan("usleep", Pattern::Aligned { to: Nanos::SECOND }, sleeps, Conditions::default())
}

/// The same duration from random phases of the tick.
pub(super) fn scattered(method: &str, requested: Nanos, sleeps: u64) -> Plan {
    let phase = Some(Phase::Random { window: Nanos::from_millis(20) });
    plan(method, Pattern::Fixed { requested }, sleeps, Conditions { phase, ..Conditions::default() })
}

/// Beside busy threads.
pub(super) fn beside(threads: u16, requested: Nanos, sleeps: u64) -> Plan {
    let load = Some(Load { threads, kind: LoadKind::Spin });
    plan("sleep", Pattern::Fixed { requested }, sleeps, Conditions { load, ..Conditions::default() })
}

/// Oversleeps in nanoseconds.
pub(super) fn late(kernel: &Kernel, plan: &Plan, seed: u64) -> Vec<f64> {
    let mut recording = Recording::new(meta(kernel, plan));
    Simulation::new(kernel, plan, seed).run(&mut recording);
    recording.samples.iter().map(|sample| sample.oversleep().as_f64()).collect()
}

/// The mean of some values; 0 of none.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

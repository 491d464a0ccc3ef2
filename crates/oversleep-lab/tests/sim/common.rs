//! Plans and shorthands.

use oversleep_lab::plan::{Cell, ClockName, Conditions, Pattern, Plan, Turn};
use oversleep_lab::recording::Recording;
use oversleep_lab::source::sim::{Arithmetic, Kernel, Outcome, Parameters, Simulation, meta};
use oversleep_os::units::Nanos;

pub(crate) fn cell(id: u32, method: &str, pattern: Pattern) -> Cell {
    Cell { id, method: method.to_owned(), pattern, clock: ClockName::Realtime, conditions: Conditions::default() }
}

/// One cell, so many sleeps.
pub(crate) fn plan_of(cell: Cell, sleeps: u64) -> Plan {
    let turns = vec![Turn { cell: cell.id, sleeps }];
    Plan { experiment: "test".to_owned(), cells: vec![cell], turns, seed: 0 }
}

/// Herman's `wakeup_latency`: sleeps until the wall clock's second rolls over.
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

#[allow(dead_code)]
pub(crate) fn record(kernel: &Kernel, plan: &Plan, seed: u64) -> Recording {
    record_as(kernel, plan, seed, Arithmetic::Exact).0
}

/// The oversleeps in whole microseconds.
pub(crate) fn late_us(recording: &Recording) -> Vec<i64> {
    recording.samples.iter().map(|sample| sample.oversleep().get() / 1_000).collect()
}

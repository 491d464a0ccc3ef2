//! Periodic schedules on one or more threads, as cyclictest runs them.

use super::clock_of;
use crate::catalog::MethodRow;
use crate::plan::{Cell, Conditions, Pattern, Plan, Turn};
use oversleep_sys::units::Nanos;

/// Returns a plan of `count` periods on each thread of the condition.
pub fn periodic(row: &MethodRow, period: Nanos, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    let cell = Cell {
        id: 0,
        method: row.name.to_owned(),
        pattern: Pattern::Periodic { period },
        clock: clock_of(row),
        conditions: conditions.clone(),
    };
    Plan { experiment: "periodic".to_owned(), cells: vec![cell], turns: vec![Turn { cell: 0, sleeps: count }], seed }
}

//! Periodic schedules on one or more threads, as cyclictest runs them.

use super::clock_of;
use crate::catalog::MethodRow;
use crate::plan::{Cell, Conditions, Kind, Pattern, Plan, Turn};
use oversleep_sys::units::Nanos;

/// Returns a plan of `count` periods on each thread of the condition.
pub fn periodic(row: &MethodRow, period: Nanos, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    schedules(&[row], period, count, conditions, seed)
}

/// Returns a plan of such a schedule by each of several methods, one after another.
pub fn schedules(rows: &[&MethodRow], period: Nanos, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    let cell = |(id, row): (u32, &&MethodRow)| Cell {
        id,
        method: row.name.to_owned(),
        pattern: Pattern::Periodic { period },
        clock: clock_of(row),
        conditions: conditions.clone(),
    };
    let cells: Vec<Cell> = (0..).zip(rows).map(cell).collect();
    let turns = cells.iter().map(|cell| Turn { cell: cell.id, sleeps: count }).collect();
    Plan { kind: Kind::Periodic, cells, turns, seed }
}

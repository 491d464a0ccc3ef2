//! Herman's experiment (2004): sleep until the second hand moves.

use crate::catalog::MethodRow;
use crate::plan::{Cell, ClockName, Conditions, Kind, Pattern, Plan};
use oversleep_sys::units::Nanos;

/// Returns a plan of `count` sleeps, each to the next second of the wall clock; the error counts from that second.
pub fn wall_second(row: &MethodRow, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    let cell = Cell {
        id: 0,
        method: row.name.to_owned(),
        pattern: Pattern::Aligned { to: Nanos::SECOND },
        clock: ClockName::Realtime,
        conditions: conditions.clone(),
    };
    // One turn per sleep, so that every error can be shown as it becomes known. (With very many sleeps, within a
    // second.)
    let turns = super::interleaved(std::slice::from_ref(&cell), |_| count, 1);
    Plan { kind: Kind::WallSecond, cells: vec![cell], turns, seed }
}

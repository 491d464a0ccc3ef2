//! Plans of any methods × requests × conditions.

use super::{cell, interleaved};
use crate::catalog::MethodRow;
use crate::plan::{Conditions, Kind, Pattern, Plan};

/// The methods, requests and conditions that are combined.
#[derive(Debug, Clone)]
pub struct Grid<'a> {
    /// Methods to combine.
    pub rows: &'a [&'a MethodRow],
    /// Requests to combine.
    pub requests: &'a [Pattern],
    /// Conditions to combine.
    pub conditions: &'a [Conditions],
}

/// Returns a plan in which every combination sleeps `repeats` times, interleaved ten sleeps at a time.
pub fn measure(grid: &Grid<'_>, repeats: u64, seed: u64) -> Plan {
    let mut cells = Vec::new();
    for conditions in grid.conditions {
        for row in grid.rows {
            for &request in grid.requests {
                let id = u32::try_from(cells.len()).unwrap_or(u32::MAX);
                cells.push(cell(id, row, request, conditions));
            }
        }
    }
    let turns = interleaved(&cells, |_| repeats, 10);
    Plan { kind: Kind::Measure, cells, turns, seed }
}

//! O'Neill's experiment (2003): requests from 0 to 1000 ms beside 0 to 5 busy threads.

use super::fixed;
use crate::catalog::MethodRow;
use crate::plan::{Conditions, Kind, Load, LoadKind, Plan, Turn};
use oversleep_sys::units::Nanos;

/// The fourteen requests, in ms: 0, then geometrically from 1 to 1000, four per decade. The article gives their
/// number, ends and spacing; the list itself is lost with the article's tables.
pub const LOAD_REQUESTS_MS: [i64; 14] = [0, 1, 2, 3, 6, 10, 18, 32, 56, 100, 178, 316, 562, 1_000];

/// Returns a plan of each request `repeats` times in a row beside each number of busy threads, in the article's order:
/// the first-call effect he describes can only appear where calls follow each other.
pub fn load(row: &MethodRow, repeats: u64, loads: &[u16], kind: LoadKind, conditions: &Conditions, seed: u64) -> Plan {
    let under = |threads: u16| Conditions { load: Some(Load { threads, kind }), ..conditions.clone() };
    let pairs = loads.iter().flat_map(|&threads| LOAD_REQUESTS_MS.map(|ms| (threads, Nanos::from_millis(ms))));
    let cells: Vec<_> =
        (0..).zip(pairs).map(|(id, (threads, request))| fixed(id, row, request, &under(threads))).collect();
    let turns = cells.iter().map(|cell| Turn { cell: cell.id, sleeps: repeats }).collect();
    Plan { kind: Kind::Load, cells, turns, seed }
}

//! Rizzo's experiment (2009): error against requested duration.

use super::{fixed, interleaved};
use crate::catalog::MethodRow;
use crate::plan::{Conditions, Kind, Plan};
use oversleep_sys::units::Nanos;

/// Returns 1, 2, 5, 10, 20, 50 … µs, limited to the range from `from` to `to`.
pub fn sweep_requests(from: Nanos, to: Nanos) -> Vec<Nanos> {
    let decades = (0..).map(|exponent| 10_i64.checked_pow(exponent)).map_while(|power| power);
    decades
        .flat_map(|power| [1, 2, 5].into_iter().filter_map(move |step| power.checked_mul(step)))
        .map(Nanos::new)
        .skip_while(|&request| request < from)
        .take_while(|&request| request <= to)
        .collect()
}

/// Returns a plan of each method at each request, up to `repeats` times; a request for which that would take over two
/// seconds in all is repeated less often, but at least twice.
pub fn sweep(rows: &[&MethodRow], requests: &[Nanos], repeats: u64, conditions: &Conditions, seed: u64) -> Plan {
    let pairs = requests.iter().flat_map(|&request| rows.iter().map(move |row| (row, request)));
    let cells: Vec<_> = (0..).zip(pairs).map(|(id, (row, request))| fixed(id, row, request, conditions)).collect();
    let affordable = |request: Nanos| (2 * Nanos::SECOND.get() / request.get().max(1)).unsigned_abs();
    let turns = interleaved(&cells, |cell| repeats.min(affordable(cell.pattern.typical()).max(2)), 1);
    Plan { kind: Kind::Sweep, cells, turns, seed }
}

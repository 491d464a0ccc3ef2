//! The check-up: every method of this system, one request, interleaved.

use super::{fixed, interleaved};
use crate::catalog::MethodRow;
use crate::plan::{Conditions, Kind, Plan};
use oversleep_sys::units::Nanos;

/// Sleeps per turn: long enough to show a method's own rhythm, short enough that all methods meet the same machine
/// state.
const PER_TURN: u64 = 10;
/// Sleeps per method: 300, enough for a 99th percentile (see `figures::quantile::supports_quantile` of the lab).
const REPEATS: u64 = 300;

/// Returns a plan of 300 sleeps of 1 ms by each of `methods`: about 12 seconds for thirty methods on a machine that is
/// on time.
pub fn checkup<'a>(methods: impl Iterator<Item = &'a MethodRow>, seed: u64) -> Plan {
    let conditions = Conditions::default();
    let cells: Vec<_> = (0..).zip(methods).map(|(id, row)| fixed(id, row, Nanos::MILLISECOND, &conditions)).collect();
    let turns = interleaved(&cells, |_| REPEATS, PER_TURN);
    Plan { kind: Kind::CheckUp, cells, turns, seed }
}

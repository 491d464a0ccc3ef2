//! The plans of the experiments that sleep: each function makes the plan of one.

use super::{cell, clock_of, fixed, interleaved};
use crate::catalog::MethodRow;
use crate::plan::{Cell, ClockName, Conditions, Kind, Load, LoadKind, Pattern, Plan, Turn};
use oversleep_sys::units::Nanos;

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

/// Sleeps per turn of the check-up: long enough to show a method's own rhythm, short enough that all methods meet the same machine
/// state.
const CHECKUP_TURN: u64 = 10;
/// Sleeps per method of the check-up: 300, enough for a 99th percentile (see `figures::quantile::supports_quantile` of the lab).
const CHECKUP_SLEEPS: u64 = 300;

/// Returns a plan of 300 sleeps of 1 ms by each of `methods`: about 12 seconds for thirty methods on a machine that is
/// on time.
pub fn checkup<'a>(methods: impl Iterator<Item = &'a MethodRow>, seed: u64) -> Plan {
    let conditions = Conditions::default();
    let cells: Vec<_> = (0..).zip(methods).map(|(id, row)| fixed(id, row, Nanos::MILLISECOND, &conditions)).collect();
    let turns = interleaved(&cells, |_| CHECKUP_SLEEPS, CHECKUP_TURN);
    Plan { kind: Kind::CheckUp, cells, turns, seed }
}

/// Herman's experiment (2004), to sleep until the second hand moves: returns a plan of `count` sleeps, each to the next second of the wall clock; the error counts from that second.
pub fn wall_second(row: &MethodRow, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    let cell = Cell {
        clock: ClockName::Realtime,
        conditions: conditions.clone(),
        ..Cell::new(0, row.name, Pattern::Aligned { to: Nanos::SECOND })
    };
    // One turn per sleep, so that every error can be shown as it becomes known. (With very many sleeps, within a
    // second.)
    let turns = interleaved(std::slice::from_ref(&cell), |_| count, 1);
    Plan { kind: Kind::WallSecond, cells: vec![cell], turns, seed }
}

/// The fourteen requests, in ms: 0, then geometrically from 1 to 1000, four per decade. The article gives their
/// number, ends and spacing; the list itself is lost with the article's tables.
pub const LOAD_REQUESTS_MS: [i64; 14] = [0, 1, 2, 3, 6, 10, 18, 32, 56, 100, 178, 316, 562, 1_000];

/// O'Neill's experiment (2003): returns a plan of each request `repeats` times in a row with each number of busy threads, in the article's order:
/// the first-call effect he describes can only appear where calls follow each other.
pub fn load(row: &MethodRow, repeats: u64, loads: &[u16], kind: LoadKind, conditions: &Conditions, seed: u64) -> Plan {
    let under = |threads: u16| Conditions { load: Some(Load { threads, kind }), ..conditions.clone() };
    let pairs = loads.iter().flat_map(|&threads| LOAD_REQUESTS_MS.map(|ms| (threads, Nanos::from_millis(ms))));
    let cells: Vec<_> =
        (0..).zip(pairs).map(|(id, (threads, request))| fixed(id, row, request, &under(threads))).collect();
    let turns = cells.iter().map(|cell| Turn { cell: cell.id, sleeps: repeats }).collect();
    Plan { kind: Kind::Load, cells, turns, seed }
}

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

/// Rizzo's experiment (2009), error against requested duration: returns a plan of each method at each request, up to `repeats` times; a request for which that would take over two
/// seconds in all is repeated less often, but at least twice.
pub fn sweep(rows: &[&MethodRow], requests: &[Nanos], repeats: u64, conditions: &Conditions, seed: u64) -> Plan {
    let pairs = requests.iter().flat_map(|&request| rows.iter().map(move |row| (row, request)));
    let cells: Vec<_> = (0..).zip(pairs).map(|(id, (row, request))| fixed(id, row, request, conditions)).collect();
    let affordable = |request: Nanos| (2 * Nanos::SECOND.get() / request.get().max(1)).unsigned_abs();
    let turns = interleaved(&cells, |cell| repeats.min(affordable(cell.pattern.typical()).max(2)), 1);
    Plan { kind: Kind::Sweep, cells, turns, seed }
}

/// Returns a plan of `count` periods, as cyclictest runs them, on each thread of the condition.
pub fn periodic(row: &MethodRow, period: Nanos, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    schedules(&[row], period, count, conditions, seed)
}

/// Returns a plan of such a schedule by each of several methods, one after another.
pub fn schedules(rows: &[&MethodRow], period: Nanos, count: u64, conditions: &Conditions, seed: u64) -> Plan {
    let cell = |(id, row): (u32, &&MethodRow)| Cell {
        clock: clock_of(row),
        conditions: conditions.clone(),
        ..Cell::new(id, row.name, Pattern::Periodic { period })
    };
    let cells: Vec<Cell> = (0..).zip(rows).map(cell).collect();
    let turns = cells.iter().map(|cell| Turn { cell: cell.id, sleeps: count }).collect();
    Plan { kind: Kind::Periodic, cells, turns, seed }
}

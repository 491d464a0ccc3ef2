//! The intervention that changes the timer slack: to the minimum, the default, and a large value.
//!
//! A sleep without slack is shorter by the slack, and where lateness grows with the length of a sleep, the difference
//! contains that growth. So each slack also gets a counterpart of the same length: the minimum slack, and a request
//! longer by the removed slack. Its timer fires at the same time.

use super::{Intervention, LocalMachine, request};
use crate::plan::{Cell, Conditions, Pattern};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "slack",
    tells: "how much of the lateness is slack: what the least slack takes away, and whether more slack adds as much",
    variants,
};

/// The minimum slack (0 would mean the default), Linux' default of 50 µs, and one larger than any wake-up cost.
const SLACKS: [Nanos; 3] = [LEAST, USUAL, Nanos::MILLISECOND];
const USUAL: Nanos = Nanos::from_micros(50);
const LEAST: Nanos = Nanos::new(1);

fn variants(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    let mut slacks = SLACKS.to_vec();
    match base.conditions.timer_slack {
        Some(current) => slacks.retain(|slack| *slack != current),
        // Unchanged it is the default, in nearly every case; the variant with minimum slack shows how large it really
        // is.
        None => slacks.retain(|slack| *slack != SLACKS[1]),
    }
    let mut replaced: Vec<Nanos> = base.conditions.timer_slack.or(here.slack).into_iter().collect();
    replaced.extend(&slacks);
    replaced.sort_unstable();
    replaced.dedup();
    let counterparts = replaced.into_iter().filter_map(|slack| as_long(base, slack));
    slacks.into_iter().map(|slack| with_slack(base, slack)).chain(counterparts).collect()
}

/// Returns the cell with a neighbour with which `cell` is compared to see its slack: its counterpart of the same
/// length. Under a real-time policy, where slack has no effect, the same cell with the minimum slack.
pub fn without(cell: &Cell, slack: Nanos) -> Option<Cell> {
    if cell.conditions.is_real_time() { Some(with_slack(cell, LEAST)) } else { as_long(cell, slack) }
}

/// Returns a cell with a neighbour that has the minimum slack already, with the default slack.
pub fn raised(cell: &Cell) -> Cell {
    with_slack(cell, USUAL)
}

fn with_slack(base: &Cell, slack: Nanos) -> Cell {
    Cell { conditions: Conditions { timer_slack: Some(slack), ..base.conditions.clone() }, ..base.clone() }
}

/// Returns the base without slack, with a request longer by `slack`. `None` where there is no slack to replace: under
/// a real-time policy no sleep has slack.
fn as_long(base: &Cell, slack: Nanos) -> Option<Cell> {
    let longer = request(base)?.checked_add(slack)?;
    let replaces = slack > LEAST && !base.conditions.is_real_time();
    replaces.then(|| Cell { pattern: Pattern::fixed(longer), ..with_slack(base, LEAST) })
}

/// Returns the cell among `cells` that is the base without slack, with a request longer by `slack`.
pub fn counterpart<'a>(base: &Cell, slack: Nanos, cells: &'a [Cell]) -> Option<&'a Cell> {
    like(&as_long(base, slack)?, cells)
}

/// Returns the cell among `cells` that equals `wanted` except in its ID.
pub fn like<'a>(wanted: &Cell, cells: &'a [Cell]) -> Option<&'a Cell> {
    cells.iter().find(|cell| Cell { id: cell.id, ..wanted.clone() } == **cell)
}

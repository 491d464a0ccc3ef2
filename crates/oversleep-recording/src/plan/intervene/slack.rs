//! Timer slack: the least there is, the usual, and much.
//!
//! A sleep without slack is shorter by it, and where lateness grows with the length of a sleep that growth is in the
//! difference. So each slack also gets a counterpart that lasts as long: the least slack, and a request longer by
//! what was given up. Its timer fires when the other's did.

use super::{Here, Intervention, request};
use crate::plan::{Cell, Conditions, Pattern};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "slack",
    tells: "how much of the lateness is slack: what the least slack takes away, and whether more slack adds as much",
    variants,
};

/// The least slack (0 would mean the default), Linux' default of 50 µs, and one no wake-up cost can pass for.
const SLACKS: [Nanos; 3] = [LEAST, USUAL, Nanos::MILLISECOND];
const USUAL: Nanos = Nanos::from_micros(50);
const LEAST: Nanos = Nanos::new(1);

fn variants(base: &Cell, here: &Here) -> Vec<Cell> {
    let mut slacks = SLACKS.to_vec();
    match base.conditions.timer_slack {
        Some(own) => slacks.retain(|slack| *slack != own),
        // Left alone it is the default, in nearly every case; the least slack tells how much it really is.
        None => slacks.retain(|slack| *slack != SLACKS[1]),
    }
    let mut replaced: Vec<Nanos> = base.conditions.timer_slack.or(here.slack).into_iter().collect();
    replaced.extend(&slacks);
    replaced.sort_unstable();
    replaced.dedup();
    let counterparts = replaced.into_iter().filter_map(|slack| as_long(base, slack));
    slacks.into_iter().map(|slack| with(base, slack)).chain(counterparts).collect()
}

/// Returns, beside a neighbour, what a cell is held against to see a slack of its own. Where a real-time policy makes
/// it void, the same with the least.
pub fn without(cell: &Cell, slack: Nanos) -> Option<Cell> {
    if cell.conditions.is_real_time() { Some(with(cell, LEAST)) } else { as_long(cell, slack) }
}

/// Returns, beside a neighbour, a cell that has the least slack already, with the usual one.
pub fn raised(cell: &Cell) -> Cell {
    with(cell, USUAL)
}

fn with(base: &Cell, slack: Nanos) -> Cell {
    Cell { conditions: Conditions { timer_slack: Some(slack), ..base.conditions.clone() }, ..base.clone() }
}

/// The base without slack, lasting as long as it would with `slack`. `None` where there is nothing to replace: under
/// a real-time policy no sleep has slack.
fn as_long(base: &Cell, slack: Nanos) -> Option<Cell> {
    let longer = request(base)?.checked_add(slack)?;
    let replaces = slack > LEAST && !base.conditions.is_real_time();
    replaces.then(|| Cell { pattern: Pattern::fixed(longer), ..with(base, LEAST) })
}

/// Returns the cell among `cells` that is the base without slack, lasting as long as it would with `slack`.
pub fn counterpart<'a>(base: &Cell, slack: Nanos, cells: &'a [Cell]) -> Option<&'a Cell> {
    like(&as_long(base, slack)?, cells)
}

/// Returns the cell among `cells` that is `wanted`, whatever its number.
pub fn like<'a>(wanted: &Cell, cells: &'a [Cell]) -> Option<&'a Cell> {
    cells.iter().find(|cell| Cell { id: cell.id, ..wanted.clone() } == **cell)
}

//! The intervention that pins the thread to one processor.

use super::{Intervention, LocalMachine};
use crate::plan::{Cell, Conditions};

pub(super) const ROW: Intervention = Intervention {
    name: "pin",
    tells: "what moving between processors costs, or gains: a pinned thread wakes where its caches are, and cannot \
            flee to a free processor",
    variants,
};

fn variants(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    pinned(base, here).filter(|cell| cell.conditions != base.conditions).into_iter().collect()
}

/// Returns the base pinned to one processor: the first it is restricted to, if any.
pub(super) fn pinned(base: &Cell, here: &LocalMachine) -> Option<Cell> {
    let cpu = match base.conditions.affinity.as_deref() {
        Some([own]) => *own,
        Some([first, ..]) => *first,
        _ => here.cpu?,
    };
    let conditions = Conditions { affinity: Some(vec![cpu]), ..base.conditions.clone() };
    Some(Cell { conditions, ..base.clone() })
}

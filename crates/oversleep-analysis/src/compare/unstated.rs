//! Conditions that one side does not state.

use super::run::CellKey;
use oversleep_recording::plan::{Conditions, Value};
use std::collections::BTreeSet;

/// The conditions that some cell of one side states and no cell of the other does.
pub(super) struct Unstated {
    by_a: BTreeSet<&'static str>,
    by_b: BTreeSet<&'static str>,
}

impl Unstated {
    /// Finds them among the cells of both sides. `assumed`: whether the kind of load that a side's cells have is not stated.
    pub(super) fn between([a, b]: [&[CellKey]; 2], assumed: [bool; 2]) -> Self {
        let stated = |cells, assumed: bool| {
            let mut stated = stated_by(cells);
            stated.retain(|name| !assumed || *name != Conditions::LOAD_KIND);
            stated
        };
        let (a, b) = (stated(a, assumed[0]), stated(b, assumed[1]));
        Self { by_a: b.difference(&a).copied().collect(), by_b: a.difference(&b).copied().collect() }
    }

    /// Returns whether two cells have the same method and pattern, and differ in nothing but these conditions.
    pub(super) fn fit(&self, one: &CellKey, other: &CellKey) -> bool {
        one.cell.method == other.cell.method
            && one.cell.pattern == other.cell.pattern
            && one.cell.conditions != other.cell.conditions
            && self.by_both(one) == self.by_both(other)
    }

    /// Returns the conditions of a cell that both sides state. No busy threads are the same as none stated.
    fn by_both(&self, cell: &CellKey) -> Vec<(&'static str, Value)> {
        let mut stated = cell.cell.conditions.stated();
        stated.retain(|(name, value)| {
            !self.by_a.contains(name) && !self.by_b.contains(name) && (*name, value) != ("load", &Value::Number(0))
        });
        stated
    }

    /// Returns those that A, and that B, does not state and that the other cell of one of these pairs does.
    pub(super) fn of_pairs(&self, pairs: &[(CellKey, CellKey)]) -> [Vec<&'static str>; 2] {
        let (of_a, of_b): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
        let listed = |lacking: &BTreeSet<&'static str>, stated: &BTreeSet<&'static str>| {
            lacking.intersection(stated).copied().collect()
        };
        [listed(&self.by_a, &stated_by(&of_b)), listed(&self.by_b, &stated_by(&of_a))]
    }
}

/// Returns the names of the conditions that any of these cells states.
fn stated_by(cells: &[CellKey]) -> BTreeSet<&'static str> {
    cells.iter().flat_map(|cell| cell.cell.conditions.stated()).map(|(name, _)| name).collect()
}

//! Conditions that one side does not state.

use super::run::CellKey;
use std::collections::BTreeSet;

/// The conditions that some cell of one side states and no cell of the other does.
pub(super) struct Unstated {
    by_a: BTreeSet<&'static str>,
    by_b: BTreeSet<&'static str>,
}

impl Unstated {
    /// Finds them among the cells of both sides.
    pub(super) fn between(a: &[CellKey], b: &[CellKey]) -> Self {
        let (a, b) = (stated_by(a), stated_by(b));
        Self { by_a: b.difference(&a).copied().collect(), by_b: a.difference(&b).copied().collect() }
    }

    /// Returns whether two cells have the same method and pattern, and differ in nothing but these conditions.
    pub(super) fn fit(&self, one: &CellKey, other: &CellKey) -> bool {
        let is_one_sided = !self.by_a.is_empty() || !self.by_b.is_empty();
        is_one_sided
            && one.cell.method == other.cell.method
            && one.cell.pattern == other.cell.pattern
            && self.by_both(one) == self.by_both(other)
    }

    /// Returns the conditions of a cell that both sides state.
    fn by_both(&self, cell: &CellKey) -> Vec<(&'static str, String)> {
        let mut stated = cell.cell.conditions.stated();
        stated.retain(|(name, _)| !self.by_a.contains(name) && !self.by_b.contains(name));
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

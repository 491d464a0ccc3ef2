//! Pairs the cells of A and B that are compared.

use super::ComparableRun;
use oversleep_recording::plan::Cell;

/// Paired cells, and those without a counterpart.
pub(super) struct Matched {
    pub(super) pairs: Vec<(Cell, Cell)>,
    pub(super) only_a: Vec<Cell>,
    pub(super) only_b: Vec<Cell>,
}

/// Returns whether two cells have the same method, pattern and conditions.
pub(super) fn same(one: &Cell, other: &Cell) -> bool {
    one.method == other.method && one.pattern == other.pattern && one.conditions == other.conditions
}

/// Pairs each cell of A with the one of B that has the same method, pattern and conditions. Of the rest, it pairs cells
/// that match each other uniquely: by method and pattern, then by pattern; and if one cell is left on each side, these
/// two, as they are probably meant to be compared.
pub(super) fn matched(a: &[&ComparableRun], b: &[&ComparableRun]) -> Matched {
    let (mut left_a, mut left_b) = (distinct(a), distinct(b));
    let mut pairs = take(&mut left_a, &mut left_b, same);
    pairs.extend(take_unique(&mut left_a, &mut left_b, |one, other| {
        one.method == other.method && one.pattern == other.pattern
    }));
    pairs.extend(take_unique(&mut left_a, &mut left_b, |one, other| one.pattern == other.pattern));
    pairs.extend(take_unique(&mut left_a, &mut left_b, |_, _| true));
    Matched { pairs, only_a: left_a, only_b: left_b }
}

/// Returns every cell of a side, once.
fn distinct(side: &[&ComparableRun]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for own in side.iter().flat_map(|run| &run.cells) {
        if !cells.iter().any(|known| same(known, &own.cell)) {
            cells.push(own.cell.clone());
        }
    }
    cells
}

/// Moves matching pairs out of both lists; each cell takes its first match.
fn take(a: &mut Vec<Cell>, b: &mut Vec<Cell>, fits: impl Fn(&Cell, &Cell) -> bool) -> Vec<(Cell, Cell)> {
    let mut pairs = Vec::new();
    a.retain(|one| {
        let Some(at) = b.iter().position(|other| fits(one, other)) else { return true };
        pairs.push((one.clone(), b.remove(at)));
        false
    });
    pairs
}

/// Moves pairs out of both lists in which each cell is the other's only match.
fn take_unique(a: &mut Vec<Cell>, b: &mut Vec<Cell>, fits: impl Fn(&Cell, &Cell) -> bool) -> Vec<(Cell, Cell)> {
    let alone = |one: &Cell, own: &[Cell], others: &[Cell]| {
        let mut fitting = others.iter().filter(|other| fits(one, other));
        let only = fitting.next().filter(|_| fitting.next().is_none())?;
        let rivals = own.iter().filter(|rival| fits(rival, only)).count();
        (rivals == 1).then(|| only.clone())
    };
    let pairs: Vec<_> = a.iter().filter_map(|one| Some((one.clone(), alone(one, a, b)?))).collect();
    a.retain(|one| !pairs.iter().any(|(taken, _)| taken.id == one.id && same(taken, one)));
    b.retain(|one| !pairs.iter().any(|(_, taken)| taken.id == one.id && same(taken, one)));
    pairs
}

//! Pairs the cells of A and B that are compared.

use super::ComparableRun;
use super::run::CellKey;
use oversleep_recording::document::PairedBy;
use oversleep_recording::plan::{Conditions, Value};
use std::collections::BTreeSet;

/// Paired cells, and those without a counterpart.
pub(super) struct Matched {
    pub(super) pairs: Vec<Pair>,
    pub(super) only_a: Vec<CellKey>,
    pub(super) only_b: Vec<CellKey>,
    /// Conditions that the rows of A, and of B, do not state, where rows are paired without regard to them.
    pub(super) unstated: [Vec<&'static str>; 2],
}

/// A cell of A, the one of B, and what they were paired by.
pub(super) type Pair = (CellKey, CellKey, PairedBy);

/// A reason to pair a cell of A with one of B.
type Fits<'a> = &'a dyn Fn(&CellKey, &CellKey) -> bool;

/// Pairs each cell of A with the one of B that has the same method, pattern and conditions. Of the rest, it pairs cells
/// that match each other uniquely: those that differ only in conditions that no cell of one side states; single threads by their processor, then by their number; others by method and
/// pattern, then by pattern, then by method; and if one cell is left on each side, these two, as they are probably meant
/// to be compared. Cells of different quantities are never paired.
pub(super) fn matched(a: &[&ComparableRun], b: &[&ComparableRun]) -> Matched {
    let (mut left_a, mut left_b) = (distinct(a), distinct(b));
    let sides = Unstated::between([&left_a, &left_b], [a, b].map(assumes_load_kind));
    let pairs = take(&mut left_a, &mut left_b, CellKey::same);
    let mut pairs: Vec<Pair> = pairs.into_iter().map(|(one, other)| (one, other, PairedBy::Same)).collect();
    let alike = take_unique(&mut left_a, &mut left_b, |one, other| sides.fit(one, other));
    let unstated = sides.of_pairs(&alike);
    pairs.extend(alike.into_iter().map(|(one, other)| (one, other, PairedBy::Unstated)));
    let same_method: Fits = &|one, other| one.cell.method == other.cell.method;
    let same_pattern: Fits = &|one, other| one.cell.pattern == other.cell.pattern;
    let same_thread: Fits = &|one, other| one.thread().is_some_and(|number| other.thread() == Some(number));
    let same_processor: Fits = &|one, other| {
        let threads = one.thread().is_some() && other.thread().is_some();
        threads && one.processor().is_some_and(|cpu| other.processor() == Some(cpu))
    };
    let steps: [(Fits, PairedBy); 8] = [
        (&|one, other| same_processor(one, other) && same_pattern(one, other), PairedBy::Processor),
        (same_processor, PairedBy::Processor),
        (&|one, other| same_thread(one, other) && same_pattern(one, other), PairedBy::Thread),
        (same_thread, PairedBy::Thread),
        (&|one, other| same_method(one, other) && same_pattern(one, other), PairedBy::Only),
        (same_pattern, PairedBy::Only),
        (same_method, PairedBy::Only),
        (&|_, _| true, PairedBy::Only),
    ];
    for (fits, by) in steps {
        let taken = take_unique(&mut left_a, &mut left_b, fits);
        pairs.extend(taken.into_iter().map(|(one, other)| (one, other, by)));
    }
    Matched { pairs, only_a: left_a, only_b: left_b, unstated }
}

/// Returns whether a side's tables state numbers of busy threads, and not what these do.
fn assumes_load_kind(side: &[&ComparableRun]) -> bool {
    side.iter().any(|run| run.note.load_kind_assumed)
}

/// Returns every cell of a side, once.
fn distinct(side: &[&ComparableRun]) -> Vec<CellKey> {
    let mut cells: Vec<CellKey> = Vec::new();
    for own in side.iter().flat_map(|run| &run.cells).map(super::CellValues::key) {
        if !cells.iter().any(|known| known.same(&own)) {
            cells.push(own);
        }
    }
    cells
}

/// Moves matching pairs out of both lists; each cell takes its first match.
fn take(
    a: &mut Vec<CellKey>,
    b: &mut Vec<CellKey>,
    fits: impl Fn(&CellKey, &CellKey) -> bool,
) -> Vec<(CellKey, CellKey)> {
    let mut pairs = Vec::new();
    a.retain(|one| {
        let Some(at) = b.iter().position(|other| fits(one, other)) else { return true };
        pairs.push((one.clone(), b.remove(at)));
        false
    });
    pairs
}

/// Moves pairs out of both lists in which each cell is the other's only match.
fn take_unique(
    a: &mut Vec<CellKey>,
    b: &mut Vec<CellKey>,
    fits: impl Fn(&CellKey, &CellKey) -> bool,
) -> Vec<(CellKey, CellKey)> {
    let fits = |one: &CellKey, other: &CellKey| one.comparable(other) && fits(one, other);
    let alone = |one: &CellKey, own: &[CellKey], others: &[CellKey]| {
        let mut fitting = others.iter().filter(|other| fits(one, other));
        let only = fitting.next().filter(|_| fitting.next().is_none())?;
        let rivals = own.iter().filter(|rival| fits(rival, only)).count();
        (rivals == 1).then(|| only.clone())
    };
    let pairs: Vec<_> = a.iter().filter_map(|one| Some((one.clone(), alone(one, a, b)?))).collect();
    a.retain(|one| !pairs.iter().any(|(taken, _)| taken.same(one)));
    b.retain(|one| !pairs.iter().any(|(_, taken)| taken.same(one)));
    pairs
}

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

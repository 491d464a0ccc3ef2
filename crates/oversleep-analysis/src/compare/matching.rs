//! Pairs the cells of A and B that are compared.

use super::ComparableRun;
use super::run::CellKey;
use super::unstated::Unstated;
use oversleep_recording::document::PairedBy;

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

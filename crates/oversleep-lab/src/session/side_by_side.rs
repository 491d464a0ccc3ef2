//! Several recordings on one page: the shifts of their medians, as `compare` finds them, and a headline.

use super::page::PagePart;
use crate::analysis::compare::compare;
use crate::report::side_by_side;
use oversleep_recording::document::{Compared, ComparedFigure, ComparedName, PageRecording, PageShift};
use oversleep_recording::plan::Cell;

/// Adds to each recording but the first the shifts of its cells' medians against the first recording; returns a headline.
pub(super) fn compared(parts: &mut [PagePart]) -> String {
    let mut comparisons: Vec<Compared> = Vec::new();
    if let Some((first, others)) = parts.split_first_mut() {
        let cells = named(first);
        for other in others {
            let Some((a, b)) = first.comparable.as_ref().zip(other.comparable.take()) else { continue };
            let compared = compare(&[a], &[&b], false);
            let own = named(other);
            other.recording.shifts = own.iter().map(|cell| shift(&compared, &cells, cell)).collect();
            comparisons.push(compared);
        }
        first.comparable = None;
    }
    let recordings: Vec<&PageRecording> = parts.iter().map(|part| &part.recording).collect();
    side_by_side::headline(&recordings, &comparisons)
}

/// Returns the cells of a recording in the order of its figures.
fn named(part: &PagePart) -> Vec<Cell> {
    part.explanation().results.cells.iter().map(|cell| cell.cell.clone()).collect()
}

/// Returns the shift of a cell's median against the cell of the first recording with which it is paired.
fn shift(compared: &Compared, first: &[Cell], cell: &Cell) -> Option<PageShift> {
    let found = compared.cells.iter().find(|one| is(&one.b, cell))?;
    let median = found.shifts.iter().find(|shift| shift.figure == ComparedFigure::P50)?;
    Some(PageShift { first: first.iter().position(|cell| is(&found.a, cell))?, shift: median.clone() })
}

fn is(name: &ComparedName, cell: &Cell) -> bool {
    name.quantity.is_none()
        && name.method == cell.method
        && name.pattern == cell.pattern
        && name.conditions == cell.conditions
}

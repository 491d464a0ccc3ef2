//! Several recordings on one page: the shifts of their medians, as `compare` finds them, and a headline.

use super::page::PagePart;
use oversleep_analysis::compare::compare;
use oversleep_recording::document::{Compared, ComparedFigure, ComparedName, PageRecording, PageShift};
use oversleep_recording::plan::Cell;
use oversleep_report::side_by_side;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::PageReader;
    use oversleep_recording::document::ShiftVerdict;
    use oversleep_recording::plan::{Kind, Pattern, Plan};
    use oversleep_recording::{Meta, Origin, Sample, Sink};
    use oversleep_sys::units::Nanos;

    /// Returns a recording of 200 sleeps from this late on.
    fn part(name: &str, late: i64) -> PagePart {
        let cell = Cell::new(0, "nanosleep", Pattern::fixed(Nanos::MILLISECOND));
        let plan = Plan { kind: Kind::Measure, cells: vec![cell], turns: Vec::new(), seed: 0 };
        let mut reader = PageReader::beside_others(&Meta::new("test", Origin::Live, plan));
        let requested = Nanos::MILLISECOND;
        let samples = (0..200).map(|number| {
            let start = Nanos::from_millis(2 * number);
            let end = start + requested + Nanos::new(late + number % 10);
            let sequence = number.unsigned_abs();
            Sample { sequence, requested, start, end, cpu_start: 0, cpu_end: 0, ..Sample::BLANK }
        });
        reader.samples(&samples.collect::<Vec<_>>());
        reader.finish(name)
    }

    /// What `compare` leaves undecided, no page states as a fact.
    #[test]
    fn a_page_has_the_intervals_and_verdicts_of_compare() {
        let mut parts = vec![part("a.arrows", 50_000), part("b.arrows", 40_000)];
        let runs: Vec<_> = ["a", "b"].into_iter().zip([50_000, 40_000]).map(|(name, late)| part(name, late)).collect();
        let [a, b] = [&runs[0], &runs[1]].map(|part| part.comparable.as_ref().unwrap());
        let expected = compare(&[a], &[b], false).cells[0].shifts[0].clone();
        let headline = compared(&mut parts);
        let start = "b.arrows against a.arrows at the median of nanosleep 1.00 ms: −10.0 µs (−10.0 µs to −10.0 µs); undecided, because \
                     how much two equal runs";
        assert!(headline.starts_with(start), "{headline}");
        assert!(parts[0].recording.shifts.is_empty());
        let shift = parts[1].recording.shifts[0].as_ref().unwrap();
        assert_eq!((shift.first, &shift.shift, shift.shift.verdict), (0, &expected, ShiftVerdict::Open));
    }

    #[test]
    fn all_of_several_recordings_are_in_the_headline() {
        let mut parts = vec![part("a.arrows", 50_000), part("b.arrows", 40_000), part("c.arrows", 40_000)];
        let start =
            "3 recordings side by side: a.arrows, b.arrows and c.arrows. Whether they differ is undecided, because";
        assert!(compared(&mut parts).starts_with(start));
        assert_eq!(compared(&mut parts[..1]), parts[0].recording.headline);
        // The names of more stand below it.
        let mut parts = ["a", "b", "c", "d"].map(|name| part(name, 40_000));
        assert!(compared(&mut parts).starts_with("4 recordings side by side. Whether they differ"));
    }
}

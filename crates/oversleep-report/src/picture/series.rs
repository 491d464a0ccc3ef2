//! Which cells of a recording share a colour: each has its own, or each method, or the latest methods and all others.
//!
//! The page's script draws the same series in the same colours.

use super::figure::{Shape, Stroke};
use oversleep_recording::document::{Measured, PageCell, PageSeries};

/// Largest number of series that are distinguished by colour.
pub(super) const COLOURS: usize = 6;
/// Colour of the series that has all cells without a colour of their own: grey.
const OTHERS: usize = 7;

/// Returns the series of a recording: a cell each if these are few, else a method each; of many methods, those with the
/// latest medians, and one for the others, drawn below them.
pub fn series(measured: &Measured, labels: &[PageCell]) -> Vec<PageSeries> {
    let cells = &measured.cells;
    let slept: Vec<usize> = (0..labels.len()).filter(|cell| cells[*cell].raw.n > 0).collect();
    let one = |name: &str, colour, cells| PageSeries { name: Some(name.to_owned()), colour, cells };
    if (2..=COLOURS).contains(&slept.len()) {
        return slept.iter().enumerate().map(|(index, cell)| one(&labels[*cell].label, index, vec![*cell])).collect();
    }
    let mut methods: Vec<&str> = Vec::new();
    for cell in &slept {
        if !methods.contains(&&*cells[*cell].method) {
            methods.push(&cells[*cell].method);
        }
    }
    if methods.len() < 2 {
        return vec![PageSeries { name: None, colour: 0, cells: (0..labels.len()).collect() }];
    }
    let with = |method: &str| slept.iter().copied().filter(|cell| cells[*cell].method == method).collect::<Vec<_>>();
    let count = methods.len();
    let mut series = Vec::new();
    if count > COLOURS {
        methods.sort_by_cached_key(|method| {
            std::cmp::Reverse(with(method).iter().filter_map(|cell| cells[*cell].raw.p50).max())
        });
        methods.truncate(COLOURS - 1);
        let others = slept.iter().copied().filter(|cell| !methods.contains(&&*cells[*cell].method)).collect();
        series.push(one(&format!("{} other methods", count - methods.len()), OTHERS, others));
    }
    series.extend(methods.iter().enumerate().map(|(index, method)| one(method, index, with(method))));
    series
}

/// Returns the index of each cell's series; `None` if it has none.
pub(super) fn of_cells(series: &[PageSeries], cells: usize) -> Vec<Option<usize>> {
    let mut of_cells = vec![None; cells];
    for (index, series) in series.iter().enumerate() {
        for cell in &series.cells {
            of_cells[*cell] = Some(index);
        }
    }
    of_cells
}

/// Returns the shape of a series' outline.
pub(super) fn outlined(series: &PageSeries, outline: Vec<(f64, f64)>) -> Shape {
    match series.colour {
        OTHERS => Shape::Area(outline),
        colour => Shape::Line(outline, stroke(colour)),
    }
}

/// Returns the style of the lines of a colour, so that lines differ by more than colour.
pub(super) const fn stroke(colour: usize) -> Stroke {
    const STROKES: [Stroke; 4] = [Stroke::Whole, Stroke::Dashed, Stroke::Dotted, Stroke::DashDotted];
    STROKES[colour % STROKES.len()]
}

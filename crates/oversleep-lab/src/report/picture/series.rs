//! Which cells of a recording share a colour: each has its own, or each method, or the latest methods and all others.

use super::figure::Stroke;
use oversleep_recording::document::PageRecording;

/// Largest number of series that are distinguished by colour.
pub(super) const COLOURS: usize = 6;
/// Colour of the series that has all cells without a colour of their own: grey.
const OTHERS: usize = 7;

/// Index of each cell's series, and names of the series.
pub(super) struct Series {
    /// Index of each cell's series; `None` if it did not sleep.
    pub(super) cells: Vec<Option<usize>>,
    /// Name of each series; `None` if it is the only one.
    pub(super) names: Vec<Option<String>>,
    /// Whether the first series has the cells without a colour of their own.
    others: bool,
}

impl Series {
    /// Returns the series of a recording: a cell each if these are few, else a method each; of many methods, those with the
    /// latest medians, and one for the others, drawn below them.
    pub(super) fn of(of: &PageRecording) -> Self {
        let cells = &of.measured.cells;
        let slept: Vec<usize> = (0..of.cells.len()).filter(|cell| cells[*cell].raw.n > 0).collect();
        let mut methods: Vec<&str> = Vec::new();
        for cell in &slept {
            if !methods.contains(&&*cells[*cell].method) {
                methods.push(&cells[*cell].method);
            }
        }
        if (2..=COLOURS).contains(&slept.len()) {
            let place = |cell: usize| slept.iter().position(|one| *one == cell);
            let names = slept.iter().map(|cell| Some(of.cells[*cell].label.clone())).collect();
            return Self { cells: (0..of.cells.len()).map(place).collect(), names, others: false };
        }
        if methods.len() < 2 {
            return Self { cells: vec![Some(0); of.cells.len()], names: vec![None], others: false };
        }
        let others = methods.len() > COLOURS;
        let count = methods.len();
        if others {
            let median = |method: &&str| {
                slept
                    .iter()
                    .filter(|cell| cells[**cell].method == **method)
                    .filter_map(|cell| cells[*cell].raw.p50)
                    .max()
            };
            methods.sort_by_key(|method| std::cmp::Reverse(median(method)));
            methods.truncate(COLOURS - 1);
        }
        let first = usize::from(others);
        let place = |cell: usize| {
            let named = methods.iter().position(|method| *method == cells[cell].method);
            slept.contains(&cell).then(|| named.map_or(0, |at| at + first))
        };
        let rest = others.then(|| Some(format!("{} other methods", count - methods.len())));
        let names = rest.into_iter().chain(methods.iter().map(|method| Some((*method).to_owned()))).collect();
        Self { cells: (0..of.cells.len()).map(place).collect(), names, others }
    }

    /// Returns the index of a series' colour, and of its marker.
    pub(super) fn colour(&self, series: usize) -> usize {
        match (self.others, series) {
            (true, 0) => OTHERS,
            (true, series) => series - 1,
            (false, series) => series,
        }
    }

    /// Returns the style of a series' line, so that lines differ by more than colour.
    pub(super) fn stroke(&self, series: usize) -> Stroke {
        const STROKES: [Stroke; 4] = [Stroke::Whole, Stroke::Dashed, Stroke::Dotted, Stroke::DashDotted];
        match self.colour(series) {
            OTHERS => Stroke::Broad,
            colour => STROKES[colour % STROKES.len()],
        }
    }
}

//! Comparison of two sides of recordings: the document, its text, and the checks asked for.

mod judge;
mod limit;

pub use limit::ShiftLimit;

use super::results::pretty;
use oversleep_analysis::compare::{self, ComparableRun};
use oversleep_recording::document::{Compared, QuantileShift};
use oversleep_report::headline::Headline;
use oversleep_report::{self as report, Screen};
use oversleep_sys::units::Nanos;

/// Returns the number of recordings per side above which an exact comparison takes too long or too much memory.
///
/// The counts behind the unpaired test grow with the cube of it, those of pairs with the square; with 400 pairs they
/// stay within a float's range.
pub const fn most_runs(paired: bool) -> usize {
    if paired { 400 } else { 100 }
}

/// A comparison of two sides of recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison(pub Compared);

impl Comparison {
    /// Compares the recordings of side A with those of side B. If `paired`, the n-th of A belongs with the n-th of B.
    pub fn new(a: &[&ComparableRun], b: &[&ComparableRun], paired: bool) -> Self {
        Self(compare::compare(a, b, paired))
    }

    /// Compares two sides that were measured in turns A B B A, which took this time, and A with itself as a control.
    pub fn interleaved(a: &[&ComparableRun], b: &[&ComparableRun], took: Nanos) -> Self {
        let mut compared = compare::compare(a, b, true);
        compared.took = Some(took);
        // The control has the same design: of every four recordings of A, the outer two against the inner two.
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for four in a.chunks_exact(4) {
            outer.extend([four[0], four[3]]);
            inner.extend([four[1], four[2]]);
        }
        if !outer.is_empty() {
            compared.control = Some(compare::compare(&outer, &inner, true).cells);
        }
        Self(compared)
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> String {
        pretty(&Headline::without_advice(self.sentence()).with_document(&self.0))
    }

    /// Returns the comparison as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        report::compare::text(&self.0, screen)
    }

    /// Returns the comparison as Markdown for an issue tracker.
    pub fn markdown(&self) -> String {
        report::compare::markdown(&self.0)
    }

    /// Returns the comparison in one sentence; empty where nothing was compared.
    pub fn sentence(&self) -> String {
        report::compare::sentence(&self.0)
    }

    /// Returns a picture of the shifts as SVG.
    ///
    /// # Errors
    /// If no shift has an interval; the text says so.
    pub fn svg(&self) -> Result<String, String> {
        report::picture::shifts_svg(&self.0)
    }

    /// Returns what was not paired on each side, A first: method, request and conditions of the first few cells.
    pub fn unpaired(&self) -> [String; 2] {
        report::compare::unpaired(&self.0)
    }

    /// Returns half the width of the widest interval of the medians; `None` while there are too few recordings for a 95
    /// % interval.
    pub fn resolution(&self) -> Option<Nanos> {
        let medians = self.0.cells.iter().map(|cell| cell.shifts.first());
        let widths = medians.map(|shift| shift.filter(|shift| shift.confidence >= 0.95).map(half_width));
        widths.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max).map(Nanos::from_f64)
    }
}

fn half_width(shift: &QuantileShift) -> f64 {
    (shift.high_ns - shift.low_ns) / 2.0
}

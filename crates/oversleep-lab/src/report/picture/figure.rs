//! What is drawn, before it is known on what: layers of points and lines between two axes.

use super::axis::Axis;

/// A picture.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// What it says, in a sentence.
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) layers: Vec<Layer>,
}

/// One series.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// Its name in the legend; `None` for what needs none.
    pub(super) name: Option<String>,
    /// The number of its colour.
    pub(super) colour: usize,
    pub(super) shape: Shape,
}

/// How a series is drawn.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// Values as points: where many fall together it is darker, and each of them is seen.
    Cloud(Vec<(f64, f64)>),
    /// Few values as points, each with the form of its series.
    Dots(Vec<(f64, f64)>),
    /// Values joined by a line.
    Line(Vec<(f64, f64)>, Stroke),
    /// The same, dashed: what would be without any lateness.
    Guide(Vec<(f64, f64)>),
}

/// How a line is drawn: lines differ in more than colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stroke {
    #[default]
    Whole,
    /// Thick and pale, for others to lie upon.
    Broad,
    Dashed,
    Dotted,
    DashDotted,
}

impl Layer {
    /// Returns its values.
    pub(super) fn values(&self) -> &[(f64, f64)] {
        match &self.shape {
            Shape::Cloud(values) | Shape::Dots(values) | Shape::Line(values, _) | Shape::Guide(values) => values,
        }
    }
}

/// Points counted in squares of a grid.
pub(super) fn counted(figure: &Figure, values: &[(f64, f64)], width: usize, height: usize) -> Vec<u32> {
    let mut counts = vec![0_u32; width * height];
    for (x, y) in values {
        let (x, y) = (figure.x.at(*x), figure.y.at(*y));
        if !(0.0..=1.0).contains(&x) || !(0.0..=1.0).contains(&y) {
            continue;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // both lie between 0 and 1
        let (column, row) = ((x * width as f64) as usize, ((1.0 - y) * height as f64) as usize);
        counts[row.min(height - 1) * width + column.min(width - 1)] += 1;
    }
    counts
}

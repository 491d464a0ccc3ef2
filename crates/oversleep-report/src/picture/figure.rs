//! Figures, independent of the output format: layers of points and lines between two axes.

use super::axis::Axis;

/// A plot between two axes.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// What the plot shows, in a sentence.
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) layers: Vec<Layer>,
}

/// One series of a plot.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// Name in the legend; `None` to leave it out of the legend.
    pub(super) name: Option<String>,
    /// Index of its colour.
    pub(super) colour: usize,
    pub(super) shape: Shape,
}

/// Form of a series.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// Many values as points, darker where they coincide; single values remain visible.
    Cloud(Vec<(f64, f64)>),
    /// Few values as points, with a marker for each series.
    Dots(Vec<(f64, f64)>),
    /// Values joined by a line.
    Line(Vec<(f64, f64)>, Stroke),
    /// The area below a line, pale, so that lines on it remain visible.
    Area(Vec<(f64, f64)>),
    /// Values joined by a dashed line: what would be without any lateness.
    Guide(Vec<(f64, f64)>),
}

/// Style of a line: lines differ by more than colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stroke {
    #[default]
    Whole,
    /// Thick and pale, so that other lines on it remain visible.
    Broad,
    Dashed,
    Dotted,
    DashDotted,
}

impl Layer {
    /// Returns the values of the series.
    pub(super) fn values(&self) -> &[(f64, f64)] {
        match &self.shape {
            Shape::Cloud(values)
            | Shape::Dots(values)
            | Shape::Line(values, _)
            | Shape::Area(values)
            | Shape::Guide(values) => values,
        }
    }
}

/// Returns the number of points in each square of a grid.
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

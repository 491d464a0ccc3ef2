//! Conversion of documents' charts to figures.

use super::axis::{Axis, AxisQuantity, Scale};
use super::figure::{Figure, Layer, Shape, Stroke};
use oversleep_recording::document::{AxisScale, AxisUnit, Chart, ChartAxis, ChartMark, ChartSeries};

/// Converts a chart to a figure.
pub(super) fn figure(of: &Chart) -> Figure {
    let layers = of.series.iter().enumerate().map(|(colour, series)| layer(colour, series)).collect();
    Figure { title: of.title.clone(), x: axis(&of.x), y: axis(&of.y), layers }
}

fn axis(of: &ChartAxis) -> Axis {
    let counts = match of.unit {
        AxisUnit::Nanoseconds => AxisQuantity::Time,
        AxisUnit::Seconds => AxisQuantity::Seconds,
        AxisUnit::One => AxisQuantity::Numbers,
    };
    let scale = match of.scale {
        AxisScale::Linear => Scale::Linear,
        AxisScale::Log => Scale::Log,
        AxisScale::TwoSided => Scale::TwoSided,
    };
    Axis::new(&of.title, counts, scale, of.from, of.to)
}

fn layer(colour: usize, of: &ChartSeries) -> Layer {
    let points = of.points.clone();
    let shape = match of.mark {
        ChartMark::Dots => Shape::Dots(points),
        ChartMark::Line => Shape::Line(points, Stroke::Whole),
        ChartMark::Broad => Shape::Line(points, Stroke::Broad),
        ChartMark::Dashed => Shape::Line(points, Stroke::Dashed),
        ChartMark::Dotted => Shape::Line(points, Stroke::Dotted),
        ChartMark::DashDotted => Shape::Line(points, Stroke::DashDotted),
        ChartMark::Guide => Shape::Guide(points),
    };
    Layer { name: (!of.name.is_empty()).then(|| of.name.clone()), colour, shape }
}

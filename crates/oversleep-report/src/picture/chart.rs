//! Conversion of documents' charts to figures.

use super::axis::{Axis, AxisQuantity, Scale};
use super::figure::{Figure, Layer, Shape, Stroke};
use oversleep_recording::document::{AxisScale, AxisUnit, Chart, ChartAxis, ChartMark, ChartSeries};

/// Converts a chart to a figure.
pub(super) fn figure(chart: &Chart) -> Figure {
    let layers = chart.series.iter().enumerate().map(|(colour, series)| layer(colour, series)).collect();
    Figure { title: chart.title.clone(), x: axis(&chart.x), y: axis(&chart.y), layers }
}

fn axis(axis: &ChartAxis) -> Axis {
    let counts = match axis.unit {
        AxisUnit::Nanoseconds => AxisQuantity::Time,
        AxisUnit::Seconds => AxisQuantity::Seconds,
        AxisUnit::One => AxisQuantity::Numbers,
    };
    let scale = match axis.scale {
        AxisScale::Linear => Scale::Linear,
        AxisScale::Log => Scale::Log,
        AxisScale::TwoSided => Scale::TwoSided,
    };
    Axis::new(&axis.title, counts, scale, axis.from, axis.to)
}

fn layer(colour: usize, series: &ChartSeries) -> Layer {
    let points = series.points.clone();
    let shape = match series.mark {
        ChartMark::Dots => Shape::Dots(points),
        ChartMark::Line => Shape::Line(points, Stroke::Whole),
        ChartMark::Broad => Shape::Line(points, Stroke::Broad),
        ChartMark::Dashed => Shape::Line(points, Stroke::Dashed),
        ChartMark::Dotted => Shape::Line(points, Stroke::Dotted),
        ChartMark::DashDotted => Shape::Line(points, Stroke::DashDotted),
        ChartMark::Guide => Shape::Guide(points),
    };
    Layer { name: (!series.name.is_empty()).then(|| series.name.clone()), colour, shape }
}

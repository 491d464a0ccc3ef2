//! Charts as SVG and PNG.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// The size of one panel in pixels.
const SIZE: (u32, u32) = (900, 420);

/// Okabe and Ito's colours, which most eyes can tell apart.
pub(super) const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
];

/// An axis.
pub(super) struct Axis {
    pub(super) label: &'static str,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) log: bool,
}

impl Axis {
    pub(super) const fn linear(label: &'static str, from: f64, to: f64) -> Self {
        Self { label, from, to, log: false }
    }

    pub(super) const fn log(label: &'static str, from: f64, to: f64) -> Self {
        Self { label, from, to, log: true }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// A line of this many pixels: thicker where another will lie upon it.
    Line(u32),
    Dots,
}

/// Points that belong together.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) mark: Mark,
    pub(super) points: Vec<(f64, f64)>,
}

/// One chart.
pub(super) struct Panel {
    pub(super) title: &'static str,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
    /// Where the names of the series are out of the way.
    pub(super) legend: SeriesLabelPosition,
}

/// Writes `panels`, one below the other, as `NAME.svg` and `NAME.png` into `folder`.
pub(super) fn write(folder: &Path, name: &str, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    let size = (SIZE.0, SIZE.1 * u32::try_from(panels.len())?);
    let svg = folder.join(format!("{name}.svg"));
    draw(&SVGBackend::new(&svg, size).into_drawing_area(), panels)?;
    let png = folder.join(format!("{name}.png"));
    draw(&BitMapBackend::new(&png, size).into_drawing_area(), panels)
}

fn draw<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panels: &[Panel]) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    area.fill(&WHITE)?;
    for (area, panel) in area.split_evenly((panels.len(), 1)).iter().zip(panels) {
        let (x, y) = (panel.x.from..panel.x.to, panel.y.from..panel.y.to);
        match (panel.x.log, panel.y.log) {
            (false, false) => chart(area, panel, x, y)?,
            (false, true) => chart(area, panel, x, y.log_scale())?,
            (true, false) => chart(area, panel, x.log_scale(), y)?,
            (true, true) => chart(area, panel, x.log_scale(), y.log_scale())?,
        }
    }
    area.present()?;
    Ok(())
}

fn chart<B, X, Y>(area: &DrawingArea<B, Shift>, panel: &Panel, x: X, y: Y) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend,
    B::ErrorType: 'static,
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
    Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, ("sans-serif", 18))
        .margin(12)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(WHITE)
        .x_labels(8)
        .x_desc(panel.x.label)
        .y_desc(panel.y.label)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .draw()?;
    for (series, colour) in panel.series.iter().zip(COLOURS.iter().cycle()) {
        let inside =
            |&&(x, y): &&(f64, f64)| x >= panel.x.from && x <= panel.x.to && y >= panel.y.from && y <= panel.y.to;
        let points: Vec<(f64, f64)> = series.points.iter().filter(inside).copied().collect();
        let drawn = match series.mark {
            Mark::Line(width) => chart.draw_series(LineSeries::new(points, colour.stroke_width(width)))?,
            Mark::Dots => chart.draw_series(points.into_iter().map(|point| Circle::new(point, 2, colour.filled())))?,
        };
        let colour = *colour;
        drawn
            .label(series.name.clone())
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 14, y + 4)], colour.filled()));
    }
    if panel.series.len() > 1 {
        chart
            .configure_series_labels()
            .position(panel.legend.clone())
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .label_font(("sans-serif", 13))
            .draw()?;
    }
    Ok(())
}

/// As short as it can be said.
#[allow(clippy::trivially_copy_pass_by_ref)] // plotters' signature
fn number(value: &f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded}")
}

//! Plots of a recording, for papers, issue trackers and the terminal.
//!
//! A plot is built once, as layers between two axes or as rows, and then drawn as SVG or as text. To add one: a
//! function in `plots` or `rows`, and a line in [`Plot`].

mod axis;
mod counted;
mod figure;
mod groups;
mod plots;
mod rows;
mod series;
mod svg;
mod text;

pub use series::series;

use super::header::provenance;
use super::html::Selection;
use super::{Screen, compare};
use axis::{Axis, AxisQuantity, Scale};
use figure::{Figure, Layer, Shape, Stroke};
use oversleep_recording::Sample;
use oversleep_recording::document::breakdown::PartKind;
use oversleep_recording::document::{
    AxisScale, AxisUnit, Chart, ChartAxis, ChartMark, ChartSeries, Compared, ErrorSource, PageRecording, QuantileShift,
};
use oversleep_recording::text::visible;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use rows::{MOST, PlotRow, RowShape, Rows};

/// The available plots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plot {
    /// Oversleep against time.
    Time,
    /// Time slept against time requested.
    Request,
    /// Number of sleeps by oversleep.
    Distribution,
    /// Oversleep by load.
    Load,
    /// Oversleep by processor.
    Processors,
    /// Distribution of each cell, ranked by median oversleep.
    Ranking,
    /// Drift of clocks against the monotonic one.
    Drift,
    /// Parts of the oversleep.
    Breakdown,
    /// Oversleep against processor time.
    Cost,
}

impl Plot {
    /// Every plot, with its name.
    pub const ALL: [(&str, Self); 9] = [
        ("time", Self::Time),
        ("request", Self::Request),
        ("distribution", Self::Distribution),
        ("load", Self::Load),
        ("processors", Self::Processors),
        ("ranking", Self::Ranking),
        ("drift", Self::Drift),
        ("breakdown", Self::Breakdown),
        ("cost", Self::Cost),
    ];

    /// Returns the plot with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, plot)| *plot)
    }

    /// Returns the most informative plot of a recording.
    pub const fn best(recording: &PageRecording) -> Self {
        match recording {
            PageRecording { clocks: Some(_), .. } => Self::Drift,
            PageRecording { counts, .. } if !counts.is_empty() => Self::Distribution,
            PageRecording { traces, .. } if !traces.is_empty() => Self::Breakdown,
            PageRecording { cells, .. } if cells.len() > 12 => Self::Ranking,
            _ => Self::Time,
        }
    }
}

/// Returns a name as a legend shows it: `timer slack`, but `wake-up`, as tables write it.
fn in_legend(name: &str) -> String {
    if name == PartKind::Wake.name() { name.to_owned() } else { name.replace('-', " ") }
}

/// The data of plots.
pub struct Subject<'a> {
    /// Documents of the recording.
    pub recording: &'a PageRecording,
    /// Samples of the recording, or a selection of them.
    pub samples: &'a [Sample],
    /// How these samples were selected.
    pub selection: Selection<'a>,
    /// Time of the recording's beginning on each cell's clock, in ns.
    pub origins: &'a [i64],
}

enum Drawn {
    Figure(Box<Figure>),
    Rows(Rows),
}

/// Returns a plot as SVG, what makes its figures doubtful and where they were measured below its title; the error says why there
/// is none.
pub fn svg(plot: Plot, data: &Subject<'_>) -> Result<String, String> {
    let warned = |title: &str| {
        let mut lines = vec![title];
        lines.extend(data.recording.warnings.iter().map(String::as_str));
        lines.join("\n")
    };
    let measured = provenance(data.recording);
    let measured = visible(&measured);
    Ok(match draw(plot, data)? {
        Drawn::Figure(figure) => svg::figure(&Figure { title: warned(&figure.title), ..*figure }, &measured),
        Drawn::Rows(rows) => svg::rows(&Rows { title: warned(&rows.title), ..rows }, &measured),
    })
}

/// Returns a plot as text; the error says why there is none.
pub fn text(plot: Plot, data: &Subject<'_>, screen: Screen) -> Result<String, String> {
    Ok(match draw(plot, data)? {
        Drawn::Figure(figure) => text::figure(&figure, screen),
        Drawn::Rows(rows) => text::rows(&rows, screen),
    })
}

/// Returns related charts as one SVG, one below the other.
pub fn charts_svg(charts: &[Chart]) -> String {
    svg::figures(&charts.iter().map(chart_figure).collect::<Vec<_>>(), "", "")
}

/// Returns a chart as SVG to embed in a page; `name` distinguishes its element ids from those of other charts.
pub fn chart_inline(chart: &Chart, name: &str) -> String {
    svg::figures(&[chart_figure(chart)], "", name)
}

/// Returns a chart as text.
pub fn chart_text(chart: &Chart, look: Screen) -> String {
    text::figure(&chart_figure(chart), look)
}

fn draw(plot: Plot, data: &Subject<'_>) -> Result<Drawn, String> {
    let figure = |figure: Option<Figure>, why: &str| {
        figure.map(|figure| Drawn::Figure(Box::new(figure))).ok_or_else(|| why.to_owned())
    };
    let rows = |rows: Option<Rows>, why: &str| rows.map(Drawn::Rows).ok_or_else(|| why.to_owned());
    let no_samples = match data.recording.counts.as_slice() {
        [] => "the recording has no samples",
        _ if plot == Plot::Distribution => "the file has extremes and a mean, but no buckets",
        _ => "the file has counts in buckets and no samples; --plot distribution draws them",
    };
    match plot {
        Plot::Request | Plot::Load | Plot::Processors if data.samples.is_empty() => Err(no_samples.to_owned()),
        Plot::Time => figure(plots::time(data), no_samples),
        Plot::Request => figure(plots::request(data), "every sleep asked for the same"),
        Plot::Distribution => figure(plots::distribution(data), no_samples),
        Plot::Load => groups::load(data).map(Drawn::Rows),
        Plot::Processors => groups::processors(data).map(Drawn::Rows),
        Plot::Ranking => rows(rows::ranking(data), no_samples),
        Plot::Drift => figure(plots::drift(data), "no clocks were read together while it ran"),
        Plot::Cost => figure(
            plots::cost(data),
            "the processor time of its sleeps was not measured; `oversleep measure` measures it",
        ),
        Plot::Breakdown => rows(rows::breakdown(data), "the causes of the oversleep are not known"),
    }
}

/// Converts a chart to a figure.
fn chart_figure(chart: &Chart) -> Figure {
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

/// Pixels per SVG unit: sharp on common screens and on paper.
const SCALE: f32 = 2.0;

/// Renders one of our SVGs as PNG, in its light colours on white.
///
/// # Errors
/// If there is no font, or the picture is too large.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let family =
        plain_family(fonts).ok_or("there is no font on this system to draw a PNG with; ask for .svg instead")?;
    fonts.set_sans_serif_family(&family);
    options.font_family = family;
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let pixels = tree.size().to_int_size().scale_by(SCALE).and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or("the picture is too large for a PNG; ask for .svg instead")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

/// Returns a common sans serif font that this system has, or else any font.
fn plain_family(fonts: &Database) -> Option<String> {
    const USUAL: [&str; 7] =
        ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Helvetica", "Arial", "Segoe UI", "Verdana"];
    let names = || fonts.faces().flat_map(|face| &face.families).map(|(name, _)| name);
    let usual = USUAL.iter().find(|usual| names().any(|name| name == *usual));
    usual.map(|name| (*name).to_owned()).or_else(|| names().next().cloned())
}

/// Returns the picture as SVG; the error says why there is none.
pub fn shifts_svg(compared: &Compared) -> Result<String, String> {
    let all = compare::named_shifts(compared);
    let known = |shift: &QuantileShift| shift.error != ErrorSource::Buckets;
    let shown: Vec<_> = all.iter().filter(|(_, shift)| known(shift)).collect();
    let ends = shown.iter().flat_map(|(_, shift)| [shift.low_ns, shift.high_ns, 0.0]);
    let Some((low, high)) = ends.fold(None, |ends: Option<(f64, f64)>, at| {
        Some(ends.map_or((at, at), |(low, high)| (low.min(at), high.max(at))))
    }) else {
        return Err("no quantile of these recordings has a shift with an interval".to_owned());
    };
    let margin = ((high - low) * 0.05).max(1.0);
    let axis = Axis::new("how much later B is", AxisQuantity::Time, Scale::Linear, low - margin, high + margin);
    let place = |ns: f64| axis.at(ns).clamp(0.0, 1.0);
    let row = |(name, shift): &&(String, QuantileShift)| PlotRow {
        name: name.clone(),
        figure: compare::size(shift),
        shape: RowShape::Interval {
            zero: place(0.0),
            low: place(shift.low_ns),
            size: place(shift.size_ns),
            high: place(shift.high_ns),
        },
    };
    let lines = shown.iter().take(MOST).map(row).collect();
    let title = compare::sentence(compared);
    let more = shown.len().saturating_sub(MOST);
    Ok(svg::rows(&Rows { title, axis, lines, more, note: compare::why_undecided(compared) }, ""))
}

#[cfg(test)]
mod tests;

//! Plots of a recording, for papers, issue trackers and the terminal.
//!
//! A plot is built once, as layers between two axes or as rows, and then drawn as SVG or as text. To add one: a
//! function in `plots` or `rows`, and a line in [`Plot`].

mod axis;
mod chart;
mod counted;
mod figure;
mod groups;
mod plots;
mod png;
mod rows;
mod series;
mod shifts;
mod svg;
mod text;

pub use png::png;
pub use series::series;
pub use shifts::shifts_svg;

use super::Screen;
use super::header::provenance;
use super::html::Selection;
use figure::Figure;
use oversleep_recording::Sample;
use oversleep_recording::document::{Chart, PageRecording};
use oversleep_recording::text::visible;
use rows::Rows;

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
            PageRecording { cells, .. } if cells.len() > 12 => Self::Ranking,
            _ => Self::Time,
        }
    }
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
    svg::figures(&charts.iter().map(chart::figure).collect::<Vec<_>>(), "", "")
}

/// Returns a chart as SVG to embed in a page; `name` distinguishes its element ids from those of other charts.
pub fn chart_inline(chart: &Chart, name: &str) -> String {
    svg::figures(&[chart::figure(chart)], "", name)
}

/// Returns a chart as text.
pub fn chart_text(chart: &Chart, look: Screen) -> String {
    text::figure(&chart::figure(chart), look)
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

#[cfg(test)]
mod tests;

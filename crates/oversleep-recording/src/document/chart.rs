//! Charts as data: curves and points between two axes.

use serde::Serialize;

/// A chart with two axes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chart {
    /// What the chart shows, as a sentence.
    pub title: String,
    /// Horizontal axis.
    pub x: ChartAxis,
    /// Vertical axis.
    pub y: ChartAxis,
    /// Series in drawing order: later ones cover earlier ones.
    pub series: Vec<ChartSeries>,
}

/// An axis of a chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChartAxis {
    /// Quantity on the axis, in words.
    pub title: String,
    /// Unit of the values.
    pub unit: AxisUnit,
    /// Scale of the axis.
    pub scale: AxisScale,
    /// Smallest value shown.
    pub from: f64,
    /// Largest value shown.
    pub to: f64,
}

/// The unit of an axis' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AxisUnit {
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Seconds since the beginning of the recording.
    #[serde(rename = "s")]
    Seconds,
    /// A number without a unit of time, such as ticks per second.
    #[serde(rename = "1")]
    One,
}

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic.
    Log,
    /// Logarithmic on both sides of zero, linear within a microsecond of it.
    TwoSided,
}

/// A series of a chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChartSeries {
    /// Name in the legend; empty for a series that needs none.
    pub name: String,
    /// Drawing style.
    pub mark: ChartMark,
    /// Values as pairs of x and y.
    pub points: Vec<(f64, f64)>,
}

/// The drawing style of a series. Styles differ in width and dashes as well as colour, for readers who see fewer
/// colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ChartMark {
    /// Points.
    Dots,
    /// A line.
    Line,
    /// A wide, pale line that leaves lines above it visible.
    Broad,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
    /// A line of dashes and dots in turn.
    DashDotted,
    /// A thin dashed line that is not data: where values would lie without any lateness.
    Guide,
}

impl ChartAxis {
    /// Returns a linear axis of times in ns.
    pub fn times(title: &str, from: f64, to: f64) -> Self {
        Self { title: title.to_owned(), unit: AxisUnit::Nanoseconds, scale: AxisScale::Linear, from, to }
    }

    /// Returns a logarithmic axis of times in ns.
    pub fn log_times(title: &str, from: f64, to: f64) -> Self {
        Self { scale: AxisScale::Log, ..Self::times(title, from, to) }
    }

    /// Returns a linear axis of seconds since the beginning of the recording.
    pub fn seconds(title: &str, from: f64, to: f64) -> Self {
        Self { unit: AxisUnit::Seconds, ..Self::times(title, from, to) }
    }

    /// Returns a logarithmic axis of numbers.
    pub fn log_numbers(title: &str, from: f64, to: f64) -> Self {
        Self { unit: AxisUnit::One, ..Self::log_times(title, from, to) }
    }

    /// Returns a linear axis of numbers.
    pub fn numbers(title: &str, from: f64, to: f64) -> Self {
        Self { unit: AxisUnit::One, ..Self::times(title, from, to) }
    }
}

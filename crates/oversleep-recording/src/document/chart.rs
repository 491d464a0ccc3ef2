//! Charts: curves and points between two axes, before anything is drawn.

use serde::Serialize;

/// A chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chart {
    /// What it says, in a sentence.
    pub title: String,
    /// The axis from left to right.
    pub x: ChartAxis,
    /// The axis from bottom to top.
    pub y: ChartAxis,
    /// What is drawn, the first below the others.
    pub series: Vec<ChartSeries>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChartAxis {
    /// What it counts, in words.
    pub title: String,
    /// The unit of its values.
    pub unit: AxisUnit,
    /// How values lie on it.
    pub scale: AxisScale,
    /// Its least value.
    pub from: f64,
    /// Its greatest.
    pub to: f64,
}

/// The unit of an axis' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AxisUnit {
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Seconds since the beginning.
    #[serde(rename = "s")]
    Seconds,
    /// A number, such as ticks per second.
    #[serde(rename = "1")]
    One,
}

/// How values lie on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AxisScale {
    /// Evenly.
    Linear,
    /// By powers of ten.
    Log,
    /// By powers of ten on both sides of zero, evenly within a microsecond of it.
    TwoSided,
}

/// Values that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChartSeries {
    /// Its name in the legend; empty for what needs none.
    pub name: String,
    /// How it is drawn.
    pub mark: ChartMark,
    /// Its values, x and y.
    pub points: Vec<(f64, f64)>,
}

/// How a series is drawn. Series differ in more than colour: by width and dashes, for those who see fewer colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ChartMark {
    /// Points.
    Dots,
    /// A line.
    Line,
    /// A broad, pale line, on which others stay visible.
    Broad,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
    /// A line of dashes and dots in turn.
    DashDotted,
    /// A thin dashed line that is no data: what would be without any lateness.
    Guide,
}

impl ChartAxis {
    /// Returns an axis of times on which values lie evenly.
    pub fn times(title: &str, from: f64, to: f64) -> Self {
        Self { title: title.to_owned(), unit: AxisUnit::Nanoseconds, scale: AxisScale::Linear, from, to }
    }

    /// Returns an axis of times by powers of ten.
    pub fn log_times(title: &str, from: f64, to: f64) -> Self {
        Self { scale: AxisScale::Log, ..Self::times(title, from, to) }
    }

    /// Returns an axis of seconds since the beginning.
    pub fn seconds(title: &str, from: f64, to: f64) -> Self {
        Self { unit: AxisUnit::Seconds, ..Self::times(title, from, to) }
    }

    /// Returns an axis of numbers by powers of ten.
    pub fn log_numbers(title: &str, from: f64, to: f64) -> Self {
        Self { unit: AxisUnit::One, ..Self::log_times(title, from, to) }
    }

    /// Returns an axis of numbers on which values lie evenly.
    pub fn numbers(title: &str, from: f64, to: f64) -> Self {
        Self { unit: AxisUnit::One, ..Self::times(title, from, to) }
    }
}

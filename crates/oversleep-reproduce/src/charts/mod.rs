//! Charts of the publications, drawn from simulated sleeps.

mod dragonfly;
mod field;
mod herman;
mod oneill;
mod rizzo;

pub(super) use dragonfly::{locked, phase_lock, rounding_fix};
pub(super) use field::field;
pub(super) use herman::{SYSTEMS, five_systems, hz_sweep, ntptime};
pub(super) use oneill::timertest;
pub(super) use rizzo::{errors as rizzo, select};

use super::runs::{Experiment, Late};
use oversleep_recording::document::{Chart, ChartMark, ChartSeries};
use oversleep_sim::ParameterError;

/// Related charts, drawn one below the other.
pub type Charts = Result<Vec<Chart>, ParameterError>;

/// A figure in the documentation: its name and the function that draws it.
pub struct NamedFigure {
    /// Name of its files, without extension.
    pub name: &'static str,
    /// Simulates and returns its charts.
    pub charts: fn() -> Charts,
}

/// Every simulated figure in `docs/figures`.
pub const FIGURES: &[NamedFigure] = &[
    NamedFigure { name: "five-systems", charts: five_systems },
    NamedFigure { name: "hz-sweep", charts: hz_sweep },
    NamedFigure { name: "ntptime", charts: ntptime },
    NamedFigure { name: "rounding-fix", charts: rounding_fix },
    NamedFigure { name: "phase-lock", charts: phase_lock },
    NamedFigure { name: "locked", charts: locked },
    NamedFigure { name: "rizzo", charts: || rizzo(&[]) },
    NamedFigure { name: "rizzo-select", charts: select },
    NamedFigure { name: "timertest", charts: timertest },
];

/// Returns a series with one oversleep per second, from second `from` on.
fn over_time(name: &str, mark: ChartMark, run: &Experiment<'_>, from: usize) -> Result<ChartSeries, ParameterError> {
    Ok(by_second(name, mark, &run.late()?, from))
}

fn by_second(name: &str, mark: ChartMark, late: &Late, from: usize) -> ChartSeries {
    let points = late.0.iter().enumerate().skip(from).map(|(second, late)| (second as f64, *late)).collect();
    ChartSeries { name: name.to_owned(), mark, points }
}

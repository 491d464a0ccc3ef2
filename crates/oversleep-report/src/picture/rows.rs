//! Plots with one row per cell: a ranking of distributions, and bars of the parts of the oversleep.

use super::Subject;
use super::axis::{Axis, AxisQuantity, Scale};
use super::plots::{lateness, quantity};
use crate::headline::UNEXPLAINED;
use crate::requests::Requests;
use oversleep_recording::document::{Bins, PageRecording, Split};
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;

/// Number of rows that are shown; the number of the others is stated below them.
pub(super) const MOST: usize = 60;
/// Number of columns of a row's distribution.
pub(super) const COLUMNS: usize = 120;

/// Rows on a shared axis.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) title: String,
    pub(super) axis: Axis,
    pub(super) lines: Vec<PlotRow>,
    /// Number of rows that were left out.
    pub(super) more: usize,
    /// Remark on all rows.
    pub(super) note: Option<String>,
}

/// One row of a plot.
#[derive(Debug, Clone)]
pub(super) struct PlotRow {
    pub(super) name: String,
    /// Text after the row's shape.
    pub(super) figure: String,
    pub(super) shape: RowShape,
}

/// Shape of a row.
#[derive(Debug, Clone)]
pub(super) enum RowShape {
    /// A distribution: heights from 0 to 1 along the axis, and positions of the median and the largest oversleep.
    Ridge { heights: Vec<f64>, median: Option<f64>, latest: Option<f64> },
    /// Quantiles of a distribution.
    Spread(Spread),
    /// Positions of a difference, its interval, and none at all, from 0 to 1 along the axis.
    Interval { zero: f64, low: f64, size: f64, high: f64 },
    /// Parts, one after another, in ns.
    Parts(Vec<(String, i64)>),
}

/// Positions of a distribution's quantiles, from 0 to 1 along the axis; `None` where there are too few samples.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    pub(super) least: f64,
    /// The quarter and three quarters.
    pub(super) middle: Option<(f64, f64)>,
    pub(super) median: Option<f64>,
    pub(super) p99: Option<f64>,
    pub(super) latest: f64,
}

/// Returns the distribution of each cell, ranked by median oversleep.
pub(super) fn ranking(data: &Subject<'_>) -> Option<Rows> {
    let recording = data.recording;
    let mut cells: Vec<usize> =
        (0..recording.cells.len()).filter(|cell| recording.measured.cells[*cell].raw.n > 0).collect();
    cells.sort_by_key(|cell| {
        (recording.measured.cells[*cell].raw.p50.is_none(), recording.measured.cells[*cell].raw.p50)
    });
    let raw = |cell: usize| &recording.measured.cells[cell].raw;
    let low = cells.iter().filter_map(|cell| raw(*cell).min).min()?.as_f64();
    let high = cells.iter().filter_map(|cell| raw(*cell).max).max()?.as_f64();
    let quantity = quantity(recording);
    let axis = if low < 0.0 {
        lateness(quantity, low, high)
    } else {
        Axis::new(quantity, AxisQuantity::Time, Scale::Log, low.max(100.0) * 0.8, high.max(1e3) * 1.2)
    };
    let row = |cell: &usize| {
        let figures = raw(*cell);
        let place = |time: Nanos| axis.at(time.as_f64()).clamp(0.0, 1.0);
        let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
        PlotRow {
            name: recording.cells[*cell].label.clone(),
            figure: format!("p50 {}, p99 {}", time(figures.p50), time(figures.p99)),
            shape: RowShape::Ridge {
                heights: heights(&recording.cells[*cell].histogram, &axis),
                median: figures.p50.map(place),
                latest: figures.max.map(place),
            },
        }
    };
    let rows = cells.iter().take(MOST).map(row).collect();
    Some(Rows {
        title: recording.headline.clone(),
        axis,
        lines: rows,
        more: cells.len().saturating_sub(MOST),
        note: None,
    })
}

/// Returns heights as square roots of counts, so that a tail of one sleep in a thousand is still visible.
fn heights(histogram: &[(i32, u64)], axis: &Axis) -> Vec<f64> {
    let mut columns = vec![0.0; COLUMNS];
    for (bin, count) in histogram {
        let end = |number: i32| libm::exp10(f64::from(number) / f64::from(Bins::PER_DECADE));
        let column = |value: f64| axis.at(if *bin < 0 { -value } else { value }).clamp(0.0, 1.0) * COLUMNS as f64;
        let (a, b) = (column(end(bin.abs() - 1)), column(end(bin.abs())));
        let (low, high) = (a.min(b), a.max(b).min(COLUMNS as f64));
        // A bin at the axis' end, or beyond it, has no width.
        let low = low.min(high - 1e-6).max(0.0);
        // Each column gets the part of the bin that it covers: a bin may be wider than a column.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // they lie between 0 and COLUMNS
        let covered = low as usize..(high.ceil() as usize).min(COLUMNS);
        for column in covered {
            let part = high.min(column as f64 + 1.0) - low.max(column as f64);
            columns[column] += *count as f64 * (part / (high - low)).clamp(0.0, 1.0);
        }
    }
    let most = columns.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    columns.into_iter().map(|count| (count / most).sqrt()).collect()
}

/// Returns the parts of the oversleep: of traced sleeps from their traces, of others from their budgets.
pub(super) fn breakdown(data: &Subject<'_>) -> Option<Rows> {
    let recording = data.recording;
    let mut rows: Vec<(String, Vec<(String, i64)>)> = Vec::new();
    let requests = Requests::new(recording.traces.iter().map(|traced| Pattern::fixed(traced.trace.requested)));
    for traced in &recording.traces {
        let trace = &traced.trace;
        let label = format!("{} {}", trace.method, requests.text(Pattern::fixed(trace.requested)));
        for (name, at) in [("p50", true), ("p99", false)] {
            let part = |part: &oversleep_recording::document::trace::PartFigures| {
                let time = if at { part.typical } else { part.late };
                Some((part.kind.name().to_owned(), time?.get()))
            };
            let parts: Vec<(String, i64)> = trace.trace.parts.iter().filter_map(part).collect();
            rows.push((format!("{label}, {name}"), parts));
        }
    }
    if rows.is_empty() {
        rows = budgets(recording);
    }
    rows.retain(|(_, parts)| parts.iter().any(|(_, ns)| *ns != 0));
    let sum = |parts: &[(String, i64)]| parts.iter().map(|(_, ns)| ns.unsigned_abs()).sum::<u64>();
    let widest = rows.iter().map(|(_, parts)| sum(parts)).max()? as f64;
    let more = rows.len().saturating_sub(MOST);
    rows.truncate(MOST);
    let row = |(name, parts): (String, Vec<(String, i64)>)| {
        let figure = Nanos::new(parts.iter().map(|(_, ns)| ns).sum()).to_string();
        PlotRow { name, figure, shape: RowShape::Parts(parts) }
    };
    let axis = Axis::new("oversleep", AxisQuantity::Time, Scale::Linear, 0.0, widest);
    Some(Rows { title: recording.headline.clone(), axis, lines: rows.into_iter().map(row).collect(), more, note: None })
}

/// Returns the parts of each cell's median, and of its 99th percentile if there is only one cell.
fn budgets(recording: &PageRecording) -> Vec<(String, Vec<(String, i64)>)> {
    let Some(explained) = &recording.explained else { return Vec::new() };
    let cells = &explained.diagnosed.found.measured.cells;
    let mut rows = Vec::new();
    for (cell, page) in cells.iter().zip(&recording.cells) {
        let Some(budget) = &cell.budget else { continue };
        rows.extend(budget.p50_ns.as_ref().map(|split| (format!("{}, p50", page.label), parts(split))));
        if cells.len() == 1 {
            rows.extend(budget.p99_ns.as_ref().map(|split| (format!("{}, p99", page.label), parts(split))));
        }
    }
    rows.sort_by_key(|(_, parts)| parts.iter().map(|(_, ns)| ns).sum::<i64>());
    rows
}

/// Returns the parts, the largest first and the unexplained part last.
fn parts(split: &Split) -> Vec<(String, i64)> {
    let mut parts: Vec<(String, i64)> =
        split.iter().filter(|(_, ns)| **ns != 0).map(|(name, ns)| (name.clone(), *ns)).collect();
    parts.sort_by_key(|(name, ns)| (name == UNEXPLAINED, std::cmp::Reverse(ns.unsigned_abs())));
    parts
}

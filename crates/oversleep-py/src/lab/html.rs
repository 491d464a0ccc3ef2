//! How a recording looks in a notebook: a row per cell, its figures and its distribution, without script or style sheet.

use super::recording::Recording;
use oversleep::Nanos;
use oversleep_lab::figures::CellSummary;
use oversleep_recording::plan::Pattern;
use std::fmt::Write;

/// More rows than this help nobody in a notebook.
const MOST_ROWS: usize = 40;

/// The distribution's picture, in its own units.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 26.0;
/// Bins per decade.
const PER_DECADE: i32 = 12;

/// The fragment.
pub(super) fn page(recording: &Recording) -> String {
    let mut cells: Vec<&CellSummary> = recording.summary().iter().filter(|cell| cell.raw.n > 0).collect();
    cells.sort_by_key(|cell| (cell.raw.p50.is_none(), cell.raw.p50, cell.raw.max));
    let axis = Axis::over(&cells);
    let mut out = format!("<div><p>{}</p>", escaped(&recording.title()));
    out += "<table><thead><tr><th style=\"text-align:left\">method</th><th>asked</th><th>n</th><th>early</th>\
            <th>p50</th><th>p90</th><th>p99</th><th>max</th>";
    let _ = write!(out, "<th style=\"text-align:left\">{}</th></tr></thead><tbody>", axis.labels());
    for cell in cells.iter().take(MOST_ROWS) {
        out += &row(cell, &axis);
    }
    out += "</tbody></table>";
    if cells.len() > MOST_ROWS {
        let _ = write!(out, "<p>and {} more cells; table() shows them all</p>", cells.len() - MOST_ROWS);
    }
    out += "<p>oversleep = actual − requested, signed; quantiles by nearest rank, – where the samples carry none</p>";
    for remark in recording.remarks().lines() {
        let _ = write!(out, "<p>{}</p>", escaped(remark));
    }
    out + "</div>"
}

fn row(cell: &CellSummary, axis: &Axis) -> String {
    let raw = &cell.raw;
    let figure = |value: Option<Nanos>| value.map_or_else(|| "–".to_owned(), |value| value.to_string());
    let numbers = [
        asked(cell.cell.pattern),
        raw.n.to_string(),
        raw.early.to_string(),
        figure(raw.p50),
        figure(raw.p90),
        figure(raw.p99),
        figure(raw.max),
    ];
    let mut out = format!("<tr><td style=\"text-align:left\">{}</td>", escaped(&cell.cell.method));
    for number in numbers {
        let _ = write!(out, "<td style=\"text-align:right;white-space:nowrap\">{}</td>", escaped(&number));
    }
    out + "<td>" + &axis.shape(cell) + "</td></tr>"
}

fn asked(pattern: Pattern) -> String {
    match pattern {
        Pattern::Fixed { requested } => requested.to_string(),
        Pattern::Random { from, to } => format!("{from} to {to}"),
        Pattern::Aligned { to } => format!("next {to}"),
        Pattern::Periodic { period } => format!("every {period}"),
    }
}

/// A logarithmic axis in whole decades that all rows share.
struct Axis {
    /// The power of ten it begins with.
    from: i32,
    decades: i32,
    edges: Vec<i64>,
}

impl Axis {
    /// From the median of the fastest (a microsecond at least) to the latest sleep of all.
    fn over(cells: &[&CellSummary]) -> Self {
        let least = cells.iter().filter_map(|cell| cell.values.min()).min().unwrap_or(0).max(1_000);
        let most = cells.iter().filter_map(|cell| cell.values.max()).max().unwrap_or(0).max(least + 1);
        let (from, to) = (power_below(least), power_below(most - 1) + 1);
        let decades = (to - from).clamp(1, 9);
        let edge = |bin: i32| Nanos::from_f64(10_f64.powf(f64::from(from) + f64::from(bin) / f64::from(PER_DECADE)));
        Self { from, decades, edges: (0..=decades * PER_DECADE).map(|bin| edge(bin).get()).collect() }
    }

    fn bins(&self) -> usize {
        self.edges.len() + 1
    }

    /// Where each decade begins, as a picture as wide as the shapes below it.
    fn labels(&self) -> String {
        let mut out =
            format!("<svg width=\"{WIDTH}\" height=\"14\" role=\"img\" aria-label=\"oversleep, logarithmic\">");
        for decade in 0..=self.decades {
            let at = self.decade(decade);
            let anchor = match decade {
                0 => "start",
                last if last == self.decades => "end",
                _ => "middle",
            };
            let label = label(self.from + decade);
            let _ = write!(
                out,
                "<text x=\"{at:.1}\" y=\"11\" font-size=\"10\" fill=\"currentColor\" text-anchor=\"{anchor}\">{label}</text>"
            );
        }
        out + "</svg>"
    }

    /// Where a decade begins.
    fn decade(&self, decade: i32) -> f64 {
        self.x((decade * PER_DECADE + 1).unsigned_abs() as usize)
    }

    fn x(&self, bin: usize) -> f64 {
        WIDTH * bin as f64 / self.bins() as f64
    }

    /// Heights show counts by their square root, so that one in a thousand is still seen; the first column is what
    /// lies below the axis, early sleeps among it. A line marks the median.
    fn shape(&self, cell: &CellSummary) -> String {
        let counts = cell.values.counts(&self.edges);
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        let width = self.x(1);
        let mut out = format!("<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"distribution\">");
        let lines: String =
            (0..=self.decades).map(|decade| format!("M{:.1} 0V{HEIGHT}", self.decade(decade))).collect();
        let _ = write!(
            out,
            "<path d=\"{lines}M0 {HEIGHT}H{WIDTH}\" stroke=\"currentColor\" stroke-opacity=\"0.2\" fill=\"none\"/>"
        );
        for (bin, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let height = (HEIGHT - 2.0) * (*count as f64 / most as f64).sqrt();
            let colour = if bin == 0 && cell.raw.early > 0 { "#c0392b" } else { "#2b6cb0" };
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
                self.x(bin),
                HEIGHT - height
            );
        }
        if let Some(median) = cell.raw.p50 {
            let at = self.x(self.edges.iter().filter(|edge| **edge <= median.get()).count()) + width / 2.0;
            let _ = write!(
                out,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{HEIGHT}\" stroke=\"#d69e2e\" stroke-width=\"1.5\"/>"
            );
        }
        out + "</svg>"
    }
}

fn power_below(ns: i64) -> i32 {
    ns.max(1).ilog10().cast_signed()
}

fn label(power: i32) -> String {
    let (unit, left) = match power {
        ..3 => ("ns", power),
        3..6 => ("µs", power - 3),
        6..9 => ("ms", power - 6),
        _ => ("s", power - 9),
    };
    format!("{} {unit}", 10_i64.pow(left.max(0).unsigned_abs()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

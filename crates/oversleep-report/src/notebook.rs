//! A recording in a notebook: one row per cell, with figures and distribution, without script or style sheet.

use super::escape_markup::escaped;
use super::shape::Axis;
use super::style::figure;
use oversleep_figures::CellSummary;
use oversleep_recording::plan::Pattern;
use std::fmt::Write;

/// Number of rows above which the rest are left out.
const MOST_ROWS: usize = 40;

/// Size of a distribution, in SVG units.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 26.0;
/// Bins per decade.
const PER_DECADE: usize = 12;

/// Returns the HTML fragment: a title, the cells ranked by median oversleep, and remarks, one per line.
pub fn fragment(title: &str, cells: &[CellSummary], remarks: &str) -> String {
    let mut cells: Vec<&CellSummary> = cells.iter().filter(|cell| cell.raw.n > 0).collect();
    cells.sort_by_key(|cell| (cell.raw.p50.is_none(), cell.raw.p50, cell.raw.max));
    let axis = Axis::fine(cells.iter().map(|cell| &cell.values), PER_DECADE);
    let mut out = format!("<div><p>{}</p>", escaped(title));
    out += "<table><thead><tr><th style=\"text-align:left\">method</th><th>asked</th><th>n</th><th>early</th>\
            <th>p50</th><th>p90</th><th>p99</th><th>max</th>";
    let _ = write!(out, "<th style=\"text-align:left\">{}</th></tr></thead><tbody>", labels(&axis));
    for cell in cells.iter().take(MOST_ROWS) {
        out += &row(cell, &axis);
    }
    out += "</tbody></table>";
    if cells.len() > MOST_ROWS {
        let _ = write!(out, "<p>and {} more cells; table() shows them all</p>", cells.len() - MOST_ROWS);
    }
    out += "<p>oversleep = actual − requested, signed; quantiles by nearest rank; –: too few samples</p>";
    for remark in remarks.lines() {
        let _ = write!(out, "<p>{}</p>", escaped(remark));
    }
    out + "</div>"
}

fn row(cell: &CellSummary, axis: &Axis) -> String {
    let raw = &cell.raw;
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
    out + "<td>" + &shape(axis, cell) + "</td></tr>"
}

fn asked(pattern: Pattern) -> String {
    match pattern {
        Pattern::Fixed { requested } => requested.to_string(),
        Pattern::Random { from, to } => format!("{from} to {to}"),
        Pattern::Aligned { to } => format!("next {to}"),
        Pattern::Periodic { period } => format!("every {}", super::requests::period(period)),
    }
}

/// Returns the labels of the axis as a picture that is as wide as the shapes below it.
fn labels(axis: &Axis) -> String {
    let mut out = format!("<svg width=\"{WIDTH}\" height=\"14\" role=\"img\" aria-label=\"oversleep, logarithmic\">");
    for (bin, begin) in axis.decades() {
        let anchor = match bin {
            1 => "start",
            last if last + 1 == axis.bins() => "end",
            _ => "middle",
        };
        let (at, begin) = (x(axis, bin), format!("{begin:#}").replace('-', "−"));
        let _ = write!(
            out,
            "<text x=\"{at:.1}\" y=\"11\" font-size=\"10\" fill=\"currentColor\" text-anchor=\"{anchor}\">{begin}</text>"
        );
    }
    out + "</svg>"
}

/// Returns the position of a bin's beginning.
fn x(axis: &Axis, bin: usize) -> f64 {
    WIDTH * bin as f64 / axis.bins() as f64
}

/// Returns a cell's distribution. Heights are square roots of counts, so that one in a thousand is still visible; the
/// first column is everything below the axis, including early sleeps. A line marks the median.
fn shape(axis: &Axis, cell: &CellSummary) -> String {
    let counts = axis.counts(&cell.values);
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = x(axis, 1);
    let mut out = format!("<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"distribution\">");
    let lines: String = axis.decades().map(|(bin, _)| format!("M{:.1} 0V{HEIGHT}", x(axis, bin))).collect();
    let _ = write!(
        out,
        "<path d=\"{lines}M0 {HEIGHT}H{WIDTH}\" stroke=\"currentColor\" stroke-opacity=\"0.2\" fill=\"none\"/>"
    );
    for (bin, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let height = (HEIGHT - 2.0) * (*count as f64 / most as f64).sqrt();
        let colour = if axis.is_early(bin) && cell.raw.early > 0 { "#c0392b" } else { "#2b6cb0" };
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
            x(axis, bin),
            HEIGHT - height
        );
    }
    if let Some(median) = cell.raw.p50 {
        let median_x = x(axis, axis.bin(median)) + width / 2.0;
        let _ = write!(
            out,
            "<line x1=\"{median_x:.1}\" x2=\"{median_x:.1}\" y1=\"0\" y2=\"{HEIGHT}\" stroke=\"#d69e2e\" stroke-width=\"1.5\"/>"
        );
    }
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_figures::Summariser;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Conditions, build};
    use oversleep_recording::{Meta, Origin, Sample, Sink};
    use oversleep_sys::units::Nanos;

    fn cells(late: &[i64]) -> Vec<CellSummary> {
        let plan = build::wall_second(MethodId::Nanosleep.row(), 9, &Conditions::default(), 1);
        let mut summary = Summariser::new(&Meta::new("test", Origin::Live, plan));
        let sample = |(late, sequence): (&i64, u64)| {
            let end = Nanos::SECOND + Nanos::new(*late);
            Sample { sequence, requested: Nanos::SECOND, deadline: Some(Nanos::SECOND), end, ..Sample::BLANK }
        };
        summary.samples(&late.iter().zip(0..).map(sample).collect::<Vec<_>>());
        summary.finish()
    }

    #[test]
    fn decades_are_labelled_and_early_sleeps_are_red() {
        let page = fragment("<title>", &cells(&[-5_000, 20_000, 20_000, 20_000, 700_000]), "one & only\n");
        assert!(page.contains("<p>&lt;title&gt;</p>") && page.contains("<p>one &amp; only</p>"), "{page}");
        for label in [">1 µs<", ">10 µs<", ">100 µs<", ">1 ms<"] {
            assert!(page.contains(label), "{label}: {page}");
        }
        assert_eq!((page.matches("<rect").count(), page.matches("#c0392b").count()), (3, 1), "{page}");
    }

    #[test]
    fn nothing_is_a_table_without_rows() {
        let page = fragment("", &cells(&[]), "");
        assert!(page.contains("<tbody></tbody>"), "{page}");
    }
}

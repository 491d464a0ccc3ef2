//! A schedule's account, and both series beside each other.

use super::style::{Look, align, figure, float, table, text};
use crate::figures::CellSummary;
use oversleep_recording::document::Figures;

/// For each periodic cell: its account in one line, then what was seen and what the schedule felt.
pub fn report(cells: &[CellSummary], look: Look) -> String {
    let mut out = String::new();
    for cell in cells.iter().filter(|cell| cell.periods.is_some()) {
        let Some(periods) = cell.periods else { continue };
        out.push_str(&format!(
            "{}  {}, {}: {} periods asked = {} fresh + {} late + {} skipped ({:.1} % delivered); {} early\n",
            look.heading("periods"),
            cell.cell.method,
            super::table::asked(cell),
            periods.asked,
            periods.fresh,
            periods.late,
            periods.skipped,
            100.0 * (periods.fresh + periods.late) as f64 / periods.asked.max(1) as f64,
            periods.early,
        ));
        let mut table = table(&["series", "n", "min", "mean", "sd", "p50", "p90", "p99", "p99.9", "max"], look);
        table.add_row(row("raw: each wake-up as it came", &cell.raw));
        if let Some(corrected) = &cell.corrected {
            table.add_row(row("corrected: what every period felt", corrected));
        }
        align(&mut table, &[0]);
        out.push_str(&text(&table));
    }
    out
}

fn row(name: &str, figures: &Figures) -> Vec<String> {
    vec![
        name.to_owned(),
        figures.n.to_string(),
        figure(figures.min),
        float(figures.mean_ns),
        float(figures.sd_ns),
        figure(figures.p50),
        figure(figures.p90),
        figure(figures.p99),
        figure(figures.p999),
        figure(figures.max),
    ]
}

//! O'Neill's two tables: mean and standard deviation of the time slept, by request and number of busy threads.

use super::style::{Screen, align, table, table_text};
use oversleep_figures::CellSummary;
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, BTreeSet};

/// Returns both tables, in milliseconds as in his publication, of the sleeps after the first of each cell; then a table
/// of the first calls, which he left out.
pub fn text(cells: &[CellSummary], screen: Screen) -> String {
    let mut by: BTreeMap<(Nanos, u16), &CellSummary> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.raw.n > 0) {
        if let Some(requested) = cell.cell.pattern.requested() {
            by.insert((requested, cell.cell.conditions.load.map_or(0, |load| load.threads)), cell);
        }
    }
    let grid = |value: &dyn Fn(Nanos, &CellSummary) -> Option<f64>| -> String {
        let loads: BTreeSet<u16> = by.keys().map(|(_, load)| *load).collect();
        let requests: BTreeSet<Nanos> = by.keys().map(|(requested, _)| *requested).collect();
        let names: Vec<_> = loads.iter().map(|load| format!("{load} busy")).collect();
        let header: Vec<_> = std::iter::once("asked, ms").chain(names.iter().map(String::as_str)).collect();
        let mut table = table(&header, screen);
        for requested in requests {
            let mut row = vec![format!("{}", requested.get() / 1_000_000)];
            row.extend(loads.iter().map(|&load| {
                let ns = by.get(&(requested, load)).and_then(|cell| value(requested, cell));
                ns.map_or_else(|| "–".to_owned(), |ns| format!("{:.3}", ns / 1e6))
            }));
            table.add_row(row);
        }
        align(&mut table, &[]);
        table_text(&table)
    };
    let mut out = format!("{}\n", screen.heading("mean time slept, ms (without first calls)"));
    out += &grid(&|requested, cell| without_first(cell).map(|(mean, _)| mean + requested.as_f64()));
    out += &format!("\n{}\n", screen.heading("standard deviation, ms (without first calls)"));
    out += &grid(&|_, cell| without_first(cell).and_then(|(_, deviation)| deviation));
    out += &format!("\n{}\n", screen.heading("first call of each, ms"));
    out += &grid(&|requested, cell| cell.first.first().map(|first| (*first + requested).as_f64()));
    out
}

/// Returns mean and standard deviation of the oversleeps without the first calls, in ns.
fn without_first(cell: &CellSummary) -> Option<(f64, Option<f64>)> {
    let (n, mean) = (cell.raw.n as f64, cell.raw.mean_ns?);
    let squares = cell.raw.sd_ns.map_or(0.0, |sd| sd * sd * (n - 1.0));
    let (mut count, mut mean, mut squares) = (n, mean, squares);
    for first in &cell.first {
        if count <= 1.0 {
            return None;
        }
        // Welford's update in reverse: exact enough, and without a second pass over the samples.
        let without = (mean * count - first.as_f64()) / (count - 1.0);
        squares -= (first.as_f64() - mean) * (first.as_f64() - without);
        mean = without;
        count -= 1.0;
    }
    Some((mean, (count > 1.0).then(|| (squares.max(0.0) / (count - 1.0)).sqrt())))
}

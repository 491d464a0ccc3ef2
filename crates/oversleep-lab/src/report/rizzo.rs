//! Rizzo's table: error against requested duration, a column per method.

use super::style::{Screen, align, figure, table, text};
use crate::figures::CellSummary;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// The median error (or, of fewer than five sleeps, their mean) of each method at each request, and how much of
/// the request it is.
pub fn report(cells: &[CellSummary], screen: Screen) -> String {
    let mut methods: Vec<&str> = Vec::new();
    let mut rows: BTreeMap<Nanos, BTreeMap<&str, &CellSummary>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.raw.n > 0) {
        let Some(requested) = cell.cell.pattern.requested() else { continue };
        if !methods.contains(&cell.cell.method.as_str()) {
            methods.push(&cell.cell.method);
        }
        rows.entry(requested).or_default().insert(&cell.cell.method, cell);
    }
    let mut header = vec!["asked", "n"];
    header.extend(methods.iter().flat_map(|method| [*method, "min…max"]));
    let mut table = table(&header, screen);
    for (requested, row) in &rows {
        let n = row.values().map(|cell| cell.raw.n).min().unwrap_or(0);
        let mut line = vec![requested.to_string(), n.to_string()];
        for method in &methods {
            line.extend(row.get(method).map_or_else(|| ["–".to_owned(), "–".to_owned()], |cell| error(cell, screen)));
        }
        table.add_row(line);
    }
    align(&mut table, &[]);
    text(&table)
}

fn error(cell: &CellSummary, screen: Screen) -> [String; 2] {
    let raw = &cell.raw;
    let middle = raw.p50.or(raw.mean_ns.map(Nanos::from_f64));
    [screen.heading(&figure(middle)), screen.aside(&format!("{}…{}", figure(raw.min), figure(raw.max)))]
}

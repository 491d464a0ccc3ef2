//! Rizzo's table: error against requested duration, with one column per method.

use super::requests::Requests;
use super::style::{Screen, align, figure, table, table_text};
use oversleep_figures::CellSummary;
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Returns a table of the median error (the mean, with fewer than five sleeps) of each method at each request, with the
/// smallest and the largest error if there is room.
pub fn text(cells: &[CellSummary], screen: Screen) -> String {
    let tables = tables(cells, screen);
    let figures = "under each method: the median oversleep (of fewer than five sleeps, the mean); min…max: the smallest and \
                   the largest, where there is room";
    tables + &screen.lines(0, &screen.aside(figures))
}

fn tables(cells: &[CellSummary], screen: Screen) -> String {
    let mut methods: Vec<&str> = Vec::new();
    let mut rows = Rows::new();
    for cell in cells.iter().filter(|cell| cell.raw.n > 0) {
        let Some(requested) = cell.cell.pattern.requested() else { continue };
        if !methods.contains(&cell.cell.method.as_str()) {
            methods.push(&cell.cell.method);
        }
        rows.entry(requested).or_default().insert(&cell.cell.method, cell);
    }
    let whole = side_by_side(&methods, true, &rows, screen);
    let mut left = methods.as_slice();
    if left.is_empty() || fits(&whole, screen) {
        return whole;
    }
    // First the ranges are left out, then the methods are split into several tables.
    let mut tables = Vec::new();
    while !left.is_empty() {
        let mut tries = (1..=left.len()).rev().map(|count| (count, side_by_side(&left[..count], false, &rows, screen)));
        let Some((count, table)) = tries.find(|(count, table)| *count == 1 || fits(table, screen)) else { break };
        tables.push(table);
        left = &left[count..];
    }
    tables.join("\n")
}

type Rows<'a> = BTreeMap<Nanos, BTreeMap<&'a str, &'a CellSummary>>;

/// Returns whether every line of the text fits the terminal.
fn fits(text: &str, screen: Screen) -> bool {
    text.lines().all(|line| textwrap::core::display_width(line) <= screen.width.into())
}

/// Returns one table of these methods, if `ranges` with the smallest and the largest error.
fn side_by_side(methods: &[&str], ranges: bool, rows: &Rows<'_>, screen: Screen) -> String {
    let columns = 1 + usize::from(ranges);
    let mut header = vec!["asked", "n"];
    header.extend(methods.iter().flat_map(|method| [*method, "min…max"].into_iter().take(columns)));
    let requests = Requests::new(rows.keys().map(|requested| Pattern::fixed(*requested)));
    let mut table = table(&header, screen);
    for (requested, row) in rows {
        let n = row.values().map(|cell| cell.raw.n).min().unwrap_or(0);
        let mut line = vec![requests.text(Pattern::fixed(*requested)), n.to_string()];
        for method in methods {
            let cells = row.get(method).map_or_else(|| ["–".to_owned(), "–".to_owned()], |cell| error(cell, screen));
            line.extend(cells.into_iter().take(columns));
        }
        table.add_row(line);
    }
    align(&mut table, &[]);
    table_text(&table)
}

fn error(cell: &CellSummary, screen: Screen) -> [String; 2] {
    let raw = &cell.raw;
    let middle = raw.p50.or(raw.mean_ns.map(Nanos::from_f64));
    [screen.heading(&figure(middle)), screen.aside(&format!("{}…{}", figure(raw.min), figure(raw.max)))]
}

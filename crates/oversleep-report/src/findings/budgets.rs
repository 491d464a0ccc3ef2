//! The budgets as a table: one row per cell and quantile; many cells with the same explanation share a row.

use crate::requests::Requests;
use crate::style::{self, Screen, align, firm, fit, table, table_text};
use crate::table::conditions;
use comfy_table::{ColumnConstraint, Width};
use oversleep_figures::CellSummary;
use oversleep_recording::document::{CellDiagnosis, Diagnosis, Split};
use oversleep_recording::plan::{Cell, Pattern, Plan};
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;

/// Least number of cells with consecutive requests that share one row.
const FOLDED: usize = 3;
/// Share of a lateness below which a part does not count as a part of its explanation.
const PART: f64 = 0.02;

/// Width of a screen from which on a time and the name of its cause stay on one line.
const ROOMY: u16 = 80;

/// Name of what remains after all causes.
const UNEXPLAINED: &str = "unexplained";

/// A row of the table of budgets, and the cells that share it: of one method (or several with the same cells), one explanation and one set of conditions.
struct BudgetRow<'a> {
    methods: Vec<&'a str>,
    cells: Vec<(&'a CellDiagnosis, &'a Cell)>,
    conditions: String,
}

/// Returns the table; empty without budgets. `slept` has the obtained conditions.
pub(super) fn budgets(plan: &Plan, diagnosis: &Diagnosis, slept: &[CellSummary], screen: Screen) -> String {
    let planned = |cell: &CellDiagnosis| plan.cells.iter().find(|planned| planned.id == cell.cell);
    let all: Vec<(&CellDiagnosis, &Cell)> =
        diagnosis.cells.iter().filter_map(|cell| Some((cell, planned(cell)?))).collect();
    let obtained = |id| slept.iter().find(|cell| cell.cell.id == id).and_then(|cell| cell.obtained.as_ref());
    let shown_conditions = |planned: &Cell| conditions(&planned.conditions, obtained(planned.id));
    let same_conditions = all.windows(2).all(|two| shown_conditions(two[0].1) == shown_conditions(two[1].1));
    let (mut header, mut left) = (vec!["method", "asked"], vec![0]);
    if !same_conditions {
        header.push("conditions");
        left.push(2);
    }
    left.extend([header.len(), header.len() + 2]);
    header.extend(["", "late", "made of"]);
    let requests = super::requests(plan);
    let mut rows = table(&header, screen);
    for row in folded(&all, shown_conditions) {
        for (name, of) in [("p50", p50 as fn(&CellDiagnosis) -> Option<&Split>), ("p99", p99)] {
            let splits: Vec<&Split> = row.cells.iter().filter_map(|(cell, _)| of(cell)).collect();
            if splits.is_empty() {
                continue;
            }
            let late = splits.iter().map(|split| split.values().sum());
            let mut cells = vec![row.methods.join(", "), asked(&row.cells, &requests)];
            cells.extend((!same_conditions).then(|| row.conditions.clone()));
            // Where there is room, no line is broken between a time and its name.
            let joint = if screen.width >= ROOMY { style::unbroken(" ") } else { " ".to_owned() };
            cells.extend([name.to_owned(), range(late), parts(&splits, &joint)]);
            rows.add_row(cells.iter().map(|cell| firm(cell)));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    align(&mut rows, &left);
    fit(&mut rows, screen);
    if let Some(made_of) = rows.column_mut(left.last().copied().unwrap_or(0)) {
        // The longest name of a cause, with some room.
        made_of.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(if screen.width >= ROOMY {
            34
        } else {
            26
        })));
    }
    table_text(&rows)
}

fn p50(cell: &CellDiagnosis) -> Option<&Split> {
    cell.budget.p50_ns.as_ref()
}

fn p99(cell: &CellDiagnosis) -> Option<&Split> {
    cell.budget.p99_ns.as_ref()
}

/// Returns the cells as rows. Consecutive requests of one method with one explanation share a row, and so do methods
/// with the same such run. Rows are in the order of their first cells.
fn folded<'a>(all: &[(&'a CellDiagnosis, &'a Cell)], text: impl Fn(&Cell) -> String) -> Vec<BudgetRow<'a>> {
    let mut rows: Vec<(usize, BudgetRow<'a>)> = Vec::new();
    for (at, &(cell, planned)) in all.iter().enumerate() {
        let row = BudgetRow { methods: vec![&planned.method], cells: vec![(cell, planned)], conditions: text(planned) };
        rows.push((at, row));
    }
    let of_one = |row: &BudgetRow<'_>| (row.methods[0].to_owned(), row.conditions.clone());
    let mut kinds: Vec<(String, String)> = Vec::new();
    for (_, row) in &rows {
        if !kinds.contains(&of_one(row)) {
            kinds.push(of_one(row));
        }
    }
    let mut folded: Vec<(usize, BudgetRow<'a>)> = Vec::new();
    for kind in kinds {
        let (mut own, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, row)| of_one(row) == kind);
        rows = rest;
        own.sort_by_key(|(_, row)| length(row.cells[0].1));
        let mut runs: Vec<Vec<(usize, BudgetRow<'a>)>> = Vec::new();
        for next in own {
            match runs.last_mut().filter(|run| same_causes(&run[0].1, &next.1)) {
                Some(run) => run.push(next),
                None => runs.push(vec![next]),
            }
        }
        for run in runs {
            if run.len() < FOLDED {
                folded.extend(run);
            } else {
                folded.extend(run.into_iter().reduce(|(at, mut row), (other, next)| {
                    row.cells.extend(next.cells);
                    (at.min(other), row)
                }));
            }
        }
    }
    folded.sort_by_key(|(at, _)| *at);
    let mut together: Vec<BudgetRow<'a>> = Vec::new();
    for (_, row) in folded {
        match together.iter_mut().find(|other| row.cells.len() >= FOLDED && same_run(other, &row)) {
            Some(other) => {
                other.methods.extend(row.methods);
                other.cells.extend(row.cells);
            }
            None => together.push(row),
        }
    }
    together
}

/// Returns whether a row of another method has the same requests and the same explanation.
fn same_run(row: &BudgetRow<'_>, other: &BudgetRow<'_>) -> bool {
    let requests = |row: &BudgetRow<'_>| row.cells.iter().map(|(_, cell)| length(cell)).collect::<BTreeSet<_>>();
    row.conditions == other.conditions && requests(row) == requests(other) && same_causes(row, other)
}

/// Returns a cell's request if it is a single duration; other cells do not share rows.
fn length(cell: &Cell) -> Option<Nanos> {
    if let Pattern::Fixed { requested } = cell.pattern { Some(requested) } else { None }
}

/// Returns whether two rows begin with cells that have the same explanation: the same causes at the same quantiles.
fn same_causes(row: &BudgetRow<'_>, other: &BudgetRow<'_>) -> bool {
    let (a, b) = (row.cells[0], other.cells[0]);
    let names = |of: fn(&CellDiagnosis) -> Option<&Split>, cell: &CellDiagnosis| of(cell).map(explanation);
    length(a.1).is_some()
        && length(b.1).is_some()
        && [p50 as fn(&CellDiagnosis) -> Option<&Split>, p99].iter().all(|of| names(*of, a.0) == names(*of, b.0))
}

/// Returns the causes that make up a lateness, with `unexplained` if more than half is.
fn explanation(split: &Split) -> BTreeSet<String> {
    let late = split.values().sum::<i64>().unsigned_abs() as f64;
    let large = |name: &str, ns: i64| {
        let least = if name == UNEXPLAINED { 0.5 } else { PART };
        ns.unsigned_abs() as f64 > least * late
    };
    split.iter().filter(|(name, ns)| large(name, **ns)).map(|(name, _)| name.clone()).collect()
}

/// Returns the range of the values, as text.
fn range(values: impl Iterator<Item = i64>) -> String {
    let (least, most) = values.fold((i64::MAX, i64::MIN), |(least, most), ns| (least.min(ns), most.max(ns)));
    let (least, most) = (Nanos::new(least).to_string(), Nanos::new(most).to_string());
    if least == most { least } else { format!("{least} to {most}") }
}

/// Returns the parts, the largest first and the unexplained part last.
fn parts(splits: &[&Split], joint: &str) -> String {
    let mut names: BTreeSet<&str> = splits.iter().flat_map(|split| split.keys().map(String::as_str)).collect();
    names.remove(UNEXPLAINED);
    let sizes = |name: &str| splits.iter().map(|split| split.get(name).copied().unwrap_or(0)).collect::<Vec<i64>>();
    let mut parts_of: Vec<(&str, Vec<i64>)> = names.into_iter().map(|name| (name, sizes(name))).collect();
    parts_of.retain(|(_, parts)| splits.len() == 1 || parts.iter().any(|ns| *ns != 0));
    parts_of.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.iter().map(|ns| ns.abs()).max()));
    parts_of.push((UNEXPLAINED, sizes(UNEXPLAINED)));
    let words: Vec<String> =
        parts_of.into_iter().map(|(name, parts)| format!("{}{joint}{name}", firm(&range(parts.into_iter())))).collect();
    words.join(&format!(" +{joint}"))
}

/// Returns the request of the cells; of several, the shortest and the longest.
fn asked(cells: &[(&CellDiagnosis, &Cell)], requests: &Requests) -> String {
    let lengths = || cells.iter().filter_map(|(_, cell)| length(cell));
    match (lengths().min(), lengths().max()) {
        (Some(least), Some(most)) if least < most => {
            format!("{} to {}", requests.text(Pattern::fixed(least)), requests.text(Pattern::fixed(most)))
        }
        _ => cells.first().map_or_else(String::new, |(_, cell)| requests.text(cell.pattern)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::tests::{cell, plan};
    use oversleep_recording::document::Budget;

    fn diagnosed(cell: u32, parts: &[(&str, i64)]) -> CellDiagnosis {
        let split = parts.iter().map(|(name, ns)| ((*name).to_owned(), *ns)).collect();
        CellDiagnosis { cell, findings: Vec::new(), budget: Budget { p50_ns: Some(split), p99_ns: None } }
    }

    /// Returns the table for four requests of each method; the longest is late by a share of its request.
    fn example(methods: &[&str]) -> String {
        let (mut cells, mut told) = (Vec::new(), Vec::new());
        for method in methods {
            for (index, ms) in [1, 2, 5, 200].into_iter().enumerate() {
                let id = u32::try_from(cells.len()).unwrap();
                cells.push(Cell { method: (*method).to_owned(), ..cell(id, Nanos::from_millis(ms), None) });
                let cost = 30_000 + 1_000 * i64::try_from(index).unwrap();
                let share = if ms == 200 { 150_000 } else { 0 };
                told.push(diagnosed(id, &[("constant-cost", cost), ("proportional-slack", share), (UNEXPLAINED, 10)]));
            }
        }
        let diagnosis = Diagnosis { cells: told, ..Diagnosis::default() };
        budgets(&plan(cells), &diagnosis, &[], Screen { width: 200, colour: false })
    }

    #[test]
    fn cells_with_the_same_explanation_are_one_row() {
        let text = example(&["select", "poll"]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[1].starts_with("select, poll") && lines[1].contains("1.00 ms to 5.00 ms"), "{text}");
        assert!(lines[1].contains("30.0 µs to 32.0 µs constant-cost"), "{text}");
        assert!(lines[2].starts_with("select") && lines[2].contains("150 µs proportional-slack"), "{text}");
        assert!(lines[3].starts_with("poll"), "{text}");
    }

    #[test]
    fn few_cells_have_a_row_each() {
        let all: Vec<CellDiagnosis> = [0, 1].map(|id| diagnosed(id, &[("timer-slack", 50_000)])).to_vec();
        let cells = vec![cell(0, Nanos::MILLISECOND, None), cell(1, Nanos::from_millis(5), None)];
        let diagnosis = Diagnosis { cells: all, ..Diagnosis::default() };
        let text = budgets(&plan(cells), &diagnosis, &[], Screen { width: 200, colour: false });
        assert_eq!(text.lines().count(), 3, "{text}");
    }
}

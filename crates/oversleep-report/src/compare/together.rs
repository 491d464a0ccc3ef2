//! Several cells in one table: a row each, with both sides next to each other.

use super::super::columns::{self, Column};
use super::super::distributions::between;
use super::super::interventions::signed;
use super::super::requests::Requests;
use super::super::style::{Screen, figure};
use super::rows::{MARK, UNKNOWN, called, remarks};
use super::{conditions, full_name, title};
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedFigure, ComparedName, QuantileShift, ShiftVerdict,
};
use oversleep_recording::plan::Conditions;

/// Quantiles that have columns, if some cell was compared at them, and the rank of A's figure among those that may be left out.
const FIGURES: [(ComparedFigure, u8); 3] =
    [(ComparedFigure::P50, 3), (ComparedFigure::P99, 2), (ComparedFigure::P999, 1)];

/// Returns whether the cells stand in one table: of schedules, shares of periods are compared too, and of counts in buckets bounds, so each
/// of them has its own.
pub(super) fn stand_together(compared: &Compared) -> bool {
    compared.cells.len() > 1
        && compared
            .cells
            .iter()
            .all(|cell| cell.periods.is_none() && cell.shifts.iter().all(|shift| shift.bounds.is_none()))
}

/// Returns the table's columns; those that a narrow screen has no room for are expendable.
pub(super) fn columns(compared: &Compared, requests: &Requests, screen: Screen) -> Vec<Column> {
    let cells = &compared.cells;
    let values = |f: &dyn Fn(&ComparedCell) -> String| -> Vec<String> { cells.iter().map(f).collect() };
    let named = shared_conditions(compared).is_none();
    let name = |cell: &ComparedCell| if named { row_name(cell, requests) } else { of_method(&cell.a, requests) };
    let mut columns = vec![Column::words("", values(&name))];
    let outcomes = values(&outcome);
    for (quantile, rank) in FIGURES {
        let shift = |cell: &ComparedCell| cell.shifts.iter().find(|shift| shift.figure == quantile).cloned();
        if !cells.iter().any(|cell| shift(cell).is_some()) {
            continue;
        }
        let name = quantile.name();
        let text = |value: &dyn Fn(&QuantileShift) -> String| {
            values(&|cell| shift(cell).map_or_else(|| UNKNOWN.to_owned(), |shift| value(&shift)))
        };
        columns
            .push(Column::figures(&format!("{name} of A"), text(&|shift| figure(Some(shift.a_ns)))).expendable(rank));
        columns.push(Column::figures("shift", text(&|shift| called(shift, screen).replace(MARK, ""))));
        if quantile == ComparedFigure::P50 {
            columns.push(
                Column::figures("interval", text(&|shift| between(signed(shift.low_ns), signed(shift.high_ns))))
                    .expendable(4),
            );
        }
    }
    // Where all rows came out alike the sentence says it.
    if outcomes.windows(2).any(|two| two[0] != two[1]) {
        columns.push(Column::words("B is", outcomes));
    }
    columns
}

/// Returns the conditions of A and of B in words, where all rows have the same ones and those of the sides differ: they stand once then,
/// and not in each row.
pub(super) fn shared_conditions(compared: &Compared) -> Option<[String; 2]> {
    let first = compared.cells.first().filter(|_| stand_together(compared))?;
    let conditions = |cell: &ComparedCell| [&cell.a, &cell.b].map(|name| conditions(&name.conditions, None));
    let is_same = |cell: &ComparedCell| {
        let (a, b) = (&cell.a, &cell.b);
        a.method == b.method
            && a.pattern == b.pattern
            && a.quantity == b.quantity
            && conditions(cell) == conditions(first)
    };
    Some(conditions(first)).filter(|[a, b]| a != b && compared.cells.iter().all(is_same))
}

/// Returns a row's method and request.
fn of_method(name: &ComparedName, requests: &Requests) -> String {
    full_name(&ComparedName { conditions: Conditions::default(), ..name.clone() }, requests)
}

/// Returns the table, and remarks that hold for some of its rows, each once.
pub(super) fn text(compared: &Compared, requests: &Requests, screen: Screen) -> String {
    let mut out = columns::fitted(&columns(compared, requests, screen), screen);
    for remark in shared_remarks(compared) {
        out += &screen.lines(0, &remark);
    }
    out + "\n"
}

/// Returns the remarks on single rows, each once, however many rows it holds for. That a shift is not B − A of columns is not among
/// it, as the table has no column of B.
pub(super) fn shared_remarks(compared: &Compared) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for remark in compared.cells.iter().flat_map(|cell| remarks(cell, compared)) {
        if !remark.starts_with(MARK) && !unique.contains(&remark) {
            unique.push(remark);
        }
    }
    unique
}

/// Returns a row's name: of cells that differ only in conditions, those of B after a stroke.
pub(super) fn row_name(cell: &ComparedCell, requests: &Requests) -> String {
    let (a, b) = (&cell.a, &cell.b);
    let same_request = a.method == b.method && a.pattern == b.pattern && a.quantity == b.quantity;
    if a == b || !same_request {
        return title(a, b, requests);
    }
    format!("{} | {}", full_name(a, requests), conditions(&b.conditions, None))
}

/// Returns how a row came out: at the median, or else at the first quantile that moved.
fn outcome(cell: &ComparedCell) -> String {
    let moved = |shift: &QuantileShift| match shift.verdict {
        ShiftVerdict::Later => Some("later"),
        ShiftVerdict::Earlier => Some("earlier"),
        ShiftVerdict::NotSeen | ShiftVerdict::Open => None,
    };
    let found = cell.shifts.iter().find_map(|shift| Some((moved(shift)?, shift.figure)));
    match (found, cell.shifts.first().map(|shift| shift.verdict)) {
        (Some((how, ComparedFigure::P50)), _) => how.to_owned(),
        (Some((how, figure)), _) => format!("{how} at {}", figure.name()),
        (None, Some(ShiftVerdict::Open)) => "undecided".to_owned(),
        (None, Some(_)) => "not seen to differ".to_owned(),
        (None, None) => "not compared".to_owned(),
    }
}

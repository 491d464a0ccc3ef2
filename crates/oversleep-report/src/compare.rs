//! A comparison as text: one sentence, the facts that differ, one table, and why rows are undecided.

mod control;
mod facts;
mod markdown;
mod rows;
mod schedules;
mod summary;
mod together;
mod verdict;

pub use markdown::markdown;
pub use rows::{needed, size, size_of_maximum, why_uncompared};
pub use schedules::{points, size_of_share};
pub use verdict::enough;

use super::columns::{self, Column};
use super::requests::Requests;
use super::style::Screen;
use super::table::conditions;
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedName, PageTable, PairedBy, QuantileShift, StatedFacts,
};
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;

/// Number of values of one fact above which they are counted instead of listed.
const MOST_VALUES: usize = 3;

/// Headings of the columns of a cell's table.
const HEADINGS: [&str; 7] = ["", "A", "B", "shift", "interval", "of A", "runs differ by"];

/// Why rows that are not alike in method, request and conditions are compared with each other.
const PAIRINGS: [(PairedBy, &str); 3] = [
    (PairedBy::Processor, "threads, paired by the processor they run on"),
    (
        PairedBy::Thread,
        "threads, paired by their number, because not both sides say that they run on the same processor",
    ),
    (
        PairedBy::Only,
        "different in method, request or conditions; paired because each is its side's only one with that method or \
         request, or the last one left",
    ),
];

/// Returns the whole report.
pub fn text(compared: &Compared, screen: Screen) -> String {
    let requests = requests(compared);
    let sentence = summary::sentence(compared, &requests);
    let mut out = if sentence.is_empty() { sentence } else { screen.lines(0, &screen.heading(&sentence)) };
    out.extend(summary::undecided(compared).map(|reason| screen.lines(0, &reason)));
    out += &summary::order(compared, screen);
    out += &sides(compared, screen);
    out += &facts::facts(&compared.differences, compared.stated, screen);
    if together::stand_together(compared) {
        out += &together::text(compared, &requests, screen);
    } else {
        out += &compared.cells.iter().map(|cell| section(cell, compared, &requests, screen)).collect::<String>();
    }
    out += &unpaired_lines(compared, &requests, screen);
    out += &control::controlled(compared, screen);
    out + &meanings(compared, screen)
}

/// Returns the comparison as tables for a page, with the sides and what the figures mean as remarks.
pub fn page_tables(compared: &Compared) -> Vec<PageTable> {
    let requests = requests(compared);
    let lines = |text: &str| text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let mut tables: Vec<PageTable> = compared
        .cells
        .iter()
        .map(|cell| PageTable {
            title: title(&cell.a, &cell.b, &requests) + &counts(cell),
            headings: HEADINGS.map(str::to_owned).to_vec(),
            rows: rows::rows(cell, Screen::PLAIN).into_iter().map(|row| row.to_vec()).collect(),
            // Of a single row the page begins with it.
            remarks: (compared.cells.len() > 1)
                .then(|| verdict::sentence(cell, false))
                .into_iter()
                .chain(rows::remarks(cell, compared))
                .chain(schedules::lines(cell, compared))
                .collect(),
        })
        .collect();
    if let Some(last) = tables.last_mut() {
        last.remarks.extend(summary::undecided(compared));
        last.remarks.extend(lines(&sides(compared, Screen::PLAIN)));
        last.remarks.extend(lines(&unpaired_lines(compared, &requests, Screen::PLAIN)));
        last.remarks.extend(lines(&control::controlled(compared, Screen::PLAIN)));
        last.remarks.extend(lines(&meanings(compared, Screen::PLAIN)));
    }
    tables
}

/// Returns the comparison in one sentence; empty where nothing was compared.
pub fn sentence(compared: &Compared) -> String {
    summary::sentence(compared, &requests(compared))
}

/// Says once why rows are undecided, and what would decide them; `None` if none is.
pub fn why_undecided(compared: &Compared) -> Option<String> {
    summary::undecided(compared)
}

/// Returns every shift with the name of its row.
pub fn named_shifts(compared: &Compared) -> Vec<(String, QuantileShift)> {
    let requests = requests(compared);
    let of_cell = |cell: &ComparedCell| {
        let name = together::row_name(cell, &requests);
        let named = cell.shifts.iter().map(move |shift| (format!("{} of {name}", shift.figure.name()), shift.clone()));
        named.collect::<Vec<_>>()
    };
    compared.cells.iter().flat_map(of_cell).collect()
}

/// Says what the figures mean; nothing without any.
fn meanings(compared: &Compared, screen: Screen) -> String {
    let mut out = String::new();
    if compared.cells.is_empty() {
        return out;
    }
    out += &unstated(compared, screen);
    if compared.without_traced {
        let note = "only untraced sleeps are compared, as tracing costs time: the figures of `trace` and `report` are of others too";
        out += &screen.lines(0, &screen.aside(note));
    }
    for (by, pairing) in PAIRINGS {
        if compared.cells.iter().any(|cell| cell.paired_by == by) {
            out += &screen.lines(0, &screen.aside(&format!("A … | B …: {pairing}")));
        }
    }
    if together::stand_together(compared) {
        let shift = "shift: how much later B is than A; in brackets where it may be chance";
        return out + &screen.lines(0, &screen.aside(shift));
    }
    let single = compared.cells.iter().flat_map(|cell| &cell.shifts).all(|shift| shift.error.is_of_single_runs());
    let shift =
        if single { "" } else { ", the median over pairs of recordings, which need not be B − A of the columns" };
    let convention = format!(
        "shift: how much later B is{shift}; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by \
         nearest rank"
    );
    out += &screen.lines(0, &screen.aside(&convention));
    if compared.cells.iter().any(|cell| cell.max.is_some()) {
        let maximum = "max: the largest value of each side; it has no interval and is not tested, because one sleep decides it: the \
                       largest of one run says little about the next run's";
        out += &screen.lines(0, &screen.aside(maximum));
    }
    out.extend(schedules::meaning(compared).map(|meaning| screen.lines(0, &screen.aside(&meaning))));
    out
}

/// Says which conditions one side does not state, where rows are paired without regard to them.
fn unstated(compared: &Compared, screen: Screen) -> String {
    let side = |((name, conditions), stated): ((&str, &Vec<&str>), StatedFacts)| {
        let (last, first) = conditions.split_last()?;
        let named = if first.is_empty() { (*last).to_owned() } else { format!("{} and {last}", first.join(", ")) };
        // A recording of ours states what was asked for; a table may only leave it out.
        let does_not = if stated == StatedFacts::Nothing { "does not state" } else { "does not ask for" };
        Some(format!("{name} {does_not} {named}"))
    };
    let sides = ["A", "B"].into_iter().zip(&compared.unstated).zip(compared.stated);
    let phrases: Vec<String> = sides.filter_map(side).collect();
    if phrases.is_empty() || together::shared_conditions(compared).is_some() {
        return String::new();
    }
    screen.lines(0, &screen.aside(&format!("A … | B …: {}; otherwise they are the same", phrases.join(", and "))))
}

fn sides(compared: &Compared, screen: Screen) -> String {
    let side = |name: &str, runs: &[oversleep_recording::document::ComparedRun]| {
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let shown = match names.as_slice() {
            [] => "nothing".to_owned(),
            [first, .., last] if names.len() > MOST_VALUES => format!("{} recordings, {first} to {last}", names.len()),
            all => all.join(", "),
        };
        screen.lines(0, &format!("{name}: {shown}"))
    };
    let conditions = together::shared_conditions(compared)
        .map_or_else(String::new, |[a, b]| screen.lines(0, &format!("conditions: A {a}, B {b}")));
    side("A", &compared.a) + &side("B", &compared.b) + &conditions + "\n"
}

fn section(cell: &ComparedCell, compared: &Compared, requests: &Requests, screen: Screen) -> String {
    let heading = screen.heading(&title(&cell.a, &cell.b, requests)) + &screen.aside(&counts(cell));
    let mut out = screen.lines(0, &heading);
    let rows = rows::rows(cell, screen);
    let column = |index: usize| rows.iter().map(|row| row[index].clone()).collect();
    let [name, a, b, shift, interval, share, differ] = HEADINGS;
    let columns = [
        Column::words(name, column(0)),
        Column::figures(a, column(1)),
        Column::figures(b, column(2)),
        Column::figures(shift, column(3)),
        Column::figures(interval, column(4)).expendable(2),
        Column::figures(share, column(5)).expendable(0),
        Column::figures(differ, column(6)).expendable(1),
    ];
    out += &columns::fitted(&columns, screen);
    // Of a single row the report begins with it.
    if compared.cells.len() > 1 {
        out += &screen.lines(0, &verdict::sentence(cell, false));
    }
    out.extend(rows::remarks(cell, compared).iter().map(|remark| screen.lines(0, remark)));
    out.extend(schedules::lines(cell, compared).iter().map(|line| screen.lines(0, line)));
    out + "\n"
}

/// Returns how many sleeps or other values each side has of a cell, after what they are.
fn counts(cell: &ComparedCell) -> String {
    let (kind, values) = match cell.a.quantity.or(cell.b.quantity) {
        None => (String::new(), "sleeps"),
        Some(quantity) => (format!(" · {}", quantity.name()), "values"),
    };
    format!("{kind} · {} and {} {values}", cell.n_a, cell.n_b)
}

/// Returns the short forms of all requests that are named.
pub(super) fn requests(compared: &Compared) -> Requests {
    let paired = compared.cells.iter().flat_map(|cell| [&cell.a, &cell.b]);
    Requests::new(paired.chain(&compared.only_a).chain(&compared.only_b).map(|name| name.pattern))
}

/// Names the compared cells: method and request, with any differences between the sides.
fn title(a: &ComparedName, b: &ComparedName, requests: &Requests) -> String {
    if a == b { full_name(a, requests) } else { format!("A {} | B {}", full_name(a, requests), full_name(b, requests)) }
}

/// Returns a cell's method, request and conditions.
pub(super) fn full_name(name: &ComparedName, requests: &Requests) -> String {
    let mut text = name.method.clone();
    // Another program's file may not tell its request.
    if name.quantity.is_none() || name.pattern != Pattern::fixed(Nanos::ZERO) {
        text += &format!(" {}", requests.text(name.pattern));
    }
    match conditions(&name.conditions, None).as_str() {
        "default" => text,
        under => format!("{text}, {under}"),
    }
}

fn unpaired_lines(compared: &Compared, requests: &Requests, screen: Screen) -> String {
    let side = |name: &str, cells: &[ComparedName]| {
        let names: Vec<String> = cells.iter().map(|cell| full_name(cell, requests)).collect();
        if names.is_empty() { String::new() } else { screen.lines(0, &format!("only in {name}: {}", names.join("; "))) }
    };
    side("A", &compared.only_a) + &side("B", &compared.only_b)
}

/// Returns the first few unpaired cells of each side, A first; `nothing` of a side without any.
pub fn unpaired(compared: &Compared) -> [String; 2] {
    let requests = requests(compared);
    [&compared.only_a, &compared.only_b].map(|cells| {
        let named: Vec<String> = cells.iter().take(MOST_VALUES).map(|cell| full_name(cell, &requests)).collect();
        match (named.is_empty(), cells.len() - named.len()) {
            (true, _) => "nothing".to_owned(),
            (false, 0) => named.join("; "),
            (false, others) => format!("{} and {others} more", named.join("; ")),
        }
    })
}

#[cfg(test)]
mod tests;

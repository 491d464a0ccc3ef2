//! Several schedules, which methods kept one after another, in one table.

use super::columns::{self, Column};
use super::periodic::{MEANING, delivered};
use super::requests;
use super::style::{Screen, figure};
use super::table::share_of_processor;
use oversleep_figures::CellSummary;
use oversleep_recording::Periods;
use oversleep_recording::document::TimeLeft;
use oversleep_sys::units::Nanos;

/// Returns a row for each schedule that was kept: counts of its periods, lateness of its wake-ups, and what its periods left
/// after them or, if `work` is how long the work of a period takes, in how many of them there was time for it.
pub fn text(cells: &[CellSummary], work: Option<Nanos>, screen: Screen) -> String {
    let shown: Vec<(&CellSummary, TimeLeft)> =
        cells.iter().filter(|cell| cell.raw.n > 0).filter_map(|cell| Some((cell, cell.time_left(work)?))).collect();
    let Some((_, TimeLeft { period, .. })) = shown.first() else { return String::new() };
    let mut columns = counts(&shown);
    columns.extend(lateness(&shown));
    columns.extend(left(&shown, work));
    if shown.iter().any(|(cell, _)| cell.cost.is_some()) {
        let share = |(cell, _): &Kept| share_of_processor(cell).unwrap_or_else(|| "–".to_owned());
        columns.push(Column::figures("CPU", shown.iter().map(share).collect()).expendable(1));
    }
    let mut out = columns::fitted(&columns, screen);
    let period = requests::period(*period);
    let of_work = work.map_or_else(String::new, |work| format!("enough: periods that left {work} or more for work; "));
    let meaning = format!(
        "p50, p99, max: lateness of the wake-ups; {of_work}left: time left of {period} after waking, p99 of it in 99 % of periods \
         and min in all"
    );
    out += &screen.lines(0, &screen.aside(&meaning));
    out += &screen.lines(0, &screen.aside(MEANING));
    if shown.iter().any(|(cell, _)| !cell.threads.is_empty()) {
        out += &screen.lines(0, &screen.aside("all threads together; --json has the figures of each"));
    }
    out
}

type Kept<'a> = (&'a CellSummary, TimeLeft);

/// Returns the columns of methods and their counts of periods.
fn counts(kept: &[Kept]) -> Vec<Column> {
    let values = |f: fn(&Periods) -> u64| -> Vec<String> {
        let shown = |(cell, _): &Kept| cell.periods.as_ref().map_or_else(|| "–".to_owned(), |one| f(one).to_string());
        kept.iter().map(shown).collect()
    };
    vec![
        Column::words("method", kept.iter().map(|(cell, _)| cell.cell.method.clone()).collect()),
        Column::figures("periods", values(|periods| periods.asked)).expendable(2),
        Column::figures("fresh", values(|periods| periods.fresh)).expendable(1),
        Column::figures("late", values(|periods| periods.late)),
        Column::figures("skipped", values(|periods| periods.skipped)),
    ]
}

/// Returns the columns of the wake-ups' lateness.
fn lateness(kept: &[Kept]) -> [Column; 3] {
    let values = |f: fn(&CellSummary) -> Option<Nanos>| kept.iter().map(|(cell, _)| figure(f(cell))).collect();
    [
        Column::figures("p50", values(|cell| cell.raw.p50)),
        Column::figures("p99", values(|cell| cell.raw.p99)),
        Column::figures("max", values(|cell| cell.raw.max)).expendable(3),
    ]
}

/// Returns the columns of the time that periods left.
fn left(kept: &[Kept], work: Option<Nanos>) -> Vec<Column> {
    let values = |f: fn(&TimeLeft) -> Option<Nanos>| kept.iter().map(|(_, left)| figure(f(left))).collect();
    let enough = |(_, left): &Kept| {
        left.work.map_or_else(|| "–".to_owned(), |work| format!("{:.1} %", delivered(work.enough, work.all())))
    };
    let mut columns = Vec::new();
    if work.is_some() {
        columns.push(Column::figures("enough", kept.iter().map(enough).collect()));
    }
    columns.push(Column::figures("p99 left", values(|left| left.p99)));
    columns.push(Column::figures("min left", values(|left| left.least)).expendable(0));
    columns
}

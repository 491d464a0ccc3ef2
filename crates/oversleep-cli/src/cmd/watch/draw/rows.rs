//! The rows of the screen: one for each cell and processor, with the columns for which there is room.

use super::super::screen::View;
use oversleep_lab::report::columns::{self, Column};
use oversleep_lab::report::live::{Live, LiveRow};
use oversleep_recording::Sample;
use oversleep_sys::units::Nanos;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

/// Width of a column of times, so that the columns stay where they are while times change.
const TIME: usize = 8;
/// Least width of the column with the numbers of sleeps.
const COUNT: usize = 6;
/// Least width of the names.
const NAME: usize = 12;

/// Returns a heading and the rows for which there is room.
pub(super) fn lines(live: &Live, view: &View, area: Rect) -> Vec<Line<'static>> {
    let all: Vec<&LiveRow> = live.rows().collect();
    let room = usize::from(area.height).saturating_sub(1).max(1);
    let first = view.scrolled.min(all.len().saturating_sub(room));
    let visible = &all[first..(first + room).min(all.len())];
    let mut rows = columns::lines(&columns(live, visible), 1, area.width.into()).into_iter();
    let heading = rows.next().unwrap_or_default();
    let mut out = vec![Line::styled(heading, Style::new().add_modifier(Modifier::BOLD))];
    if all.is_empty() {
        out.push(Line::from("waiting for the first sleeps"));
        return out;
    }
    out.extend(rows.map(Line::from));
    let hidden = all.len() - visible.len();
    if hidden > 0
        && let Some(last) = out.last_mut()
    {
        *last = Line::from(format!("and {} more rows (↑/↓)", hidden + 1));
    }
    out
}

/// Returns the columns: of those that may be left out, `cpu` and `p50` are worth more than the end of a long name.
fn columns(live: &Live, rows: &[&LiveRow]) -> Vec<Column> {
    let values = |f: &dyn Fn(&LiveRow) -> String| -> Vec<String> { rows.iter().map(|row| f(row)).collect() };
    let cpu = |row: &LiveRow| if row.cpu == Sample::NO_CPU { "–".to_owned() } else { row.cpu.to_string() };
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
    let times = |heading, value: &dyn Fn(&LiveRow) -> Option<Nanos>| {
        Column::figures(heading, values(&|row| time(value(row)))).reserving(TIME)
    };
    let mut columns = vec![
        Column::words("method", values(&|row| live.label(row.cell))).reserving(NAME).shortened(NAME, 2),
        Column::figures("n", values(&|row| row.n.to_string())).reserving(COUNT).expendable(0),
        times("latest", &|row| Some(row.latest)).expendable(1),
        times("p50", &|row| row.quantiles()[0]).expendable(2),
        times("p99", &|row| row.quantiles()[1]),
        times("worst", &|row| row.worst.map(|worst| worst.late)),
    ];
    // A simulated kernel has no numbered processors.
    if rows.iter().any(|row| row.cpu != Sample::NO_CPU) {
        columns.insert(1, Column::figures("cpu", values(&cpu)).expendable(3));
    }
    columns
}

//! The rows of the screen: one for each cell and processor, with the columns for which there is room.

use super::super::screen::View;
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
/// Columns that are left out, one after another, until the others fit.
const EXPENDABLE: [&str; 4] = ["n", "latest", "p50", "cpu"];

/// A column of figures: its heading, its least width, and a cell for each row.
struct Column {
    heading: &'static str,
    width: usize,
    cells: Vec<String>,
}

impl Column {
    fn new(heading: &'static str, least: usize, cells: impl Iterator<Item = String>) -> Self {
        let cells: Vec<String> = cells.collect();
        let widest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        Self { heading, width: widest.max(least), cells }
    }
}

/// Returns a heading and the rows for which there is room.
pub(super) fn lines(live: &Live, view: &View, area: Rect) -> Vec<Line<'static>> {
    let all: Vec<&LiveRow> = live.rows().collect();
    let room = usize::from(area.height).saturating_sub(1).max(1);
    let first = view.scrolled.min(all.len().saturating_sub(room));
    let visible = &all[first..(first + room).min(all.len())];
    let names: Vec<String> = visible.iter().map(|row| name(live, row.cell)).collect();
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(NAME);
    let (columns, name_width) = fitted(columns(visible), widest, area.width.into());
    let row = |label: &str, cell: &dyn Fn(&Column) -> String| {
        let label = shortened(label, name_width);
        let cells = columns.iter().map(|column| format!(" {:>1$}", cell(column), column.width));
        Line::from(format!("{label:name_width$}{}", cells.collect::<String>()))
    };
    let heading = row("method", &|column| column.heading.to_owned());
    let mut out = vec![heading.style(Style::new().add_modifier(Modifier::BOLD))];
    if all.is_empty() {
        out.push(Line::from("waiting for the first sleeps"));
        return out;
    }
    out.extend(names.iter().enumerate().map(|(at, name)| row(name, &|column| column.cells[at].clone())));
    let hidden = all.len() - visible.len();
    if hidden > 0
        && let Some(last) = out.last_mut()
    {
        *last = Line::from(format!("and {} more rows (↑/↓)", hidden + 1));
    }
    out
}

fn columns(rows: &[&LiveRow]) -> Vec<Column> {
    let cpu = |row: &&LiveRow| if row.cpu == Sample::NO_CPU { "–".to_owned() } else { row.cpu.to_string() };
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
    let times = |heading, of: &dyn Fn(&LiveRow) -> Option<Nanos>| {
        Column::new(heading, TIME, rows.iter().map(|row| time(of(row))))
    };
    vec![
        Column::new("cpu", 3, rows.iter().map(cpu)),
        Column::new("n", COUNT, rows.iter().map(|row| row.n.to_string())),
        times("latest", &|row| Some(row.latest)),
        times("p50", &|row| row.quantiles()[0]),
        times("p99", &|row| row.quantiles()[1]),
        times("worst", &|row| row.worst.map(|worst| worst.late)),
    ]
}

/// Returns the columns that fit beside the names, and the width of the names: columns are left out for names to be whole,
/// and names are shortened only where that is not enough.
fn fitted(mut columns: Vec<Column>, names: usize, width: usize) -> (Vec<Column>, usize) {
    let taken = |columns: &[Column]| columns.iter().map(|column| column.width + 1).sum::<usize>();
    for (at, heading) in EXPENDABLE.into_iter().enumerate() {
        // Only the first two are worth less than the end of a long name.
        let needed = if at < 2 { names } else { NAME };
        if taken(&columns) + needed > width {
            columns.retain(|column| column.heading != heading);
        }
    }
    let left = width.saturating_sub(taken(&columns));
    (columns, names.min(left.max(NAME)))
}

/// Returns the name of a cell: method, request and conditions.
pub(super) fn name(live: &Live, cell: u32) -> String {
    let Some(cell) = live.planned(cell) else { return format!("cell {cell}") };
    let conditions = cell.conditions.name(None);
    let conditions = if conditions == "default" { String::new() } else { format!(", {conditions}") };
    format!("{} {}{conditions}", cell.method, cell.pattern.typical())
}

/// Returns a name in at most `width` columns. The end of the method's name is left out first, then the name's end.
fn shortened(name: &str, width: usize) -> String {
    let over = name.chars().count().saturating_sub(width);
    let method = name.find(' ').unwrap_or(name.len());
    match name[..method].chars().count().checked_sub(over + 1) {
        _ if over == 0 => name.to_owned(),
        Some(kept @ 4..) => {
            name[..method].chars().take(kept).chain("…".chars()).chain(name[method..].chars()).collect()
        }
        _ => name.chars().take(width.saturating_sub(1)).chain("…".chars()).collect(),
    }
}

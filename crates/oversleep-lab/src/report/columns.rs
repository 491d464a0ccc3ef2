//! Tables that drop columns one at a time until they fit the terminal.

use super::style::{self, Screen, align, firm, table};
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use std::collections::BTreeSet;
use textwrap::core::display_width;

/// Least width to which the words of a breakable column are broken.
const BROKEN: usize = 24;

/// A column: its heading and one cell per row.
#[derive(Debug, Clone)]
pub(super) struct Column {
    heading: String,
    cells: Vec<String>,
    /// Whether it is aligned to the left: words are, figures are not.
    left: bool,
    /// Rank among the columns that may be dropped, lowest first; `None` if it must stay.
    expendable: Option<u8>,
    /// Whether its words are rather broken into lines than other columns dropped.
    breakable: bool,
}

impl Column {
    /// Returns a column of words.
    pub(super) fn words(heading: &str, cells: Vec<String>) -> Self {
        Self { heading: heading.to_owned(), cells, left: true, expendable: None, breakable: false }
    }

    /// Returns a column of figures.
    pub(super) fn figures(heading: &str, cells: Vec<String>) -> Self {
        Self { left: false, ..Self::words(heading, cells) }
    }

    /// Marks the column as one that may be dropped if there is no room; the lowest rank is dropped first.
    pub(super) fn expendable(self, rank: u8) -> Self {
        Self { expendable: Some(rank), ..self }
    }

    /// Marks the column as one whose words are broken into lines, so that others need not be dropped.
    pub(super) fn breakable(self) -> Self {
        Self { breakable: true, ..self }
    }

    /// Returns how much narrower the column may become by breaking its words into lines.
    fn spare(&self) -> usize {
        let widest = |of: &dyn Fn(&str) -> usize| {
            self.cells.iter().chain([&self.heading]).map(|cell| of(cell)).max().unwrap_or(0)
        };
        let word = |cell: &str| cell.split(' ').map(display_width).max().unwrap_or(0);
        if self.breakable { widest(&display_width).saturating_sub(widest(&word).max(BROKEN)) } else { 0 }
    }
}

/// Returns which of some columns are needed to say what a row is: those in which rows differ (`–`, for what is not known,
/// differs from nothing), and those without which two rows would be the same.
pub(super) fn needed<const N: usize>(columns: [&[String]; N]) -> [bool; N] {
    let differs = |texts: &[String]| texts.iter().filter(|text| *text != "–").collect::<BTreeSet<_>>().len() > 1;
    let rows = columns.iter().map(|texts| texts.len()).min().unwrap_or(0);
    let different_rows = |without: Option<usize>| {
        let row = |row: usize| -> Vec<&String> {
            let kept = columns.iter().enumerate().filter(|(at, _)| Some(*at) != without);
            kept.map(|(_, texts)| &texts[row]).collect()
        };
        (0..rows).map(row).collect::<BTreeSet<_>>().len()
    };
    let all = different_rows(None);
    std::array::from_fn(|at| differs(columns[at]) || different_rows(Some(at)) < all)
}

/// Returns the table with as many columns as fit: of those that may be dropped, the highest rank is kept first. If the
/// others are too wide by themselves, their words are broken into lines, but only between words.
pub(super) fn fitted(columns: &[Column], screen: Screen) -> String {
    let width = |text: &str| text.lines().map(display_width).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].expendable.is_some()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(columns[at].expendable));
    let spare: usize = columns.iter().map(Column::spare).sum();
    let mut kept: Vec<bool> = columns.iter().map(|column| column.expendable.is_none()).collect();
    let mut text = drawn(&chosen(columns, &kept), screen);
    for at in order {
        kept[at] = true;
        let wider = drawn(&chosen(columns, &kept), screen);
        if width(&wider) <= usize::from(screen.width) + spare {
            text = wider;
        } else {
            kept[at] = false;
        }
    }
    if width(&text) > screen.width.into() { broken(&chosen(columns, &kept), screen) } else { text }
}

fn chosen(columns: &[Column], kept: &[bool]) -> Vec<Column> {
    columns.iter().zip(kept).filter(|(_, kept)| **kept).map(|(column, _)| column.clone()).collect()
}

/// Returns the table with the widest column of words broken into lines, just narrow enough to fit if possible.
fn broken(columns: &[Column], screen: Screen) -> String {
    let held =
        |column: &Column| Column { cells: column.cells.iter().map(|cell| firm(cell)).collect(), ..column.clone() };
    let columns: Vec<Column> = columns.iter().map(held).collect();
    let longest = |column: &Column, of: &dyn Fn(&str) -> usize| {
        column.cells.iter().chain([&column.heading]).map(|cell| of(cell)).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = columns.iter().map(|column| longest(column, &display_width)).collect();
    let mut table = filled(&columns, screen);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::MAX);
    let padding: usize = table.column_iter().map(|column| usize::from(column.padding_width())).sum();
    let too_wide = (widths.iter().sum::<usize>() + padding).saturating_sub(screen.width.into());
    let words = (0..columns.len()).filter(|&at| columns[at].left).max_by_key(|&at| (columns[at].breakable, widths[at]));
    if let Some(at) = words {
        let word = |cell: &str| cell.split(' ').map(display_width).max().unwrap_or(0);
        widths[at] = widths[at].saturating_sub(too_wide).max(longest(&columns[at], &word));
    }
    for (column, width) in table.column_iter_mut().zip(widths) {
        let width = u16::try_from(width).unwrap_or(u16::MAX).saturating_add(column.padding_width());
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
    }
    style::table_text(&table)
}

fn drawn(columns: &[Column], screen: Screen) -> String {
    style::table_text(&filled(columns, screen))
}

fn filled(columns: &[Column], screen: Screen) -> Table {
    let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
    let mut drawn = table(&headings, screen);
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        drawn.add_row(columns.iter().map(|column| column.cells[row].clone()));
    }
    let left: Vec<usize> = columns.iter().enumerate().filter(|(_, column)| column.left).map(|(at, _)| at).collect();
    align(&mut drawn, &left);
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_where_even_the_rest_is_too_wide() {
        let columns = [
            Column::words("conditions", vec!["fifo 80, slack 0 ns (asked 50.0 µs)".to_owned()]),
            Column::figures("p50", vec!["\u{1b}[1m16.6 µs\u{1b}[0m".to_owned()]),
        ];
        let text = fitted(&columns, Screen { width: 30, colour: false });
        assert_eq!(
            text.replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""),
            "conditions                p50\nfifo 80, slack 0 ns   16.6 µs\n(asked 50.0 µs)\n"
        );
    }

    #[test]
    fn columns_that_distinguish_rows_are_needed() {
        let of = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let methods = of(&["nap", "nap", "doze", "doze"]);
        let asked = of(&["1 ms", "–", "1 ms", "1 ms"]);
        let under = of(&["default", "default", "fifo 80", "default"]);
        let what = of(&["oversleep"; 4]);
        assert_eq!(needed([&methods, &asked, &under, &what]), [true, true, true, false]);
        // A dash does not count as a different request if another column distinguishes the row.
        assert_eq!(needed([&methods[1..3], &asked[1..3], &what[1..3]]), [true, false, false]);
        assert_eq!(needed([&methods[..1], &asked[..1]]), [false, false]);
    }

    #[test]
    fn columns_go_one_at_a_time_in_their_order() {
        let of = |heading: &str| Column::figures(heading, vec!["1234567".to_owned()]);
        let columns = || vec![of("a"), of("b").expendable(1), of("c").expendable(0), of("d").expendable(2)];
        let headings = |width| {
            let text = fitted(&columns(), Screen { width, colour: false });
            text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<String>()
        };
        assert_eq!([80, 34, 25, 16, 8].map(headings), ["abcd", "abcd", "abd", "ad", "a"]);
    }
}

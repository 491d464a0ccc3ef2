//! Tables that give up columns one at a time until they fit the terminal.

use super::style::{self, Screen, align, table};
use textwrap::core::display_width;

/// A column: its heading and a cell per row.
#[derive(Debug, Clone)]
pub(super) struct Column {
    heading: String,
    cells: Vec<String>,
    /// Whether it stands to the left of its column: words do, figures do not.
    left: bool,
    /// Whether it may go, the lowest first.
    expendable: Option<u8>,
}

impl Column {
    /// Returns a column of words.
    pub(super) fn words(heading: &str, cells: Vec<String>) -> Self {
        Self { heading: heading.to_owned(), cells, left: true, expendable: None }
    }

    /// Returns a column of figures.
    pub(super) fn figures(heading: &str, cells: Vec<String>) -> Self {
        Self { left: false, ..Self::words(heading, cells) }
    }

    /// Returns the same, to be left out where there is no room; the lowest rank goes first.
    pub(super) fn expendable(self, rank: u8) -> Self {
        Self { expendable: Some(rank), ..self }
    }
}

/// Returns the table with as many of the columns as fit: of those that may go, the highest rank is the first to stay. Where
/// those that may not go are too wide, the table is too.
pub(super) fn fitted(columns: &[Column], screen: Screen) -> String {
    let width = |text: &str| text.lines().map(display_width).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].expendable.is_some()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(columns[at].expendable));
    let mut kept: Vec<bool> = columns.iter().map(|column| column.expendable.is_none()).collect();
    let mut text = drawn(&chosen(columns, &kept), screen);
    for at in order {
        kept[at] = true;
        let wider = drawn(&chosen(columns, &kept), screen);
        if width(&wider) <= screen.width.into() {
            text = wider;
        } else {
            kept[at] = false;
        }
    }
    text
}

fn chosen(columns: &[Column], kept: &[bool]) -> Vec<Column> {
    columns.iter().zip(kept).filter(|(_, kept)| **kept).map(|(column, _)| column.clone()).collect()
}

fn drawn(columns: &[Column], screen: Screen) -> String {
    let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
    let mut drawn = table(&headings, screen);
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        drawn.add_row(columns.iter().map(|column| column.cells[row].clone()));
    }
    let left: Vec<usize> = columns.iter().enumerate().filter(|(_, column)| column.left).map(|(at, _)| at).collect();
    align(&mut drawn, &left);
    style::text(&drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

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

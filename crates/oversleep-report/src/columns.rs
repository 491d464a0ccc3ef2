//! Columns that are left out one at a time until the others fit the terminal, and tables of them.

use super::style::{self, Screen, align, firm, table, unbroken};
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use std::collections::BTreeSet;
use textwrap::core::display_width;

/// Least width to which the words of a breakable column are broken.
const BROKEN: usize = 24;
/// Columns between those of a table.
const GAP: usize = 2;

/// A column: its heading and one cell per row.
#[derive(Debug, Clone)]
pub struct Column {
    heading: String,
    cells: Vec<String>,
    /// Whether it is aligned to the left: words are, figures are not.
    left: bool,
    /// Rank among the columns that may be left out, lowest first; `None` if it must stay.
    expendable: Option<u8>,
    /// Width that it has even if its cells are narrower.
    reserved: usize,
    narrowing: Option<Narrowing>,
    /// What it is called where its heading says something else.
    called: Option<&'static str>,
}

/// How far a column may be narrowed, so that others need not be left out.
#[derive(Debug, Clone, Copy)]
struct Narrowing {
    /// The least width.
    to: usize,
    /// Lowest rank of the columns for which it is narrowed.
    for_rank: u8,
}

impl Column {
    /// Returns a column of words.
    pub fn words(heading: &str, cells: Vec<String>) -> Self {
        Self {
            heading: heading.to_owned(),
            cells,
            left: true,
            expendable: None,
            reserved: 0,
            narrowing: None,
            called: None,
        }
    }

    /// Returns a column of figures.
    pub fn figures(heading: &str, cells: Vec<String>) -> Self {
        Self { left: false, ..Self::words(heading, cells) }
    }

    /// Marks the column as one that may be left out if there is no room, columns of lower rank before those of higher rank.
    #[must_use]
    pub fn expendable(self, rank: u8) -> Self {
        Self { expendable: Some(rank), ..self }
    }

    /// Names a column whose heading does not.
    #[must_use]
    pub fn called(self, name: &'static str) -> Self {
        Self { called: Some(name), ..self }
    }

    /// Reserves a width, so that the column stays where it is while its cells change.
    #[must_use]
    pub fn reserving(self, width: usize) -> Self {
        Self { reserved: width, ..self }
    }

    /// Marks the column as one whose words are broken into lines, so that others need not be left out.
    pub(super) fn breakable(self) -> Self {
        let to = self.longest_word().max(BROKEN).min(self.width());
        Self { narrowing: Some(Narrowing { to, for_rank: 0 }), ..self }
    }

    /// Marks the column as one that is broken into lines, between words or between two times, so that others of at least this
    /// rank need not be left out.
    #[must_use]
    pub(super) fn broken_beside(self, rank: u8) -> Self {
        Self { narrowing: Some(Narrowing { to: self.longest_word(), for_rank: rank }), ..self }
    }

    /// Marks the column as one whose cells are shortened to `to` columns, so that others of at least this rank need not be
    /// left out.
    #[must_use]
    pub fn shortened(self, to: usize, for_rank: u8) -> Self {
        let to = to.min(self.width());
        Self { narrowing: Some(Narrowing { to, for_rank }), ..self }
    }

    fn width(&self) -> usize {
        self.widest(display_width).max(self.reserved)
    }

    /// Returns the width of the longest word; a figure and its unit are one.
    fn longest_word(&self) -> usize {
        self.widest(|line| self.unbroken_text(line).split(' ').map(display_width).max().unwrap_or(0))
    }

    /// Returns a text with firm spaces where the column is not broken: of two times, the first keeps its `to`.
    fn unbroken_text(&self, text: &str) -> String {
        if self.left { firm(text) } else { firm(text).replace(" to ", &(unbroken(" to") + " ")) }
    }

    /// Returns the largest width of a line of its heading and cells.
    fn widest(&self, measure: impl Fn(&str) -> usize) -> usize {
        self.cells.iter().chain([&self.heading]).flat_map(|cell| cell.lines()).map(measure).max().unwrap_or(0)
    }

    /// Returns the width that it needs next to a column of this rank.
    fn needed(&self, rank: u8) -> usize {
        self.narrowing
            .filter(|narrowing| narrowing.for_rank <= rank)
            .map_or_else(|| self.width(), |narrowing| narrowing.to)
    }
}

/// Returns which of some columns are needed to distinguish the rows: those in which rows differ (`–`, for what is not known,
/// differs from nothing), and those without which two rows would be the same.
pub(super) fn needed<const N: usize>(columns: [&[String]; N]) -> [bool; N] {
    let differs = |texts: &[String]| texts.iter().filter(|text| *text != "–").collect::<BTreeSet<_>>().len() > 1;
    let rows = columns.iter().map(|texts| texts.len()).min().unwrap_or(0);
    let different_rows = |without: Option<usize>| {
        let row = |row: usize| -> Vec<&String> {
            let others = columns.iter().enumerate().filter(|(index, _)| Some(*index) != without);
            others.map(|(_, texts)| &texts[row]).collect()
        };
        (0..rows).map(row).collect::<BTreeSet<_>>().len()
    };
    let all = different_rows(None);
    std::array::from_fn(|index| differs(columns[index]) || different_rows(Some(index)) < all)
}

/// Returns the columns that fit next to each other: of those that may be left out, the highest rank is kept first.
fn fitting(columns: &[Column], gap: usize, room: usize) -> Vec<Column> {
    let mut order: Vec<(u8, usize)> =
        columns.iter().enumerate().filter_map(|(index, column)| Some((column.expendable?, index))).collect();
    order.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let mut kept: Vec<bool> = columns.iter().map(|column| column.expendable.is_none()).collect();
    let chosen = |kept: &[bool]| columns.iter().zip(kept.to_vec()).filter(|(_, kept)| *kept).map(|(column, _)| column);
    for (rank, at) in order {
        kept[at] = true;
        let needed: usize = chosen(&kept).map(|column| column.needed(rank) + gap).sum();
        kept[at] = needed <= room.saturating_add(gap);
    }
    chosen(&kept).cloned().collect()
}

/// Returns whether none has to be left out.
pub(super) fn all_fit(columns: &[Column], screen: Screen) -> bool {
    fitting(columns, GAP, screen.width.into()).len() == columns.len()
}

/// Returns lines of at most `room` columns: the headings and a line for each row, with as many columns as fit. Cells are shortened
/// where their columns may be.
pub fn lines(columns: &[Column], gap: usize, room: usize) -> Vec<String> {
    let columns = fitting(columns, gap, room);
    let taken: usize = columns.iter().map(|column| column.width() + gap).sum::<usize>().saturating_sub(gap);
    let mut over = taken.saturating_sub(room);
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| {
            let spare = column.narrowing.map_or(0, |narrowing| column.width() - narrowing.to).min(over);
            over -= spare;
            column.width() - spare
        })
        .collect();
    let line = |text: &dyn Fn(&Column) -> String| -> String {
        let cells = columns.iter().zip(&widths).map(|(column, width)| {
            let cell = shortened(&text(column), *width);
            let blank = " ".repeat(width.saturating_sub(display_width(&cell)));
            if column.left { cell + &blank } else { blank + &cell }
        });
        cells.collect::<Vec<_>>().join(&" ".repeat(gap)).trim_end().to_owned()
    };
    let rows = columns.first().map_or(0, |column| column.cells.len());
    std::iter::once(line(&|column| column.heading.clone()))
        .chain((0..rows).map(|row| line(&|column| column.cells[row].clone())))
        .collect()
}

/// Returns words in at most `width` columns. The end of the first word is left out first, then the end of all.
pub(super) fn shortened(words: &str, width: usize) -> String {
    const LEAST: usize = 4;
    let whole = display_width(words);
    if whole <= width {
        return words.to_owned();
    }
    let (first, rest) = words.split_at(words.find(' ').unwrap_or(words.len()));
    match display_width(first).checked_sub(whole - width + 1) {
        Some(left @ LEAST..) if !rest.is_empty() => format!("{}…{rest}", beginning(first, left)),
        _ => format!("{}…", beginning(words, width.saturating_sub(1))),
    }
}

/// Returns as much of the beginning as has this width.
fn beginning(text: &str, width: usize) -> &str {
    let ends = text.char_indices().map(|(index, letter)| index + letter.len_utf8());
    ends.map(|end| &text[..end]).take_while(|part| display_width(part) <= width).last().unwrap_or("")
}

/// Returns the first `most` rows as a table of Markdown, words to the left and figures to the right; `plain` escapes what Markdown
/// would read as its own.
pub(super) fn markdown(columns: &[Column], most: usize, plain: impl Fn(&str) -> String) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rows = columns.first().map_or(0, |column| column.cells.len().min(most));
    let mut out = line(columns.iter().map(|column| plain(&column.heading)).collect());
    out += &line(columns.iter().map(|column| if column.left { "---" } else { "---:" }.to_owned()).collect());
    out += &(0..rows)
        .map(|row| line(columns.iter().map(|column| plain(&column.cells[row])).collect()))
        .collect::<String>();
    out + "\n"
}

/// Returns the table with as many columns as fit, and a line that names the others. If even those that must stay are too wide,
/// their words are broken into lines, but only between words.
pub(super) fn fitted(columns: &[Column], screen: Screen) -> String {
    let kept = fitting(columns, GAP, screen.width.into());
    let text = style::table_text(&filled(&kept, screen));
    let too_wide = text.lines().any(|line| display_width(line) > screen.width.into());
    let text = if too_wide { with_broken_cells(&kept, screen) } else { text };
    text + &left_out(columns, &kept, screen)
}

/// Names the columns for which there was no room; empty if all are shown.
fn left_out(columns: &[Column], kept: &[Column], screen: Screen) -> String {
    let name = |column: &Column| column.called.map_or_else(|| column.heading.clone(), str::to_owned);
    let shown: Vec<String> = kept.iter().map(name).collect();
    let gone: Vec<String> = columns.iter().map(name).filter(|name| !shown.contains(name)).collect();
    if gone.is_empty() {
        return String::new();
    }
    screen.lines(0, &screen.aside(&format!("no room in {} columns for: {}", screen.width, gone.join(", "))))
}

/// Returns the table with cells broken into lines, just narrow enough to fit if possible.
fn with_broken_cells(columns: &[Column], screen: Screen) -> String {
    let cells = |column: &Column| column.cells.iter().map(|cell| column.unbroken_text(cell)).collect();
    let columns: Vec<Column> = columns.iter().map(|column| Column { cells: cells(column), ..column.clone() }).collect();
    let mut table = filled(&columns, screen);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::MAX);
    let padding: usize = table.column_iter().map(|column| usize::from(column.padding_width())).sum();
    let widths = column_widths(&columns, usize::from(screen.width).saturating_sub(padding));
    for (column, width) in table.column_iter_mut().zip(widths) {
        let width = u16::try_from(width).unwrap_or(u16::MAX).saturating_add(column.padding_width());
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
    }
    style::table_text(&table)
}

/// Returns widths of the columns that sum to at most `room` if possible: only words are broken, the widest column first, or if
/// that is not enough, the columns of figures too, each between two times.
fn column_widths(columns: &[Column], room: usize) -> Vec<usize> {
    let mut words: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].left).collect();
    words.sort_by_key(|&at| std::cmp::Reverse((columns[at].narrowing.is_some(), columns[at].width())));
    let of_words = |mut widths: Vec<usize>| {
        for &at in &words {
            let over = widths.iter().sum::<usize>().saturating_sub(room);
            widths[at] = widths[at].saturating_sub(over).max(columns[at].longest_word().min(widths[at]));
        }
        widths
    };
    let widths = of_words(columns.iter().map(Column::width).collect());
    if widths.iter().sum::<usize>() <= room {
        return widths;
    }
    let figures = |column: &Column| if column.left { column.width() } else { column.longest_word() };
    of_words(columns.iter().map(figures).collect())
}

fn filled(columns: &[Column], screen: Screen) -> Table {
    let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
    let mut drawn = table(&headings, screen);
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        drawn.add_row(columns.iter().map(|column| column.cells[row].clone()));
    }
    let left: Vec<usize> = columns.iter().enumerate().filter(|(_, column)| column.left).map(|(i, _)| i).collect();
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
    fn two_times_are_broken_where_words_are_not_enough() {
        let columns = [
            Column::words("conditions", vec!["fifo 80, memory locked".to_owned()]),
            Column::figures("p50", vec!["16.6 to 17.6 µs".to_owned()]),
            Column::figures("p99", vec!["60.0 to 475 µs".to_owned()]),
        ];
        let text = |width| fitted(&columns, Screen { width, colour: false });
        assert_eq!(
            text(50),
            "conditions                    p50             p99\nfifo 80, memory   16.6 to 17.6 µs  60.0 to 475 µs\nlocked\n"
        );
        assert_eq!(
            text(42),
            "conditions                  p50      p99\nfifo 80, memory locked  16.6 to  60.0 to\n                        17.6 µs   475 µs\n"
        );
        assert_eq!(
            text(30),
            "conditions       p50      p99\nfifo 80,     16.6 to  60.0 to\nmemory       17.6 µs   475 µs\nlocked\n"
        );
    }

    #[test]
    fn columns_that_distinguish_rows_are_needed() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let methods = texts(&["nap", "nap", "doze", "doze"]);
        let asked = texts(&["1 ms", "–", "1 ms", "1 ms"]);
        let under = texts(&["default", "default", "fifo 80", "default"]);
        let what = texts(&["oversleep"; 4]);
        assert_eq!(needed([&methods, &asked, &under, &what]), [true, true, true, false]);
        // A dash does not count as a different request if another column distinguishes the row.
        assert_eq!(needed([&methods[1..3], &asked[1..3], &what[1..3]]), [true, false, false]);
        assert_eq!(needed([&methods[..1], &asked[..1]]), [false, false]);
    }

    #[test]
    fn columns_go_one_at_a_time_in_their_order() {
        let col = |heading: &str| Column::figures(heading, vec!["1234567".to_owned()]);
        let columns = || vec![col("a"), col("b").expendable(1), col("c").expendable(0), col("d").expendable(2)];
        let headings = |width| {
            let text = fitted(&columns(), Screen { width, colour: false });
            text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<String>()
        };
        assert_eq!([80, 34, 25, 16, 8].map(headings), ["abcd", "abcd", "abd", "ad", "a"]);
        let last_line = |width| fitted(&columns(), Screen { width, colour: false }).lines().nth(2).map(str::to_owned);
        assert_eq!((last_line(34), last_line(16).as_deref()), (None, Some("no room in 16 columns for: b,")));
    }

    #[test]
    fn names_are_shortened_for_the_columns_that_are_worth_it() {
        let columns = [
            Column::words("method", vec!["clock-nanosleep-abs 1.00 ms".to_owned()]).shortened(12, 1),
            Column::figures("n", vec!["1".to_owned()]).reserving(6).expendable(0),
            Column::figures("p50", vec!["50.0 µs".to_owned()]).expendable(1),
            Column::figures("p99", vec!["60.0 µs".to_owned()]),
        ];
        let shown = |room| lines(&columns, 1, room);
        assert_eq!(shown(60)[1], "clock-nanosleep-abs 1.00 ms      1 50.0 µs 60.0 µs");
        assert_eq!(shown(60)[0], "method                           n     p50     p99");
        // Without the numbers the name is whole; the median is worth its end.
        assert_eq!(shown(49)[1], "clock-nanosleep-abs 1.00 ms 50.0 µs 60.0 µs");
        assert_eq!(shown(40)[1], "clock-nanosleep… 1.00 ms 50.0 µs 60.0 µs");
        assert_eq!(shown(28)[1], "clock-nanos… 50.0 µs 60.0 µs");
        assert_eq!(shown(27)[1], "clock-nano… 1.00 ms 60.0 µs");
        assert_eq!(shortened("睡眠睡眠睡眠 1 ms", 11), "睡眠… 1 ms");
    }
}

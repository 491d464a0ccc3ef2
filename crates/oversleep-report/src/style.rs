//! Style of tables and lines of text.

mod wrap;

pub(super) use wrap::{firm, unbroken};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use oversleep_sys::units::Nanos;

/// Abilities of the reader's terminal.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// Width in columns.
    pub width: u16,
    /// Whether colours are used.
    pub colour: bool,
}

impl Screen {
    /// Plain text of any width: for files and tests.
    pub const PLAIN: Self = Self { width: u16::MAX, colour: false };

    /// Breaks a sentence into lines that fit, the first indented by `indent` columns, the others by two more.
    pub(super) fn lines(self, indent: usize, text: &str) -> String {
        wrap::wrap(text, indent, self.width.into())
    }

    /// Breaks each line of a text in this way, with its own indentation.
    pub(super) fn each_line(self, text: &str) -> String {
        let bare =
            |line: &str| self.lines(line.len() - line.trim_start_matches(' ').len(), line.trim_start_matches(' '));
        text.lines().map(bare).collect()
    }

    /// Returns text in a style, if colours are used.
    pub(super) fn paint(self, text: &str, style: Style) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Returns dimmed text, for explanations.
    pub(super) fn aside(self, text: &str) -> String {
        self.paint(text, Style::new().dimmed())
    }

    /// Returns bold text, for headings.
    pub(super) fn heading(self, text: &str) -> String {
        self.paint(text, Style::new().bold())
    }

    /// Returns yellow text, for warnings.
    pub(super) fn warning(self, text: &str) -> String {
        self.paint(text, AnsiColor::Yellow.on_default())
    }
}

/// Returns an empty table without borders: alignment separates the columns.
pub(super) fn table(header: &[&str], screen: Screen) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(|name| screen.heading(name)));
    table
}

/// Breaks the text of cells so that the table fits the terminal. Only for tables of words, whose cells are [`firm`]; it
/// would break shapes apart.
pub(super) fn fit(table: &mut Table, screen: Screen) {
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(screen.width);
    let mut longest = vec![0; table.column_count()];
    let rows = table.row_iter().map(|row| row.cell_iter().map(Cell::content).collect::<Vec<_>>());
    let headings = table.header().map(|row| row.cell_iter().map(Cell::content).collect::<Vec<_>>());
    for row in rows.chain(headings) {
        for (longest, cell) in longest.iter_mut().zip(row) {
            // Not at the spaces between figures and their units, where lines are not broken.
            *longest = cell.split([' ', '\n']).map(textwrap::core::display_width).fold(*longest, usize::max);
        }
    }
    for (column, longest) in table.column_iter_mut().zip(longest) {
        let width = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(column.padding_width());
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
    }
}

/// Aligns all columns except the listed ones to the right, and removes the padding at the table's left side.
pub(super) fn align(table: &mut Table, left: &[usize]) {
    for (index, column) in table.column_iter_mut().enumerate() {
        let first = u16::from(index > 0);
        column.set_padding((first, 1));
        if !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// Returns the table as text, without spaces at the ends of lines.
pub(super) fn table_text(table: &Table) -> String {
    table.lines().map(|line| wrap::loose(line.trim_end()) + "\n").collect()
}

/// Formats a figure; `None`, for too few samples, as a dash.
pub(super) fn figure(value: Option<Nanos>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

/// Formats a mean or deviation in the same way.
pub(super) fn float(value: Option<f64>) -> String {
    figure(value.map(Nanos::from_f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_table_divides_a_figure_from_its_unit() {
        let screen = Screen { width: 24, colour: false };
        let mut rows = table(&["asked", "made of"], screen);
        rows.add_row(["1.00 ms to 16.7 ms", "13.3 ms tick-quantised + 5.00 µs unexplained"].map(firm));
        align(&mut rows, &[0, 1]);
        fit(&mut rows, screen);
        let text = table_text(&rows);
        for figure in ["1.00 ms", "16.7 ms", "13.3 ms", "5.00 µs"] {
            assert!(text.contains(figure), "{figure}:\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 24), "{text}");
    }
}

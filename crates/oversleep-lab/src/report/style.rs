//! How tables look.

mod wrap;

pub(super) use wrap::firm;

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use oversleep_sys::units::Nanos;

/// What the reader's terminal can show.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// Columns.
    pub width: u16,
    /// Whether colour is wanted.
    pub colour: bool,
}

impl Screen {
    /// Plain text as wide as it takes: for files and tests.
    pub const PLAIN: Self = Self { width: u16::MAX, colour: false };

    /// Returns a sentence in lines that fit, the first indented by `indent`, the others by two more.
    pub(super) fn lines(self, indent: usize, text: &str) -> String {
        wrap::wrap(text, indent, self.width.into())
    }

    /// Returns several such lines, each indented as it is.
    pub(super) fn each_line(self, text: &str) -> String {
        let bare =
            |line: &str| self.lines(line.len() - line.trim_start_matches(' ').len(), line.trim_start_matches(' '));
        text.lines().map(bare).collect()
    }

    /// Returns text in the style, where colour is wanted.
    pub(super) fn paint(self, text: &str, style: Style) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Returns what explains rather than says: dimmed.
    pub(super) fn aside(self, text: &str) -> String {
        self.paint(text, Style::new().dimmed())
    }

    /// Returns a heading.
    pub(super) fn heading(self, text: &str) -> String {
        self.paint(text, Style::new().bold())
    }

    /// Returns what deserves a second look.
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

/// Breaks what stands in cells, so that the table fits the terminal. For tables of words, whose cells are [`firm`]:
/// it would tear shapes apart.
pub(super) fn fit(table: &mut Table, screen: Screen) {
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(screen.width);
    let mut longest = vec![0; table.column_count()];
    let rows = table.row_iter().map(|row| row.cell_iter().map(Cell::content).collect::<Vec<_>>());
    let headings = table.header().map(|row| row.cell_iter().map(Cell::content).collect::<Vec<_>>());
    for row in rows.chain(headings) {
        for (longest, cell) in longest.iter_mut().zip(row) {
            *longest = cell.split_whitespace().map(textwrap::core::display_width).fold(*longest, usize::max);
        }
    }
    for (column, longest) in table.column_iter_mut().zip(longest) {
        let width = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(column.padding_width());
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
    }
}

/// Aligns all columns but the listed ones to the right, and closes the gaps at the table's sides.
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
pub(super) fn text(table: &Table) -> String {
    table.lines().map(|line| wrap::loose(line.trim_end()) + "\n").collect()
}

/// Returns a figure, or a dash where the samples carry none.
pub(super) fn figure(value: Option<Nanos>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

/// Returns the same for a mean or deviation.
pub(super) fn float(value: Option<f64>) -> String {
    figure(value.map(Nanos::from_f64))
}

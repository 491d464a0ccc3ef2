//! Plots as text: points as braille characters, rows as block characters.

use super::axis::Axis;
use super::figure::{Figure, Shape, counted};
use super::rows::{COLUMNS, RowShape, Rows, Spread};
use crate::report::columns::shortened;
use crate::report::style::{Screen, unbroken};
use oversleep_sys::units::Nanos;

/// Number of lines of a plot.
const LINES: usize = 18;
/// Number of columns for labels of the vertical axis.
const LEFT: usize = 9;
/// Least number of columns of a row's shape, and of its name.
const NARROWEST: usize = 16;
const LEAST_NAME: usize = 12;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Characters for parts, in turn; the unexplained part is `░`.
const FILLS: [char; 10] = ['█', '▓', '▒', '▞', '▤', '▥', '▦', '▨', '◆', '●'];

/// Returns a plot between two axes as text.
pub(super) fn figure(of: &Figure, screen: Screen) -> String {
    let width = usize::from(screen.width).clamp(40, 120) - LEFT - 1;
    let mut dots = vec![0_u32; 2 * width * 4 * LINES];
    for layer in &of.layers {
        let counts = match &layer.shape {
            Shape::Cloud(values) | Shape::Dots(values) => counted(of, values, 2 * width, 4 * LINES),
            Shape::Line(values, _) | Shape::Area(values) | Shape::Guide(values) => {
                counted(of, &dense(of, values), 2 * width, 4 * LINES)
            }
        };
        dots.iter_mut().zip(counts).for_each(|(dot, count)| *dot += count);
    }
    let mut labels = vec![String::new(); LINES];
    for mark in of.y.marks() {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
        let line = ((1.0 - mark.at.clamp(0.0, 1.0)) * LINES as f64) as usize;
        if let Some(label) = mark.label {
            labels[line.min(LINES - 1)] = label;
        }
    }
    let mut out = screen.lines(0, &screen.heading(&of.title));
    out += &screen.lines(0, &screen.aside(&format!("{} against {}", of.y.title, of.x.title)));
    for (line, label) in labels.iter().enumerate() {
        let row: String = (0..width).map(|column| braille(&dots, 2 * width, column, line)).collect();
        out += &format!("{label:>LEFT$}│{}\n", row.trim_end_matches('⠀'));
    }
    out += &format!("{:>LEFT$}└{}\n{:>LEFT$} ", "", "─".repeat(width), "");
    out + &labels_below(&of.x, width) + "\n"
}

/// Returns the labels of a horizontal axis, each beginning at its mark; those that would touch the one before are left out.
fn labels_below(axis: &Axis, width: usize) -> String {
    let mut line = String::new();
    for mark in axis.marks() {
        let Some(label) = mark.label else { continue };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
        let column = (mark.at.clamp(0.0, 1.0) * width as f64) as usize;
        let taken = line.chars().count();
        if (taken == 0 || column > taken) && column + label.chars().count() <= width {
            line.extend(std::iter::repeat_n(' ', column - taken.min(column)));
            line += &label;
        }
    }
    line
}

/// Returns a line as points that are dense enough to look joined, straight between its values on the axes.
fn dense(of: &Figure, values: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const STEPS: u32 = 200;
    let mut out = Vec::new();
    for pair in values.windows(2) {
        for step in 0..STEPS {
            let share = f64::from(step) / f64::from(STEPS);
            out.push((of.x.between(pair[0].0, pair[1].0, share), of.y.between(pair[0].1, pair[1].1, share)));
        }
    }
    out
}

/// Returns the braille character of two by four dots.
fn braille(dots: &[u32], width: usize, column: usize, line: usize) -> char {
    /// Bit of each dot, by line and column.
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let mut code = 0x2800;
    for (y, bits) in BITS.iter().enumerate() {
        for (x, bit) in bits.iter().enumerate() {
            if dots[(4 * line + y) * width + 2 * column + x] > 0 {
                code |= bit;
            }
        }
    }
    char::from_u32(code).unwrap_or(' ')
}

/// Returns a plot of rows as text.
pub(super) fn rows(of: &Rows, screen: Screen) -> String {
    let figures = of.lines.iter().map(|row| row.figure.chars().count()).max().unwrap_or(0);
    let room = usize::from(screen.width).clamp(60, 140).saturating_sub(figures + 4);
    let longest = of.lines.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let names = longest.min(room.saturating_sub(NARROWEST).max(LEAST_NAME));
    let width = room.saturating_sub(names).clamp(NARROWEST, COLUMNS);
    let mut out = screen.lines(0, &screen.heading(&of.title));
    let mut legend: Vec<&str> = Vec::new();
    for row in &of.lines {
        let name = shortened(&row.name, names);
        let shape = match &row.shape {
            RowShape::Ridge { heights, .. } => ridge(heights, width),
            RowShape::Spread(spread) => spread_line(spread, width),
            RowShape::Parts(parts) => {
                for (part, _) in parts {
                    if !legend.contains(&part.as_str()) {
                        legend.push(part);
                    }
                }
                bar(parts, &legend, width, |ns| of.axis.at(ns))
            }
        };
        out += &format!("{name:names$}  {shape:width$}  {}\n", row.figure);
    }
    out += &format!("{:names$}  {}\n", "", labels_below(&of.axis, width));
    if legend.is_empty() {
        out += &screen.lines(0, &screen.aside(&format!("{}, logarithmic", of.axis.title)));
    } else {
        let entry = |name: &&str| unbroken(&format!("{} {}", fill(name, &legend), name.replace('-', " ")));
        let entries: Vec<String> = legend.iter().map(entry).collect();
        out += &screen.lines(0, &screen.aside(&entries.join("   ")));
    }
    if of.lines.iter().any(|row| matches!(row.shape, RowShape::Spread(_))) {
        out += &screen.lines(0, &screen.aside(&SPREAD.map(unbroken).join(", ")));
    }
    if of.more > 0 {
        out += &format!("and {} more\n", of.more);
    }
    if let Some(note) = &of.note {
        out += &screen.lines(0, &screen.aside(note));
    }
    out
}

/// Explanation of rows with quantiles.
const SPREAD: [&str; 4] = ["▒ the middle half", "┃ median", "─ from the least to p99", "• the largest"];

fn spread_line(of: &Spread, width: usize) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
    let column = |at: f64| ((at.clamp(0.0, 1.0) * width as f64) as usize).min(width - 1);
    let mut line = vec![' '; width];
    let end = of.p99.or(of.middle.map(|(_, high)| high)).unwrap_or(of.latest);
    line[column(of.least)..=column(end).max(column(of.least))].fill('─');
    line[column(of.latest)] = '•';
    if let Some((low, high)) = of.middle {
        line[column(low)..=column(high).max(column(low))].fill('▒');
    }
    if let Some(median) = of.median {
        line[column(median)] = '┃';
    }
    line.into_iter().collect()
}

fn ridge(heights: &[f64], width: usize) -> String {
    let column = |at: usize| {
        let (from, to) =
            (at * heights.len() / width, ((at + 1) * heights.len() / width).max(at * heights.len() / width + 1));
        let height = heights[from..to.min(heights.len())].iter().copied().fold(0.0, f64::max);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ height ≤ 1
        let bar = (8.0 * height).ceil() as usize;
        BARS[bar.min(8)]
    };
    (0..width).map(column).collect()
}

fn bar(parts: &[(String, i64)], legend: &[&str], width: usize, at: impl Fn(f64) -> f64) -> String {
    let (mut sum, mut out) = (0.0, String::new());
    for (name, ns) in parts {
        sum += Nanos::new(*ns).abs().as_f64();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
        let end = (at(sum).clamp(0.0, 1.0) * width as f64).round() as usize;
        let taken = out.chars().count();
        out.extend(std::iter::repeat_n(fill(name, legend), end.saturating_sub(taken)));
    }
    out
}

fn fill(name: &str, legend: &[&str]) -> char {
    if name == crate::report::headline::UNEXPLAINED || name == "not separated" {
        return '░';
    }
    let named = legend.iter().filter(|one| **one != crate::report::headline::UNEXPLAINED);
    FILLS[named.into_iter().position(|one| *one == name).unwrap_or(0) % FILLS.len()]
}

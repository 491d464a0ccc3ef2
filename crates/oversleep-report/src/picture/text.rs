//! Plots as text: points as braille characters or as a mark for each series, rows as block characters.

mod points;

pub(super) use points::figure;

use super::axis::Axis;
use super::in_legend;
use super::rows::{COLUMNS, RowShape, Rows, Spread};
use crate::columns::shortened;
use crate::style::{Screen, unbroken};
use oversleep_sys::units::Nanos;

/// Least number of columns of a row's shape, and of its name.
const NARROWEST: usize = 16;
const LEAST_NAME: usize = 12;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Characters for parts, in turn; the unexplained part is `░`.
const FILLS: [char; 10] = ['█', '▓', '▒', '▞', '▤', '▥', '▦', '▨', '◆', '●'];

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

/// Returns a plot of rows as text.
pub(super) fn rows(rows: &Rows, screen: Screen) -> String {
    let figures = rows.lines.iter().map(|row| row.figure.chars().count()).max().unwrap_or(0);
    let room = usize::from(screen.width).clamp(60, 140).saturating_sub(figures + 4);
    let longest = rows.lines.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let names = longest.min(room.saturating_sub(NARROWEST).max(LEAST_NAME));
    let width = room.saturating_sub(names).clamp(NARROWEST, COLUMNS);
    let mut out = screen.lines(0, &screen.heading(&rows.title));
    let mut legend: Vec<&str> = Vec::new();
    for row in &rows.lines {
        let name = shortened(&row.name, names);
        let shape = match &row.shape {
            RowShape::Ridge { heights, .. } => ridge(heights, width),
            RowShape::Spread(spread) => spread_line(spread, width),
            RowShape::Interval { low, size, high, .. } => interval_line(*low, *size, *high, width),
            RowShape::Parts(parts) => {
                for (part, _) in parts {
                    if !legend.contains(&part.as_str()) {
                        legend.push(part);
                    }
                }
                bar(parts, &legend, width, |ns| rows.axis.at(ns))
            }
        };
        out += &format!("{name:names$}  {shape:width$}  {}\n", row.figure);
    }
    out += &format!("{:names$}  {}\n", "", labels_below(&rows.axis, width));
    if legend.is_empty() {
        out += &screen.lines(0, &screen.aside(&format!("{}, logarithmic", rows.axis.title)));
    } else {
        let entry = |name: &&str| unbroken(&format!("{} {}", fill(name, &legend), in_legend(name)));
        let entries: Vec<String> = legend.iter().map(entry).collect();
        out += &screen.lines(0, &screen.aside(&entries.join("   ")));
    }
    if rows.lines.iter().any(|row| matches!(row.shape, RowShape::Spread(_))) {
        out += &screen.lines(0, &screen.aside(&SPREAD.map(unbroken).join(", ")));
    }
    if rows.more > 0 {
        out += &format!("and {} more\n", rows.more);
    }
    if let Some(note) = &rows.note {
        out += &screen.lines(0, &screen.aside(note));
    }
    out
}

/// Explanation of rows with quantiles.
const SPREAD: [&str; 4] = ["▒ the middle half", "┃ median", "─ from the least to p99", "• the largest"];

fn spread_line(spread: &Spread, width: usize) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
    let column = |at: f64| ((at.clamp(0.0, 1.0) * width as f64) as usize).min(width - 1);
    let mut line = vec![' '; width];
    let end = spread.p99.or(spread.middle.map(|(_, high)| high)).unwrap_or(spread.latest);
    line[column(spread.least)..=column(end).max(column(spread.least))].fill('─');
    line[column(spread.latest)] = '•';
    if let Some((low, high)) = spread.middle {
        line[column(low)..=column(high).max(column(low))].fill('▒');
    }
    if let Some(median) = spread.median {
        line[column(median)] = '┃';
    }
    line.into_iter().collect()
}

fn interval_line(low: f64, size: f64, high: f64, width: usize) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
    let column = |at: f64| ((at.clamp(0.0, 1.0) * width as f64) as usize).min(width - 1);
    let mut line = vec![' '; width];
    line[column(low)..=column(high)].fill('─');
    line[column(size)] = '┃';
    line.into_iter().collect()
}

fn ridge(heights: &[f64], width: usize) -> String {
    let column = |i: usize| {
        let (from, to) =
            (i * heights.len() / width, ((i + 1) * heights.len() / width).max(i * heights.len() / width + 1));
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
    if name == crate::headline::UNEXPLAINED || name == "not separated" {
        return '░';
    }
    let named = legend.iter().filter(|one| **one != crate::headline::UNEXPLAINED);
    FILLS[named.into_iter().position(|one| *one == name).unwrap_or(0) % FILLS.len()]
}

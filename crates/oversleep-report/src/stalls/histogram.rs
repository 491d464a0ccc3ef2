//! Histogram of the lengths of stalls: one row per length, and one column of bars per processor.

use super::super::shape::Axis;
use super::super::style::{self, Screen};
use oversleep_figures::CellSummary;
use oversleep_recording::document::stalls::Stalls;
use oversleep_sys::units::Nanos;
use std::fmt::Write;

/// Number of processors above which each has a line instead of a column.
const COLUMNS: usize = 4;
/// Eighths of a character's width.
const BLOCKS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

pub(super) fn text(stalls: &Stalls, cells: &[CellSummary], screen: Screen) -> String {
    let names: Vec<(u32, &CellSummary)> = stalls
        .processors
        .iter()
        .filter_map(|account| Some((account.cpu, cells.iter().find(|cell| cell.cell.id == account.cell)?)))
        .filter(|(_, cell)| cell.raw.n > 0)
        .collect();
    match names.len() {
        0 => String::new(),
        n if n <= COLUMNS => bars(&stalls.histogram.edges_ns, &names, screen),
        _ => lines(&names, screen),
    }
}

fn bars(edges: &[i64], cells: &[(u32, &CellSummary)], screen: Screen) -> String {
    let counts: Vec<Vec<u64>> = cells.iter().map(|(_, cell)| cell.values.counts(edges)).collect();
    let used = |bin: &usize| counts.iter().any(|counts| counts[*bin] > 0);
    let bins = 0..counts[0].len();
    let (Some(first), Some(last)) = (bins.clone().find(used), bins.rev().find(used)) else { return String::new() };
    let most = counts.iter().flatten().copied().max().unwrap_or(1);
    let room = usize::from(screen.width.clamp(60, 120)) - 24;
    let width = (room / cells.len()).saturating_sub(12).clamp(8, 50);
    let mut out = String::new();
    let mut header = format!("{:>19}", "stalls of");
    for (cpu, _) in cells {
        let title = format!("processor {cpu}");
        let _ = write!(header, "  {title:<width$}  {:8}", "", width = width);
    }
    let _ = writeln!(out, "{}", screen.heading(header.trim_end()));
    for bin in first..=last {
        let mut line = format!("{:>19}", label(edges, bin));
        for counts in &counts {
            let count = if counts[bin] > 0 { counts[bin].to_string() } else { String::new() };
            let _ = write!(line, "  {:<width$}  {count:>8}", bar(counts[bin], most, width), width = width);
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let _ = writeln!(out, "{}\n", screen.aside("bars show the logarithm of the count"));
    out
}

/// Returns the label of a bin, such as `1 to 2 µs`.
fn label(edges: &[i64], bin: usize) -> String {
    let whole = |edge: i64| format!("{:#}", Nanos::new(edge));
    match (bin.checked_sub(1).map(|below| whole(edges[below])), edges.get(bin).map(|edge| whole(*edge))) {
        (Some(from), Some(until)) => match (from.split_once(' '), until.split_once(' ')) {
            (Some((number, unit)), Some((_, same))) if unit == same => format!("{number} to {until}"),
            _ => format!("{from} to {until}"),
        },
        (None, Some(until)) => format!("below {until}"),
        (Some(from), None) => format!("above {from}"),
        (None, None) => String::new(),
    }
}

/// Returns a bar whose length grows with the logarithm of the count; a count of one is still visible.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 8 × width
fn bar(count: u64, most: u64, width: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let share = libm::log(count as f64 + 1.0) / libm::log(most.max(1) as f64 + 1.0);
    let eighths = ((share * width as f64 * 8.0).round() as usize).max(1);
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(BLOCKS[eighths % 8]);
    }
    bar
}

/// Returns one line per processor, on one axis.
fn lines(cells: &[(u32, &CellSummary)], screen: Screen) -> String {
    let axis = Axis::over(cells.iter().map(|(_, cell)| &cell.values));
    let labels = axis.labels();
    let mut table = style::table(&["processor", &labels], screen);
    for (cpu, cell) in cells {
        table.add_row([cpu.to_string(), axis.shape(&cell.values)]);
    }
    style::align(&mut table, &[1]);
    style::table_text(&table) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::stalls::Histogram;

    #[test]
    fn bars_grow_with_the_logarithm_and_one_is_seen() {
        assert_eq!(bar(0, 1_000, 10), "");
        assert_eq!(bar(1_000, 1_000, 10), "██████████");
        let one = bar(1, 1_000_000, 10);
        assert!(!one.is_empty() && one.chars().count() == 1, "{one}");
        assert!(bar(30, 1_000, 10).chars().count() < bar(300, 1_000, 10).chars().count());
    }

    #[test]
    fn bins_are_labelled_by_their_edges() {
        let edges = Histogram::edges();
        let bin = edges.iter().position(|edge| *edge == 2_000).unwrap();
        assert_eq!(label(&edges, bin), "1 to 2 µs");
        assert_eq!(label(&edges, edges.iter().position(|edge| *edge == 1_000).unwrap()), "500 ns to 1 µs");
        assert_eq!(label(&edges, 0), "below 100 ns");
        assert_eq!(label(&edges, edges.len()), "above 100 s");
        assert!(edges.is_sorted());
    }
}

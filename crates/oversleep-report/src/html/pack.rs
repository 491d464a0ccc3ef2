//! Samples packed as columns of whole numbers that deflate well: each number is the difference from what the previous
//! samples predict.

use super::select::SelectedSamples;
use oversleep_recording::document::{PackedColumn, PackedSamples};
use oversleep_recording::plan::{Cell, Pattern};
use std::collections::HashMap;

/// The previous sample of a cell's thread, from which the next is predicted.
#[derive(Clone, Copy, Default)]
struct Before {
    sequence: i64,
    requested: i64,
    deadline: Option<i64>,
    cpu: i64,
}

/// The columns, in the order in which the page reads them, without the flags.
pub(super) const COLUMNS: [&str; 9] =
    ["cell", "thread", "cpu", "sequence", "requested", "has-deadline", "deadline", "start", "late"];
/// The last column.
const FLAGS: &str = "flags";
/// Bit above the flags of a sample that was kept only because it is an extreme, so that the page can leave it out of quantiles.
const EXTRA: u64 = 1 << 16;

/// Times this many ns (52 days) or more from a clock's origin are refused: a browser cannot represent them exactly.
const FAR: i64 = 1 << 52;

/// Samples ready to embed.
pub struct Packed {
    /// Number of samples, and names and widths of the columns.
    pub layout: PackedSamples,
    /// The deflated byte planes of the columns.
    pub bytes: Vec<u8>,
}

/// Returns the packed samples, with times counted from each cell's origin; `None` if there are none, or if a browser
/// cannot represent their times exactly.
pub(super) fn packed(selected: &SelectedSamples, cells: &[Cell], origins: &[i64]) -> Option<Packed> {
    let rows = rows(selected, cells, origins)?;
    if rows.is_empty() {
        return None;
    }
    let mut planes = Vec::new();
    let mut columns = Vec::new();
    for (index, name) in COLUMNS.iter().chain([&FLAGS]).enumerate() {
        let width = rows.iter().map(|row| bytes_of(row[index])).max().unwrap_or(0);
        for byte in 0..width {
            planes.extend(rows.iter().map(|row| row[index].to_le_bytes()[usize::from(byte)]));
        }
        columns.push(PackedColumn { name: (*name).to_owned(), width });
    }
    let layout = PackedSamples { count: rows.len() as u64, of: selected.seen, one_of: selected.one_of, columns };
    Some(Packed { layout, bytes: miniz_oxide::deflate::compress_to_vec(&planes, 9) })
}

/// Returns one number per column for each sample, with signs folded into the lowest bit.
fn rows(selected: &SelectedSamples, cells: &[Cell], origins: &[i64]) -> Option<Vec<[u64; 10]>> {
    let mut before: HashMap<(u32, u16), Before> = HashMap::new();
    let mut ends: HashMap<u16, i64> = HashMap::new();
    let (mut cell, mut thread) = (0_i64, 0_i64);
    let mut rows = Vec::with_capacity(selected.samples.len());
    for (number, sample) in selected.samples.iter().enumerate() {
        let index = sample.cell as usize;
        let (Some(planned), Some(origin)) = (cells.get(index), origins.get(index)) else { continue };
        let known = before.entry((sample.cell, sample.thread)).or_insert(Before { sequence: -1, ..Before::default() });
        let since_origin = |ns: i64| ns.checked_sub(*origin).filter(|ns| ns.abs() < FAR);
        let (start, end) = (since_origin(sample.start.get())?, since_origin(sample.end.get())?);
        let deadline = match sample.deadline {
            Some(deadline) => Some(since_origin(deadline.get())?),
            None => None,
        };
        let requested = Some(sample.requested.get()).filter(|ns| ns.abs() < FAR)?;
        let sequence = i64::try_from(sample.sequence).ok().filter(|number| *number < FAR)?;
        let due = match (planned.pattern, known.deadline) {
            (Pattern::Periodic { period }, Some(last)) => {
                period.get().checked_mul(sequence - known.sequence).and_then(|ns| ns.checked_add(last))?
            }
            _ => start + requested,
        };
        let cpu = sample.cpu().map_or(-1, i64::from);
        let last_end = ends.insert(sample.thread, end).unwrap_or(0);
        rows.push([
            folded(i64::from(sample.cell) - cell),
            folded(i64::from(sample.thread) - thread),
            folded(cpu - known.cpu),
            folded(sequence - known.sequence - 1),
            folded(requested - known.requested),
            u64::from(deadline.is_some()),
            folded(deadline.map_or(0, |deadline| deadline - due)),
            folded(start - last_end),
            folded(end - deadline.unwrap_or(start + requested)),
            u64::from(sample.flags.0) + if selected.is_extra.get(number) == Some(&true) { EXTRA } else { 0 },
        ]);
        (cell, thread) = (i64::from(sample.cell), i64::from(sample.thread));
        *known = Before { sequence, requested, deadline: deadline.or(known.deadline), cpu };
    }
    Some(rows)
}

/// Maps 0, −1, 1, −2, 2 … to 0, 1, 2, 3, 4 …
fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

/// Returns the number of bytes that a number needs.
#[allow(clippy::cast_possible_truncation)] // at most 8
fn bytes_of(number: u64) -> u8 {
    (64 - number.leading_zeros()).div_ceil(8) as u8
}

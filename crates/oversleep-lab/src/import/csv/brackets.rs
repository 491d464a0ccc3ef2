//! Pairs of clock readings in a table.

use super::Row;
use oversleep_recording::Bracket;
use oversleep_recording::plan::ClockName;
use oversleep_sys::units::Nanos;

/// Returns how wide a bracket each pair of readings is taken to be.
///
/// The table does not say how long the two readings took. A sleep measured on both clocks differs by both ends'
/// delays together, so half of the usual difference is about one bracket's width.
pub(super) fn width(rows: &[Row]) -> Nanos {
    let mut spread: Vec<i64> = rows
        .iter()
        .filter_map(|row| row.real.map(|(start, end)| ((end - start) - (row.end - row.start)).abs()))
        .collect();
    spread.sort_unstable();
    // Their median, by nearest rank; importers do not know the room of figures.
    let middle = spread.len().saturating_sub(1) / 2;
    Nanos::new(spread.get(middle).copied().unwrap_or(0) / 2)
}

/// Returns each pair of readings as the wall clock read within a bracket of the monotonic one.
pub(super) fn paired(rows: &[Row], width: Nanos) -> Vec<Bracket> {
    let bracket = |mono: i64, real: i64| Bracket {
        clock: ClockName::Realtime,
        monotonic: Nanos::new(mono),
        width,
        reading: Nanos::new(real),
    };
    rows.iter()
        .filter_map(|row| row.real.map(|(start, end)| [bracket(row.start, start), bracket(row.end, end)]))
        .flatten()
        .collect()
}

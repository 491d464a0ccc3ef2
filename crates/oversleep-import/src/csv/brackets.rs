//! Pairs of clock readings in a table.

use super::SleepRow;
use oversleep_recording::Bracket;
use oversleep_recording::plan::ClockName;
use oversleep_sys::units::Nanos;

/// Returns the assumed width of the bracket of each pair of readings.
///
/// The table does not say how long the two readings took. The durations of a sleep on the two clocks differ by the
/// delays at both ends together, so half of the median difference is about the width of one bracket.
pub(super) fn width(rows: &[SleepRow]) -> Nanos {
    let mut spread: Vec<i64> = rows
        .iter()
        .filter_map(|row| row.real.map(|(start, end)| ((end - start) - (row.end - row.start)).abs()))
        .collect();
    spread.sort_unstable();
    // The median, by nearest rank; importers do not use the module `figures`.
    let middle = spread.len().saturating_sub(1) / 2;
    Nanos::new(spread.get(middle).copied().unwrap_or(0) / 2)
}

/// Returns each pair of readings as the wall clock read within a bracket of the monotonic one.
pub(super) fn paired(rows: &[SleepRow], width: Nanos) -> Vec<Bracket> {
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

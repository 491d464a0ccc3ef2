//! Units of requests and times, compared by how sleeps grow with requests.

use super::SleepRow;

/// Number of rows at either end of the requests that are compared at least.
const FEWEST: usize = 5;

/// Returns the growth of sleeps with requests: median duration of the tenth of rows with the longest requests less that of
/// the tenth with the shortest, divided by the same of requests. `None` if requests vary too little, or if the longest
/// sleeps in relation to their requests are not about the same, so that a constant delay explains them.
pub(super) fn growth(rows: &[SleepRow]) -> Option<f64> {
    let mut asked: Vec<(i64, i64)> =
        rows.iter().filter(|row| row.requested > 0).map(|row| (row.requested, row.end - row.start)).collect();
    let tenth = (asked.len() / 10).max(FEWEST);
    if asked.len() < 2 * tenth {
        return None;
    }
    asked.sort_unstable();
    let (short, long) = (medians(&asked[..tenth]), medians(&asked[asked.len() - tenth..]));
    if long.0 < 4.0 * short.0 {
        return None;
    }
    let growth = (long.1 - short.1) / (long.0 - short.0);
    let share = long.1 / long.0;
    (share > growth * 0.5 && share < growth * 2.0).then_some(growth)
}

/// Returns the median request and the median duration.
fn medians(rows: &[(i64, i64)]) -> (f64, f64) {
    let middle = |mut values: Vec<i64>| {
        values.sort_unstable();
        values[values.len() / 2] as f64
    };
    (middle(rows.iter().map(|row| row.0).collect()), middle(rows.iter().map(|row| row.1).collect()))
}

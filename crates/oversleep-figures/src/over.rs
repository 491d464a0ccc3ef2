//! How many sleeps were later than a limit, and how large their share may be.

use super::{CellSummary, interval};
use oversleep_recording::document::ShareOver;
use oversleep_sys::units::Nanos;

impl CellSummary {
    /// Returns how many sleeps were later than `limit`; of stalls how many were longer, and their time of the time for which
    /// the processor was watched.
    pub fn over(&self, limit: Nanos, watched: Option<Nanos>) -> ShareOver {
        let (count, time) = self.values.above(limit.get());
        let of = self.values.count();
        let ends = interval::share(count, of).filter(|_| watched.is_none());
        ShareOver {
            limit,
            count,
            of,
            share_low: ends.map(|(low, _)| low),
            share_high: ends.map(|(_, high)| high),
            time: watched.map(|_| Nanos::from_f64(time as f64)),
            watched,
            exact: self.values.is_exact_at(limit.get()),
        }
    }
}

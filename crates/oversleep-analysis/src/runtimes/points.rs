//! Sleeps in the form in which mechanisms are searched; times in ns.

use oversleep_figures::quantile::median_of_floats;
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;

/// One sleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// The request.
    pub(super) requested: f64,
    /// When it was requested; on a kept schedule, one period before it was due.
    pub(super) start: f64,
    /// When it ended.
    pub(super) end: f64,
    /// In a schedule, when the tick before was seen.
    pub(super) tick_before: Option<f64>,
    /// Index of its turn in the plan.
    pub(super) turn: usize,
    /// Its number within the turn.
    pub(super) index: u64,
    /// Whether a garbage collection ran during it.
    pub(super) collected: bool,
}

impl Point {
    pub(super) fn new(sample: &Sample, turn: usize, index: u64, schedule: bool) -> Self {
        let [requested, start, end] = [sample.requested, sample.start, sample.end].map(Nanos::as_f64);
        let due = sample.deadline.filter(|_| schedule).map(Nanos::as_f64);
        Self {
            requested,
            start: due.map_or(start, |due| due - requested),
            end,
            tick_before: schedule.then_some(start),
            turn,
            index,
            collected: sample.flags.has(Flags::COLLECTED),
        }
    }

    /// Returns when its timer was set: in a schedule, at the tick before.
    pub(super) fn begin(&self) -> f64 {
        self.tick_before.unwrap_or(self.start)
    }

    pub(super) fn lateness(&self) -> f64 {
        self.end - self.start - self.requested
    }
}

/// The sleeps of one request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RequestSeries {
    pub(super) requested: Nanos,
    pub(super) points: Vec<Point>,
}

impl RequestSeries {
    pub(super) fn median_lateness(&self) -> f64 {
        median(self.points.iter().map(Point::lateness).collect())
    }

    /// Returns how much earlier than the median the earliest tenth of its sleeps ends, in ns.
    pub(super) fn earlier(&self) -> f64 {
        let mut lates: Vec<f64> = self.points.iter().map(Point::lateness).collect();
        lates.sort_by(f64::total_cmp);
        let low = lates.get(lates.len() / 10).copied().unwrap_or(0.0);
        median(lates) - low
    }

    /// Returns how far latenesses usually are from their median, in ns ([`usual`]).
    pub(super) fn noise(&self) -> f64 {
        let middle = self.median_lateness();
        usual(self.points.iter().map(|point| (point.lateness() - middle).abs()).collect())
    }
}

/// Least earliness of a sleep that ended before its time, in ns: more than clocks differ by.
const LEAST_EARLY: f64 = 5e3;

/// Returns the share of sleeps that ended before their time.
pub(super) fn early_share(series: &[RequestSeries]) -> f64 {
    let points = || series.iter().flat_map(|of| &of.points);
    points().filter(|point| point.lateness() < -LEAST_EARLY).count() as f64 / points().count().max(1) as f64
}

/// Returns how large values usually are: the mean of the lower three quarters, which a busy machine's delays hardly
/// enter, plus a small part of the mean of all, which also shows rules that apply to few sleeps.
pub(super) fn usual(mut values: Vec<f64>) -> f64 {
    const PART_OF_ALL: f64 = 0.05;
    values.sort_by(f64::total_cmp);
    let lower = values.len() - values.len() / 4;
    let all = mean(values.iter().map(|value| value.min(CAP)));
    mean(values[..lower].iter().copied()) + PART_OF_ALL * all
}

/// Largest value of a single sleep in that mean, in ns, so that a machine's rare long delays do not decide.
pub(super) const CAP: f64 = 3e6;

/// Returns the median; 0 without values.
pub(super) fn median(values: Vec<f64>) -> f64 {
    median_of_floats(values).unwrap_or(0.0)
}

/// Returns the mean; 0 without values.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    sum / f64::from(n.max(1))
}

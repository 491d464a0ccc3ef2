//! How much of each period of a schedule is left after the wake-up, for the work that is due in it.
//!
//! Counted with the corrected series: a period without a wake-up of its own leaves what the wake-up that it waited for
//! leaves of it, which is nothing unless that wake-up came before the period's end.

use super::CellSummary;
use oversleep_recording::document::{PeriodsForWork, TimeLeft};
use oversleep_sys::units::Nanos;

/// Returns the time that a wake-up this late leaves until the next deadline: from zero to the period, also for a wake-up
/// before its own deadline.
pub fn time_left(period: Nanos, lateness: Nanos) -> Nanos {
    period.saturating_sub(lateness).min(period).max(Nanos::ZERO)
}

/// Checks that the periods of schedules can be judged by how long their work takes.
///
/// # Errors
/// If there is none, or one that is not longer than `work`; the text says which.
pub fn check_work(work: Nanos, periods: impl Iterator<Item = Nanos>) -> Result<(), String> {
    match periods.min() {
        None => Err("it counts periods of a schedule (measure --interval), and this recording has none".to_owned()),
        Some(period) if period <= work => {
            Err(format!("the work of a period must be shorter than the period, {period:#}"))
        }
        Some(_) => Ok(()),
    }
}

impl CellSummary {
    /// Returns the period of a schedule; `None` for other sleeps.
    pub const fn period(&self) -> Option<Nanos> {
        self.cell.period()
    }

    /// Returns what the periods left after their wake-ups and, if `work` is how long the work of a period takes, in how many
    /// of them there was time for it; `None` for sleeps that keep no schedule.
    pub fn time_left(&self, work: Option<Nanos>) -> Option<TimeLeft> {
        let (period, felt) = (self.period()?, self.corrected.as_ref()?);
        let left = |lateness: Option<Nanos>| lateness.map(|lateness| time_left(period, lateness));
        Some(TimeLeft {
            period,
            least: left(felt.max),
            p50: left(felt.p50),
            p90: left(felt.p90),
            p99: left(felt.p99),
            p999: left(felt.p999),
            work: work.and_then(|work| self.periods_for(work)),
        })
    }

    /// Returns in how many periods at least `work` was left after the wake-up; `None` for sleeps that keep no schedule.
    pub fn periods_for(&self, work: Nanos) -> Option<PeriodsForWork> {
        // The edge belongs to the values above it.
        let edge = self.period()?.saturating_sub(work).saturating_add(Nanos::new(1)).get();
        let enough: u64 = [&self.values, &self.omitted].map(|values| values.counts(&[edge])[0]).iter().sum();
        let missed = self.corrected.as_ref()?.n.saturating_sub(enough);
        Some(PeriodsForWork { time: work, enough, missed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Summariser;
    use oversleep_recording::plan::{Cell, Kind, Pattern, Plan};
    use oversleep_recording::{Meta, Origin, Sample, Sink};

    const PERIOD: Nanos = Nanos::from_millis(10);

    /// Returns the summary of a schedule whose wake-ups have these numbers and this lateness, in µs.
    fn schedule(wakes: &[(u64, i64)]) -> CellSummary {
        let cell = Cell::new(0, "clock-nanosleep-abs", Pattern::Periodic { period: PERIOD });
        let plan = Plan { kind: Kind::Periodic, cells: vec![cell], turns: Vec::new(), seed: 1 };
        let mut summary = Summariser::new(&Meta::new("test", Origin::Live, plan));
        let samples = wakes.iter().map(|&(sequence, late)| {
            let deadline = PERIOD * (sequence.cast_signed() + 1);
            let end = deadline + Nanos::from_micros(1) * late;
            Sample { sequence, requested: PERIOD, deadline: Some(deadline), end, ..Sample::BLANK }
        });
        summary.samples(&samples.collect::<Vec<_>>());
        // Its end is known: no period after the last wake-up was felt.
        let count = wakes.last().map_or(0, |(sequence, _)| sequence + 1);
        let account = oversleep_recording::Periods { asked: count, ..Default::default() };
        summary.note(&oversleep_recording::Note { periods: vec![account], ..Default::default() });
        summary.finish().remove(0)
    }

    #[test]
    fn what_is_left_is_between_nothing_and_the_period() {
        let left = |us| time_left(PERIOD, Nanos::from_micros(us));
        assert_eq!(
            [-5, 0, 3, 10_000, 10_001].map(left),
            [PERIOD, PERIOD, PERIOD - Nanos::from_micros(3), Nanos::ZERO, Nanos::ZERO]
        );
        assert_eq!(time_left(PERIOD, Nanos::MIN), PERIOD);
    }

    #[test]
    fn a_period_leaves_enough_up_to_the_last_nanosecond() {
        let cell = schedule(&[(0, -1), (1, 2_000), (2, 2_001), (3, 9_999)]);
        let (eight, one) = (Nanos::from_millis(8), Nanos::from_micros(1));
        assert_eq!(cell.periods_for(eight), Some(PeriodsForWork { time: eight, enough: 2, missed: 2 }));
        assert_eq!(cell.periods_for(one), Some(PeriodsForWork { time: one, enough: 4, missed: 0 }));
    }

    #[test]
    fn one_wake_up_for_several_periods_leaves_time_in_the_last_of_them_only() {
        // 25 ms late: nothing is left of this period and the next, and half of the one after.
        let cell = schedule(&[(0, 25_000), (3, 0)]);
        let missed = |work| cell.periods_for(Nanos::from_millis(work)).unwrap().missed;
        assert_eq!((missed(5), missed(6)), (2, 3));
    }

    #[test]
    fn what_periods_leave_at_least_is_a_quantile_of_their_lateness() {
        let wakes: Vec<(u64, i64)> = (0..300).map(|n| (n, if n == 7 { 12_000 } else { 1_000 })).collect();
        let left = schedule(&wakes).time_left(Some(Nanos::from_millis(9))).unwrap();
        let nine = Nanos::from_millis(9);
        assert_eq!((left.period, left.p50, left.p99, left.p999), (PERIOD, Some(nine), Some(nine), None));
        assert_eq!((left.least, left.work.unwrap().missed), (Some(Nanos::ZERO), 1));
        assert_eq!(schedule(&wakes).time_left(None).unwrap().work, None);
    }
}

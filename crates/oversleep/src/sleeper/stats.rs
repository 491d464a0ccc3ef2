//! Statistics of a sleeper.

use super::ceiling::{Ceiling, Limit};
use super::cost::{FEW, SELDOM};
use crate::{Lateness, Nanos};

/// Number of bins. Latenesses are counted by powers of two: bin b has those of b significant bits, 2^(b−1) to 2^b − 1
/// ns.
const BINS: usize = 64;

/// The statistics of a sleeper since it was made, or since [`take_stats`](crate::Sleeper::take_stats).
#[derive(Debug, Clone, PartialEq)]
pub struct SleepStats {
    sleeps: u64,
    on_time: u64,
    overdue: u64,
    requested: Nanos,
    spun: Nanos,
    worst: Lateness,
    bins: [u64; BINS],
    asked: Option<f64>,
    punctual: u64,
    interrupted: u64,
    limits: [(u64, u64); Ceiling::ALL.len()],
    wake_ups: u64,
    /// Processor time that going to sleep and waking took, and wake-ups, of the sleeps that were measured.
    measured: (Nanos, u64),
}

/// One sleep, for the statistics.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) requested: Nanos,
    pub(super) spun: Nanos,
    /// Whether the thread was awake before the deadline.
    pub(super) in_time: bool,
    pub(super) lateness: Lateness,
    pub(super) cut: Option<Ceiling>,
}

/// Lateness that an observer with a separate clock would still call on time.
const PUNCTUAL: Nanos = Nanos::MICROSECOND;

impl SleepStats {
    pub(super) fn new(asked: Option<f64>) -> Self {
        Self {
            asked,
            punctual: 0,
            interrupted: 0,
            limits: [(0, 0); Ceiling::ALL.len()],
            sleeps: 0,
            on_time: 0,
            overdue: 0,
            requested: Nanos::ZERO,
            spun: Nanos::ZERO,
            worst: Lateness::default(),
            bins: [0; BINS],
            wake_ups: 0,
            measured: (Nanos::ZERO, 0),
        }
    }

    pub(super) fn count_wake_up(&mut self) {
        self.wake_ups += 1;
    }

    /// Returns whether the processor time of the next sleep should be measured.
    pub(super) fn wants_cost(&self) -> bool {
        self.measured.1 < u64::from(FEW) || self.sleeps % u64::from(SELDOM) == 0
    }

    /// Adds the processor time that this number of wake-ups took, with what it took to go to sleep.
    pub(super) fn learn_cost(&mut self, spent: Nanos, wake_ups: u64) {
        self.measured = (self.measured.0.saturating_add(spent), self.measured.1 + wake_ups);
    }

    pub(super) fn count_overdue(&mut self, lateness: Lateness) {
        self.overdue += 1;
        self.worst = self.worst.max(lateness);
    }

    pub(super) fn count_pause(&mut self, pause: Nanos) {
        self.spun = self.spun.saturating_add(pause);
        self.requested = self.requested.saturating_add(pause);
    }

    pub(super) fn count(&mut self, outcome: Outcome) {
        let Outcome { requested, spun, in_time, lateness, cut } = outcome;
        self.sleeps += 1;
        self.on_time += u64::from(in_time);
        let punctual = !lateness.exceeds(PUNCTUAL);
        self.punctual += u64::from(punctual);
        self.interrupted += u64::from(in_time && !punctual);
        if let Some(ceiling) = cut {
            let (sleeps, on_time) = &mut self.limits[ceiling.index()];
            *sleeps += 1;
            *on_time += u64::from(in_time);
        }
        self.requested = self.requested.saturating_add(requested);
        self.spun = self.spun.saturating_add(spun);
        self.worst = self.worst.max(lateness);
        let late = lateness.nanos().get().max(0);
        self.bins[(i64::BITS - late.leading_zeros()) as usize] += 1;
    }

    /// Returns the number of sleeps whose deadline lay ahead when they were requested.
    pub fn sleeps(&self) -> u64 {
        self.sleeps
    }

    /// Returns the share of those sleeps that were awake before the deadline and only had to wait finely, 0 to 1;
    /// `None` without sleeps.
    pub fn on_time(&self) -> Option<f64> {
        (self.sleeps > 0).then(|| self.on_time as f64 / self.sleeps as f64)
    }

    /// Returns the share that was requested; `None` for an `eco` sleeper, which promises none.
    pub fn asked(&self) -> Option<f64> {
        self.asked
    }

    /// Returns the share of sleeps that ended at most 1 µs after their deadline, 0 to 1: what an observer with a
    /// separate clock sees. `None` without sleeps.
    pub fn punctual(&self) -> Option<f64> {
        (self.sleeps > 0).then(|| self.punctual as f64 / self.sleeps as f64)
    }

    /// Returns how many sleeps were awake before their deadline but ended more than 1 µs after it: something else
    /// used the processor at the deadline (an interrupt, another thread, a virtual machine's host). No margin prevents
    /// that.
    pub fn interrupted(&self) -> u64 {
        self.interrupted
    }

    /// Returns the ceilings that cut the margin of any sleep, starting with the one that made most sleeps late.
    pub fn limits(&self) -> Vec<Limit> {
        let counted = Ceiling::ALL.iter().zip(self.limits);
        let limits = counted.map(|(ceiling, (sleeps, on_time))| Limit { ceiling: *ceiling, sleeps, on_time });
        let mut limits: Vec<_> = limits.filter(|limit| limit.sleeps > 0).collect();
        limits.sort_by_key(|limit| std::cmp::Reverse((limit.late(), limit.sleeps)));
        limits
    }

    /// Returns the ceiling that prevented the requested share: the one under which most sleeps were late. `None` if the
    /// share was reached, if none was requested, or if no ceiling was the cause.
    ///
    /// ```
    /// use oversleep::machine::Simulated;
    /// use oversleep::{Ceiling, Nanos, Sleeper};
    ///
    /// // A kernel that wakes everyone 300 µs late, and a processor that must not be kept busy for so long.
    /// let machine = Simulated::new(|_now, deadline| deadline.saturating_add(Nanos::from_micros(300)));
    /// let mut sleeper = Sleeper::builder().spin_ceiling(Nanos::from_micros(100)).build_on(machine);
    /// for _ in 0..100 {
    ///     let _ = sleeper.sleep_for(Nanos::from_millis(4));
    /// }
    /// let limit = sleeper.stats().limited_by().unwrap();
    /// assert_eq!(limit.ceiling, Ceiling::FineWait);
    /// assert_eq!(limit.attainable(), 0.0); // of the sleeps it cut, none was on time
    /// ```
    pub fn limited_by(&self) -> Option<Limit> {
        let on_time = self.on_time()?;
        let reached = self.asked.is_some_and(|asked| on_time >= asked);
        self.limits().into_iter().next().filter(|limit| !reached && limit.late() > 0)
    }

    /// Returns the number of requests whose deadline had already passed: a loop that asks too late is counted here and
    /// in [`worst`](Self::worst), and nowhere else.
    pub fn overdue(&self) -> u64 {
        self.overdue
    }

    /// Returns fine waiting as a share of the time asked for; `None` without sleeps. It is measured by the clock, so on
    /// a busy machine it includes time in which something else used the processor, and may exceed 1.
    pub fn spun_share(&self) -> Option<f64> {
        (self.requested > Nanos::ZERO).then(|| self.spun.as_f64() / self.requested.as_f64())
    }

    /// Returns the mean fine wait of a sleep by the clock: an upper bound of the processor time spent on being on time,
    /// in addition to what the kernel uses for any sleep. It includes time in which something else used the processor.
    /// `None` without sleeps.
    pub fn spun_per_sleep(&self) -> Option<Nanos> {
        let sleeps = i64::try_from(self.sleeps).ok().filter(|sleeps| *sleeps > 0)?;
        Some(Nanos::new(self.spun.get() / sleeps))
    }

    /// Returns how many times the kernel was asked to sleep and woke the thread: a sleep shorter than its margin needs no
    /// wake-up, one whose margin was too long needs two, and the first of a length has one more.
    pub fn wake_ups(&self) -> u64 {
        self.wake_ups
    }

    /// Returns the mean processor time of a sleep: what its wake-ups cost, measured at one sleep in 16 of those that wake
    /// before their deadline, and its fine wait by the clock ([`spun_per_sleep`](Self::spun_per_sleep)). `None` without
    /// sleeps, until a wake-up was measured, and where threads have no clock of their processor time.
    pub fn processor_time_per_sleep(&self) -> Option<Nanos> {
        let spun = self.spun_per_sleep()?;
        let (spent, measured) = self.measured;
        if self.wake_ups == 0 {
            return Some(spun);
        }
        let woken = (measured > 0).then(|| spent.as_f64() / measured as f64 * self.wake_ups as f64)?;
        Some(spun.saturating_add(Nanos::from_f64(woken / self.sleeps as f64)))
    }

    /// Returns the total time of fine waiting.
    pub fn spun(&self) -> Nanos {
        self.spun
    }

    /// Returns the largest lateness, also of [`overdue`](Self::overdue) requests: from the deadline that was requested, so
    /// for a ticker that leaves out missed ticks, from the first of them.
    pub fn worst(&self) -> Lateness {
        self.worst
    }

    /// Returns a time that this share of sleeps, 0 to 1, did not exceed, overestimated by up to a factor of two; `None`
    /// without sleeps, and for a number that is not a share.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of sleeps
    pub fn lateness_at_most(&self, share: f64) -> Option<Nanos> {
        if !(0.0..=1.0).contains(&share) {
            return None;
        }
        let wanted = (share * self.sleeps as f64).ceil() as u64;
        let mut counted = 0;
        let bin = self.bins.iter().position(|count| {
            counted += count;
            counted >= wanted.max(1)
        })?;
        let bound = Nanos::new(i64::try_from((1_u128 << bin) - 1).unwrap_or(i64::MAX));
        Some(bound.min(self.worst.nanos().max(Nanos::ZERO)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(late: i64, in_time: bool, cut: Option<Ceiling>) -> Outcome {
        let lateness =
            Lateness::between(crate::Moment::from_nanos(Nanos::ZERO), crate::Moment::from_nanos(Nanos::new(late)));
        Outcome { requested: Nanos::MILLISECOND, spun: Nanos::from_micros(10), in_time, lateness, cut }
    }

    #[test]
    fn shares_and_bounds() {
        let mut stats = SleepStats::new(Some(0.99));
        assert_eq!((stats.on_time(), stats.punctual(), stats.spun_per_sleep()), (None, None, None));
        assert_eq!(stats.lateness_at_most(0.5), None);
        for late in [100, 120, 140, 50_000] {
            stats.count(outcome(late, late < 1_000, None));
        }
        assert_eq!(stats.lateness_at_most(1.0), Some(Nanos::new(50_000)));
        stats.count_overdue(outcome(2_000_000, false, None).lateness);
        assert_eq!((stats.sleeps(), stats.overdue()), (4, 1));
        assert_eq!(stats.worst().nanos(), Nanos::new(2_000_000));
        assert_eq!(stats.on_time(), Some(0.75));
        assert_eq!(stats.spun_share(), Some(0.01));
        assert_eq!(stats.spun_per_sleep(), Some(Nanos::from_micros(10)));
        assert_eq!(stats.lateness_at_most(0.25), Some(Nanos::new(127)));
        assert_eq!(stats.lateness_at_most(0.75), Some(Nanos::new(255)));
        for no_share in [-0.1, 1.1, 50.0, f64::NAN] {
            assert_eq!(stats.lateness_at_most(no_share), None);
        }
    }

    #[test]
    fn a_sleep_costs_its_wake_ups_and_its_fine_wait() {
        let mut stats = SleepStats::new(None);
        (0..4).for_each(|_| stats.count(outcome(0, true, None)));
        assert_eq!(stats.processor_time_per_sleep(), stats.spun_per_sleep());
        (0..6).for_each(|_| stats.count_wake_up());
        assert_eq!(stats.processor_time_per_sleep(), None);
        stats.learn_cost(Nanos::from_micros(60), 3);
        assert_eq!((stats.wake_ups(), stats.wants_cost()), (6, true));
        assert_eq!(stats.processor_time_per_sleep(), Some(Nanos::from_micros(10 + 30)));
        stats.learn_cost(Nanos::from_micros(20), 1);
        stats.count(outcome(0, true, None));
        assert!(!stats.wants_cost());
    }

    #[test]
    fn a_processor_taken_away_at_the_deadline_is_no_fault_of_the_margin() {
        let mut stats = SleepStats::new(Some(0.99));
        stats.count(outcome(1_000, true, None));
        stats.count(outcome(1_001, true, None));
        stats.count(outcome(1_001, false, None));
        stats.count(outcome(500, false, None));
        assert_eq!((stats.punctual(), stats.on_time(), stats.interrupted()), (Some(0.5), Some(0.5), 1));
    }

    #[test]
    fn the_ceiling_that_made_most_sleeps_late_is_named() {
        let mut stats = SleepStats::new(Some(0.9));
        let counted = [(Ceiling::Processor, 10, 1), (Ceiling::RealTime, 4, 2), (Ceiling::FineWait, 3, 0)];
        for (ceiling, sleeps, late) in counted {
            (0..sleeps).for_each(|n| stats.count(outcome(i64::from(n < late) * 5_000, n >= late, Some(ceiling))));
        }
        let order: Vec<_> = stats.limits().iter().map(|limit| limit.ceiling).collect();
        assert_eq!(order, [Ceiling::RealTime, Ceiling::Processor, Ceiling::FineWait]);
        let limit = stats.limited_by().unwrap();
        assert_eq!(limit, Limit { ceiling: Ceiling::RealTime, sleeps: 4, on_time: 2 });
        assert!((limit.attainable() - 0.5).abs() < 1e-9);
        // The share was reached, so no ceiling prevented it.
        (0..99).for_each(|_| stats.count(outcome(0, true, None)));
        assert_eq!(stats.limited_by(), None);
    }
}

//! The counter clock: the processor's counter in nanoseconds, continuously corrected to the system's clock.

use super::counter_and_clock::RealClocks;
use super::disciplined::Disciplined;
use crate::{Hertz, Moment, Nanos};
use oversleep_sys::clock::counter;
use std::sync::OnceLock;

/// Monotonic time from the processor's counter, for callers to whom reading the system's clock is too expensive.
///
/// It shows the same time as [`now`](crate::now), ordered across threads (the counter is fenced), and is compared
/// with the system's clock at growing intervals, finally ten times a second. The difference found is corrected over
/// the next interval, never by a step back. It needs no calibration at the start: until it has observed the counter for
/// a millisecond it returns the system's clock.
///
/// It falls back to the system's clock automatically. Permanently, where there is no counter, where the system does not
/// trust it (on Linux: its present clocksource is another, or cannot be read), or where three comparisons among a
/// hundred find it off by more than steering explains. For a millisecond, after a suspension, a migration, or the
/// beginning or end of a slew faster than 500 ppm, each of which causes one such difference. Until that is noticed,
/// after at most 0.2 s, the clock continues at its rate.
///
/// It is never set back, whatever thread reads it: if it ran ahead before that was noticed (for at most two intervals,
/// 0.2 s), it stands still until the system's clock has caught up. Steps of the wall clock do not affect it.
///
/// ```
/// let clock = oversleep::clock::CounterClock::shared();
/// let before = clock.now();
/// assert!(clock.now() >= before);
/// ```
#[derive(Debug, Default)]
pub struct CounterClock(Disciplined<RealClocks>);

/// What a counter clock has measured of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// Rate of the counter, as last measured against the system's clock; `None` while the system's clock is returned.
    pub rate: Option<Hertz>,
    /// Number of comparisons of the two clocks.
    pub comparisons: u64,
    /// Largest difference from the system's clock that a comparison found.
    pub worst_difference: Nanos,
    /// Uncertainty of the last comparison: the time between its two counter readings.
    pub reading_error: Nanos,
    /// Number of differences larger than steering and reading error explain.
    pub disagreements: u64,
}

impl CounterClock {
    /// Returns the clock that the whole process shares.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<CounterClock> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// Returns a new clock. Asks the system once whether it trusts its counter.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the current time, comparable with [`now`](crate::now).
    #[inline]
    pub fn now(&self) -> Moment {
        // The counter is read first: a line published after that starts later and gives `None`.
        let counter = counter::ordered();
        Moment::from_nanos(self.0.at(counter).map_or_else(|| time(self.0.now()), time))
    }

    /// Returns whether the clock now reads the counter; `false` while it returns the system's clock instead, as in
    /// the first millisecond.
    pub fn is_counter(&self) -> bool {
        self.0.now();
        self.0.lines().is_some()
    }

    /// Returns what has been measured of the counter so far.
    pub fn calibration(&self) -> Calibration {
        let account = self.0.account();
        Calibration {
            // The slope is nanoseconds × 2⁴⁰ per count, so 10⁹ × 2⁴⁰ / slope counts make a second; 8 bits do not fit.
            rate: self.0.lines().and_then(|lines| Hertz::new(1_000_000_000 << 32, lines.next.slope >> 8)),
            comparisons: account.comparisons,
            worst_difference: time(account.worst),
            reading_error: time(account.error),
            disagreements: account.disagreements,
        }
    }
}

fn time(ns: u64) -> Nanos {
    Nanos::new(i64::try_from(ns).unwrap_or(i64::MAX))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::now;

    /// The clock stays between two readings of the system's clock, within the accuracy of the comparisons.
    #[test]
    fn it_stays_between_two_readings_of_the_system_s_clock() {
        let counter = CounterClock::new();
        let end = now().saturating_add(Nanos::from_millis(60));
        // A comparison that was interrupted between its three readings errs by up to 10 µs, and the line drawn from it
        // by three times that at its end; a thousandth of the time since the last one is accepted as steering of the
        // system's clock.
        let slack = Nanos::from_micros(4 * 10 + 60);
        let mut last = Moment::from_nanos(Nanos::ZERO);
        loop {
            let before = now();
            let here = counter.now();
            let after = now();
            assert!(
                here >= before.saturating_sub(slack) && here <= after.saturating_add(slack),
                "{before:?} {here:?} {after:?}"
            );
            assert!(here >= last, "ran backwards: {last:?} then {here:?}");
            last = here;
            if after >= end {
                break;
            }
        }
        if !counter.is_counter() {
            eprintln!("note: this machine's counter is not trusted; the system's clock was handed out");
        }
    }

    #[test]
    fn threads_never_see_each_other_s_time_run_backwards() {
        let counter = CounterClock::new();
        let latest = std::sync::atomic::AtomicI64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..200_000 {
                        let published = latest.load(std::sync::atomic::Ordering::Acquire);
                        let here = counter.now().as_nanos().get();
                        assert!(here >= published, "{published} was published, then {here} read");
                        latest.fetch_max(here, std::sync::atomic::Ordering::AcqRel);
                    }
                });
            }
        });
    }

    #[test]
    fn asking_which_clock_it_is_waits_for_no_reading() {
        let counter = CounterClock::new();
        let end = now().saturating_add(Nanos::from_millis(50));
        while !counter.is_counter() && now() < end {}
        assert_eq!(counter.is_counter(), counter.calibration().rate.is_some());
    }
}

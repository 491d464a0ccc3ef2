//! The counter clock: the processor's counter in nanoseconds, kept to the system's clock while it runs.

use super::disciplined::Disciplined;
use super::source::Here;
use crate::{Hertz, Moment, Nanos};
use oversleep_sys::clock::counter;
use std::sync::OnceLock;

/// Monotonic time from the processor's counter, for callers to whom the system's clock is too dear.
///
/// It reads the same time as [`now`](crate::now), in order across threads (the counter is fenced), and is compared
/// with the system's clock at growing intervals, at last ten times a second: the difference found is taken out over
/// the next interval, never by a step back. It needs no calibration at the start: until it has seen the counter run
/// for a millisecond it hands out the system's clock.
///
/// It falls back to the system's clock by itself: for good where there is no counter, where the system does not
/// trust it (on Linux: its present clocksource is another, or cannot be read), or where three comparisons among a hundred
/// find it off by more than steering explains; for a millisecond after a suspension, a migration, or the begin or end of a
/// slew faster than 500 ppm, which show as one such difference each. Until it is noticed, after 0.2 s at most, the
/// clock goes on at its rate.
///
/// It is never set back, whatever thread reads it: where it ran ahead before that was noticed (by two intervals at most,
/// 0.2 s), it stands until the system's clock is there. Steps of the wall clock do not touch it.
///
/// ```
/// let clock = oversleep::CounterClock::shared();
/// let before = clock.now();
/// assert!(clock.now() >= before);
/// ```
#[derive(Debug, Default)]
pub struct CounterClock(Disciplined<Here>);

/// What a counter clock knows of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// The counter's rate, as last measured against the system's clock; `None` while that clock is handed out.
    pub rate: Option<Hertz>,
    /// How often the two clocks were compared.
    pub comparisons: u64,
    /// The largest difference from the system's clock that a comparison found.
    pub worst_difference: Nanos,
    /// How exactly the last comparison could be made: the time between the counter readings on its two sides.
    pub reading_error: Nanos,
    /// How often a difference was larger than steering and reading error explain.
    pub disagreements: u64,
}

impl CounterClock {
    /// Returns the clock that the whole process shares.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<CounterClock> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// Returns a clock of one's own. Asks the system once whether it trusts its counter.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the time now, comparable with [`now`](crate::now).
    #[inline]
    pub fn now(&self) -> Moment {
        // The counter first: a line published after it was read starts later and answers `None`.
        let counter = counter::ordered();
        Moment::from_nanos(self.0.at(counter).map_or_else(|| time(self.0.now()), time))
    }

    /// Returns whether a reading now is the counter's; `false` while the system's clock is handed out instead, as in
    /// the first millisecond.
    pub fn is_counter(&self) -> bool {
        self.0.now();
        self.0.lines().is_some()
    }

    /// Returns what is known of the counter so far.
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

    /// Between two readings of the system's clock, to within what comparisons promise.
    #[test]
    fn it_stays_between_two_readings_of_the_system_s_clock() {
        let counter = CounterClock::new();
        let end = now().saturating_add(Nanos::from_millis(60));
        // A comparison that was disturbed between its three readings errs by up to 10 µs, and the line drawn from it by
        // three times that at its end; a thousandth of the time since the last one passes for steering of the system's clock.
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

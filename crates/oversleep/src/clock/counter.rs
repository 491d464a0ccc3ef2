//! The counter clock: the processor's counter in nanoseconds, kept to the system's clock while it runs.

use super::compare::{Outcome, Pair, compare};
use super::mapping::Line;
use super::published::{Lines, Published};
use crate::sync::{AtomicBool, AtomicU64, Ordering};
use crate::{Hertz, Nanos};
use oversleep_os::clock::{self, counter};
use std::sync::OnceLock;

/// Monotonic time from the processor's counter, for callers to whom the system's clock is too dear.
///
/// It reads the same time as [`now`](crate::now), in order across threads (the counter is fenced), and is compared
/// with the system's clock at growing intervals, at last ten times a second: the difference found is taken out over
/// the next interval, never by a step back. It needs no calibration at the start: until it has seen the counter run
/// for a millisecond it hands out the system's clock.
///
/// It falls back to the system's clock by itself: for good where there is no counter, where the system does not
/// trust it (on Linux: its present clocksource is another), or after a third comparison that finds it off by more
/// than steering explains; for a millisecond after a suspension or migration, which shows as one such difference.
/// It is never set back: where it ran ahead before that was noticed (by two intervals at most, 0.2 s), it stands
/// until the system's clock is there. Steps of the wall clock do not touch it.
///
/// ```
/// let clock = oversleep::CounterClock::shared();
/// let before = clock.now();
/// assert!(clock.now() >= before);
/// ```
#[derive(Debug)]
pub struct CounterClock {
    lines: Published,
    /// Held by the one thread that compares the clocks; others go on reading meanwhile.
    comparing: AtomicBool,
    refused: AtomicBool,
    /// No reading is below this: what was handed out before a fresh start.
    floor: AtomicU64,
    last: Last,
    comparisons: AtomicU64,
    disagreements: AtomicU64,
    worst: AtomicU64,
}

/// The last comparison. Written by the thread that compares.
#[derive(Debug)]
struct Last {
    counter: AtomicU64,
    system: AtomicU64,
    error: AtomicU64,
    /// To the next comparison; 0 before the first.
    interval: AtomicU64,
}

/// What a counter clock knows of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// How often the system is asked whether it still trusts the counter (on Linux a file read): every 100 comparisons,
/// at most once in ten seconds.
const ASK_AGAIN: u64 = 100;
/// One disagreement is a suspension or a migration; three are a counter not to be trusted.
const DISAGREEMENTS: u64 = 3;

impl CounterClock {
    /// The clock that the whole process shares.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<CounterClock> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// A clock of one's own. Asks the system once whether it trusts its counter.
    pub fn new() -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            lines: Published::new(),
            comparing: AtomicBool::new(false),
            refused: AtomicBool::new(!trusted()),
            floor: zero(),
            last: Last { counter: zero(), system: zero(), error: zero(), interval: zero() },
            comparisons: zero(),
            disagreements: zero(),
            worst: zero(),
        }
    }

    /// The time now, comparable with [`now`](crate::now).
    #[inline]
    pub fn now(&self) -> Nanos {
        // The counter first: lines published after it was read start later and answer `None`.
        let counter = counter::ordered();
        match self.lines.first_at(counter) {
            Some(ns) => time(ns),
            None => self.now_after_a_look(),
        }
    }

    /// Whether the counter is in use; `false` while the system's clock is handed out instead.
    pub fn is_counter(&self) -> bool {
        self.present_lines().is_some()
    }

    /// What is known of the counter so far.
    pub fn calibration(&self) -> Calibration {
        let of = |word: &AtomicU64| word.load(Ordering::Relaxed);
        Calibration {
            // The slope is nanoseconds × 2⁴⁰ per count, so 10⁹ × 2⁴⁰ / slope counts make a second; 8 bits do not fit.
            rate: self.present_lines().and_then(|lines| Hertz::new(1_000_000_000 << 32, lines.next.slope >> 8)),
            comparisons: of(&self.comparisons),
            worst_difference: time(of(&self.worst)),
            reading_error: time(of(&self.last.error)),
            disagreements: of(&self.disagreements),
        }
    }

    fn present_lines(&self) -> Option<Lines> {
        self.lines.read().filter(|lines| lines.end > 0)
    }

    /// A reading past the first line: one thread compares the clocks, the others need not wait for it.
    #[cold]
    fn now_after_a_look(&self) -> Nanos {
        if !self.refused.load(Ordering::Relaxed) && !self.comparing.swap(true, Ordering::Acquire) {
            self.look();
            self.comparing.store(false, Ordering::Release);
        }
        let counter = counter::ordered();
        let lines = self.present_lines();
        lines.map_or_else(
            || self.system_time(0),
            |lines| lines.at(counter).map_or_else(|| self.system_time(lines.last()), time),
        )
    }

    /// The system's clock, but nothing below what may have been handed out.
    fn system_time(&self, at_least: u64) -> Nanos {
        let floor = self.floor.load(Ordering::Acquire).max(at_least);
        clock::monotonic().max(time(floor))
    }

    /// Compares the clocks and publishes what follows. By one thread at a time.
    fn look(&self) {
        let [counter, system, interval] =
            [&self.last.counter, &self.last.system, &self.last.interval].map(|word| word.load(Ordering::Relaxed));
        let lines = self.present_lines();
        let Some(pair) = Pair::take() else { return self.refuse() };
        let outcome = compare(lines, Pair { before: counter, system, after: counter }, pair, interval);
        match outcome {
            Outcome::TooSoon => {}
            Outcome::Begin { interval } => self.remember(pair, interval),
            Outcome::Draw { lines, difference, interval } => {
                self.worst.fetch_max(difference, Ordering::Relaxed);
                self.lines.write(lines);
                self.remember(pair, interval);
            }
            Outcome::Restart { difference } => {
                self.worst.fetch_max(difference, Ordering::Relaxed);
                self.begin_again(lines);
                if self.disagreements.fetch_add(1, Ordering::Relaxed) + 1 >= DISAGREEMENTS {
                    self.refused.store(true, Ordering::Relaxed);
                }
            }
        }
        let asked = self.comparisons.load(Ordering::Relaxed);
        if asked > 0 && asked.is_multiple_of(ASK_AGAIN) && !trusted() {
            self.refuse();
        }
    }

    fn remember(&self, pair: Pair, interval: u64) {
        let slope = self.present_lines().map_or(0, |lines| lines.next.slope);
        let error = Line { start: pair.before, value: 0, slope }.at(pair.after);
        self.last.counter.store(pair.before, Ordering::Relaxed);
        self.last.system.store(pair.system, Ordering::Relaxed);
        self.last.error.store(error, Ordering::Relaxed);
        self.last.interval.store(interval, Ordering::Relaxed);
        self.comparisons.fetch_add(1, Ordering::Relaxed);
    }

    fn refuse(&self) {
        self.refused.store(true, Ordering::Relaxed);
        self.begin_again(self.present_lines());
    }

    /// Withdraws the lines; what they may have handed out stays the least that is handed out.
    fn begin_again(&self, lines: Option<Lines>) {
        let handed_out = lines.map_or(0, |lines| lines.at(counter::ordered()).unwrap_or(lines.last()));
        self.floor.fetch_max(handed_out, Ordering::Release);
        self.lines.write(Lines::default());
        self.last.interval.store(0, Ordering::Relaxed);
    }
}

impl Default for CounterClock {
    fn default() -> Self {
        Self::new()
    }
}

/// Asked anew each time: the kernel may have left the counter since.
fn trusted() -> bool {
    counter::support().is_ok_and(|support| support.trusted())
}

fn time(ns: u64) -> Nanos {
    Nanos::new(i64::try_from(ns).unwrap_or(i64::MAX))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::now;

    /// Between two readings of the system's clock, to within what a comparison promises.
    #[test]
    fn it_stays_between_two_readings_of_the_system_s_clock() {
        let counter = CounterClock::new();
        let end = now().saturating_add(Nanos::from_millis(60));
        // A comparison disturbed between its three readings errs by up to its tolerance.
        let slack = Nanos::from_micros(10);
        let mut last = Nanos::ZERO;
        loop {
            let before = now();
            let here = counter.now();
            let after = now();
            assert!(here >= before - slack && here <= after + slack, "{before:?} {here:?} {after:?}");
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
                        let here = counter.now().get();
                        assert!(here >= published, "{published} was published, then {here} read");
                        latest.fetch_max(here, std::sync::atomic::Ordering::AcqRel);
                    }
                });
            }
        });
    }

    #[test]
    fn a_refused_counter_hands_out_the_system_s_clock() {
        let counter = CounterClock::new();
        let earlier = counter.now();
        counter.refuse();
        let before = now();
        let here = counter.now();
        assert!(here >= before.max(earlier) && here <= now());
        assert!(!counter.is_counter());
        assert_eq!(counter.calibration().rate, None);
    }
}

//! What a comparison of the two clocks means for the lines that follow.

use super::mapping::{Line, counts, slope};
use super::published::Lines;
use oversleep_os::clock::{self, counter};

/// One reading of both clocks: the system's was read between `before` and `after`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) before: u64,
    pub(super) system: u64,
    pub(super) after: u64,
}

/// What to do after a comparison. Times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The counter has not run long enough for its rate to be known, or another thread has just compared.
    TooSoon,
    /// Nothing to compare with yet: remember this reading.
    Begin { interval: u64 },
    /// Go on with these lines.
    Draw { lines: Lines, difference: u64, interval: u64 },
    /// The two differ by more than can be: forget everything and begin again.
    Restart { difference: u64 },
}

/// The counter runs so long before it is used: two readings 50 ns apart then give its rate to 50 ppm, which the
/// next, longer interval improves.
const FIRST_INTERVAL: u64 = 1_000_000;
const LONGEST_INTERVAL: u64 = 100_000_000;
/// A reading can be disturbed between its three parts.
const READING_DISTURBED: u64 = 10_000;
/// The most by which a system's clock is steered (500 ppm, `adjtimex(2)`), on both sides of a comparison.
const STEERED_PER: u64 = 1_000;

impl Pair {
    /// The narrowest of a few tries; `None` for a system clock before its own beginning.
    pub(super) fn take() -> Option<Self> {
        (0..4).filter_map(|_| Self::once()).min_by_key(|pair| pair.after.wrapping_sub(pair.before))
    }

    fn once() -> Option<Self> {
        let before = counter::ordered();
        let system = u64::try_from(clock::monotonic().get()).ok()?;
        Some(Self { before, system, after: counter::ordered() })
    }
}

/// Judges the reading `now` against the one before it.
pub(super) fn compare(lines: Option<Lines>, earlier: Pair, now: Pair, interval: u64) -> Outcome {
    if interval == 0 {
        return Outcome::Begin { interval: FIRST_INTERVAL };
    }
    let passed = now.system.saturating_sub(earlier.system);
    let measured = slope(passed, now.before.wrapping_sub(earlier.before));
    match (lines, measured) {
        (None, _) if passed < FIRST_INTERVAL => Outcome::TooSoon,
        // The second line would be thrown away while the first still runs.
        (Some(lines), _) if lines.is_first(now.before) => Outcome::TooSoon,
        (None, Some(measured)) => {
            Outcome::Draw { lines: afresh(now, 0, measured, FIRST_INTERVAL), difference: 0, interval: FIRST_INTERVAL }
        }
        (Some(lines), Some(measured)) => go_on(lines, now, measured, passed, interval),
        (_, None) => Outcome::Restart { difference: 0 },
    }
}

fn go_on(lines: Lines, now: Pair, measured: u64, passed: u64, interval: u64) -> Outcome {
    let tolerance = READING_DISTURBED + passed / STEERED_PER;
    let next_interval = (interval * 2).min(LONGEST_INTERVAL);
    let Some(here) = lines.at(now.before) else {
        // Nobody read for a while. The rate must be the one known, and the lines' last value not ahead.
        let known = lines.next.slope;
        let ahead = lines.last().saturating_sub(now.system);
        if measured.abs_diff(known) > known / STEERED_PER || ahead > READING_DISTURBED {
            return Outcome::Restart { difference: ahead };
        }
        let lines = afresh(now, lines.last(), measured, interval);
        return Outcome::Draw { lines, difference: 0, interval };
    };
    let difference = here.abs_diff(now.system);
    if difference > tolerance {
        return Outcome::Restart { difference };
    }
    match continued(lines, now, measured, next_interval) {
        Some(lines) => Outcome::Draw { lines, difference, interval: next_interval },
        None => Outcome::Restart { difference },
    }
}

/// Two lines of one slope that start now, at the latest time the system's clock can show, and not below `floor`.
///
/// Threads that found no valid line meanwhile were given the system's clock: all that they were given is below.
fn afresh(now: Pair, floor: u64, slope: u64, interval: u64) -> Lines {
    let latest = Line { start: now.before, value: now.system, slope }.at(now.after).max(floor);
    let first = Line { start: now.after, value: latest, slope };
    let length = counts(interval, slope);
    let middle = now.after.saturating_add(length);
    let next = Line { start: middle, value: first.at(middle), slope };
    Lines { now: first, next, end: middle.saturating_add(length) }
}

/// The present second line, then one that starts where it ends and meets the system's clock an interval later.
fn continued(lines: Lines, now: Pair, measured: u64, interval: u64) -> Option<Lines> {
    let start = lines.end;
    let value = lines.last();
    let system_at_start = Line { start: now.before, value: now.system, slope: measured }.at(start);
    let length = counts(interval, measured);
    let rise = system_at_start.saturating_add(interval).checked_sub(value)?;
    // More than half or less than twice the rate is no correction.
    if rise < interval / 2 || rise > interval * 2 {
        return None;
    }
    let next = Line { start, value, slope: slope(rise, length)? };
    Some(Lines { now: lines.next, next, end: start.checked_add(length)? })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A machine whose counter makes `mhz` counts per microsecond and whose system clock gains `ppm` on that.
    fn pair(at_us: u64, mhz: u64, ppm: u64) -> Pair {
        let counter = 1_000 + at_us * mhz;
        Pair { before: counter, system: at_us * 1_000 + at_us * ppm / 1_000, after: counter + mhz / 20 }
    }

    fn draw(outcome: Outcome) -> (Lines, u64, u64) {
        match outcome {
            Outcome::Draw { lines, difference, interval } => (lines, difference, interval),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_begins_waits_and_draws() {
        let first = pair(0, 2_596, 0);
        assert_eq!(compare(None, first, first, 0), Outcome::Begin { interval: FIRST_INTERVAL });
        assert_eq!(compare(None, first, pair(999, 2_596, 0), FIRST_INTERVAL), Outcome::TooSoon);
        let (lines, _, _) = draw(compare(None, first, pair(1_000, 2_596, 0), FIRST_INTERVAL));
        let expected = 1_500_000;
        assert!(lines.at(pair(1_500, 2_596, 0).before).unwrap().abs_diff(expected) <= 51);
    }

    #[test]
    fn a_steered_system_clock_is_followed_to_a_microsecond() {
        let (mut earlier, mut interval) = (pair(1_000, 2_596, 0), FIRST_INTERVAL);
        let (mut lines, _, _) = draw(compare(None, pair(0, 2_596, 0), earlier, interval));
        let mut at_us = 1_000;
        let mut differences = Vec::new();
        for _ in 0..60 {
            at_us += 1 + (interval / 1_000);
            let now = pair(at_us, 2_596, 40);
            let difference;
            (lines, difference, interval) = draw(compare(Some(lines), earlier, now, interval));
            differences.push(difference);
            earlier = now;
        }
        assert_eq!(interval, LONGEST_INTERVAL);
        assert!(differences[50..].iter().all(|ns| *ns < 100), "{differences:?}");
    }

    #[test]
    fn what_cannot_be_is_a_restart() {
        let (lines, _, interval) = draw(compare(None, pair(0, 1_000, 0), pair(1_000, 1_000, 0), FIRST_INTERVAL));
        let mut jumped = pair(2_100, 1_000, 0);
        jumped.system += 20_000_000;
        assert!(matches!(compare(Some(lines), pair(1_000, 1_000, 0), jumped, interval), Outcome::Restart { .. }));
        // A counter that began again at zero, as after some suspensions.
        let reset = Pair { before: 3, system: 2_000_000, after: 5 };
        assert!(matches!(compare(Some(lines), pair(1_000, 1_000, 0), reset, interval), Outcome::Restart { .. }));
    }

    proptest! {
        #[test]
        fn lines_meet_and_never_fall(gap_us in 1_000_u64..3_000_000, steps in 1_usize..40, ppm in 0_u64..400) {
            let (mut earlier, mut interval) = (pair(1_000, 2_596, ppm), FIRST_INTERVAL);
            let (mut lines, _, _) = draw(compare(None, pair(0, 2_596, ppm), earlier, interval));
            let mut at_us = 1_000;
            for step in 0..steps {
                let handed_out = lines.last();
                at_us += if step % 7 == 6 { gap_us } else { interval / 1_000 + 1 };
                let now = pair(at_us, 2_596, ppm);
                let before = lines;
                let (drawn, next) = match compare(Some(lines), earlier, now, interval) {
                    Outcome::Draw { lines, interval, .. } => (lines, interval),
                    Outcome::TooSoon => {
                        prop_assert!(lines.is_first(now.before));
                        continue;
                    }
                    other => return Err(TestCaseError::fail(format!("{other:?}"))),
                };
                if before.at(now.before).is_some() {
                    prop_assert_eq!(drawn.now, before.next);
                    prop_assert_eq!(drawn.next.value, handed_out);
                } else {
                    prop_assert!(drawn.now.value >= handed_out);
                }
                prop_assert_eq!(drawn.next.value, drawn.now.at(drawn.next.start));
                (lines, interval, earlier) = (drawn, next, now);
            }
        }
    }
}

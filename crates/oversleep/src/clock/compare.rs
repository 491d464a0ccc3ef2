//! What a comparison of the two clocks means for the lines that convert the counter to time.

use super::counter_and_clock::CounterAndClock;
use super::mapping::{Line, counts, slope};
use super::timeline::LinePair;
use oversleep_sys::clock::narrowest;

/// A reading of both clocks: the system's clock was read between `before` and `after` of the counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PairedReading {
    pub(super) before: u64,
    pub(super) system: u64,
    pub(super) after: u64,
}

/// The previous comparison, and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Earlier {
    pub(super) pair: PairedReading,
    /// Time to the next comparison, in ns; 0 before the first.
    pub(super) interval: u64,
    /// Slope of the latest line; 0 before the first.
    pub(super) slope: u64,
}

/// The action that follows a comparison. Times in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Does nothing: the counter has not run long enough for its rate to be known, or another thread has just compared.
    TooSoon,
    /// There is no reading to compare with yet: stores this one.
    Begin,
    /// There are no lines: draws them along this one.
    Open { line: Line, interval: u64 },
    /// Continues with these lines.
    Draw { lines: LinePair, difference: u64, interval: u64 },
    /// The clocks differ by more than is possible: discards everything and begins again.
    Restart { difference: u64 },
}

/// How long the counter runs before it is used, in ns: two readings of 50 ns uncertainty then give its rate to 50 ppm,
/// which the next, longer interval improves.
pub(super) const FIRST_INTERVAL: u64 = 1_000_000;
const LONGEST_INTERVAL: u64 = 100_000_000;
/// Width of a reading, in ns, above which the thread was interrupted between the reading's three parts.
pub(super) const READING_DISTURBED: u64 = 10_000;
/// Largest difference of rates due to permanent steering of the system's clock, as one part in this many: 500 ppm (the
/// frequency of `adjtimex(2)`) on both sides of a comparison. Faster slewing (its `tick`; chrony's by 8 %) counts as a
/// disagreement when it begins and when it ends.
const STEERED_PER: u64 = 1_000;

impl PairedReading {
    /// Returns the narrowest of a few readings.
    pub(super) fn take(clocks: &impl CounterAndClock) -> Self {
        let once = || Self { before: clocks.counter(), system: clocks.system(), after: clocks.counter() };
        narrowest(4, once, |pair| pair.width())
    }

    /// Returns the counts between the readings of the counter before and after that of the system's clock.
    fn width(self) -> u64 {
        self.after.wrapping_sub(self.before)
    }

    fn width_in_ns(self, slope: u64) -> u64 {
        Line { start: self.before, value: 0, slope }.at(self.after)
    }

    /// Returns the line through the latest time that the system's clock can show at the reading's end.
    fn latest(self, slope: u64) -> Line {
        let value = Line { start: self.before, value: self.system, slope }.at(self.after);
        Line { start: self.after, value, slope }
    }
}

/// Compares the reading `now` with the previous one. `lines`: those that are in force and have not ended at `now`.
pub(super) fn compare(lines: Option<LinePair>, earlier: Earlier, now: PairedReading) -> Outcome {
    let Earlier { pair, interval, slope: known } = earlier;
    if interval == 0 {
        return Outcome::Begin;
    }
    let passed = now.system.saturating_sub(pair.system);
    let measured = slope(passed, now.before.wrapping_sub(pair.before));
    match (lines, measured) {
        // The second line would be discarded while the first is still in use.
        (Some(lines), _) if lines.is_first(now.before) => Outcome::TooSoon,
        // The thread was interrupted in each try: such a reading says nothing, least of all that the clocks disagree.
        (_, Some(measured)) if now.width_in_ns(measured) > READING_DISTURBED => Outcome::TooSoon,
        (Some(lines), Some(measured)) => go_on(lines, now, measured, passed, interval),
        (None, _) if passed < FIRST_INTERVAL => Outcome::TooSoon,
        (None, Some(measured)) if !is_exact(pair, now, measured, passed, interval) => {
            // The narrower of the two is kept for the next comparison.
            if pair.width() > now.width() { Outcome::Begin } else { Outcome::TooSoon }
        }
        // No thread read the clock for a while: the rate must agree with the known one.
        (None, Some(measured)) if known == 0 || measured.abs_diff(known) <= known / STEERED_PER => {
            Outcome::Open { line: now.latest(measured), interval }
        }
        (None, Some(_)) | (_, None) => Outcome::Restart { difference: 0 },
    }
}

/// Returns whether the rate between two readings is known well enough for three intervals: two lines of one interval
/// each, and one in which the thread that draws them may be interrupted before they are in force. The error there grows
/// in proportion to the width of the readings.
fn is_exact(earlier: PairedReading, now: PairedReading, slope: u64, passed: u64, interval: u64) -> bool {
    let width = earlier.width_in_ns(slope).saturating_add(now.width_in_ns(slope));
    u128::from(width) * u128::from(interval) * 3 <= u128::from(READING_DISTURBED) * u128::from(passed)
}

fn go_on(lines: LinePair, now: PairedReading, measured: u64, passed: u64, interval: u64) -> Outcome {
    let tolerance = READING_DISTURBED + passed / STEERED_PER;
    let interval = (interval * 2).min(LONGEST_INTERVAL);
    let difference = lines.at(now.before).map_or(u64::MAX, |here| here.abs_diff(now.system));
    if difference > tolerance {
        return Outcome::Restart { difference };
    }
    match continued(lines, now, measured, interval) {
        Some(lines) => Outcome::Draw { lines, difference, interval },
        None => Outcome::Restart { difference },
    }
}

/// Returns two lines of the same slope, the first of them `first`.
pub(super) fn restart(first: Line, interval: u64) -> LinePair {
    let length = counts(interval, first.slope);
    let middle = first.start.saturating_add(length);
    let next = Line { start: middle, value: first.at(middle), ..first };
    LinePair::new(first, next, middle.saturating_add(length))
}

/// Returns the present second line, followed by one that starts where it ends and meets the system's clock an interval
/// later.
fn continued(lines: LinePair, now: PairedReading, measured: u64, interval: u64) -> Option<LinePair> {
    let start = lines.end;
    let value = lines.most;
    let system_at_start = Line { start: now.before, value: now.system, slope: measured }.at(start);
    let length = counts(interval, measured);
    let rise = system_at_start.saturating_add(interval).checked_sub(value)?;
    // A correction that halves or doubles the rate is not plausible.
    if rise < interval / 2 || rise > interval * 2 {
        return None;
    }
    let next = Line { start, value, slope: slope(rise, length)? };
    Some(LinePair::new(lines.next, next, start.checked_add(length)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a reading of a machine whose counter makes `mhz` counts per µs and whose system clock gains `ppm` on it.
    fn pair(at_us: u64, mhz: u64, ppm: u64) -> PairedReading {
        let counter = 1_000 + at_us * mhz;
        PairedReading { before: counter, system: at_us * 1_000 + at_us * ppm / 1_000, after: counter + mhz / 20 }
    }

    fn after(pair: PairedReading, interval: u64, slope: u64) -> Earlier {
        Earlier { pair, interval, slope }
    }

    fn open(outcome: Outcome) -> LinePair {
        match outcome {
            Outcome::Open { line, interval } => restart(line, interval),
            other => panic!("{other:?}"),
        }
    }

    fn draw(outcome: Outcome) -> (LinePair, u64, u64) {
        match outcome {
            Outcome::Draw { lines, difference, interval } => (lines, difference, interval),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_begins_waits_and_draws() {
        let first = pair(0, 2_596, 0);
        assert_eq!(compare(None, Earlier::default(), first), Outcome::Begin);
        let begun = after(first, FIRST_INTERVAL, 0);
        assert_eq!(compare(None, begun, pair(999, 2_596, 0)), Outcome::TooSoon);
        let lines = open(compare(None, begun, pair(1_000, 2_596, 0)));
        let expected = 1_500_000;
        assert!(lines.at(pair(1_500, 2_596, 0).before).unwrap().abs_diff(expected) <= 51);
    }

    #[test]
    fn a_reading_amid_which_the_thread_was_stopped_says_nothing() {
        let begun = after(pair(0, 1_000, 0), FIRST_INTERVAL, 0);
        let lines = open(compare(None, begun, pair(1_000, 1_000, 0)));
        let drawn = after(pair(1_000, 1_000, 0), FIRST_INTERVAL, lines.next.slope);
        // The system's clock was read 300 µs after the counter.
        let right = pair(2_100, 1_000, 0);
        let stopped = PairedReading { system: right.system + 300_000, after: right.after + 300_000, ..right };
        assert_eq!(compare(Some(lines), drawn, stopped), Outcome::TooSoon);
        assert_eq!(compare(None, drawn, stopped), Outcome::TooSoon);
        assert!(matches!(compare(Some(lines), drawn, right), Outcome::Draw { .. }));
    }

    #[test]
    fn a_steered_system_clock_is_followed_to_a_microsecond() {
        let (mut earlier, mut interval) = (pair(1_000, 2_596, 0), FIRST_INTERVAL);
        let mut lines = open(compare(None, after(pair(0, 2_596, 0), interval, 0), earlier));
        let mut at_us = 1_000;
        let mut differences = Vec::new();
        for _ in 0..60 {
            at_us += 1 + (interval / 1_000);
            let now = pair(at_us, 2_596, 40);
            let difference;
            (lines, difference, interval) = draw(compare(Some(lines), after(earlier, interval, lines.next.slope), now));
            differences.push(difference);
            earlier = now;
        }
        assert_eq!(interval, LONGEST_INTERVAL);
        assert!(differences[50..].iter().all(|ns| *ns < 100), "{differences:?}");
    }

    #[test]
    fn what_cannot_be_is_a_restart() {
        let begun = after(pair(0, 1_000, 0), FIRST_INTERVAL, 0);
        let lines = open(compare(None, begun, pair(1_000, 1_000, 0)));
        let drawn = after(pair(1_000, 1_000, 0), FIRST_INTERVAL, lines.next.slope);
        let mut jumped = pair(2_100, 1_000, 0);
        jumped.system += 20_000_000;
        assert!(matches!(compare(Some(lines), drawn, jumped), Outcome::Restart { .. }));
        // The counter ran on while the system's clock stood still, as over some suspensions; or it began again at zero.
        let slept = PairedReading { system: 3_000_000, ..pair(3_000_000, 1_000, 0) };
        let reset = PairedReading { before: 3, system: 2_000_000, after: 5 };
        for pair in [slept, reset] {
            assert!(matches!(compare(None, drawn, pair), Outcome::Restart { .. }), "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn lines_meet_and_never_fall(gap_us in 1_000_u64..3_000_000, steps in 1_usize..40, ppm in 0_u64..400) {
            let (mut earlier, mut interval) = (pair(1_000, 2_596, ppm), FIRST_INTERVAL);
            let mut lines = open(compare(None, after(pair(0, 2_596, ppm), interval, 0), earlier));
            let mut at_us = 1_000;
            for step in 0..steps {
                at_us += if step % 7 == 6 { gap_us } else { interval / 1_000 + 1 };
                let now = pair(at_us, 2_596, ppm);
                let present = Some(lines).filter(|lines| now.before < lines.end);
                match compare(present, after(earlier, interval, lines.next.slope), now) {
                    Outcome::Draw { lines: drawn, interval: next, .. } => {
                        prop_assert_eq!(drawn.now, lines.next);
                        prop_assert_eq!(drawn.next.value, lines.most);
                        prop_assert_eq!(drawn.next.value, drawn.now.at(drawn.next.start));
                        (lines, interval, earlier) = (drawn, next, now);
                    }
                    Outcome::Open { line, interval: next } => {
                        prop_assert!(present.is_none());
                        prop_assert!(line.value >= now.system);
                        (lines, interval, earlier) = (restart(line, next), next, now);
                    }
                    Outcome::TooSoon => prop_assert!(lines.is_first(now.before)),
                    other => return Err(TestCaseError::fail(format!("{other:?}"))),
                }
            }
        }
    }
}

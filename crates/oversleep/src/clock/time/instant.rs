//! Points on the monotonic clock as the standard library's type, and back.

use super::{Moment, Monotonic, Time};
use crate::machine::Bracket;
use std::time::{Duration, Instant};

/// Number of times that the two clocks are read together. The narrowest reading is used: a thread that is stopped in
/// between makes one wide, and a conversion wrong by as much.
const TRIES: u32 = 4;

impl Time<Monotonic> {
    /// Converts the point to the standard library's type: never earlier, and at most as much later as the narrowest of
    /// four readings of both clocks takes, about 50 ns. `None` where [`Instant`] cannot represent it.
    pub fn to_instant(self) -> Option<Instant> {
        to_instant(self, crate::now, Instant::now)
    }
}

impl From<Instant> for Time<Monotonic> {
    /// Converts to a point that is never earlier, and at most as much later as the narrowest of four readings of both
    /// clocks takes, about 50 ns.
    fn from(instant: Instant) -> Self {
        from_instant(instant, crate::now, Instant::now)
    }
}

fn to_instant(moment: Moment, ours: impl Fn() -> Moment, theirs: impl Fn() -> Instant) -> Option<Instant> {
    let Bracket { before, reading, .. } = Bracket::narrowest(TRIES, ours, theirs);
    // `reading` was made at `before` or later, so the result is not earlier than the point.
    let ahead = moment - before;
    match ahead.to_duration() {
        Some(ahead) => reading.checked_add(ahead),
        None => reading.checked_sub(Duration::from_nanos(ahead.get().unsigned_abs())),
    }
}

fn from_instant(instant: Instant, ours: impl Fn() -> Moment, theirs: impl Fn() -> Instant) -> Moment {
    let Bracket { reading, after, .. } = Bracket::narrowest(TRIES, ours, theirs);
    // `reading` was made at `after` or earlier, so the result is not earlier than the instant.
    match instant.checked_duration_since(reading) {
        Some(ahead) => after + ahead,
        None => after - reading.saturating_duration_since(instant),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::Nanos;
    use proptest::prelude::*;
    use std::cell::Cell;

    #[test]
    fn an_instant_there_and_back_is_never_earlier() {
        for ahead in [Duration::ZERO, Duration::from_millis(1), Duration::from_secs(3_600)] {
            let instant = Instant::now() + ahead;
            let back = Moment::from(instant).to_instant().unwrap();
            assert!(back >= instant);
            let earlier = Instant::now();
            let moment = Moment::from(earlier);
            assert!(moment.to_instant().unwrap() >= earlier);
        }
    }

    /// Length of an undisturbed reading of a clock.
    const READ: u64 = 20;

    /// Two clocks that show the same time, zero of ours being `origin` of theirs. A reading takes 20 ns, or more where
    /// the thread is stopped after it.
    struct Clocks {
        origin: Instant,
        now: Cell<u64>,
        reads: Cell<usize>,
        /// Time, in ns, for which the thread is stopped after each reading; none after the last.
        stops: Vec<u64>,
    }

    impl Clocks {
        fn read(&self) -> u64 {
            let (now, read) = (self.now.get(), self.reads.get());
            self.reads.set(read + 1);
            self.now.set(now + READ + self.stops.get(read).unwrap_or(&0));
            now
        }

        fn ours(&self) -> Moment {
            Moment::from_nanos(Nanos::from(Duration::from_nanos(self.read())))
        }

        fn theirs(&self) -> Instant {
            self.origin + Duration::from_nanos(self.read())
        }

        /// Returns the shortest time from a reading of ours to the next of ours: the width of the narrowest bracket.
        fn narrowest(&self) -> u64 {
            let stop = |read: usize| self.stops.get(read).copied().unwrap_or(0);
            (0..4).map(|bracket| 2 * READ + stop(3 * bracket) + stop(3 * bracket + 1)).min().unwrap()
        }
    }

    proptest! {
        /// Wherever the thread is stopped, and for however long, a converted deadline moves by no more than the width of
        /// the narrowest bracket, and never to an earlier time.
        #[test]
        fn a_thread_stopped_between_two_readings_moves_no_deadline(
            stops in prop::collection::vec(prop_oneof![3 => Just(0), 1 => 1_u64..8_900_000], 0..12),
            ns in 0_u64..2_000_000_000, now in 0_u64..1_000_000_000,
        ) {
            let clocks = || Clocks { origin: Instant::now(), now: Cell::new(now), reads: Cell::new(0), stops: stops.clone() };
            let there = clocks();
            let exact = Moment::from_nanos(Nanos::from(Duration::from_nanos(ns)));
            let moment = from_instant(there.origin + Duration::from_nanos(ns), || there.ours(), || there.theirs());
            let later = moment - exact;
            prop_assert!(later >= Nanos::ZERO && later <= Duration::from_nanos(there.narrowest()), "{later}");

            let back = clocks();
            let instant = to_instant(exact, || back.ours(), || back.theirs()).unwrap();
            let later = instant.checked_duration_since(back.origin + Duration::from_nanos(ns));
            prop_assert!(later.is_some_and(|later| later <= Duration::from_nanos(back.narrowest())), "{later:?}");
        }
    }
}

//! Detection of stalls in a sequence of counter readings. Only arithmetic on values, without a clock or a machine.

/// Two consecutive readings that are further apart than the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Last reading before the gap.
    pub from: u64,
    /// First reading after the gap.
    pub until: u64,
}

/// Examines readings one by one and accounts for every tick between the first and the last.
#[derive(Debug, Clone)]
pub struct Detector {
    threshold: u64,
    /// The last reading.
    last: u64,
    /// Reading since which there was no gap.
    since: u64,
    account: Ticks,
}

/// Totals of a window in ticks of the counter: `last − first = spun + stalled + looked`, unless readings went
/// backwards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ticks {
    /// First reading.
    pub first: u64,
    /// Last reading.
    pub last: u64,
    /// Ticks between readings without a gap.
    pub spun: u64,
    /// Ticks in gaps.
    pub stalled: u64,
    /// Ticks from a gap's end to [`Detector::resume`].
    pub looked: u64,
    /// Number of readings.
    pub readings: u64,
    /// Number of gaps.
    pub gaps: u64,
    /// Number of readings that went backwards. The time until the next gap then counts from the lower reading.
    pub backwards: u64,
}

impl Detector {
    /// Begins with the first reading. Distances of more than `threshold` ticks are gaps.
    pub fn begin(first: u64, threshold: u64) -> Self {
        let account = Ticks { first, last: first, readings: 1, ..Ticks::default() };
        Self { threshold, last: first, since: first, account }
    }

    /// Takes the next reading; returns the gap before it, if there is one.
    #[inline]
    pub fn observe(&mut self, now: u64) -> Option<Gap> {
        self.account.readings += 1;
        let from = self.last;
        self.last = now;
        // One comparison in the common case: a reading that went backwards becomes an enormous distance.
        let distance = now.wrapping_sub(from);
        if distance <= self.threshold {
            return None;
        }
        self.rare(from, now)
    }

    #[cold]
    fn rare(&mut self, from: u64, now: u64) -> Option<Gap> {
        self.account.spun = self.account.spun.wrapping_add(from.wrapping_sub(self.since));
        self.since = now;
        if now < from {
            self.account.backwards += 1;
            return None;
        }
        self.account.stalled += now - from;
        self.account.gaps += 1;
        Some(Gap { from, until: now })
    }

    /// Goes on after the caller did something else: the time since the last reading counts as neither spun nor stalled.
    pub fn resume(&mut self, now: u64) {
        self.account.readings += 1;
        self.account.spun += self.last - self.since;
        self.account.looked += now.saturating_sub(self.last);
        (self.last, self.since) = (now, now);
    }

    /// Returns the totals so far.
    pub fn account(&self) -> Ticks {
        let open = self.last.wrapping_sub(self.since);
        Ticks { last: self.last, spun: self.account.spun.wrapping_add(open), ..self.account }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(readings: &[u64], threshold: u64) -> (Vec<Gap>, Ticks) {
        let mut detector = Detector::begin(readings[0], threshold);
        let gaps = readings[1..].iter().filter_map(|now| detector.observe(*now)).collect();
        (gaps, detector.account())
    }

    #[test]
    fn a_distance_at_the_threshold_is_none_and_one_tick_more_is_a_gap() {
        let (gaps, account) = run(&[100, 110, 130, 151, 161], 20);
        assert_eq!(gaps, [Gap { from: 130, until: 151 }]);
        let expected =
            Ticks { first: 100, last: 161, spun: 40, stalled: 21, looked: 0, readings: 5, gaps: 1, backwards: 0 };
        assert_eq!(account, expected);
    }

    #[test]
    fn looking_is_neither_spun_nor_stalled() {
        let mut detector = Detector::begin(0, 10);
        assert!(detector.observe(5).is_none());
        assert!(detector.observe(105).is_some());
        detector.resume(180);
        assert!(detector.observe(186).is_none());
        let account = detector.account();
        assert_eq!((account.spun, account.stalled, account.looked), (11, 100, 75));
    }

    #[test]
    fn a_reading_that_goes_backwards_is_counted_and_no_gap() {
        let (gaps, account) = run(&[100, 105, 90, 95], 20);
        assert_eq!(gaps, []);
        assert_eq!((account.backwards, account.spun, account.stalled), (1, 10, 0));
    }

    proptest! {
        /// Checks a simulated counter with steps of any length, and now and then an examination of any length.
        #[test]
        fn every_tick_is_accounted_for(
            steps in proptest::collection::vec((0_u64..5_000, prop::option::of(0_u64..1_000)), 1..200),
            threshold in 0_u64..3_000,
            start in 0_u64..u64::MAX / 2,
        ) {
            let mut now = start;
            let mut detector = Detector::begin(now, threshold);
            let (mut spun, mut stalled, mut looked, mut gaps) = (0, 0, 0, 0);
            for (step, look) in steps {
                now += step;
                let gap = detector.observe(now);
                prop_assert_eq!(gap.is_some(), step > threshold);
                if let Some(gap) = gap {
                    prop_assert_eq!((gap.from, gap.until), (now - step, now));
                    gaps += 1;
                    stalled += step;
                } else {
                    spun += step;
                }
                if let Some(look) = look.filter(|_| gap.is_some()) {
                    now += look;
                    looked += look;
                    detector.resume(now);
                }
            }
            let account = detector.account();
            prop_assert_eq!((account.spun, account.stalled, account.looked, account.gaps), (spun, stalled, looked, gaps));
            prop_assert_eq!(account.last - account.first, spun + stalled + looked);
        }
    }
}

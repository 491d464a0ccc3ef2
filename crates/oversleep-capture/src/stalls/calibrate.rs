//! Calibration of a counter: the length of its ticks, and the usual distance of two readings.

use super::scale::{Anchor, CounterScale};
use oversleep_sys::clock::{self, counter, narrowest};

/// A counter that can be read.
pub(super) trait Counter: Copy {
    fn read(self) -> u64;
}

/// The processor's own counter. Its readings are comparable on one processor, which suffices here.
#[derive(Clone, Copy)]
pub(super) struct Hardware;

impl Counter for Hardware {
    #[inline]
    fn read(self) -> u64 {
        counter::read_unordered()
    }
}

/// The system's monotonic clock.
#[derive(Clone, Copy)]
pub(super) struct System;

impl Counter for System {
    #[inline]
    fn read(self) -> u64 {
        clock::monotonic().get().unsigned_abs()
    }
}

/// Reads counter and clock together; of nine tries, the tightest is kept.
pub(super) fn anchor(counter: impl Counter) -> Anchor {
    let once = || {
        let before = counter.read();
        let time = clock::monotonic();
        let after = counter.read();
        (after.wrapping_sub(before), Anchor { ticks: before + after.saturating_sub(before) / 2, time })
    };
    narrowest(9, once, |tried| tried.0).1
}

/// Number of distances, of which the floor is the median.
const READINGS: usize = 20_001;

/// Returns the scale, and the median distance of two readings in ticks.
pub(super) fn measure(counter: impl Counter) -> (CounterScale, u64) {
    let from = anchor(counter);
    let mut distances = vec![0; READINGS];
    let mut last = counter.read();
    for distance in &mut distances {
        let now = counter.read();
        *distance = now.saturating_sub(last);
        last = now;
    }
    let scale = CounterScale::new(from, anchor(counter));
    let middle = READINGS / 2;
    (scale, *distances.select_nth_unstable(middle).1)
}

//! Readings of all clocks of a recording at the same time.

use oversleep_os::clock::{self, ClockId, OpenClock};
use oversleep_recording::Bracket;
use oversleep_recording::plan::ClockName;
use std::sync::OnceLock;

/// Clocks that a recording follows.
const FOLLOWED: &[(ClockName, ClockId)] = &[
    (ClockName::MonotonicRaw, ClockId::MonotonicRaw),
    (ClockName::Realtime, ClockId::Realtime),
    (ClockName::Boottime, ClockId::Boottime),
    (ClockName::Tai, ClockId::Tai),
    (ClockName::Counter, ClockId::CounterOrdered),
];

/// Number of tries, of which the tightest is kept.
const TRIES: u32 = 8;

/// Reads every followed clock that this machine has, each between two readings of the monotonic clock.
///
/// Takes some 3 µs. The first call also finds out which clocks there are, which may take 5 ms if the counter's rate
/// must be measured: make it before the run. Clocks that this machine lacks are left out.
pub fn bracket_all() -> Vec<Bracket> {
    followed().iter().map(|(name, probe)| read(*name, probe)).collect()
}

fn followed() -> &'static [(ClockName, OpenClock)] {
    static FOUND: OnceLock<Vec<(ClockName, OpenClock)>> = OnceLock::new();
    FOUND.get_or_init(|| FOLLOWED.iter().filter_map(|&(name, id)| Some((name, clock::open(id).ok()?))).collect())
}

fn read(clock: ClockName, probe: &OpenClock) -> Bracket {
    let found = probe.bracket(TRIES);
    Bracket { clock, monotonic: found.middle(), width: found.width(), reading: found.reading }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_follow_each_other_on_every_clock() {
        let first = bracket_all();
        let second = bracket_all();
        assert!(!first.is_empty(), "every system has a wall clock");
        assert_eq!(first.len(), second.len());
        for (before, after) in first.iter().zip(&second) {
            assert_eq!(before.clock, after.clock);
            assert!(before.monotonic < after.monotonic, "{before:?} {after:?}");
            assert!(before.width.get() >= 0);
        }
    }
}

//! Clocks read together, so that their drift can be known afterwards.

use crate::plan::ClockName;
use crate::recording::Bracket;
use oversleep_os::catalog::TimerClock;
use oversleep_os::clock::{Reader, monotonic};
use oversleep_os::units::Nanos;

/// Tries per clock; the tightest counts.
const TRIES: u32 = 5;

/// Reads every clock of the system against the monotonic one.
pub(super) fn all() -> Vec<Bracket> {
    [
        (ClockName::Realtime, TimerClock::Realtime),
        (ClockName::Boottime, TimerClock::Boottime),
        (ClockName::Tai, TimerClock::Tai),
    ]
    .into_iter()
    .filter_map(|(name, clock)| Reader::of(clock).map(|reader| bracket(name, reader)))
    .collect()
}

fn bracket(clock: ClockName, reader: Reader) -> Bracket {
    let once = || {
        let before = monotonic();
        let reading = reader.now();
        let after = monotonic();
        Bracket { clock, monotonic: Nanos::new(before.get().midpoint(after.get())), width: after - before, reading }
    };
    (1..TRIES).fold(once(), |best, _| {
        let next = once();
        if next.width < best.width { next } else { best }
    })
}

//! A clock read between two readings of the monotonic clock.

use super::OpenClock;
use oversleep_sys::clock::{monotonic, narrowest};
use oversleep_sys::units::Nanos;

/// One reading of a clock, with the monotonic clock before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bracketed {
    /// Monotonic clock before the reading.
    pub before: Nanos,
    /// Reading of the clock, in its own ticks.
    pub ticks: i64,
    /// Reading of the clock, as a time.
    pub reading: Nanos,
    /// Monotonic clock after the reading.
    pub after: Nanos,
}

impl Bracketed {
    /// Returns the midpoint of the two monotonic readings.
    pub fn middle(&self) -> Nanos {
        Nanos::new(self.before.get() + self.width().get() / 2)
    }

    /// Returns the distance of the monotonic readings: the clock was read within ± half of it around the midpoint.
    pub fn width(&self) -> Nanos {
        self.after.saturating_sub(self.before)
    }
}

/// Reads a clock between two readings of the monotonic clock. Converts the result to a time outside the bracket.
pub(super) fn bracket(probe: &OpenClock, tries: u32) -> Bracketed {
    let best = narrowest(tries, || once(probe), Bracketed::width);
    Bracketed { reading: probe.nanos(best.ticks), ..best }
}

fn once(probe: &OpenClock) -> Bracketed {
    let before = monotonic();
    let ticks = probe.read_ticks();
    let after = monotonic();
    Bracketed { before, ticks, reading: Nanos::ZERO, after }
}

#[cfg(test)]
mod tests {
    use super::super::open;
    use super::*;
    use oversleep_recording::catalog::ClockId;

    #[test]
    fn a_bracket_encloses_its_reading() {
        // std's Instant is no help here, because it only gives differences. A second bracket must be later on both
        // clocks.
        let probe = open(ClockId::StdInstant).unwrap();
        let first = probe.bracket(8);
        let second = probe.bracket(8);
        assert!(first.width() >= Nanos::ZERO);
        assert!(first.before <= first.middle() && first.middle() <= first.after);
        assert!(second.before >= first.before && second.reading >= first.reading);
    }

    #[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "netbsd", target_os = "illumos"))]
    #[test]
    fn the_monotonic_clock_lies_inside_its_own_bracket() {
        let bracket = open(ClockId::Monotonic).unwrap().bracket(8);
        assert!(bracket.before <= bracket.reading && bracket.reading <= bracket.after, "{bracket:?}");
    }
}

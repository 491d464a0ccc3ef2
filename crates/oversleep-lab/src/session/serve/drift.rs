//! How much faster clocks run than the monotonic one, over the last minutes.

use oversleep_analysis::clocks::drift;
use oversleep_export::metrics::ShownDrift;
use oversleep_recording::plan::ClockName;
use oversleep_recording::{Bracket, ClockPoint};
use oversleep_sys::units::Nanos;

/// Clocks that are followed. The others count as the wall clock does.
const CLOCKS: [ClockName; 3] = [ClockName::MonotonicRaw, ClockName::Realtime, ClockName::Counter];
/// Time over which a drift is determined.
const WINDOW: Nanos = Nanos::from_secs(600);
/// Least time between two readings that are kept.
const EVERY: Nanos = Nanos::from_secs(5);

/// The readings of the last minutes.
#[derive(Debug, Default)]
pub(super) struct Drifts([Vec<ClockPoint>; CLOCKS.len()]);

impl Drifts {
    /// Takes readings; returns the drifts if they have changed.
    pub(super) fn take(&mut self, brackets: &[Bracket]) -> Option<Vec<ShownDrift>> {
        let mut taken = false;
        for (clock, points) in CLOCKS.iter().zip(&mut self.0) {
            for bracket in brackets.iter().filter(|bracket| bracket.clock == *clock) {
                let &Bracket { monotonic, width, reading, .. } = bracket;
                if points.last().is_some_and(|last| monotonic - last.monotonic < EVERY) {
                    continue;
                }
                points.retain(|point| monotonic - point.monotonic <= WINDOW);
                points.push(ClockPoint { monotonic, width, reading });
                taken = true;
            }
        }
        taken.then(|| CLOCKS.iter().zip(&self.0).filter_map(|(clock, points)| shown(*clock, points)).collect())
    }
}

fn shown(clock: ClockName, points: &[ClockPoint]) -> Option<ShownDrift> {
    let itself = |point: &ClockPoint| ClockPoint { reading: point.monotonic, width: Nanos::ZERO, ..*point };
    let against: Vec<ClockPoint> = points.iter().map(itself).collect();
    let drift = drift::between(points, &against)?;
    let half = (drift.high.get() - drift.low.get()) / 2.0;
    Some(ShownDrift { clock: clock.name(), rate: drift.rate.get() * 1e-6, error: half * 1e-6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads both clocks at this second of the monotonic clock; the raw one is 40 ppm faster.
    fn read(second: i64) -> [Bracket; 2] {
        let monotonic = Nanos::from_secs(second);
        let bracket = |clock, ahead: i64| Bracket {
            clock,
            monotonic,
            width: Nanos::new(100),
            reading: monotonic + Nanos::new(ahead),
        };
        [bracket(ClockName::MonotonicRaw, second * 40_000), bracket(ClockName::Realtime, 1_000_000_000_000)]
    }

    #[test]
    fn drifts_are_those_of_the_last_ten_minutes() {
        let mut drifts = Drifts::default();
        for at in 0..7 {
            assert_eq!(drifts.take(&read(5 * at)), Some(Vec::new()), "seven readings carry no interval");
        }
        // Readings within five seconds of the last one are left out.
        assert_eq!(drifts.take(&read(33)), None);
        let mut found = Vec::new();
        for at in 7..40 {
            found = drifts.take(&read(5 * at)).unwrap();
        }
        let [raw, wall] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((raw.clock, wall.clock), ("monotonic-raw", "realtime"));
        assert!((raw.rate - 40e-6).abs() < 1e-9 && raw.error < 1e-9, "{raw:?}");
        assert!(wall.rate.abs() < 1e-9, "{wall:?}");
        // Hours later nothing is left of them.
        assert_eq!(drifts.take(&read(36_000)), Some(Vec::new()));
        assert_eq!(drifts.0[0].len(), 1);
    }
}

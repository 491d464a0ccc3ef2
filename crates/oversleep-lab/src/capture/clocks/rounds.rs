//! Every clock read together, round after round, for drift.

use crate::analysis::clocks::drift::Point;
use oversleep_sys::clock::{self, ClockId, Probe};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::thread;

/// One clock's readings, one per round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// The clock.
    pub id: ClockId,
    /// Its readings. The same index is the same round in every series.
    pub points: Vec<Point>,
}

/// The tightest of so many tries is kept.
const TRIES: u32 = 4;
/// Rounds in a run, about; but never closer together than [`CLOSEST`].
const ROUNDS: i64 = 1_000;
const CLOSEST: Nanos = Nanos::from_millis(10);

/// Reads all of `probes` for `time`, at irregular intervals; `going` is asked between rounds with the time passed.
///
/// The intervals are drawn evenly between half and one and a half times their mean, from a fixed seed: a coarse clock's
/// steps must not beat with the rounds.
pub(super) fn follow(probes: &[Probe], time: Nanos, mut going: impl FnMut(Nanos) -> bool) -> Vec<Series> {
    let mut series: Vec<_> = probes.iter().map(|probe| Series { id: probe.id(), points: Vec::new() }).collect();
    let mut dice = Pcg64::seed_from_u64(0x0c10_c45e);
    let mean = (time.get() / ROUNDS).max(CLOSEST.get());
    let start = clock::monotonic();
    loop {
        for (probe, series) in probes.iter().zip(&mut series) {
            series.points.push(read(probe));
        }
        let passed = clock::monotonic() - start;
        let left = time.saturating_sub(passed);
        if left <= Nanos::ZERO || !going(passed) {
            return series;
        }
        let pause = Nanos::new(dice.random_range(mean / 2..=mean + mean / 2)).min(left);
        thread::sleep(pause.to_duration().unwrap_or_default());
    }
}

fn read(probe: &Probe) -> Point {
    let found = probe.bracket(TRIES);
    Point { monotonic: found.middle(), width: found.width(), reading: found.reading }
}

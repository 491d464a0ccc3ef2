//! Readings of every clock together, round after round, for drift.

use oversleep_os::clock::OpenClock;
use oversleep_recording::{ClockPoint, ClockSeries};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::thread;

/// Number of tries, of which the tightest is kept.
const TRIES: u32 = 4;
/// Approximate number of rounds in a run, which are at least [`CLOSEST`] apart.
const ROUNDS: i64 = 1_000;
const CLOSEST: Nanos = Nanos::from_millis(10);
/// Approximate interval at which rounds are passed on.
const HANDED_ON: Nanos = Nanos::SECOND;
/// Seed of the intervals.
pub(super) const SEED: u64 = 0x0c10_c45e;

/// Reads all of `probes` for `time`, at irregular intervals, and passes the rounds on in pieces. Calls `going` between
/// rounds with the time passed; ends when it returns `false`.
///
/// The intervals are drawn uniformly between half and one and a half times their mean, from a fixed seed: the steps of
/// a coarse clock must not fall into step with the rounds.
pub(super) fn follow(
    probes: &[OpenClock],
    time: Nanos,
    mut going: impl FnMut(Nanos) -> bool,
    mut hand_on: impl FnMut(Vec<ClockSeries>),
) {
    let none = |probe: &OpenClock| ClockSeries { clock: probe.id().name().to_owned(), points: Vec::new() };
    let mut series: Vec<_> = probes.iter().map(none).collect();
    let mut dice = Pcg64::seed_from_u64(SEED);
    let mut handed = Nanos::ZERO;
    let mean = (time.get() / ROUNDS).max(CLOSEST.get());
    let start = clock::monotonic();
    loop {
        for (probe, series) in probes.iter().zip(&mut series) {
            series.points.push(read(probe));
        }
        let passed = clock::monotonic() - start;
        let left = time.saturating_sub(passed);
        if left <= Nanos::ZERO || !going(passed) {
            return hand_on(series);
        }
        if passed - handed >= HANDED_ON {
            hand_on(std::mem::replace(&mut series, probes.iter().map(none).collect()));
            handed = passed;
        }
        let pause = Nanos::new(dice.random_range(mean / 2..=mean + mean / 2)).min(left);
        thread::sleep(pause.to_duration().unwrap_or_default());
    }
}

fn read(probe: &OpenClock) -> ClockPoint {
    let found = probe.bracket(TRIES);
    ClockPoint { monotonic: found.middle(), width: found.width(), reading: found.reading }
}

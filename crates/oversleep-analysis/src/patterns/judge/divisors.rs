//! Slower ticks within a faster one: wake-ups that keep a grid also keep every grid of which each point is one of it, so
//! the slowest that they keep is the tick.

use crate::patterns::features::grid::{Grid, NOMINAL, downsample, resultant};
use crate::patterns::features::group::Sleep;

/// Slowest tick that is searched, in Hz.
const SLOWEST: f64 = 24.0;
/// By how much shorter the wake-ups' mean vector may be on the slower grid.
const NEARLY: f64 = 0.05;
/// By how much longer it must be than that of the due times: otherwise the program's own rhythm keeps the slower grid.
const BEYOND_DUES: f64 = 0.2;
/// Largest distance from a nominal rate, as a share of it: what steering and divisors explain.
const NEAR: f64 = 1_500e-6;
/// Largest distance of an undisciplined clock from a whole rate, as a share of it.
const WHOLE: f64 = 300e-6;

/// Returns the grids of every second, third, … point of this one that the wake-ups keep as well, with their rates in Hz,
/// the fastest first. Where all sleeps asked for the same and ended `at_one_place` within the tick, their due times keep
/// these grids, too.
pub(super) fn of(sleeps: &[Sleep], grid: &Grid, hz: f64, at_one_place: bool) -> Vec<(f64, Grid)> {
    let ends = downsample(&sleeps.iter().map(|sleep| sleep.end).collect::<Vec<_>>());
    let dues = downsample(&sleeps.iter().map(|sleep| sleep.due).collect::<Vec<_>>());
    let own = resultant(&ends, 1.0 / grid.tick).0;
    let each = parts(hz).filter_map(|part| {
        let tick = part * grid.tick;
        let (wakes, angle) = kept(&ends, tick, own)?;
        if !at_one_place && !beyond_dues(wakes, &dues, tick) {
            return None;
        }
        let error = part * grid.error;
        Some((named(1e9 / tick), Grid { tick, error, phase: angle * tick, wakes, ..*grid }))
    });
    each.collect()
}

/// Returns the numbers of ticks that may make one tick of a slower rate.
fn parts(hz: f64) -> impl Iterator<Item = f64> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // rates are at most 50 kHz
    let most = (hz / SLOWEST) as u32;
    (2..=most).map(f64::from)
}

/// Returns the length and angle of the wake-ups' mean vector at a tick of this length in ns, if it is about as long as
/// `own`.
fn kept(ends: &[f64], tick: f64, own: f64) -> Option<(f64, f64)> {
    let (wakes, angle) = resultant(ends, 1.0 / tick);
    (wakes >= own - NEARLY).then_some((wakes, angle))
}

/// Returns whether wake-ups keep a tick by more than the rhythm in which sleeps were due.
fn beyond_dues(wakes: f64, dues: &[f64], tick: f64) -> bool {
    wakes >= resultant(dues, 1.0 / tick).0 + BEYOND_DUES
}

/// Returns the rate that a measured one stands for: a nominal one near it, or else a whole number of Hz, or itself.
fn named(measured: f64) -> f64 {
    let near = |rate: &f64, most: f64| (measured / rate - 1.0).abs() < most;
    let nominal = NOMINAL.iter().copied().find(|rate| near(rate, NEAR));
    // Above, some whole rate is always near.
    let step = if measured < 0.25 / WHOLE { 1.0 } else { 100.0 };
    let whole = Some((measured / step).round() * step).filter(|rate| near(rate, WHOLE));
    nominal.or(whole).unwrap_or(measured)
}

/// Most stretches, and fewest sleeps in each.
const STRETCHES: usize = 12;
const IN_EACH: usize = 20;
/// Length of the mean vector, 0 to 1, from which wake-ups keep a grid in a stretch.
const KEPT: f64 = 0.9;
/// Least improbability, in nats, that times without a rhythm keep one of the grids tried.
const BY_CHANCE: f64 = 7.0;

/// Returns the slower rates, in Hz, that wake-ups keep from stretch to stretch, if they do in two and a quarter of them: the
/// tick's phase or rate then changed, and the grid that all of them keep may only be a multiple.
pub(super) fn from_stretch_to_stretch(sleeps: &[Sleep], grid: &Grid) -> Vec<f64> {
    let stretches = (sleeps.len() / IN_EACH).min(STRETCHES);
    if stretches < 2 {
        return Vec::new();
    }
    let size = sleeps.len().div_ceil(stretches);
    let slowest: Vec<Option<f64>> = sleeps.chunks(size).map(|stretch| slowest(stretch, grid)).collect();
    let slower: Vec<f64> = slowest.iter().copied().flatten().collect();
    if slower.len() < 2 || slower.len() * 4 < slowest.len() {
        return Vec::new();
    }
    let mut rates: Vec<f64> = Vec::new();
    for rate in slower {
        if rates.iter().all(|other| (other - rate).abs() > 1e-9) {
            rates.push(rate);
        }
    }
    rates
}

/// Returns the rate, in Hz, of the slowest tick that a stretch's wake-ups keep as well as the grid; `None` if it is the
/// grid's own.
fn slowest(stretch: &[Sleep], grid: &Grid) -> Option<f64> {
    let ends: Vec<f64> = stretch.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = stretch.iter().map(|sleep| sleep.due).collect();
    let own = resultant(&ends, 1.0 / grid.tick).0;
    let tried = parts(1e9 / grid.tick).count() as f64;
    let ticks = parts(1e9 / grid.tick).map(|part| part * grid.tick);
    let clear = |tick: &f64| {
        kept(&ends, *tick, own).filter(|(wakes, _)| beyond_dues(*wakes, &dues, *tick)).is_some_and(|(wakes, _)| {
            // Rayleigh: the mean vector of n random angles is that long with a probability of exp(−n R²).
            wakes >= KEPT && ends.len() as f64 * wakes * wakes > tried.ln() + BY_CHANCE
        })
    };
    ticks.filter(clear).last().map(|tick| named(1e9 / tick))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Returns sleeps that end at ticks of these rates in Hz, one after the other, and the grid that all of them keep.
    fn sleeps(rates: &[f64], common: f64) -> (Vec<Sleep>, Grid) {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        let mut now = 0.0;
        let mut all = Vec::new();
        for tick in rates.iter().flat_map(|hz| [1e9 / hz; 200]) {
            let requested: f64 = random.random_range(1e6..60e6);
            let start = now + random.random_range(0.0..20e6);
            let due = start + requested;
            let end = (due / tick).ceil() * tick + random.random_range(0.0..2e3);
            all.push(Sleep { view: 0, start, due, end, requested, late: end - due, thread: 0, cpu: 0 });
            now = end;
        }
        let grid =
            Grid { tick: 1e9 / common, error: 0.0, phase: 0.0, wakes: 1.0, dues: 0.0, on_grid: 1.0, jitter: 1e3 };
        (all, grid)
    }

    #[test]
    fn a_divisor_that_all_wake_ups_keep_is_found_and_no_other() {
        let (all, grid) = sleeps(&[125.0], 250.0);
        let rates: Vec<f64> = of(&all, &grid, 250.0, false).iter().map(|(hz, _)| *hz).collect();
        assert_eq!(rates, [125.0]);
        let (all, grid) = sleeps(&[250.0], 250.0);
        assert_eq!(of(&all, &grid, 250.0, false), []);
    }

    #[test]
    fn rates_that_follow_each_other_are_found_in_their_stretches() {
        let (all, grid) = sleeps(&[64.0, 250.0], 8_000.0);
        assert_eq!(of(&all, &grid, 8_000.0, false), []);
        assert_eq!(from_stretch_to_stretch(&all, &grid), [64.0, 250.0]);
        let (all, grid) = sleeps(&[250.0], 250.0);
        assert!(from_stretch_to_stretch(&all, &grid).is_empty());
    }
}

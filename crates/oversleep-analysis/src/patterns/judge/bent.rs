//! Ticks whose rate against the clock changes in mid-run: wake-ups keep them in each stretch, but keep no single grid
//! over the whole run.

use crate::patterns::features::grid::{COMMON, fit, resultant};
use crate::patterns::features::group::Sleep;

/// Number of stretches, and fewest sleeps in each.
const STRETCHES: usize = 12;
const IN_EACH: usize = 8;
/// Length of the wake-ups' mean vector, 0 to 1, from which they keep a grid in a stretch, and below which they do not
/// keep one over the whole run.
const KEPT: f64 = 0.9;
const NOT_KEPT: f64 = 0.85;
/// Drifts tried in each stretch: the number of steps to either side, and their relative size.
const STEPS: i32 = 12;
const STEP: f64 = 100e-6;

/// Returns the rates, of the common ones and `hz`, that the wake-ups keep only from stretch to stretch.
pub(super) fn rates(sleeps: &[Sleep], hz: f64, reach: f64) -> Vec<f64> {
    if sleeps.len() < STRETCHES * IN_EACH {
        return Vec::new();
    }
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let others = COMMON.iter().copied().filter(|other| (other - hz).abs() > 1e-9);
    others.chain([hz]).filter(|&hz| bent(&ends, &dues, hz, reach)).collect()
}

fn bent(ends: &[f64], dues: &[f64], hz: f64, reach: f64) -> bool {
    let grid = fit(ends, dues, hz, reach);
    if grid.is_some_and(|grid| grid.wakes >= NOT_KEPT) {
        return false;
    }
    let size = ends.len().div_ceil(STRETCHES);
    let kept = |times: &[f64]| {
        let rates = (-STEPS..=STEPS).map(|step| hz * 1e-9 * (1.0 + f64::from(step) * STEP));
        rates.map(|rate| resultant(times, rate).0).fold(0.0, f64::max)
    };
    let stretches = ends.chunks(size).zip(dues.chunks(size)).filter(|(ends, _)| ends.len() >= IN_EACH);
    // Sleeps that are due on the grid keep it under any kernel.
    let on: Vec<bool> = stretches.map(|(ends, dues)| kept(ends) >= KEPT && kept(dues) < KEPT).collect();
    on.iter().filter(|on| **on).count() * 3 >= on.len() * 2 && !on.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Returns random requests on a tick of 1 ms whose phase moves by `shift` ns over the first 100 of 400 sleeps.
    fn sleeps(shift: f64) -> Vec<Sleep> {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
        let mut now = 0.0;
        let sleep = |number: u32| {
            let requested: f64 = random.random_range(0.2e6..20e6);
            let phase = shift * (f64::from(number) / 100.0).min(1.0);
            let (start, due) = (now, now + requested);
            let end = ((due - phase) / 1e6).ceil() * 1e6 + phase + random.random_range(0.0..5e3);
            now = end + 1e4;
            Sleep { view: 0, start, due, end, requested, late: end - due, thread: 0, cpu: 0 }
        };
        (0..400).map(sleep).collect()
    }

    #[test]
    fn a_tick_that_moves_at_first_is_bent_and_a_steady_one_is_not() {
        assert!(rates(&sleeps(0.0), 1000.0, 1_500.0).is_empty());
        assert!(rates(&sleeps(600e3), 2000.0, 1_500.0).contains(&1000.0));
    }
}

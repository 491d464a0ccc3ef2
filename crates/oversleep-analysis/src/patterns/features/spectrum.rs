//! The spectrum of wake times: the rates that stand out, without any known in advance.

use rustfft::{FftPlanner, num_complex::Complex};
use std::array;
use std::f64::consts::TAU;

/// Width of a bin, in ns.
const BIN: f64 = 10_000.0;
/// Bins in the longest stretch used: 2²⁰, about 10 s.
const BINS: usize = 1 << 20;
/// Parts that are transformed one after the other: all at once would take 25 MiB, which is more than an exporter may.
const PARTS: usize = 32;
/// Products that are computed side by side: one after the other, each would wait for the one before.
const LANES: usize = 8;
/// Slowest tick that is searched, in Hz.
const SLOWEST: f64 = 40.0;

/// Returns the rates of the strongest lines in Hz, slowest first: at most eight, each at least 0.6 of the strongest.
///
/// The times are counted in bins of 10 µs (so rates up to 50 kHz show), over the first 10 s.
pub fn lines(ends: &[f64]) -> Vec<f64> {
    let Some(&first) = ends.first() else { return Vec::new() };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sorted, so never before the first
    let bins = ends.iter().map(|end| ((end - first) / BIN) as usize);
    let bins: Vec<usize> = bins.take_while(|bin| *bin < BINS).collect();
    if bins.len() < 20 {
        return Vec::new();
    }
    let strength = strengths(&bins);
    let step = 1e9 / (BINS as f64 * BIN);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 40 Hz is bin 419
    let lowest = (SLOWEST / step) as usize;
    let strongest = strength[lowest..].iter().copied().fold(0.0f32, f32::max);
    if strongest < 0.3 {
        return Vec::new();
    }
    let peak = |at: usize| {
        let around = &strength[at.saturating_sub(6)..(at + 7).min(strength.len())];
        strength[at] >= 0.6 * strongest && around.iter().all(|&other| other <= strength[at])
    };
    (lowest..strength.len()).filter(|&at| peak(at)).take(8).map(|at| at as f64 * step).collect()
}

/// Returns the strength of every rate, from 0 to 1, if times fall into these bins.
///
/// The transform of all bins is the sum of those of every 32nd bin, each turned by its offset (Cooley and Tukey 1965).
fn strengths(bins: &[usize]) -> Vec<f32> {
    const EACH: usize = BINS / PARTS;
    let transform = FftPlanner::new().plan_fft_forward(EACH);
    let mut sums = vec![Complex::<f32>::default(); BINS / 2];
    let mut part = vec![Complex::<f32>::default(); EACH];
    for offset in 0..PARTS {
        part.fill(Complex::default());
        for bin in bins.iter().filter(|bin| *bin % PARTS == offset) {
            part[bin / PARTS].re += 1.0;
        }
        transform.process(&mut part);
        let turned = |by: usize| Complex::cis(-TAU * (offset * by) as f64 / BINS as f64);
        let turn = turned(LANES);
        for (number, sums) in sums.chunks_exact_mut(EACH).enumerate() {
            let mut turned: [_; LANES] = array::from_fn(|lane| turned(number * EACH + lane));
            for (sums, found) in sums.chunks_exact_mut(LANES).zip(part.chunks_exact(LANES)) {
                for ((sum, found), turned) in sums.iter_mut().zip(found).zip(&mut turned) {
                    #[allow(clippy::cast_possible_truncation)] // of at most 1
                    let by = Complex { re: turned.re as f32, im: turned.im as f32 };
                    *sum += found * by;
                    *turned *= turn;
                }
            }
        }
    }
    sums.into_iter().map(|sum| sum.norm() / bins.len() as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over all times, as the transform is defined.
    #[test]
    fn strengths_are_those_of_the_definition() {
        let bins: Vec<usize> = (0..300).map(|at| (at * at * 37 + at * 1_003) % BINS).collect();
        let found = strengths(&bins);
        assert_eq!(found.len(), BINS / 2);
        for rate in [0, 1, 419, 4_096, 65_535, 65_536, 65_537, 300_001, BINS / 2 - 1] {
            let turned = |bin: &usize| Complex::cis(-TAU * (bin * rate % BINS) as f64 / BINS as f64);
            let exact = bins.iter().map(turned).sum::<Complex<f64>>().norm() / 300.0;
            assert!((f64::from(found[rate]) - exact).abs() < 1e-5, "{rate}: {} {exact}", found[rate]);
        }
    }
}

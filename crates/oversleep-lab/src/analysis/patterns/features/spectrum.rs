//! The spectrum of wake times: the rates that stand out, without any known in advance.

use rustfft::{FftPlanner, num_complex::Complex};

/// Width of a bin, in ns.
const BIN: f64 = 10_000.0;
/// Bins in the longest stretch used: 2²⁰, about 10 s.
const BINS: usize = 1 << 20;
/// Slowest tick that is searched, in Hz.
const SLOWEST: f64 = 40.0;

/// Returns the rates of the strongest lines in Hz, slowest first: at most eight, each at least 0.6 of the strongest.
///
/// The times are counted in bins of 10 µs (so rates up to 50 kHz show), over the first 10 s.
pub fn lines(ends: &[f64]) -> Vec<f64> {
    let Some(&first) = ends.first() else { return Vec::new() };
    let mut bins = vec![Complex { re: 0.0f32, im: 0.0f32 }; BINS];
    let mut count = 0.0f32;
    for end in ends {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sorted, so never before the first
        let at = ((end - first) / BIN) as usize;
        if at >= BINS {
            break;
        }
        bins[at].re += 1.0;
        count += 1.0;
    }
    if count < 20.0 {
        return Vec::new();
    }
    FftPlanner::new().plan_fft_forward(BINS).process(&mut bins);
    let step = 1e9 / (BINS as f64 * BIN);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 40 Hz is bin 419
    let lowest = (SLOWEST / step) as usize;
    let strength: Vec<f32> = bins[..BINS / 2].iter().map(|bin| bin.norm() / count).collect();
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

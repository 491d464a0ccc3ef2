//! None of the known laws: what the figures would say of a law that nobody has written down.

use super::candidate::log_sum;
use super::distribution::{Noise, Piece};
use super::likelihood::Lengths;
use oversleep_recording::asked::{AskedPair, Figure};

/// Orders of magnitude, as natural logarithms, over which an unknown lateness may lie: 100 ns to an hour, late or early.
const MAGNITUDES: f64 = 25.0;
/// Relative scatters of an unknown law.
const SCATTERS: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];

/// Returns the logarithm of the probability of the figures of all pairs under a law that is not known: each request has a
/// lateness and a scatter of its own.
pub(super) fn ln(pairs: &[AskedPair]) -> f64 {
    pairs.iter().map(of_pair).sum()
}

fn of_pair(pair: &AskedPair) -> f64 {
    // Of a count alone nothing is known beforehand: each share is as probable.
    if let [Figure::Longer { of, .. }] = pair.figures[..] {
        return -(of as f64 + 1.0).ln();
    }
    let requested = pair.requested.as_f64();
    let centre = centre(pair);
    let late = centre - requested;
    let terms: Vec<f64> = SCATTERS
        .iter()
        .map(|scatter| {
            let size = late.abs().max(1e3);
            let noise = Noise { cost: scatter * size, tails: true };
            let pieces = [Piece { weight: 1.0, from: centre, to: centre, anchored: true }];
            // The lateness was taken from the figures: that one lies so near by chance has this probability.
            Lengths::new(&pieces, noise, pair.requested.as_f64()).ln(pair) + (2.0 * scatter / MAGNITUDES).ln()
                - (SCATTERS.len() as f64).ln()
        })
        .collect();
    log_sum(&terms)
}

/// Returns the length that the figures of a request lie about.
pub(super) fn centre(pair: &AskedPair) -> f64 {
    let mut at: Vec<f64> = pair
        .figures
        .iter()
        .filter_map(|figure| match figure {
            // More than a half were longer than the limit, or fewer.
            Figure::Longer { limit, longer, of } if 2 * longer <= *of => {
                Some(limit.as_f64().min(pair.requested.as_f64()))
            }
            Figure::Longer { limit, .. } => Some(limit.as_f64()),
            other => other.ends().map(|(from, to)| f64::midpoint(from.time.as_f64(), to.time.as_f64())),
        })
        .collect();
    at.sort_by(f64::total_cmp);
    at.get(at.len() / 2).copied().unwrap_or_else(|| pair.requested.as_f64())
}

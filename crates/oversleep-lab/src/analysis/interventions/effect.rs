//! Corrects effects for the number of tests, and computes what they could have shown.

use crate::figures::holm;
use oversleep_recording::document::{Effect, Shift};
use statrs::distribution::{ContinuousCDF, Normal};

/// Probability of any false effect in a run.
pub(super) const LEVEL: f64 = 0.05;
/// Probability with which an effect of the smallest detectable size is seen.
const POWER: f64 = 0.8;

/// Corrects all probabilities together; returns how many there were.
pub(super) fn correct(effects: &mut [Effect]) -> usize {
    let mut shifts: Vec<&mut Shift> =
        effects.iter_mut().flat_map(|effect| [Some(&mut effect.p50), effect.p99.as_mut()]).flatten().collect();
    let corrected = holm::corrected(&shifts.iter().map(|shift| shift.p).collect::<Vec<_>>());
    let tries = shifts.len();
    // The smallest detectable effect, in standard errors: the quantiles for the strictest step of the correction and
    // for the power, added (Bloom, "Minimum Detectable Effects", Evaluation Review 19, 1995).
    let normal = Normal::standard();
    let errors = normal.inverse_cdf(1.0 - LEVEL / (2.0 * tries.max(1) as f64)) + normal.inverse_cdf(POWER);
    for (shift, corrected) in shifts.iter_mut().zip(corrected) {
        shift.corrected = corrected;
        shift.seen = corrected <= LEVEL;
        shift.smallest_detectable = errors * shift.error;
    }
    tries
}

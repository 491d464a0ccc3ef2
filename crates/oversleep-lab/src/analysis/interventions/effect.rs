//! What changing one thing did.

use crate::figures::holm;
use oversleep_recording::document::{Effect, Shift};
use statrs::distribution::{ContinuousCDF, Normal};

/// What may be called an effect: one false call in twenty runs.
pub(super) const LEVEL: f64 = 0.05;
/// How often an effect of the size that could be seen would be seen.
const POWER: f64 = 0.8;

/// Corrects all probabilities together; returns how many there were.
pub(super) fn correct(effects: &mut [Effect]) -> usize {
    let mut shifts: Vec<&mut Shift> =
        effects.iter_mut().flat_map(|effect| [Some(&mut effect.p50), effect.p99.as_mut()]).flatten().collect();
    let corrected = holm::corrected(&shifts.iter().map(|shift| shift.p).collect::<Vec<_>>());
    let tries = shifts.len();
    // The least detectable effect: as many standard errors as the strictest step of the correction and the power take
    // together (Bloom, "Minimum Detectable Effects", Evaluation Review 19, 1995).
    let normal = Normal::standard();
    let errors = normal.inverse_cdf(1.0 - LEVEL / (2.0 * tries.max(1) as f64)) + normal.inverse_cdf(POWER);
    for (shift, corrected) in shifts.iter_mut().zip(corrected) {
        shift.corrected = corrected;
        shift.seen = corrected <= LEVEL;
        shift.smallest_detectable = errors * shift.error;
    }
    tries
}

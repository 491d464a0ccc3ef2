//! Corrects effects for the number of tests, and computes what they could have shown.

use oversleep_figures::holm;
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
        // The test and the interval are computed apart from each other, so the one may be sure where the other holds zero.
        shift.seen = corrected <= LEVEL && !holds_zero(shift);
        // What was not seen may still be as large as its interval allows, or as large as it was measured.
        let possible = if shift.seen { 0.0 } else { shift.low.abs().max(shift.high.abs()) };
        shift.smallest_detectable = (errors * shift.error).max(possible);
    }
    tries
}

fn holds_zero(shift: &Shift) -> bool {
    shift.low <= 0.0 && shift.high >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::SizeInterval;
    use oversleep_recording::plan::intervene::Change;

    #[test]
    fn an_effect_whose_interval_holds_zero_is_not_seen() {
        let shift = |low, high| Shift {
            size: 5.0,
            low,
            high,
            error: 1.0,
            p: 0.000_1,
            corrected: 1.0,
            seen: false,
            smallest_detectable: 0.0,
        };
        let of = |low, high| Effect {
            cell: 1,
            reference: 0,
            change: Change::Slack { slack_ns: None },
            given: None,
            blocks: 20,
            sleeps: 400,
            variant_p50_ns: 0,
            variant_p99_ns: None,
            p50: shift(low, high),
            p99: None,
            predicted: None,
            delay: SizeInterval { size: 0.0, low: 0.0, high: 0.0 },
        };
        let mut effects = [of(1.0, 9.0), of(0.0, 9.0), of(-1.0, 9.0), of(-9.0, -1.0)];
        assert_eq!(correct(&mut effects), 4);
        assert_eq!(effects.each_ref().map(|effect| effect.p50.seen), [true, false, false, true]);
        // Of an effect that was not seen, nothing smaller than its interval is called detectable.
        assert!(effects[1].p50.smallest_detectable >= 9.0 && effects[0].p50.smallest_detectable < 9.0);
    }
}

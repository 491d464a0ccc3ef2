//! Whether witnesses agree, and how that changes confidence.

use crate::attribution::SEEN;
use oversleep_recording::document::{Estimate, WitnessAgreement};

/// Intervals are widened on either side before they are compared, by `GIVE` (ns) or `SHARE` (of the size), whichever is
/// more: a changed sleep meets other circumstances, and wake-ups of different kinds differ a little in cost.
const GIVE: f64 = 1_000.0;
const SHARE: f64 = 0.02;

pub(super) fn verdict(estimates: &[Option<Estimate>; 3]) -> WitnessAgreement {
    let spans: Vec<(f64, f64)> = estimates.iter().flatten().filter_map(span).collect();
    if spans.len() < 2 {
        return WitnessAgreement::Alone;
    }
    let overlap = |a: &(f64, f64), b: &(f64, f64)| a.0 <= b.1 && b.0 <= a.1;
    let all = spans.iter().enumerate().all(|(at, a)| spans[..at].iter().all(|b| overlap(a, b)));
    if all { WitnessAgreement::Agree } else { WitnessAgreement::Differ }
}

fn span(estimate: &Estimate) -> Option<(f64, f64)> {
    let give = GIVE.max(SHARE * estimate.size.abs());
    let low = if estimate.at_most { estimate.low?.min(0.0) } else { estimate.low? };
    Some((low - give, estimate.high? + give))
}

/// Confidence of an intervention (a test at one in twenty) in what it finds.
const INTERVENTION: f64 = 0.95;

/// Highest confidence: an error that all witnesses share, as of the clock, shows in none of them.
const MOST: f64 = 0.99;

/// Returns the confidence that the cause exists. Agreeing witnesses are wrong only if all are. Where they differ, it is
/// half the lowest confidence of one.
pub(super) fn confidence(
    verdict: WitnessAgreement,
    pattern: Option<f64>,
    estimates: &[Option<Estimate>; 3],
) -> Option<f64> {
    let found = |at: usize, sure: f64| estimates[at].filter(|estimate| estimate.finds()).map(|_| sure);
    let sure: Vec<f64> = [pattern, found(1, INTERVENTION), found(2, SEEN)].into_iter().flatten().collect();
    let least = sure.iter().copied().reduce(f64::min)?;
    Some(match verdict {
        WitnessAgreement::Agree => (1.0 - sure.iter().map(|sure| 1.0 - sure).product::<f64>()).min(MOST),
        WitnessAgreement::Differ => 0.5 * least,
        WitnessAgreement::Alone => sure.iter().copied().fold(0.0, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::unnecessary_wraps)] // a witness may be silent
    fn estimate(size: f64, half: f64) -> Option<Estimate> {
        Some(Estimate { size, low: Some(size - half), high: Some(size + half), at_most: false })
    }

    #[test]
    fn overlap_is_agreement_and_its_lack_is_not() {
        assert_eq!(
            verdict(&[estimate(50e3, 0.0), estimate(49e3, 1_000.0), estimate(50e3, 10.0)]),
            WitnessAgreement::Agree
        );
        assert_eq!(verdict(&[estimate(50e3, 0.0), estimate(0.0, 1_500.0), None]), WitnessAgreement::Differ);
        // One of three overlaps neither of the others.
        assert_eq!(
            verdict(&[estimate(50e3, 0.0), estimate(50e3, 500.0), estimate(0.0, 10.0)]),
            WitnessAgreement::Differ
        );
        assert_eq!(verdict(&[estimate(50e3, 0.0), None, None]), WitnessAgreement::Alone);
        assert_eq!(
            verdict(&[estimate(50e3, 0.0), Some(Estimate::without_interval(0.0)), None]),
            WitnessAgreement::Alone
        );
        // 2 % of a millisecond is more than a microsecond.
        assert_eq!(verdict(&[estimate(1e6, 0.0), estimate(965e3, 1_000.0), None]), WitnessAgreement::Agree);
        assert_eq!(verdict(&[estimate(1e6, 0.0), estimate(955e3, 1_000.0), None]), WitnessAgreement::Differ);
    }

    #[test]
    fn less_agrees_with_the_most_that_it_can_be_and_more_does_not() {
        let most = estimate(50e3, 1_000.0).map(|estimate| Estimate { at_most: true, ..estimate });
        assert_eq!(verdict(&[None, estimate(20e3, 5_000.0), most]), WitnessAgreement::Agree);
        assert_eq!(verdict(&[None, estimate(60e3, 5_000.0), most]), WitnessAgreement::Differ);
    }

    #[test]
    fn confidence_rises_with_agreement_and_falls_without() {
        let alone = confidence(WitnessAgreement::Alone, Some(0.9), &[estimate(50e3, 0.0), None, None]).unwrap();
        let two = [estimate(50e3, 0.0), estimate(50e3, 500.0), None];
        let both = confidence(WitnessAgreement::Agree, Some(0.9), &two).unwrap();
        let against =
            confidence(WitnessAgreement::Differ, Some(0.9), &[estimate(50e3, 0.0), estimate(0.0, 500.0), None])
                .unwrap();
        assert!((alone - 0.9).abs() < 1e-12 && both > 0.98 && (against - 0.45).abs() < 1e-12);
        // No witness finds the cause: there is no confidence.
        assert_eq!(confidence(WitnessAgreement::Agree, None, &[None, estimate(0.0, 500.0), estimate(0.0, 10.0)]), None);
    }
}

//! Verdicts on the shifts of all cells together.

use oversleep_figures::holm;
use oversleep_recording::document::{ComparedCell, ComparedFigure, ComparedShare, ShiftVerdict};

/// Probability of a false alarm, over all cells together.
const LEVEL: f64 = 0.05;

/// What a verdict on a shift rests on.
struct Tested {
    p: Option<f64>,
    size: f64,
    /// Confidence of the interval.
    confidence: f64,
}

/// Corrects the probabilities of each quantile and of each share of periods for the number of cells, and sets the verdicts.
///
/// `least`: for each cell, the smallest probability that this number of recordings can give. If even that one would not be significant
/// after the correction, no difference could have been found, and the verdict is open.
pub(super) fn correct(cells: &mut [ComparedCell], least: &[f64]) {
    for figure in ComparedFigure::ALL {
        let shifts = cells
            .iter_mut()
            .zip(least)
            .filter_map(|(cell, least)| Some((cell.shifts.iter_mut().find(|shift| shift.figure == figure)?, *least)));
        judge(
            shifts.collect(),
            |shift| Tested { p: shift.p, size: shift.size_ns, confidence: shift.confidence },
            |shift, p, verdict| (shift.p_corrected, shift.verdict) = (p, verdict),
        );
    }
    for share in ComparedShare::ALL {
        let shifts = cells.iter_mut().zip(least).filter_map(|(cell, least)| {
            Some((cell.periods.as_mut()?.shares.iter_mut().find(|shift| shift.periods == share)?, *least))
        });
        judge(
            shifts.collect(),
            |shift| Tested { p: shift.p, size: shift.size_points, confidence: shift.confidence },
            |shift, p, verdict| (shift.p_corrected, shift.verdict) = (p, verdict.into()),
        );
    }
}

/// Judges the shifts of one figure in all cells, each with the smallest probability that it could have: passes the corrected
/// probability and the verdict of each to `decide`.
fn judge<S>(shifts: Vec<(S, f64)>, tested: impl Fn(&S) -> Tested, decide: impl Fn(S, Option<f64>, ShiftVerdict)) {
    let tests = shifts.len() as f64;
    let corrected =
        holm::corrected(&shifts.iter().map(|(shift, _)| tested(shift).p.unwrap_or(1.0)).collect::<Vec<_>>());
    for ((shift, least), corrected) in shifts.into_iter().zip(corrected) {
        let found = tested(&shift);
        let p = found.p.map(|_| corrected);
        decide(shift, p, verdict(p, &found, least * tests <= LEVEL));
    }
}

fn verdict(p: Option<f64>, found: &Tested, can_be_seen: bool) -> ShiftVerdict {
    match p {
        Some(p) if p <= LEVEL && found.size > 0.0 => ShiftVerdict::Later,
        Some(p) if p <= LEVEL && found.size < 0.0 => ShiftVerdict::Earlier,
        Some(_) if can_be_seen && found.confidence >= 1.0 - LEVEL => ShiftVerdict::NotSeen,
        _ => ShiftVerdict::Open,
    }
}

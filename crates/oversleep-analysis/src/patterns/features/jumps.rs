//! Jumps of a lateness that slides: where they are, how high, and the lateness without them.

use super::group::Sleep;
use super::robust::{line, median, spread};
use oversleep_model::KNOWN_RATES;

/// Replaces each lateness that differs from its two neighbours, where these agree, by their mean.
pub(super) fn calmed(lates: &[f64]) -> Vec<f64> {
    let across: Vec<f64> = lates.windows(3).map(|three| three[2] - three[0]).collect();
    let usual = median(&across).unwrap_or(0.0);
    let noise = spread(&across, usual).max(2_000.0);
    let calm = |at: usize| {
        let (Some(&before), Some(&after)) = (at.checked_sub(1).and_then(|at| lates.get(at)), lates.get(at + 1)) else {
            return lates[at];
        };
        let middle = f64::midpoint(before, after);
        let alone = (lates[at] - middle).abs() > 4.0 * noise && (after - before - usual).abs() < 4.0 * noise;
        if alone { middle } else { lates[at] }
    };
    (0..lates.len()).map(calm).collect()
}

pub(super) fn steps(lates: &[f64]) -> Vec<f64> {
    lates.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Returns the jumps of a sawtooth: at least `least` steps that stand out, one way and most of them of one size.
pub(super) fn jumps(lates: &[f64], least: usize) -> Option<Vec<f64>> {
    let steps = steps(lates);
    let usual = median(&steps)?;
    let noise = spread(&steps, usual).max(2_000.0);
    let limit = (8.0 * noise).max(150_000.0);
    let one_way = |sign: f64| {
        let outstanding: Vec<f64> = steps.iter().map(|step| step - usual).filter(|step| step * sign > limit).collect();
        let size = median(&outstanding)?;
        let agree = |step: &&f64| (**step - size).abs() < 0.03 * size.abs() + 3.0 * noise;
        let agreeing: Vec<f64> = outstanding.iter().filter(agree).copied().collect();
        Some((agreeing, outstanding.len(), size))
    };
    // A late sleep makes one step up and one down; jumps all go one way.
    let ways = [one_way(-1.0), one_way(1.0)].into_iter().flatten();
    let (agreeing, outstanding, size) = ways.max_by_key(|(agreeing, ..)| agreeing.len())?;
    let clear = agreeing.len() >= least && agreeing.len() * 10 >= outstanding * 6;
    // Fewer than five steps that match no known tick are not jumps.
    let known = agreeing.len() >= 5 || KNOWN_RATES.iter().any(|hz| (size.abs() * hz * 1e-9 - 1.0).abs() < 0.03);
    (clear && known).then_some(agreeing)
}

/// Returns how many jumps of this (signed) height came before each sleep.
pub(super) fn jumps_before(lates: &[f64], jump: f64) -> Option<Vec<f64>> {
    let steps = steps(lates);
    let usual = median(&steps)?;
    let mut count = 0.0;
    let mut counts = vec![0.0];
    counts.extend(steps.iter().map(|step| {
        count += ((step - usual) / jump).round();
        count
    }));
    Some(counts)
}

/// Measures the height of the jumps by all sleeps, with its standard error. Fits lateness = a + b × time + height ×
/// (jumps before) by least squares, without outliers.
pub(super) fn refined(sleeps: &[Sleep], lates: &[f64], jump: f64) -> Option<(f64, f64)> {
    let counts = jumps_before(lates, jump)?;
    let (mut height, mut error) = (jump, 0.0);
    for _ in 0..3 {
        let points: Vec<(f64, f64)> = sleeps
            .iter()
            .zip(lates)
            .zip(&counts)
            .map(|((s, late), count)| (s.due * 1e-9, late - height * count))
            .collect();
        let fit = line(&points)?;
        let limit = 4.0 * fit.residual + 2_000.0;
        // Without the line, the rest grows by the height's error with each jump. Time and number of jumps are
        // correlated, so both are fitted at once on the kept points.
        let kept: Vec<(f64, f64, f64)> = points
            .iter()
            .zip(lates)
            .zip(&counts)
            .filter(|((point, _), _)| (point.1 - fit.intercept - fit.slope * point.0).abs() < limit + 0.05 * jump.abs())
            .map(|((point, late), count)| (point.0, *count, *late))
            .collect();
        let scale = both(&kept)?;
        (height, error) = (scale.0, scale.1 * fit.residual);
    }
    ((height / jump - 1.0).abs() < 0.1).then_some((height.abs(), error))
}

/// Returns c of y = a + b·x + c·z, fitted by least squares, and its standard error for a scatter of y by 1.
fn both(points: &[(f64, f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (mx, mz, my) = (mean(&|p| p.0), mean(&|p| p.1), mean(&|p| p.2));
    let sum = |of: &dyn Fn(f64, f64, f64) -> f64| points.iter().map(|p| of(p.0 - mx, p.1 - mz, p.2 - my)).sum::<f64>();
    let (xx, xz, zz) = (sum(&|x, _, _| x * x), sum(&|x, z, _| x * z), sum(&|_, z, _| z * z));
    let (xy, zy) = (sum(&|x, _, y| x * y), sum(&|_, z, y| z * y));
    let determinant = xx * zz - xz * xz;
    (determinant > 1e-9 * xx * zz).then(|| ((zy * xx - xy * xz) / determinant, (xx / determinant).sqrt()))
}

/// Returns lateness against time in seconds, without the jumps: `rough` finds them, `jump` is their exact height (ns).
pub(super) fn unwrapped(
    sleeps: &[Sleep],
    lates: &[f64],
    rough: Option<f64>,
    jump: Option<f64>,
) -> Option<Vec<(f64, f64)>> {
    let counts = match rough {
        Some(rough) => jumps_before(lates, rough)?,
        None => vec![0.0; lates.len()],
    };
    let height = jump.unwrap_or(0.0) * rough.unwrap_or(1.0).signum();
    Some(sleeps.iter().zip(lates).zip(counts).map(|((s, late), count)| (s.due * 1e-9, late - height * count)).collect())
}

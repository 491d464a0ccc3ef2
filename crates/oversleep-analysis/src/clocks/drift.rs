//! How much faster one clock runs than another.
//!
//! Each clock is read between two readings of the monotonic clock, round after round. The line is fitted to the
//! difference of two clocks' offsets from the monotonic clock: the monotonic clock's own wander cancels, and numbers
//! stay small enough for a float. The slope's interval comes from the residuals (Student's t), so it includes bracket
//! widths, steps of coarse clocks and any other error of a reading, as long as rounds are taken at irregular times: at
//! regular ones the steps of a coarse clock would beat with the rounds.
//!
//! Autocorrelated residuals (of a clock being slewed) make the plain interval too narrow. If their correlation from one
//! to the next is beyond chance, the interval is widened as for a first-order autoregression, by √((1 + ρ) / (1 − ρ)).

use oversleep_figures::quantile::median;
use oversleep_recording::ClockPoint;
use oversleep_sys::units::Ppm;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A clock's rate relative to another's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// How much faster the first clock runs.
    pub rate: Ppm,
    /// Lower end of the 95 % interval.
    pub low: Ppm,
    /// Upper end of the 95 % interval.
    pub high: Ppm,
    /// Rounds used.
    pub rounds: usize,
    /// Rounds left out because one of their brackets was more than three times as wide as the median: the thread was
    /// interrupted between the readings.
    pub left_out: usize,
}

/// Fewest rounds that give a useful interval.
pub const FEWEST_ROUNDS: usize = 8;

/// Returns how much faster `clock` runs than `against`, from rounds in which both were read (equal index, same round).
///
/// `None` for fewer than [`FEWEST_ROUNDS`] usable rounds, or if no time passed.
pub fn between(clock: &[ClockPoint], against: &[ClockPoint]) -> Option<Drift> {
    let widest = |points| usual_width(points).map(|width| width.saturating_mul(3));
    let (widest, widest_against) = (widest(clock)?, widest(against)?);
    let rounds = clock.len().min(against.len());
    let kept: Vec<_> =
        clock.iter().zip(against).filter(|(a, b)| a.width.get() <= widest && b.width.get() <= widest_against).collect();
    let &(a0, b0) = kept.first()?;
    let seconds: Vec<_> = kept.iter().map(|(a, _)| (a.monotonic.saturating_sub(a0.monotonic)).as_secs_f64()).collect();
    let apart: Vec<_> = kept.iter().map(|(a, b)| offset(a, a0) - offset(b, b0)).collect();
    let reference: Vec<_> = kept.iter().map(|(_, b)| offset(b, b0)).collect();
    let line = fit(&seconds, &apart)?;
    // (1 + a) / (1 + b) − 1 = (a − b) / (1 + b); slopes are in ns per s.
    let scale = 1.0 + fit(&seconds, &reference)?.slope * 1e-9;
    let ppm = |slope: f64| Ppm::new(slope / scale / 1e3);
    Some(Drift {
        rate: ppm(line.slope),
        low: ppm(line.slope - line.half_interval),
        high: ppm(line.slope + line.half_interval),
        rounds: kept.len(),
        left_out: rounds - kept.len(),
    })
}

/// Returns how far the clock has moved from the monotonic one since the first point, in ns. Integers subtract exactly.
fn offset(point: &ClockPoint, first: &ClockPoint) -> f64 {
    let reading = i128::from(point.reading.get()) - i128::from(first.reading.get());
    let monotonic = i128::from(point.monotonic.get()) - i128::from(first.monotonic.get());
    (reading - monotonic) as f64
}

/// Returns the median width, at least 1 ns.
fn usual_width(points: &[ClockPoint]) -> Option<i64> {
    median(points.iter().map(|point| point.width.get()).collect()).map(|width| width.max(1))
}

struct Line {
    slope: f64,
    /// Half of the slope's 95 % interval.
    half_interval: f64,
}

/// Fits a line by least squares; `None` for too few points or points without spread in `x`.
fn fit(x: &[f64], y: &[f64]) -> Option<Line> {
    let n = x.len();
    if n < FEWEST_ROUNDS {
        return None;
    }
    let count = n as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    let sxx: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
    let sxy: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    if sxx <= 0.0 {
        return None;
    }
    let slope = sxy / sxx;
    let residuals: Vec<_> = x.iter().zip(y).map(|(x, y)| y - mean_y - slope * (x - mean_x)).collect();
    let variance = (residuals.iter().map(|r| r * r).sum::<f64>() / (count - 2.0)).max(ROUNDING_VARIANCE);
    let t = StudentsT::new(0.0, 1.0, count - 2.0).ok()?.inverse_cdf(0.975);
    let half_interval = t * (variance / sxx).sqrt() * widening(&residuals);
    Some(Line { slope, half_interval })
}

/// Variance of the rounding of two readings and two bracket centres to 1 ns each: residuals of zero show nothing finer.
const ROUNDING_VARIANCE: f64 = 4.0 / 12.0;

/// Returns the factor by which autocorrelated residuals widen the interval; 1 for independent ones.
fn widening(residuals: &[f64]) -> f64 {
    let count = residuals.len() as f64;
    let square: f64 = residuals.iter().map(|r| r * r).sum();
    let product: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
    // The estimate is low by about (1 + 4ρ) / n (Kendall 1954, for a fitted mean; a fitted line takes a little more).
    let raw = if square > 0.0 { product / square } else { 0.0 };
    if raw <= 2.0 / count.sqrt() {
        return 1.0;
    }
    let correlation = (raw + (2.0 + 4.0 * raw) / count).min(0.99);
    ((1.0 + correlation) / (1.0 - correlation)).sqrt()
}

#[cfg(test)]
mod tests;

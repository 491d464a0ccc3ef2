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
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    /// A simulated pair of clocks, read in rounds at irregular times.
    struct SimulatedClocks {
        clock_ppm: f64,
        against_ppm: f64,
        rounds: usize,
        /// Readings are truncated to multiples of this, in ns.
        step: i64,
        /// Correlation of the reading error from one round to the next.
        correlation: f64,
    }

    const PAIR: SimulatedClocks =
        SimulatedClocks { clock_ppm: 12.5, against_ppm: -3.0, rounds: 250, step: 1, correlation: 0.0 };

    impl SimulatedClocks {
        fn truth(&self) -> f64 {
            ((1.0 + self.clock_ppm * 1e-6) / (1.0 + self.against_ppm * 1e-6) - 1.0) * 1e6
        }

        /// Returns readings anywhere in brackets of 40–120 ns, of which one in fifty is interrupted for up to 50 µs.
        fn run(&self, seed: u64) -> (Vec<ClockPoint>, Vec<ClockPoint>) {
            let mut dice = Pcg64::seed_from_u64(seed);
            let (mut at, mut error) = (7_000_000_000.0_f64, 0.0);
            let (mut clock, mut against) = (Vec::new(), Vec::new());
            for _ in 0..self.rounds {
                at += dice.random_range(10e6..30e6);
                let fresh = dice.random_range(-200.0..200.0);
                error = if self.correlation > 0.0 { self.correlation * error + fresh } else { 0.0 };
                clock.push(self.read(&mut dice, at + error, at, self.clock_ppm));
                against.push(self.read(&mut dice, at + 500.0, at + 500.0, self.against_ppm));
            }
            (clock, against)
        }

        fn read(&self, dice: &mut Pcg64, true_time: f64, middle: f64, ppm: f64) -> ClockPoint {
            let interrupted = dice.random_range(0..50) == 0;
            let width = dice.random_range(40.0..if interrupted { 50_000.0 } else { 120.0 });
            let inside = dice.random_range(-0.5..0.5) * width;
            let reading = Nanos::from_f64((true_time + inside) * (1.0 + ppm * 1e-6)).get();
            let step = if ppm > 0.0 { self.step } else { 1 };
            ClockPoint {
                monotonic: Nanos::from_f64(middle),
                width: Nanos::from_f64(width),
                reading: Nanos::new(reading.div_euclid(step) * step),
            }
        }

        /// Returns how many of 1000 seeded runs have the true drift inside their interval, in per cent.
        fn coverage(&self) -> f64 {
            let inside = |seed| {
                let (clock, against) = self.run(seed);
                let drift = between(&clock, &against).unwrap();
                drift.low.get() <= self.truth() && self.truth() <= drift.high.get()
            };
            (0..1000).filter(|&seed| inside(seed)).count() as f64 / 10.0
        }
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        for pair in [
            PAIR,
            SimulatedClocks { rounds: 12, ..PAIR },
            SimulatedClocks { step: 4_000_000, ..PAIR },
            SimulatedClocks { correlation: 0.6, ..PAIR },
            SimulatedClocks { clock_ppm: 400.0, against_ppm: -400.0, rounds: 60, ..PAIR },
        ] {
            let coverage = pair.coverage();
            println!("{} rounds, step {}, correlation {}: {coverage} %", pair.rounds, pair.step, pair.correlation);
            assert!((92.0..=98.0).contains(&coverage), "{coverage} %");
        }
    }

    #[test]
    fn a_second_clock_of_the_same_rate_does_not_drift() {
        let (clock, _) = PAIR.run(1);
        let drift = between(&clock, &clock).unwrap();
        assert!(drift.rate.get().abs() < 1e-12);
        assert!(drift.low.get() < 0.0 && drift.high.get() > 0.0, "no interval is infinitely narrow");
        assert_eq!(drift.rounds + drift.left_out, PAIR.rounds);
        assert!(drift.left_out > 0);
    }

    #[test]
    fn swapping_the_clocks_turns_the_sign() {
        let (clock, against) = PAIR.run(2);
        let (there, back) = (between(&clock, &against).unwrap(), between(&against, &clock).unwrap());
        let product = (1.0 + there.rate.get() * 1e-6) * (1.0 + back.rate.get() * 1e-6);
        assert!((product - 1.0).abs() < 1e-12, "{there:?} {back:?}");
    }

    #[test]
    fn too_little_is_no_answer() {
        let (clock, against) = PAIR.run(3);
        assert_eq!(between(&clock[..FEWEST_ROUNDS - 1], &against), None);
        assert_eq!(between(&[], &[]), None);
        let frozen = vec![clock[0]; 20];
        assert_eq!(between(&frozen, &frozen), None);
    }
}

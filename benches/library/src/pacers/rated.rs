//! The errors of a run's rate and schedule.

use super::Run;
use crate::stats::Sorted;

/// The rate's errors, and distances from the schedule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rated {
    /// Error of the mean rate, ppm.
    pub(super) mean: f64,
    /// Error of the rate by the median slope of lateness, which effects at the ends do not change, ppm.
    pub(super) slope: f64,
    /// Time behind the schedule in nanoseconds: median, 99th percentile, maximum.
    pub(super) behind: [i64; 3],
    /// Greatest time ahead of the schedule in nanoseconds; at least 0.
    pub(super) ahead: i64,
}

impl Rated {
    /// Computes the errors of a run; `None` if fewer than two batches came.
    pub(super) fn compute(rate: u64, run: &Run) -> Option<Self> {
        let per_unit = 1e9 / rate as f64;
        let due = |unit: u64| (unit as f64 * per_unit) as i64;
        let ((first, of_first), (last, _)) = (*run.batches.first()?, *run.batches.last()?);
        if last <= first {
            return None;
        }
        let (mut units, mut ahead) = (0_u64, 0);
        let mut behind = Vec::with_capacity(run.batches.len());
        for &(at, n) in &run.batches {
            // A packet is due when its last unit is due.
            behind.push(at - due(units + run.packet.min(n.max(1)) - 1));
            units += n;
            ahead = ahead.max(due(units - 1) - at);
        }
        let mean = ((units - of_first) as f64 * per_unit / (last - first) as f64 - 1.0) * 1e6;
        let slope = slope(&run.batches, &behind);
        let sorted = Sorted::new(behind);
        let behind = [sorted.quantile(0.5), sorted.quantile(0.99), sorted.quantile(1.0)];
        Some(Self { mean, slope, behind, ahead })
    }
}

/// Number of parts into which a run is divided.
const STRETCHES: usize = 100;

/// Returns the rate's error in ppm. Lateness that grows by a millionth of the time is a rate too low by 1 ppm. The
/// slope is the median of those between any two parts of the run, each at its median lateness (Sen, "Estimates of the
/// regression coefficient based on Kendall's tau", 1968). A burst at one end, or stalls in a quarter of the parts, do
/// not move it.
fn slope(batches: &[(i64, u64)], behind: &[i64]) -> f64 {
    let chunk = batches.len().div_ceil(STRETCHES);
    let points: Vec<(f64, f64)> = batches
        .chunks(chunk)
        .zip(behind.chunks(chunk))
        .map(|(at, late)| {
            ((at[0].0 + at[at.len() - 1].0) as f64 / 2.0, Sorted::new(late.to_vec()).quantile(0.5) as f64)
        })
        .collect();
    let pairs = points.iter().enumerate().flat_map(|(n, a)| points[n + 1..].iter().map(move |b| (a, b)));
    let mut slopes: Vec<f64> =
        pairs.map(|(a, b)| (b.1 - a.1) / (b.0 - a.0)).filter(|slope| slope.is_finite()).collect();
    slopes.sort_by(f64::total_cmp);
    slopes.get(slopes.len() / 2).map_or(f64::NAN, |slope| -slope * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(packet: u64, batches: impl Iterator<Item = (i64, u64)>) -> Run {
        Run { name: String::new(), batches: batches.collect(), packet, cpu: None }
    }

    #[test]
    fn an_exact_schedule_has_no_error() {
        let exact = Rated::compute(1_000, &run(1, (0..10_000).map(|n| (n * 1_000_000, 1)))).unwrap();
        assert!(exact.mean.abs() < 1e-6 && exact.slope.abs() < 1e-6);
        assert_eq!((exact.behind, exact.ahead), ([0; 3], 0));
        // A packet comes when its last unit is due.
        let packets = Rated::compute(1_000, &run(5, (0..1_000).map(|n| (n * 5_000_000 + 4_000_000, 5)))).unwrap();
        assert_eq!((packets.behind, packets.ahead), ([0; 3], 0));
    }

    #[test]
    fn a_rate_too_low_and_a_burst_too_many_show_where_they_should() {
        let slow = Rated::compute(1_000, &run(1, (0..10_000).map(|n| (n * 1_000_100, 1)))).unwrap();
        assert!((slow.mean + 100.0).abs() < 0.1 && (slow.slope + 100.0).abs() < 0.1, "{slow:?}");
        let burst = |n: i64| ((n - 100).max(0) * 1_000_000, 1);
        let burst = Rated::compute(1_000, &run(1, (0..10_100).map(burst))).unwrap();
        assert_eq!(burst.ahead, 100_000_000);
        assert!(burst.mean > 9_000.0 && burst.behind[0] == -100_000_000, "{burst:?}");
        // Two units at a time: the first of each pair is late, the last on time.
        let pairs = Rated::compute(1_000, &run(1, (0..5_000).map(|n| (n * 2_000_000 + 1_000_000, 2)))).unwrap();
        assert_eq!((pairs.behind, pairs.ahead), ([1_000_000; 3], 0));
    }

    #[test]
    fn too_little_is_no_rate() {
        assert!(Rated::compute(10, &run(1, [].into_iter())).is_none());
        assert!(Rated::compute(10, &run(1, [(5, 1)].into_iter())).is_none());
    }
}

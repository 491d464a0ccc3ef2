//! Differences between few values, by their ranks: exact for any distribution.
//!
//! Unpaired: Mann and Whitney's test and the interval of Hodges and Lehmann's estimate. Paired: Wilcoxon's signed ranks and
//! the interval of the Walsh averages (Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd edition 2014,
//! sections 4.1 to 4.3 and 3.1 to 3.3). With few values no interval of 95 % exists; then the widest one is given, with
//! its own confidence.

use super::quantile::middle_of_sorted;

/// The shift between two sets of values, with its interval and p-value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankShift {
    /// Hodges and Lehmann's estimate, in the values' unit.
    pub size: f64,
    /// Lower end of the interval, in the values' unit.
    pub low: f64,
    /// Upper end of the interval, in the values' unit.
    pub high: f64,
    /// The interval's confidence, 0 to 1.
    pub confidence: f64,
    /// Probability of a difference at least as clear by chance, two-sided.
    pub p: f64,
}

/// Largest probability that the interval misses the true shift on one side.
const MISS: f64 = 0.025;

/// Returns the least two-sided probability that sides of these sizes can give: all of one above all of the other.
pub fn least_p(a: usize, b: usize, paired: bool) -> f64 {
    let arrangements = if paired {
        libm::exp2(a.min(b) as f64)
    } else {
        // (a + b) over a.
        (1..=a).map(|at| (b + at) as f64 / at as f64).product()
    };
    (2.0 / arrangements).min(1.0)
}

/// Returns how far the values `b` lie above the values `a`, if all are independent; `None` if either set is empty.
pub fn unpaired(a: &[f64], b: &[f64]) -> Option<RankShift> {
    let differences = b.iter().flat_map(|b| a.iter().map(move |a| b - a)).collect();
    from_distribution(differences, &mann_whitney(a.len(), b.len()))
}

/// Returns how far above zero the differences of pairs lie; `None` if there are no pairs.
pub fn paired(differences: &[f64]) -> Option<RankShift> {
    let averages = (0..differences.len())
        .flat_map(|first| (first..differences.len()).map(move |second| (first, second)))
        .map(|(first, second)| f64::midpoint(differences[first], differences[second]))
        .collect();
    from_distribution(averages, &signed_ranks(differences.len()))
}

/// Returns the shift. `cumulative[k]` is the probability that at most `k` of the `values` are above zero if there is no
/// shift.
fn from_distribution(mut values: Vec<f64>, cumulative: &[f64]) -> Option<RankShift> {
    if values.is_empty() {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let most = values.len();
    // The largest number of values to leave out on either side while the chance of a miss stays within the limit.
    let out = cumulative.iter().take_while(|chance| **chance <= MISS).count().saturating_sub(1).min((most - 1) / 2);
    let above = values.iter().filter(|value| **value > 0.0).count();
    let equal = values.iter().filter(|value| **value == 0.0).count();
    // Values equal to zero count for the side that makes the difference less clear.
    let clear = above.min(most - above - equal) + equal;
    Some(RankShift {
        size: middle_of_sorted(&values)?,
        low: values[out],
        high: values[most - 1 - out],
        confidence: 1.0 - 2.0 * cumulative[out],
        p: (2.0 * cumulative[clear.min(most)]).min(1.0),
    })
}

/// Returns the cumulative distribution of Mann and Whitney's U for sets of these sizes.
fn mann_whitney(m: usize, n: usize) -> Vec<f64> {
    // Arrangements of i values of one set and j of the other with u pairs in the opposite order:
    // count(i, j, u) = count(i − 1, j, u − j) + count(i, j − 1, u).
    let width = m * n + 1;
    let mut counts = vec![vec![0.0_f64; width]; n + 1];
    for row in &mut counts {
        row[0] = 1.0;
    }
    for i in 1..=m {
        let before = counts.clone();
        for j in 1..=n {
            for u in 0..=i * j {
                let last_of_one = if u >= j { before[j][u - j] } else { 0.0 };
                counts[j][u] = last_of_one + counts[j - 1][u];
            }
        }
    }
    cumulated(&counts[n])
}

/// Returns the cumulative distribution of Wilcoxon's signed-rank statistic for `n` pairs: subsets of 1 to n by their
/// sum.
fn signed_ranks(n: usize) -> Vec<f64> {
    let mut counts = vec![0.0_f64; n * (n + 1) / 2 + 1];
    counts[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..counts.len()).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    cumulated(&counts)
}

fn cumulated(counts: &[f64]) -> Vec<f64> {
    let all: f64 = counts.iter().sum();
    let mut sum = 0.0;
    counts
        .iter()
        .map(|count| {
            sum += count / all;
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_p_is_that_of_sides_without_overlap() {
        for n in 2..9 {
            let (low, high): (Vec<f64>, Vec<f64>) = (0..n).map(|at| (f64::from(at), f64::from(100 + 3 * at))).unzip();
            let found = unpaired(&low, &high).unwrap().p;
            assert!((found - least_p(low.len(), high.len(), false)).abs() < 1e-12, "{n}: {found}");
            let apart: Vec<f64> = high.iter().zip(&low).map(|(high, low)| high - low).collect();
            let found = paired(&apart).unwrap().p;
            assert!((found - least_p(low.len(), high.len(), true)).abs() < 1e-12, "{n} pairs: {found}");
        }
    }

    /// Critical values of published tables (two-sided 5 %): Mann and Whitney 4, 4: 0; 5, 5: 2; 8, 10: 17; 10, 10: 23.
    /// Wilcoxon 6: 0; 10: 8; 20: 52. Also probabilities from the same tables.
    #[test]
    fn distributions_are_those_of_the_tables() {
        let critical = |cumulative: &[f64]| cumulative.iter().take_while(|chance| **chance <= MISS).count();
        for (m, n, limit) in [(4, 4, 0), (5, 5, 2), (8, 10, 17), (10, 10, 23)] {
            assert_eq!(critical(&mann_whitney(m, n)), limit + 1, "{m}, {n}");
        }
        for (n, limit) in [(6, 0), (10, 8), (20, 52)] {
            assert_eq!(critical(&signed_ranks(n)), limit + 1, "{n}");
        }
        assert!((mann_whitney(4, 4)[0] - 1.0 / 70.0).abs() < 1e-12);
        assert!((signed_ranks(10)[8] - 0.0244).abs() < 5e-5);
        assert!((mann_whitney(3, 7).last().unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_shift_is_found_with_its_interval() {
        let found = unpaired(&[1.0, 2.0, 3.0, 4.0], &[11.0, 12.0, 13.0, 14.0]).unwrap();
        let near = |value: f64, expected: f64| (value - expected).abs() < 1e-12;
        assert!(near(found.size, 10.0) && near(found.low, 7.0) && near(found.high, 13.0), "{found:?}");
        assert!((found.p - 2.0 / 70.0).abs() < 1e-12 && (found.confidence - (1.0 - 2.0 / 70.0)).abs() < 1e-12);
        let found = paired(&[3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
        assert!((found.size - 5.5).abs() <= 0.5 && (found.p - 2.0 / 64.0).abs() < 1e-12, "{found:?}");
        assert_eq!(unpaired(&[], &[1.0]), None);
    }

    #[test]
    fn too_few_values_have_the_widest_interval_and_its_confidence() {
        let found = unpaired(&[1.0, 2.0], &[11.0, 12.0]).unwrap();
        assert!((found.low - 9.0).abs() < 1e-12 && (found.high - 11.0).abs() < 1e-12, "{found:?}");
        assert!((found.confidence - (1.0 - 2.0 / 6.0)).abs() < 1e-12);
        let same = unpaired(&[5.0; 4], &[5.0; 4]).unwrap();
        assert!(same.size.abs() < 1e-12 && (same.p - 1.0).abs() < 1e-12, "{same:?}");
    }
}

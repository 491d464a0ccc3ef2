//! How many events late sleeps come from: one stall makes several sleeps late, and is one piece of evidence.

/// Returns the share of exceedances that are events of their own, from 0 to 1: the extremal index by the intervals estimator (Ferro
/// and Segers, "Inference for clusters of extreme values", JRSS B 65, 2003, equations 4 and 5), which needs no length that parts
/// events. `places` are the places of the exceedances in the series, in order.
pub(super) fn extremal_index(places: &[usize]) -> f64 {
    let gaps: Vec<f64> = places.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    if gaps.is_empty() {
        return 1.0;
    }
    let far = gaps.iter().any(|gap| *gap > 2.0);
    let (less, lesser) = if far { (1.0, 2.0) } else { (0.0, 0.0) };
    let sum: f64 = gaps.iter().map(|gap| gap - less).sum();
    let squares: f64 = gaps.iter().map(|gap| (gap - less) * (gap - lesser)).sum();
    if squares <= 0.0 { 1.0 } else { (2.0 * sum * sum / (gaps.len() as f64 * squares)).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn independent_exceedances_are_events_and_those_in_runs_of_five_a_fifth_of_one() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(1);
        let single: Vec<usize> = (0..200_000).filter(|_| random.random_range(0.0..1.0) < 0.01).collect();
        let runs: Vec<usize> = single.iter().flat_map(|at| 10 * at..10 * at + 5).collect();
        let (alone, together) = (extremal_index(&single), extremal_index(&runs));
        assert!(alone > 0.9, "{alone}");
        assert!((0.17..0.23).contains(&together), "{together}");
        assert_eq!((extremal_index(&[]), extremal_index(&[7])), (1.0, 1.0));
    }
}

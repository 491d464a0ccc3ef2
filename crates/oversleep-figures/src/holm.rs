//! A correction of p-values for the number of tests.

/// Returns p-values after Holm's step-down correction ("A simple sequentially rejective multiple test procedure",
/// Scandinavian Journal of Statistics 6, 1979): if `corrected ≤ α` is called an effect, the chance of even one false
/// call is at most α, however the tests depend on each other. Ours do: all compare with one baseline.
pub fn corrected(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut corrected = vec![1.0; probabilities.len()];
    let mut most = 0.0_f64;
    for (place, &at) in order.iter().enumerate() {
        let left = (probabilities.len() - place) as f64;
        most = most.max((left * probabilities[at]).min(1.0));
        corrected[at] = most;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::corrected;

    #[test]
    fn worked_example() {
        // 0.01 × 4, 0.013 × 3 (not below the one before), 0.02 × 2, 0.05 × 1.
        let got = corrected(&[0.02, 0.01, 0.05, 0.013]);
        let expected = [0.04, 0.04, 0.05, 0.04];
        assert!(got.iter().zip(expected).all(|(got, expected)| (got - expected).abs() < 1e-12), "{got:?}");
        assert_eq!(corrected(&[0.9, 0.7]), [1.0, 1.0]);
        assert!(corrected(&[]).is_empty());
    }
}

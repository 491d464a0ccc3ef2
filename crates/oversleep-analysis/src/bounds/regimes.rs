//! Parts of a recording in which sleeps were late in another way than before.

/// Blocks into which a series is cut; a part has at least a tenth of them.
const BLOCKS: usize = 60;
const FEWEST_BLOCKS: usize = 6;
/// Fewest samples of a block: with fewer its share of late sleeps is mostly chance.
const FEWEST_IN_BLOCK: usize = 20;
/// Probability with which a change may be seen where there is none, for each of the questions asked at each place.
const FALSE_CHANGE: f64 = 0.001;
/// Shares of sleeps whose crossing is watched: the middle, and what is rarely exceeded.
const LEVELS: [f64; 3] = [0.5, 0.9, 0.99];

/// Returns where parts of the series begin, each with its end: one part if it did not change.
pub(super) fn parts(series: &[i64]) -> Vec<(usize, usize)> {
    let block = series.len().div_ceil(BLOCKS).max(FEWEST_IN_BLOCK);
    let blocks = series.len() / block;
    if blocks < 2 * FEWEST_BLOCKS {
        return vec![(0, series.len())];
    }
    let mut cuts = Vec::new();
    cut(series, block, (0, blocks), &mut cuts);
    cuts.sort_unstable();
    let starts = std::iter::once(0).chain(cuts.iter().map(|at| at * block));
    let ends = cuts.iter().map(|at| at * block).chain([series.len()]);
    starts.zip(ends).collect()
}

/// Adds the places, in blocks, at which the blocks of a range change most, and those within its halves.
fn cut(series: &[i64], block: usize, (from, to): (usize, usize), cuts: &mut Vec<usize>) {
    if to - from < 2 * FEWEST_BLOCKS {
        return;
    }
    let within = &series[from * block..to * block];
    let mut sorted = within.to_vec();
    sorted.sort_unstable();
    let strongest = LEVELS
        .iter()
        .map(|level| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place in the series
            let limit = sorted[(level * (sorted.len() - 1) as f64) as usize];
            let shares: Vec<f64> = within
                .chunks(block)
                .map(|part| part.iter().filter(|late| **late > limit).count() as f64 / part.len() as f64)
                .collect();
            change(&shares)
        })
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((probability, at)) = strongest else { return };
    if probability * (LEVELS.len() as f64) < FALSE_CHANGE {
        cuts.push(from + at);
        cut(series, block, (from, from + at), cuts);
        cut(series, block, (from + at, to), cuts);
    }
}

/// Returns how probable a change as large as the largest in a series is by chance, and where that is: the CUSUM test, whose
/// largest deviation is that of a Brownian bridge (Kolmogorov's distribution).
fn change(values: &[f64]) -> (f64, usize) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let (mut sum, mut most, mut at) = (0.0_f64, 0.0, FEWEST_BLOCKS);
    for (place, value) in values.iter().enumerate() {
        sum += value - mean;
        let next = place + 1;
        if sum.abs() > most && next >= FEWEST_BLOCKS && values.len() - next >= FEWEST_BLOCKS {
            (most, at) = (sum.abs(), next);
        }
    }
    // Deviations from either side's own mean: a change must not hide itself.
    let around = |part: &[f64]| {
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        part.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let variance = (around(&values[..at]) + around(&values[at..])) / (n - 2.0);
    if variance <= 0.0 {
        return (if most > 1e-9 { 0.0 } else { 1.0 }, at);
    }
    (kolmogorov(most / (variance * n).sqrt()), at)
}

/// Returns P(sup |bridge| > x).
fn kolmogorov(x: f64) -> f64 {
    if x < 0.3 {
        return 1.0;
    }
    let term = |j: i32| (if j % 2 == 1 { 2.0 } else { -2.0 }) * (-2.0 * f64::from(j * j) * x * x).exp();
    (1..=20).map(term).sum::<f64>().clamp(0.0, 1.0)
}

//! Robust statistics: centres, spreads and lines that a few outliers do not move.

use oversleep_figures::quantile::upper_median_of_floats;

/// Returns the upper median of unsorted values; `None` if there are none.
pub fn median(values: &[f64]) -> Option<f64> {
    upper_median_of_floats(values.to_vec())
}

/// Returns the median absolute deviation from `centre`, scaled to a normal distribution's standard deviation.
pub fn spread(values: &[f64], centre: f64) -> f64 {
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    1.4826 * median(&distances).unwrap_or(0.0)
}

/// Returns the standard error of the centre of values, computed from their [`spread`].
pub fn standard_error(values: &[f64], centre: f64) -> f64 {
    spread(values, centre) / (values.len() as f64).sqrt()
}

/// Returns the half-sample mode: where the sorted values are densest (Bickel and Frühwirth, 2006).
pub fn mode(sorted: &[f64]) -> Option<f64> {
    let mut rest = sorted;
    while rest.len() > 3 {
        let half = rest.len().div_ceil(2);
        let width = |at: usize| rest[at + half - 1] - rest[at];
        let best = (0..=rest.len() - half).min_by(|&a, &b| width(a).total_cmp(&width(b)))?;
        rest = &rest[best..best + half];
    }
    match *rest {
        [] => None,
        [one] => Some(one),
        [a, b] => Some(f64::midpoint(a, b)),
        [a, b, c, ..] => Some(if b - a <= c - b { f64::midpoint(a, b) } else { f64::midpoint(b, c) }),
    }
}

/// A straight line through points, outliers trimmed, with the standard error of its slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// y at x = 0.
    pub intercept: f64,
    /// Change of y per unit of x.
    pub slope: f64,
    /// Standard error of `slope`.
    pub error: f64,
    /// Spread of the kept residuals (1 σ).
    pub residual: f64,
    /// Points kept.
    pub kept: usize,
}

/// Fits a line by least squares, five times in all: after the first, without points further than 4 σ (from the median
/// absolute deviation) from the line before.
///
/// `None` with fewer than four points or no extent in x.
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    let mut kept: Vec<(f64, f64)> = points.to_vec();
    let mut fit = least_squares(&kept)?;
    for _ in 0..4 {
        let residuals: Vec<f64> = points.iter().map(|&(x, y)| y - fit.intercept - fit.slope * x).collect();
        let centre = median(&residuals)?;
        let limit = 4.0 * spread(&residuals, centre) + 1.0;
        kept.clear();
        kept.extend(points.iter().zip(&residuals).filter(|(_, r)| (*r - centre).abs() <= limit).map(|(&p, _)| p));
        fit = least_squares(&kept)?;
    }
    Some(fit)
}

fn least_squares(points: &[(f64, f64)]) -> Option<Line> {
    if points.len() < 4 {
        return None;
    }
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(sx, sy), &(x, y)| (sx + x / n, sy + y / n));
    let (sxx, sxy) =
        points.iter().fold((0.0, 0.0), |(a, b), &(x, y)| (a + (x - mx) * (x - mx), b + (x - mx) * (y - my)));
    if sxx <= 0.0 {
        return None;
    }
    let slope = sxy / sxx;
    let intercept = my - slope * mx;
    let squares: f64 = points.iter().map(|&(x, y)| (y - intercept - slope * x).powi(2)).sum();
    let residual = (squares / (n - 2.0)).sqrt();
    Some(Line { intercept, slope, error: residual / sxx.sqrt(), residual, kept: points.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_where_values_crowd() {
        let values = [1.0, 10.0, 10.1, 10.2, 10.25, 30.0, 45.0, 80.0];
        let found = mode(&values).unwrap();
        assert!((10.0..10.3).contains(&found), "{found}");
        assert_eq!(mode(&[]), None);
    }

    #[test]
    fn outliers_do_not_bend_the_line() {
        let mut points: Vec<(f64, f64)> =
            (0..50).map(|i| (f64::from(i), 3.0 * f64::from(i) + f64::from(i % 3))).collect();
        points[7].1 += 1e6;
        let fit = line(&points).unwrap();
        assert!((fit.slope - 3.0).abs() < 0.01, "{fit:?}");
        assert_eq!(fit.kept, 49);
    }
}

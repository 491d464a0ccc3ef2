//! Wake-ups against the clock as a curve whose slope changes in mid-run: a clock that was steered, a tick that locked.

use super::robust::{line, median, standard_error};

/// A stretch of constant slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// The start, in the points' unit of time.
    pub from: f64,
    /// The end, in the same unit.
    pub to: f64,
    /// Uncertainty of the end; 0 for the last piece.
    pub to_error: f64,
    /// Change of value per unit of time.
    pub slope: f64,
    /// Standard error of `slope`.
    pub error: f64,
}

/// Most parts that the points are divided into, and fewest points in each.
const PARTS: usize = 120;
const OF_A_PART: usize = 4;
/// Fewest parts, and fewest parts in a piece.
const FEWEST: usize = 12;
const OF_A_PIECE: usize = 4;
/// Most changes of slope that are fitted.
const MOST: usize = 4;
/// Least distance, in ns, by which a change of slope must bend the curve: the cost of waking wanders by less.
const BENT: f64 = 40_000.0;
/// Largest part of the sum of squares that a further change of slope may leave.
const LEFT: f64 = 0.4;

/// The medians of a part's times and values, and the standard error of the latter.
struct BlockMedian {
    at: f64,
    value: f64,
    error: f64,
}

/// Returns the pieces of constant slope of points (time, ns), in order of time: one where the slope does not change,
/// none of too few points.
pub fn of(points: &[(f64, f64)]) -> Vec<Piece> {
    let parts = parts(points);
    if parts.len() < FEWEST {
        return Vec::new();
    }
    let mut knots: Vec<f64> = Vec::new();
    let (mut squares, mut fitted) = spline(&parts, &knots);
    while knots.len() < MOST {
        let Some((knot, less, values)) = next(&parts, &knots) else { break };
        let bent = fitted.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if less > LEFT * squares || bent < BENT {
            break;
        }
        knots.push(knot);
        knots.sort_by(f64::total_cmp);
        (squares, fitted) = (less, values);
    }
    cut(points, &parts, &knots)
}

/// Divides the points into parts of equal number and returns their medians.
fn parts(points: &[(f64, f64)]) -> Vec<BlockMedian> {
    let size = points.len().div_ceil(PARTS).max(OF_A_PART);
    let part = |points: &[(f64, f64)]| {
        let values: Vec<f64> = points.iter().map(|point| point.1).collect();
        let times: Vec<f64> = points.iter().map(|point| point.0).collect();
        let value = median(&values)?;
        let error = 1.25 * standard_error(&values, value);
        Some(BlockMedian { at: median(&times)?, value, error: error.max(500.0) })
    };
    points.chunks(size).filter(|chunk| chunk.len() >= OF_A_PART).filter_map(part).collect()
}

/// Returns the best further knot, the sum of squares that it leaves, and the fitted values.
fn next(parts: &[BlockMedian], knots: &[f64]) -> Option<(f64, f64, Vec<f64>)> {
    let inner = parts.get(OF_A_PIECE..parts.len().checked_sub(OF_A_PIECE)?)?;
    let far = |at: f64| {
        knots.iter().all(|knot| {
            let (low, high) = (at.min(*knot), at.max(*knot));
            parts.iter().filter(|part| part.at > low && part.at < high).count() >= OF_A_PIECE
        })
    };
    let tried = inner.iter().map(|part| part.at).filter(|at| far(*at)).map(|at| {
        let with: Vec<f64> = knots.iter().copied().chain([at]).collect();
        let (squares, values) = spline(parts, &with);
        (at, squares, values)
    });
    tried.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Fits the best continuous curve with these knots. Returns the weighted sum of squares that it leaves, and its values.
fn spline(parts: &[BlockMedian], knots: &[f64]) -> (f64, Vec<f64>) {
    let (first, last) = (parts[0].at, parts[parts.len() - 1].at);
    let unit = (last - first).max(f64::MIN_POSITIVE);
    let row = |at: f64| -> Vec<f64> {
        let hinges = knots.iter().map(|knot| (at - knot).max(0.0) / unit);
        [1.0, (at - first) / unit].into_iter().chain(hinges).collect()
    };
    let n = knots.len() + 2;
    let mut normal = vec![vec![0.0; n + 1]; n];
    for part in parts {
        let (row, weight) = (row(part.at), 1.0 / part.error.powi(2));
        for i in 0..n {
            for j in 0..n {
                normal[i][j] += weight * row[i] * row[j];
            }
            normal[i][n] += weight * row[i] * part.value;
        }
    }
    let solved = solve(normal);
    let values: Vec<f64> =
        parts.iter().map(|part| row(part.at).iter().zip(&solved).map(|(a, b)| a * b).sum::<f64>()).collect();
    let squares = parts.iter().zip(&values).map(|(part, value)| ((part.value - value) / part.error).powi(2)).sum();
    (squares, values)
}

/// Solves linear equations (the last column is the right-hand side) by elimination; returns zeros for singular ones.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(pivot) = pivot.filter(|&pivot| rows[pivot][column].abs() > 1e-30) else { return vec![0.0; n] };
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).skip(column).for_each(|(value, of_pivot)| *value -= factor * of_pivot);
        }
    }
    (0..n).map(|at| rows[at][n] / rows[at][at]).collect()
}

/// Returns the pieces between the knots, each with a line fitted to its own points.
fn cut(points: &[(f64, f64)], parts: &[BlockMedian], knots: &[f64]) -> Vec<Piece> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let step = parts.windows(2).map(|pair| pair[1].at - pair[0].at).fold(0.0, f64::max);
    let edges: Vec<f64> = [first.0].into_iter().chain(knots.iter().copied()).chain([last.0]).collect();
    let piece = |at: usize| {
        let (from, to) = (edges[at], edges[at + 1]);
        let (leave, until) = (if at > 0 { step } else { 0.0 }, if at + 2 < edges.len() { step } else { 0.0 });
        let own: Vec<(f64, f64)> =
            points.iter().filter(|point| point.0 >= from + leave && point.0 <= to - until).copied().collect();
        let fit = line(&own)?;
        Some(Piece { from, to, to_error: until, slope: fit.slope, error: fit.error })
    };
    (0..edges.len() - 1).filter_map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Returns a curve over 600 s: `slope` (ns/s) until 300 s, then `after`, with up to 3 µs of scatter either way.
    fn course(slope: f64, after: f64) -> Vec<(f64, f64)> {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        let value = |at: f64| slope * at.min(300.0) + after * (at - 300.0).max(0.0);
        (0..600).map(f64::from).map(|at| (at, value(at) + random.random_range(-3e3..3e3))).collect()
    }

    #[test]
    fn a_change_of_slope_is_told_with_its_time() {
        let pieces = of(&course(1_000.0, -9_000.0));
        assert_eq!(pieces.len(), 2, "{pieces:?}");
        assert!((pieces[0].to - 300.0).abs() <= pieces[0].to_error && pieces[0].to_error < 20.0, "{pieces:?}");
        assert!((pieces[0].slope - 1_000.0).abs() < 50.0 && (pieces[1].slope + 9_000.0).abs() < 50.0, "{pieces:?}");
    }

    #[test]
    fn a_straight_course_is_one_piece_and_a_small_bend_none() {
        assert_eq!(of(&course(1_000.0, 1_000.0)).len(), 1);
        assert_eq!(of(&course(1_000.0, 1_050.0)).len(), 1);
        assert!(of(&course(1_000.0, 1_000.0)[..20]).is_empty());
    }
}

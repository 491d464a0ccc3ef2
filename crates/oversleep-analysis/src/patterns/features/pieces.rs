//! Wake-ups against the clock as a curve whose slope changes in mid-run: a clock that was steered, a tick that locked.

use super::robust::{line, median, spread, standard_error};

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

/// Furthest that parts may lie from the fitted curve, in ns and in standard errors beside that, over this many in a row.
const ASTRAY: f64 = 100_000.0;
const ASTRAY_ERRORS: f64 = 6.0;
const IN_A_ROW: usize = 3;
/// Farthest that the slopes of pieces may lie from their mean, in standard errors, to be one slope.
const SAME_ERRORS: f64 = 3.0;
/// Each how many parts a pair of changes is tried at first, before both are moved to where they fit best.
const COARSE: usize = 3;

/// The middle of a part's times, its usual value there, and the standard error of the latter.
struct BlockMedian {
    at: f64,
    value: f64,
    error: f64,
}

/// A continuous curve of straight stretches: where its slope changes, the weighted sum of squares that it leaves, and its
/// values at the parts.
struct Curve {
    knots: Vec<f64>,
    squares: f64,
    values: Vec<f64>,
}

/// Returns the pieces of constant slope of points (time, ns), in order of time: one where the slope does not change,
/// none of too few points. Where no such pieces fit, there is more than one and none has a finite error.
pub fn fit(points: &[(f64, f64)]) -> Vec<Piece> {
    let parts = parts(points);
    if parts.len() < FEWEST {
        return Vec::new();
    }
    let mut best = curve(&parts, Vec::new());
    while best.knots.len() < MOST {
        // A single change may leave most of what two changes explain together.
        let better = |further: &Curve| {
            // The part in which the slope changes lies beside any curve.
            let apart: Vec<f64> = best.values.iter().zip(&further.values).map(|(a, b)| (a - b).abs()).collect();
            let row = |row: &[f64]| row.iter().copied().fold(f64::INFINITY, f64::min);
            let apart = apart.windows(IN_A_ROW).map(row).fold(0.0, f64::max);
            further.squares <= LEFT * best.squares && apart >= BENT
        };
        let one = one_more(&parts, &best.knots).filter(better);
        let Some(further) = one.or_else(|| two_more(&parts, &best.knots).filter(better)) else { break };
        best = further;
    }
    let mut pieces = joined(cut(points, &parts, &best));
    if strays(&parts, &best) {
        if let [only] = pieces[..] {
            pieces.push(only);
        }
        for piece in &mut pieces {
            piece.error = f64::INFINITY;
        }
    }
    pieces
}

/// Joins pieces whose slopes are one: the curve made a step between them, of a jump that was miscounted or a clock that was
/// set, and its slope did not change.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let known: Vec<&Piece> = pieces.iter().filter(|piece| piece.error.is_finite()).collect();
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return pieces };
    let weights: f64 = known.iter().map(|piece| piece.error.powi(-2)).sum();
    let slope = known.iter().map(|piece| piece.slope * piece.error.powi(-2)).sum::<f64>() / weights;
    let agree = known.iter().all(|piece| (piece.slope - slope).abs() <= SAME_ERRORS * piece.error);
    if known.len() < 2 || !agree {
        return pieces;
    }
    vec![Piece { from: first.from, to: last.to, to_error: 0.0, slope, error: weights.powf(-0.5) }]
}

/// Returns whether several parts in a row lie far to one side of the curve: its slope changes elsewhere too, or a jump was
/// not counted.
fn strays(parts: &[BlockMedian], curve: &Curve) -> bool {
    let off = |(part, value): (&BlockMedian, &f64)| {
        let by = part.value - value;
        by.signum() * (by.abs() - ASTRAY_ERRORS * part.error).max(0.0)
    };
    let off: Vec<f64> = parts.iter().zip(&curve.values).map(off).collect();
    off.windows(IN_A_ROW).any(|row| row.iter().all(|by| *by > ASTRAY) || row.iter().all(|by| *by < -ASTRAY))
}

/// Divides the points into parts of equal number and returns their middles. What a part's own slope spreads is no error.
fn parts(points: &[(f64, f64)]) -> Vec<BlockMedian> {
    let size = points.len().div_ceil(PARTS).max(OF_A_PART);
    let part = |points: &[(f64, f64)]| {
        let at = points.iter().map(|point| point.0).sum::<f64>() / points.len() as f64;
        let slopes: Vec<f64> =
            points.windows(2).map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0)).collect();
        let slope = median(&slopes).filter(|slope| slope.is_finite()).unwrap_or(0.0);
        let values: Vec<f64> = points.iter().map(|point| point.1 - slope * (point.0 - at)).collect();
        let value = median(&values)?;
        let error = 1.25 * standard_error(&values, value);
        Some(BlockMedian { at, value, error: error.max(500.0) })
    };
    let mut parts: Vec<BlockMedian> =
        points.chunks(size).filter(|chunk| chunk.len() >= OF_A_PART).filter_map(part).collect();
    // A few points may agree by chance: how parts scatter beside their neighbours is the least error of each.
    let beside: Vec<f64> =
        parts.windows(3).map(|three| three[1].value - f64::midpoint(three[0].value, three[2].value)).collect();
    let least = spread(&beside, 0.0) / 1.5f64.sqrt();
    for part in &mut parts {
        part.error = part.error.max(least);
    }
    parts
}

/// Returns the places where a further change of slope may be tried: far enough from the ends and from other changes.
fn places(parts: &[BlockMedian], knots: &[f64]) -> Vec<f64> {
    let inner = parts.len().checked_sub(OF_A_PIECE).and_then(|end| parts.get(OF_A_PIECE..end)).unwrap_or_default();
    let far = |at: f64| {
        knots.iter().all(|knot| {
            let (low, high) = (at.min(*knot), at.max(*knot));
            parts.iter().filter(|part| part.at > low && part.at < high).count() >= OF_A_PIECE
        })
    };
    inner.iter().map(|part| part.at).filter(|at| far(*at)).collect()
}

/// Returns the best curve with one more knot.
fn one_more(parts: &[BlockMedian], knots: &[f64]) -> Option<Curve> {
    Some(settled(parts, with_one(parts, knots, 1)?))
}

fn with_one(parts: &[BlockMedian], knots: &[f64], each: usize) -> Option<Curve> {
    let tried = places(parts, knots).into_iter().step_by(each).map(|at| {
        let mut with: Vec<f64> = knots.iter().copied().chain([at]).collect();
        with.sort_by(f64::total_cmp);
        curve(parts, with)
    });
    tried.min_by(|a, b| a.squares.total_cmp(&b.squares))
}

/// Returns the best curve with two more knots.
fn two_more(parts: &[BlockMedian], knots: &[f64]) -> Option<Curve> {
    if knots.len() + 2 > MOST {
        return None;
    }
    let first = places(parts, knots).into_iter().step_by(COARSE);
    let pairs = first.filter_map(|at| {
        let with: Vec<f64> = knots.iter().copied().chain([at]).collect();
        with_one(parts, &with, COARSE)
    });
    Some(settled(parts, pairs.min_by(|a, b| a.squares.total_cmp(&b.squares))?))
}

/// Moves each knot in turn to where the curve fits best: the first ones were found without the later ones.
fn settled(parts: &[BlockMedian], mut best: Curve) -> Curve {
    for _ in 0..4 {
        let before = best.squares;
        for at in 0..best.knots.len() {
            let others: Vec<f64> =
                best.knots.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, knot)| *knot).collect();
            if let Some(moved) = with_one(parts, &others, 1).filter(|moved| moved.squares < best.squares) {
                best = moved;
            }
        }
        if best.squares >= before {
            break;
        }
    }
    // Slopes change within parts.
    let step = parts.windows(2).map(|pair| pair[1].at - pair[0].at).fold(0.0, f64::max);
    for share in [0.5, 0.25, 0.5, 0.25, 0.125] {
        for at in 0..best.knots.len() {
            for by in [-share * step, share * step] {
                let mut knots = best.knots.clone();
                knots[at] += by;
                let moved = curve(parts, knots);
                if moved.squares < best.squares {
                    best = moved;
                }
            }
        }
    }
    best
}

fn curve(parts: &[BlockMedian], knots: Vec<f64>) -> Curve {
    let (squares, values) = spline(parts, &knots);
    Curve { knots, squares, values }
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

/// Returns the pieces between the knots, each with a line fitted to its own points. A piece too short for that has no finite
/// error.
fn cut(points: &[(f64, f64)], parts: &[BlockMedian], curve: &Curve) -> Vec<Piece> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let step = parts.windows(2).map(|pair| pair[1].at - pair[0].at).fold(0.0, f64::max);
    let edges: Vec<f64> = [first.0].into_iter().chain(curve.knots.iter().copied()).chain([last.0]).collect();
    let slopes: Vec<f64> = edges.windows(2).map(|edge| slope_between(parts, curve, edge[0], edge[1])).collect();
    // The less the slope changes beside the scatter, the less is known of where it does.
    let scatter = (curve.squares / parts.len() as f64).sqrt()
        * median(&parts.iter().map(|part| part.error).collect::<Vec<_>>()).unwrap_or(0.0);
    let unsure = |at: usize| step + 3.0 * scatter / (slopes[at + 1] - slopes[at]).abs().max(f64::MIN_POSITIVE);
    let piece = |at: usize| {
        let (from, to) = (edges[at], edges[at + 1]);
        let leave = if at > 0 { unsure(at - 1) } else { 0.0 };
        let until = if at + 2 < edges.len() { unsure(at) } else { 0.0 };
        let within = |time: f64| time >= from + leave && time <= to - until;
        let own: Vec<(f64, f64)> = points.iter().filter(|point| within(point.0)).copied().collect();
        let blocks: Vec<(f64, f64)> =
            parts.iter().filter(|part| within(part.at)).map(|part| (part.at, part.value)).collect();
        // Neighbouring points err alike; the parts' scatter shows by how much.
        let (slope, error) = line(&own).map_or((slopes[at], f64::INFINITY), |fit| {
            (fit.slope, line(&blocks).map_or(f64::INFINITY, |coarse| coarse.error.max(fit.error)))
        });
        Piece { from, to, to_error: until, slope, error }
    };
    (0..edges.len() - 1).map(piece).collect()
}

/// Returns the slope of the fitted curve between two times, on one stretch of it.
fn slope_between(parts: &[BlockMedian], curve: &Curve, from: f64, to: f64) -> f64 {
    let mut own = parts.iter().zip(&curve.values).filter(|(part, _)| part.at >= from && part.at <= to);
    let (Some(first), Some(last)) = (own.next(), own.next_back()) else { return 0.0 };
    (last.1 - first.1) / (last.0.at - first.0.at)
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
        let pieces = fit(&course(1_000.0, -9_000.0));
        assert_eq!(pieces.len(), 2, "{pieces:?}");
        assert!((pieces[0].to - 300.0).abs() <= pieces[0].to_error && pieces[0].to_error < 20.0, "{pieces:?}");
        assert!((pieces[0].slope - 1_000.0).abs() < 50.0 && (pieces[1].slope + 9_000.0).abs() < 50.0, "{pieces:?}");
    }

    /// Checks courses of three slopes of which no single change explains most, and one whose change comes too late to be a
    /// piece of its own: nothing finite is said of that.
    #[test]
    fn two_changes_are_told_where_one_explains_little() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
        let mut course = |slopes: [f64; 3], times: [f64; 2]| -> Vec<(f64, f64)> {
            let value = |at: f64| {
                slopes[0] * at.min(times[0])
                    + slopes[1] * (at.min(times[1]) - times[0]).max(0.0)
                    + slopes[2] * (at - times[1]).max(0.0)
            };
            (0..600).map(f64::from).map(|at| (at, value(at) + random.random_range(-3e3..3e3))).collect()
        };
        for slopes in [[10e3, 0.0, 40e3], [0.0, -10e3, 30e3], [5e3, -5e3, 5e3], [-60e3, 40e3, -20e3]] {
            let pieces = fit(&course(slopes, [200.0, 400.0]));
            assert_eq!(pieces.len(), 3, "{slopes:?}: {pieces:?}");
            for (piece, slope) in pieces.iter().zip(slopes) {
                assert!((piece.slope - slope).abs() < 4.0 * piece.error + 50.0, "{slopes:?}: {pieces:?}");
                assert!(piece.error < 100.0, "{slopes:?}: {pieces:?}");
            }
        }
        let late = fit(&course([0.0, 0.0, 90e3], [300.0, 583.0]));
        assert!(late.len() > 1, "{late:?}");
        assert!(late.iter().all(|piece| piece.error > 100.0 || piece.slope.abs() < 300.0), "{late:?}");
    }

    #[test]
    fn a_step_between_equal_slopes_is_no_change_of_slope() {
        let stepped: Vec<(f64, f64)> = course(1_000.0, 1_000.0)
            .iter()
            .map(|&(at, late)| (at, late + if at < 205.5 { 0.0 } else { 3e6 }))
            .collect();
        let pieces = fit(&stepped);
        assert_eq!(pieces.len(), 1, "{pieces:?}");
        assert!((pieces[0].slope - 1_000.0).abs() < 50.0 && pieces[0].error < 50.0, "{pieces:?}");
    }

    #[test]
    fn a_straight_course_is_one_piece_and_a_small_bend_none() {
        assert_eq!(fit(&course(1_000.0, 1_000.0)).len(), 1);
        assert_eq!(fit(&course(1_000.0, 1_050.0)).len(), 1);
        assert!(fit(&course(1_000.0, 1_000.0)[..20]).is_empty());
    }
}

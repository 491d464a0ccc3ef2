//! Delays that come from within a runtime: work of its own, and code that runs for the first time.

use super::fit::{Fit, Native};
use super::outliers::{Struck, threshold};
use super::points::{Point, RequestSeries, mean, median};
use oversleep_recording::document::runtimes::Mechanism;

/// Number of sleeps whose median is one step of a decay.
const STEP: usize = 5;
/// Least share of the sleeps that must follow the decay, for each of its own.
const AFTER: usize = 3;
/// Fewest sleeps among which the first is the latest of all in one case of as many only, if it is like the others.
const MANY: usize = 100;

/// Largest probability of the evidence for a delay, if load changes nothing: of blocks, which a machine that changes with
/// time may delay alike, and of single sleeps.
const BY_CHANCE: f64 = 0.02;
/// Least number of standard deviations by which the ranks of sleeps with load exceed those of sleeps without.
const DEVIATIONS: f64 = 4.0;

/// What load inside a runtime does to its sleeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Busy<'a> {
    pub(super) delay: Struck,
    /// The rules that the sleeps with load keep.
    pub(super) rules: &'a Fit,
    /// How late the sleeps without load are beyond their rules, in ns.
    pub(super) anyway: f64,
}

/// Returns the usual delay by load inside a runtime; `None` if its sleeps differ from those without load by no more than
/// these differ among themselves, or are hardly delayed.
///
/// The difference of blocks in turns is the evidence: the delays' pattern is none. A lock that is passed on every 5 ms
/// delays every sleep by as much, as a constant would. Nor is their distribution: latenesses of which few are very long are
/// compared by their ranks. `rules` are those of the sleeps without load. A loop that is busy never waits, so it may keep
/// none (`without_rules`).
pub(super) fn busy<'a>(
    loaded: &[RequestSeries],
    without: &[RequestSeries],
    [rules, without_rules]: [&'a Fit; 2],
    native: &Native,
) -> Option<Busy<'a>> {
    let worth = native.worth();
    // The load delays all requests alike.
    let unlike = |fit: &Fit| {
        let delays: Vec<f64> = loaded.iter().map(|of| median(rests(of.points.iter(), fit, native))).collect();
        let middle = median(delays.clone());
        mean(delays.into_iter().map(|delay| (delay - middle).abs()))
    };
    let kept = if unlike(rules) <= unlike(without_rules) + worth { rules } else { without_rules };
    let pairs: Vec<[Vec<f64>; 2]> = loaded
        .iter()
        .filter_map(|of| Some((of, without.iter().find(|other| other.requested == of.requested)?)))
        .flat_map(|(of, other)| pairs(&blocks(of, kept, native), &blocks(other, rules, native)))
        .collect();
    if !is_later(&pairs) {
        return None;
    }
    let size = median(pairs.iter().map(|[with, without]| median(with.clone()) - median(without.clone())).collect());
    let anyway = median(rests(without.iter().flat_map(|of| &of.points), rules, native));
    let all = rests(loaded.iter().flat_map(|of| &of.points), kept, native);
    let delayed = all.iter().filter(|&&rest| rest - anyway > worth).count() as u64;
    (size > worth).then_some(Busy { delay: (Mechanism::BusyInside, size, delayed), rules: kept, anyway })
}

/// A block: when it began, and how much later than predicted its sleeps ended.
type Block = (f64, Vec<f64>);

fn blocks(of: &RequestSeries, fit: &Fit, native: &Native) -> Vec<Block> {
    let blocks = of.points.chunk_by(|a, b| a.turn == b.turn);
    blocks.map(|block| (block[0].start, rests(block.iter(), fit, native))).collect()
}

/// Pairs each block with load with the one without load that is nearest in time.
fn pairs(loaded: &[Block], without: &[Block]) -> Vec<[Vec<f64>; 2]> {
    let nearest = |at: f64| without.iter().min_by(|(a, _), (b, _)| (a - at).abs().total_cmp(&(b - at).abs()));
    loaded.iter().filter_map(|(at, rests)| Some([rests.clone(), nearest(*at)?.1.clone()])).collect()
}

/// Returns whether the first of each pair is later: more of the pairs by their medians than chance would have it, and the
/// sleeps by their ranks within the pairs (van Elteren's test with equal weights, which sums Wilcoxon's statistics).
fn is_later(pairs: &[[Vec<f64>; 2]]) -> bool {
    let later = pairs.iter().filter(|[with, without]| median(with.clone()) > median(without.clone())).count();
    let (mut above, mut variance) = (0.0, 0.0);
    for [with, without] in pairs {
        let (n, m) = (with.len() as f64, without.len() as f64);
        let wins = |late: &f64| without.iter().map(|other| f64::from(late.total_cmp(other) as i8) / 2.0).sum::<f64>();
        above += with.iter().map(wins).sum::<f64>();
        variance += n * m * (n + m + 1.0) / 12.0;
    }
    at_least_by_chance(pairs.len(), later) <= BY_CHANCE && above > DEVIATIONS * variance.sqrt()
}

/// Returns the probability that of `n` fair coins at least `heads` show their heads.
fn at_least_by_chance(n: usize, heads: usize) -> f64 {
    let mut ways = 0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX));
    let mut below = 0.0;
    for at in 0..heads {
        below += ways;
        ways *= (n - at) as f64 / (at + 1) as f64;
    }
    1.0 - below
}

/// Returns the delay of a program's first sleeps: either of the very first, if it is the latest of all, or of some, if it
/// decays from step to step, nothing like it follows, and no other block begins with one. Code is loaded and compiled when
/// it runs for the first time or often, and nothing here tells one from the other: Java without its compiler (`-Xint`)
/// begins as late.
pub(super) fn first_use(series: &[RequestSeries], fit: &Fit, native: &Native) -> Option<Struck> {
    let threshold = threshold(native);
    let mut points: Vec<&Point> = series.iter().flat_map(|of| &of.points).collect();
    points.sort_by(|a, b| a.start.total_cmp(&b.start));
    let rests = rests(points.iter().copied(), fit, native);
    let (&earliest, later) = rests.split_first()?;
    let is_latest = earliest > threshold && later.iter().all(|&rest| rest < earliest);
    let alone = (is_latest && later.len() >= MANY).then_some((Mechanism::FirstUse, earliest, 1));
    let steps: Vec<f64> = rests.chunks_exact(STEP).map(|step| median(step.to_vec())).collect();
    let decay = steps.iter().take_while(|&&step| step > threshold).count();
    let Some(&last) = steps[..decay].last() else { return alone };
    let first = steps[0];
    let falls = steps[..decay].windows(2).all(|pair| pair[1] < pair[0]) && (decay == 1 || 2.0 * last < first);
    let quiet_after = steps[decay..].iter().filter(|&&step| step > threshold).count() * 10 <= steps.len() - decay;
    let enough = steps.len() >= (1 + AFTER) * decay;
    let begun = points[0].turn;
    let blocks = || series.iter().flat_map(|of| of.points.chunk_by(|a, b| a.turn == b.turn));
    let again = |block: &[Point]| {
        let head = &block[..block.len().min(STEP)];
        head[0].turn > begun && median(self::rests(head.iter(), fit, native)) > threshold
    };
    let once = blocks().filter(|block| again(block)).count() * 10 <= blocks().count();
    let is_it = falls && quiet_after && enough && once;
    is_it.then_some((Mechanism::FirstUse, first, (decay * STEP) as u64)).or(alone)
}

/// Returns how much later than predicted these sleeps ended, in ns.
fn rests<'a>(points: impl Iterator<Item = &'a Point>, fit: &Fit, native: &Native) -> Vec<f64> {
    points.map(|point| point.end - fit.predict(point, native)).collect()
}

#[cfg(test)]
mod tests;

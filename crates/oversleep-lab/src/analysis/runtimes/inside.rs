//! Delays that come from within a runtime: work of its own, and code that runs for the first time.

use super::fit::{Fit, Native};
use super::outliers::{Struck, threshold};
use super::points::{Point, Series, mean, median};
use super::share::share;
use oversleep_recording::document::runtimes::Mechanism;

/// Number of sleeps whose median is one step of a decay.
const STEP: usize = 5;
/// Least share of the sleeps that must follow the decay, for each of its own.
const AFTER: usize = 3;
/// Fewest sleeps among which the first is the latest of all in one case of as many only, if it is like the others.
const MANY: usize = 100;

/// What load inside a runtime does to its sleeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Busy<'a> {
    pub(super) delay: Struck,
    /// The rules that the sleeps with load keep.
    pub(super) rules: &'a Fit,
}

/// Returns the usual delay by load inside a runtime; `None` if its sleeps differ from those without load by no more than
/// these differ among themselves, or are hardly delayed.
///
/// The difference of blocks in turns is the evidence: the delays' pattern is none. A lock that is passed on every 5 ms
/// delays every sleep by as much, as a constant would. `rules` are those of the sleeps without load. A loop that is busy
/// never waits, so it may keep none (`without_rules`).
pub(super) fn busy<'a>(
    loaded: &[Series],
    without: &[Series],
    [rules, without_rules]: [&'a Fit; 2],
    native: &Native,
) -> Option<Busy<'a>> {
    let worth = native.worth();
    let differs = |of: &Series| {
        let same = without.iter().find(|other| other.requested == of.requested)?;
        let found = share(of, same)?.difference;
        Some(found.low.as_f64() > worth || found.high.as_f64() < -worth)
    };
    if !loaded.iter().any(|of| differs(of) == Some(true)) {
        return None;
    }
    // The load delays all requests alike.
    let unlike = |fit: &Fit| {
        let delays: Vec<f64> = loaded.iter().map(|of| median(rests(of.points.iter(), fit, native))).collect();
        let middle = median(delays.clone());
        mean(delays.into_iter().map(|delay| (delay - middle).abs()))
    };
    let rules = if unlike(rules) <= unlike(without_rules) + worth { rules } else { without_rules };
    let all = rests(loaded.iter().flat_map(|of| &of.points), rules, native);
    let delayed = all.iter().filter(|&&rest| rest > worth).count() as u64;
    let size = median(all);
    (size > worth).then_some(Busy { delay: (Mechanism::BusyInside, size, delayed), rules })
}

/// Returns the delay of a program's first sleeps: either of the very first, if it is the latest of all, or of some, if it
/// decays from step to step, nothing like it follows, and no other block begins with one. Code is loaded and compiled when
/// it runs for the first time or often, and nothing here tells one from the other: Java without its compiler (`-Xint`)
/// begins as late.
pub(super) fn first_use(series: &[Series], fit: &Fit, native: &Native) -> Option<Struck> {
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

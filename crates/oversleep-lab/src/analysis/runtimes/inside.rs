//! Delays that come from within a runtime: work of its own, and code that is not compiled yet.

use super::fit::{Fit, Native};
use super::outliers::{Struck, threshold};
use super::points::{Point, Series, median};
use oversleep_recording::document::runtimes::Mechanism;

/// Largest share of the usual delay that the least delayed twentieth of the sleeps may have, if the delay is that of a
/// busy runtime: a sleep may end between two pieces of work. What delays every sleep is a rule, not work.
const LEAST_DELAYED: f64 = 0.5;
/// Number of sleeps whose median is one step of a decay.
const STEP: usize = 5;
/// Least share of the sleeps that must follow the decay, for each of its own.
const AFTER: usize = 3;

/// Returns the usual delay of a runtime that is known to be busy inside; `None` if its sleeps are hardly delayed, or
/// all of them are, which the work does not explain.
pub(super) fn busy(series: &[Series], fit: &Fit, native: &Native) -> Option<Struck> {
    for of in series {
        let mut rests = rests(of.points.iter(), fit, native);
        rests.sort_by(f64::total_cmp);
        let (middle, low) = (median(rests.clone()), *rests.get(rests.len() / 20)?);
        if low > (LEAST_DELAYED * middle).max(native.worth()) {
            return None;
        }
    }
    let all = rests(series.iter().flat_map(|of| &of.points), fit, native);
    let delayed = all.iter().filter(|&&rest| rest > native.worth()).count() as u64;
    let size = median(all);
    (size > native.worth()).then_some((Mechanism::BusyInside, size, delayed))
}

/// Returns the delay of a program's first sleeps, if it decays from step to step, nothing like it follows, and no other
/// block begins with one: code that runs often is compiled after some calls.
pub(super) fn compiling(series: &[Series], fit: &Fit, native: &Native) -> Option<Struck> {
    let threshold = threshold(native);
    let mut points: Vec<&Point> = series.iter().flat_map(|of| &of.points).collect();
    points.sort_by(|a, b| a.start.total_cmp(&b.start));
    let rests = rests(points.iter().copied(), fit, native);
    let steps: Vec<f64> = rests.chunks_exact(STEP).map(|step| median(step.to_vec())).collect();
    let decay = steps.iter().take_while(|&&step| step > threshold).count();
    let (first, last) = (*steps.first()?, *steps[..decay].last()?);
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
    is_it.then_some((Mechanism::JustInTimeCompilation, first, (decay * STEP) as u64))
}

/// Returns how much later than predicted these sleeps ended, in ns.
fn rests<'a>(points: impl Iterator<Item = &'a Point>, fit: &Fit, native: &Native) -> Vec<f64> {
    points.map(|point| point.end - fit.predict(point, native)).collect()
}

#[cfg(test)]
mod tests;

//! Lateness in proportion to the request, measured from sleep to sleep where requests differ.

use super::group::{Group, Sleep};
use super::robust::{line, median, mode, spread, standard_error};
use super::share::{CAP, RATIOS, XNU};
use super::steady::{Steady, UsualLateness};
use super::threads::ByThread;
use oversleep_model::score_of_lateness;

/// Fewest sleeps, and least ratio of the longest request to the shortest.
const ENOUGH: usize = 40;
const APART: f64 = 4.0;
/// Least advantage of the share over a level, in nats.
const BETTER: f64 = 10.0;
/// Largest part of the scatter that the share may leave.
const LEFT: f64 = 0.4;
/// Number of parts into which sleeps are divided by the length of the request.
const PARTS: usize = 8;
/// Most sleeps used.
const MOST: usize = 800;

/// Returns the remaining level and the growth with the request, where a share explains nearly all variation: one in use,
/// or with `any` also the one that fits best.
pub fn measure(group: &Group, any: bool) -> Option<Steady> {
    let mut sleeps = group.timed();
    sleeps.truncate(MOST);
    sleeps.sort_by(|a, b| a.requested.total_cmp(&b.requested));
    let (shortest, longest) = (sleeps.first()?.requested, sleeps.last()?.requested);
    let mut requests: Vec<f64> = sleeps.iter().map(|sleep| sleep.requested).collect();
    requests.dedup();
    if sleeps.len() < ENOUGH || longest < APART * shortest || requests.len() * 2 < sleeps.len() {
        return None;
    }
    let lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let scatter = spread(&lates, median(&lates)?);
    let points: Vec<(f64, f64)> = sleeps.iter().map(|sleep| (sleep.requested, sleep.late)).collect();
    let slope = line(&points).filter(|line| any && line.slope > 0.0).map(|line| (line.slope, CAP));
    let tried = RATIOS.iter().map(|ratio| (*ratio, CAP)).chain(XNU).chain(slope);
    let rest = |(ratio, most): (f64, f64)| {
        let rests: Vec<f64> = sleeps.iter().map(|sleep| sleep.late - (ratio * sleep.requested).min(most)).collect();
        Some((spread(&rests, median(&rests)?), (ratio, most), rests))
    };
    let (left, (ratio, most), mut rests) = tried.filter_map(rest).min_by(|a, b| a.0.total_cmp(&b.0))?;
    let stretch = |requested: f64| (ratio * requested).min(most);
    if left > LEFT * scatter || score_of_lateness(&rests) - score_of_lateness(&lates) < BETTER {
        return None;
    }
    rests.sort_by(f64::total_cmp);
    let base = mode(&rests)?;
    let usual = sleeps.chunks(sleeps.len().div_ceil(PARTS)).filter_map(|part| usual(part, stretch)).collect();
    let least = rests.first().copied()?;
    let threads = ByThread { least: None, beyond: rests.iter().map(|rest| rest - base).collect() };
    let (lates, cost) = (rests, base);
    Some(Steady {
        usual,
        base,
        asked: shortest,
        least,
        lates,
        threads,
        early_are_short: false,
        grown: None,
        slack: None,
        share: None,
        cost,
    })
}

/// Returns the usual lateness of sleeps of about the same length.
fn usual(sleeps: &[Sleep], stretch: impl Fn(f64) -> f64) -> Option<UsualLateness> {
    let middle = sleeps.get(sleeps.len() / 2)?;
    let rests: Vec<f64> = sleeps.iter().map(|sleep| sleep.late - stretch(sleep.requested)).collect();
    let level = median(&rests)?;
    let error = standard_error(&rests, level);
    let late = level + stretch(middle.requested);
    Some(UsualLateness { view: middle.view, requested: middle.requested, late, error, count: sleeps.len() })
}

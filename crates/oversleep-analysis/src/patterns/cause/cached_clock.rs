//! `cached-clock`: the kernel times sleeps with a clock it refreshes every few ticks (FreeBSD above 1 kHz:
//! `tc_tick = (hz + 500) / 1000`), so wake-ups cluster on a coarser grid than the tick's.

use super::{At, Detection};
use crate::patterns::features::grid::{Grid, downsample, resultant};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::rounding::Rounding;
use crate::patterns::features::tick::{Design, Tick};
use crate::patterns::features::windup;
use crate::patterns::features::{Features, LatenessRule};
use crate::patterns::system::may_cache_its_clock;
use oversleep_recording::document::evidence::{CachedClock, Crowded, Refreshed};
use oversleep_recording::document::{Finding, Unit};

/// Least share of sleeps whose exact tick follows from the refreshes, and largest part that they may leave of what is
/// unexplained without them.
const EXPLAINED: (f64, f64) = (0.75, 0.5);
/// How many more sleeps the refreshes must explain, and what larger share of them.
const MORE: (f64, f64) = (15.0, 0.08);

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    if !may_cache_its_clock(features.recording) {
        return seen;
    }
    for (rule, group) in features.rules.iter().zip(&features.groups) {
        let LatenessRule::Tick(tick) = rule else { continue };
        // At slower rates every tick refreshes the clock; other designs have a rhythm of their own.
        let Some((grid, hz)) = tick.grid.zip(tick.hz).filter(|(_, hz)| tick.design == Design::Diverse && *hz > 1_024.0)
        else {
            continue;
        };
        let timed = group.timed();
        let Some((ticks, refreshed, crowded)) = explained(&timed, &grid, 1e9 / hz)
            .map(|(ticks, refreshed)| (ticks, Some(refreshed), None))
            .or_else(|| crowded(&timed, tick, &grid, 1e9 / hz).map(|(ticks, crowded)| (ticks, None, Some(crowded))))
        else {
            continue;
        };
        // Another period is that of slower ticks, which the rate is a multiple of.
        if ticks != windup::usual_ticks(hz) {
            continue;
        }
        let granularity_ns = ticks as f64 * grid.tick;
        let evidence = CachedClock { granularity_ns, ticks, hz, refreshed, crowded };
        let finding = Finding::new(evidence, granularity_ns, Unit::Nanoseconds).sure(0.9);
        seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
    }
    seen
}

/// Returns the refresh period in ticks, if refreshes predict the tick at which nearly each sleep ends and no rule
/// without them does.
fn explained(timed: &[Sleep], grid: &Grid, nominal: f64) -> Option<(i64, Refreshed)> {
    let windup = windup::measure(timed, grid, nominal)?;
    let more = windup.share - windup.share_without;
    let clear = more >= MORE.1 && more * windup.sleeps as f64 >= MORE.0;
    if !clear || windup.share < EXPLAINED.0 || 1.0 - windup.share > EXPLAINED.1 * (1.0 - windup.share_without) {
        return None;
    }
    let refreshed = Refreshed { predicted_share: windup.share, predicted_share_without: windup.share_without };
    Some((windup.ticks, refreshed))
}

/// Returns the coarser grid in ticks on which wake-ups cluster, if the rounding rule alone would not put them there.
fn crowded(timed: &[Sleep], tick: &Tick, grid: &Grid, nominal: f64) -> Option<(i64, Crowded)> {
    let ends: Vec<f64> = downsample(&timed.iter().map(|sleep| sleep.end).collect::<Vec<_>>());
    let ruled: Vec<f64> =
        downsample(&timed.iter().map(|sleep| predicted(sleep, tick, grid, nominal)).collect::<Vec<_>>());
    let at = |times: &[f64], ticks: i64| resultant(times, 1.0 / (ticks as f64 * grid.tick)).0;
    let lengths = (2..=windup::COARSEST).map(|ticks| (ticks, at(&ends, ticks)));
    let (ticks, length) = lengths.max_by(|a, b| a.1.total_cmp(&b.1))?;
    // From one wake-up to the next, requests of whole milliseconds keep a coarse grid without a cached clock.
    let anyway = at(&ruled, ticks);
    if length < 0.25 || ends.len() as f64 * length * length < 25.0 || length < anyway + 0.2 {
        return None;
    }
    Some((ticks, Crowded { rayleigh: length, rayleigh_by_rule: anyway }))
}

/// Returns the time at which the rounding rule alone would have ended a sleep.
fn predicted(sleep: &Sleep, tick: &Tick, grid: &Grid, nominal: f64) -> f64 {
    let in_progress = sleep.start - grid.past(sleep.start);
    let after = |time: f64| time + (grid.tick - grid.past(time)).rem_euclid(grid.tick);
    match tick.rounding {
        Some(Rounding::UpPlusOne) => in_progress + ((sleep.requested / nominal - 1e-6).ceil() + 1.0) * grid.tick,
        Some(Rounding::Down) => in_progress + (sleep.requested / nominal + 1e-6).floor() * grid.tick,
        Some(Rounding::Early) => after(in_progress + sleep.requested),
        Some(Rounding::Up) | None => after(sleep.due),
    }
}

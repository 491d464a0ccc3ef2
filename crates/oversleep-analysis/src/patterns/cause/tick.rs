//! `tick-quantised`: sleeps end only at the kernel's periodic tick.

use super::sawtooth::GROWING_COST;
use super::{At, Detection, drift, share_of};
use crate::patterns::features::grid::Grid;
use crate::patterns::features::robust::median;
use crate::patterns::features::tick::{Design, Tick};
use crate::patterns::features::{Features, LatenessRule};
use crate::patterns::parts;
use oversleep_recording::document::evidence::{FreeRunning, Rounding, TickGrid, TickQuantised, TickVotes};
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen: Vec<Detection> = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let Some(tick) = features.tick_of(view) else { continue };
        if features.wheels[cell.group] || !parts::waits_for_tick(features, view) {
            continue;
        }
        let waits: Vec<f64> = cell.series.iter().map(|&late| parts::split(features, view, late).tick as f64).collect();
        let mut finding = finding(tick, cell.quantile(0.5) as f64);
        finding.share = share_of(waits.iter().copied(), &cell.series);
        seen.push((At::View(view), finding));
    }
    seen.extend(machine(features).map(|finding| (At::Machine, finding)));
    seen
}

/// Returns the finding for one tick, of size `late`: the cell's median lateness, or the machine's typical one, in ns.
fn finding(tick: &Tick, late: f64) -> Finding {
    let length = tick.grid.map(|grid| grid.tick);
    let least = if tick.rounding == Some(Rounding::Down) { f64::NEG_INFINITY } else { 0.0 };
    let mut finding = Finding::new(evidence(tick), late.max(least), Unit::Nanoseconds).sure(sureness(tick));
    if tick.design == Design::Sliding {
        finding.confounders.push(GROWING_COST.into());
    }
    match (tick.rounding, length) {
        (Some(Rounding::UpPlusOne), Some(length)) => finding.between(0.0, 2.0 * length),
        (Some(Rounding::Early), Some(length)) => finding.between(-length, length),
        (Some(Rounding::Down), Some(length)) => finding.between(-2.0 * length, 0.0),
        // Of which rule is open: the tick, and another where the lateness is beyond it.
        (_, Some(length)) => finding.between(0.0, length * (late / length).ceil().max(1.0)),
        _ => finding,
    }
}

fn evidence(tick: &Tick) -> TickQuantised {
    TickQuantised {
        hz: tick.hz.into(),
        rounding: tick.rounding.into(),
        hz_candidates: tick.hz.is_none().then(|| tick.candidates.clone()),
        rounding_consistent: tick.rounding.is_none().then(|| consistent(tick)),
        grid: tick.grid.map(|grid| TickGrid {
            tick_ns: grid.tick,
            tick_error_ns: grid.error,
            wakes_rayleigh: grid.wakes,
            dues_rayleigh: grid.dues,
            on_grid: grid.on_grid,
            jitter_ns: grid.jitter,
            votes: votes(tick),
        }),
        ..TickQuantised::default()
    }
}

fn votes(tick: &Tick) -> TickVotes {
    let votes = tick.votes;
    TickVotes {
        sleeps: votes.tested,
        up_share: votes.up,
        counted_share: votes.counted,
        second_tick_share: votes.second,
        telling: votes.telling,
        telling_up: votes.telling_up,
        telling_up_plus_one: votes.telling_counted,
    }
}

/// Returns the rules that would have produced these sleeps.
fn consistent(tick: &Tick) -> Vec<Rounding> {
    if !tick.rules.is_empty() {
        return tick.rules.clone();
    }
    let mut rules = Vec::new();
    if tick.votes.up >= 0.8 {
        rules.push(Rounding::Up);
    }
    if tick.votes.counted >= 0.8 || tick.votes.second >= 0.8 {
        rules.push(Rounding::UpPlusOne);
    }
    if tick.votes.early >= 0.8 && tick.votes.like_early() {
        rules.push(Rounding::Early);
    }
    rules
}

fn sureness(tick: &Tick) -> f64 {
    match (tick.design, tick.hz, &tick.grid) {
        (Design::Diverse, _, Some(grid)) => (0.5 + 0.5 * grid.wakes.max(grid.on_grid)).min(0.999),
        (Design::Flat, ..) => 0.6,
        (_, None, _) => 0.8,
        (_, Some(_), Some(_)) => 0.95,
        (_, Some(_), None) => 0.75,
    }
}

/// Returns the machine's tick: the one that most sleeps keep.
fn machine(features: &Features<'_>) -> Option<Finding> {
    let ticks = |wheel: bool| {
        features.rules.iter().zip(&features.groups).zip(&features.wheels).filter_map(move |((rule, group), &on)| {
            match rule {
                LatenessRule::Tick(tick) if on == wheel => Some((tick, group.sleeps.len())),
                _ => None,
            }
        })
    };
    let timed = |rule: &&LatenessRule| matches!(rule, LatenessRule::Tick(_) | LatenessRule::Steady(_));
    let all = features.rules.iter().filter(timed).count();
    let own: Vec<_> = ticks(false).collect();
    if own.is_empty() {
        return free_running(features, ticks(true).next().map(|(tick, _)| tick));
    }
    if own.len() * 2 < all - ticks(true).count() {
        return None;
    }
    let (tick, _) = own.iter().max_by_key(|(tick, sleeps)| (tick.hz.is_some(), *sleeps))?;
    let rules: Vec<Rounding> = own.iter().filter_map(|(tick, _)| tick.rounding).collect();
    let agreed = rules.first().filter(|first| rules.iter().all(|rule| rule == *first)).copied();
    let mut tick = (*tick).clone();
    tick.rounding = agreed;
    // The mean wait is half a tick, one less than none where requests are rounded down; or if the tick's length is not known, what
    // sleeps on it usually waited.
    let mean = if agreed == Some(Rounding::Down) { -1.0 } else { 0.5 };
    let mean = tick.grid.map_or_else(|| usual(features), |grid: Grid| mean * grid.tick);
    let mut finding = finding(&tick, mean);
    if let Some(evidence) = finding.evidence.get_mut::<TickQuantised>() {
        evidence.methods = Some(own.len());
    }
    Some(finding)
}

/// Returns the median of the cells' median latenesses, in ns, for the cells that wait for a tick.
fn usual(features: &Features<'_>) -> f64 {
    let waiting = (0..features.views.len()).filter(|&view| parts::waits_for_tick(features, view));
    let lates: Vec<f64> = waiting.map(|view| features.views[view].quantile(0.5) as f64).collect();
    median(&lates).unwrap_or(0.0)
}

/// Returns a tick that no timer of the recording shows by itself, but quanta or the timer wheel do. If it drifts
/// against the clock, hardware of its own drives it. A kernel whose timers fire between ticks counts its ticks on the
/// clock (Linux: `tick_sched_timer` on the monotonic clock), so such a tick rules all sleeps.
fn free_running(features: &Features<'_>, wheel: Option<&Tick>) -> Option<Finding> {
    let others = features
        .rules
        .iter()
        .zip(&features.wheels)
        .any(|(rule, wheel)| !wheel && matches!(rule, LatenessRule::Steady(_) | LatenessRule::Unclear));
    let drift = if wheel.is_some() { drift::of_tick(features) } else { drift::of_quantum(features) };
    let drift = drift.filter(|drift| drift.significant() && drift.ppm.abs() > 1.0 && !others)?;
    let tick = wheel.and_then(|tick| tick.grid).map(|grid| grid.tick);
    let evidence = TickQuantised {
        hz: wheel.and_then(|tick| tick.hz).into(),
        free_running: Some(FreeRunning {
            tick_ns: tick,
            basis: "a tick that drifts against the clock",
            drift_ppm: drift.ppm,
        }),
        ..TickQuantised::default()
    };
    let mut finding = Finding::new(evidence, 0.5 * tick.unwrap_or(0.0), Unit::Nanoseconds).sure(0.75);
    finding.confounders.push("a kernel with high-resolution timers that counts its ticks on another clock".into());
    Some(finding)
}

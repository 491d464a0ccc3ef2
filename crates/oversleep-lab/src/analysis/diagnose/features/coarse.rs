//! A clock that only moves at ticks (Linux' `jiffies` clock source, `kernel/time/jiffies.c`): every reading lies on
//! the tick's grid, whatever sleeps do, so sleeps are judged by how many ticks they took.

use super::grid::{COMMON, Grid, NOMINAL};
use super::group::{Group, Sleep};
use super::robust::{line, median};
use super::rounding::{Rounding, Votes};
use super::tick::{Design, Tick};

/// Clocks of less than this are fine enough to see between ticks, in ns.
const LEAST: f64 = 90_000.0;
/// Readings needed.
const ENOUGH: usize = 20;
/// How far a step may be from a nominal tick: steering (500 ppm), and rounding to whole microseconds.
const REACH: f64 = 1_200e-6;

/// The step of the clock that a group's times are read from, in ns, if it is that of a known tick.
pub fn step(groups: &[Group]) -> Option<f64> {
    let first = groups.first()?;
    let mut times: Vec<f64> = Vec::new();
    for group in groups.iter().filter(|group| group.clock == first.clock) {
        let shift = group.origin.saturating_sub(first.origin) as f64;
        times.extend(group.sleeps.iter().flat_map(|sleep| [sleep.start + shift, sleep.end + shift]));
    }
    times.sort_by(f64::total_cmp);
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 2.0).collect();
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    if gaps.len() < ENOUGH || least < LEAST {
        return None;
    }
    let whole = |step: f64| {
        let on = gaps.iter().filter(|gap| (**gap / step - (**gap / step).round()).abs() * step < 2e-3 * **gap + 2.0);
        on.count() * 100 >= gaps.len() * 99
    };
    // The least gap may be several ticks.
    let near = |hz: &&f64| {
        let times = (least * **hz * 1e-9).round();
        times >= 1.0 && (least * **hz * 1e-9 / times - 1.0).abs() < REACH
    };
    let candidates = COMMON.iter().chain(NOMINAL).filter(near).map(|hz| {
        let times = (least * hz * 1e-9).round();
        (times, least / times)
    });
    candidates.filter(|(_, step)| whole(*step)).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, step)| step)
}

/// The tick of a group whose clock moves in such steps; `None` with too few sleeps.
pub fn tick(sleeps: &[Sleep], step: f64) -> Option<Tick> {
    let near = |hz: &&f64| (step * **hz * 1e-9 - 1.0).abs() < REACH;
    let hz = COMMON.iter().chain(NOMINAL).find(near).copied()?;
    let points: Vec<(f64, f64)> = sleeps.iter().map(|sleep| ((sleep.end / step).round(), sleep.end)).collect();
    let (length, error) = line(&points).map_or((step, 0.0), |line| (line.slope, line.error));
    let phase = median(&sleeps.iter().map(|sleep| sleep.end.rem_euclid(length)).collect::<Vec<_>>())?;
    let votes = votes(sleeps, step, 1e9 / hz);
    let told = votes.up.max(votes.counted) >= 0.8;
    (sleeps.len() >= 8 && told).then(|| Tick {
        hz: Some(hz),
        candidates: vec![hz],
        grid: Some(Grid { tick: length, error, phase, wakes: 1.0, dues: 1.0, on_grid: 1.0, jitter: 0.0 }),
        rounding: Some(if votes.up >= votes.counted { Rounding::Up } else { Rounding::UpPlusOne }),
        votes,
        design: Design::Coarse,
    })
}

/// On a clock of ticks, a time asked for ends at the first tick at or after it, so after ceil(request / tick) steps;
/// counting from the tick in progress and adding one takes a step more.
fn votes(sleeps: &[Sleep], step: f64, nominal: f64) -> Votes {
    let took = |extra: f64| {
        let as_told = |sleep: &&Sleep| {
            let need = (sleep.requested / nominal - 1e-6).ceil().max(1.0);
            // From the 63rd tick on, the timer wheel is coarser.
            let coarser = need > 60.0 && (sleep.end - sleep.start) / step > need;
            (((sleep.end - sleep.start) / step).round() - need - extra).abs() < 0.5 || (extra > 0.0 && coarser)
        };
        sleeps.iter().filter(as_told).count()
    };
    let (up, counted) = (took(0.0), took(1.0));
    let n = sleeps.len().max(1) as f64;
    Votes {
        tested: sleeps.len(),
        up: up as f64 / n,
        counted: counted as f64 / n,
        telling: sleeps.len(),
        telling_up: up,
        telling_counted: counted,
        ..Votes::default()
    }
}

//! How unlikely it is that costs fill up sleeps to whole ticks.

use super::ticks::{Scored, off};
use crate::analysis::patterns::features::grid::NOMINAL;
use crate::analysis::patterns::features::group::Sleep;
use crate::analysis::patterns::features::robust::{median, spread};
use crate::analysis::patterns::features::share::RATIOS;
use std::collections::BTreeMap;

/// Ticks are within 20 ppm of their nominal length where nothing steers them.
const EXACT: f64 = 20e-6;
/// Sleeps of one length that may speak.
const ENOUGH: usize = 20;
/// Requests differ by parts of a tick where the part is at least that.
const APART: f64 = 0.1;
/// Narrowest place within a tick, in ns.
const NARROWEST: f64 = 1_000.0;

/// Due times whose mean vector is that long lie on the grid themselves.
const ON_GRID: f64 = 0.75;

/// Sleeps of one cell, one after the other.
struct Run {
    requested: f64,
    length: f64,
    /// Where they end within the tick, and how far around it.
    place: f64,
    width: f64,
}

/// Returns how unlikely (nats) it is that costs make each sleep take a whole number of nominal ticks: once for the rate,
/// and again for every request that differs from those before by a part of a tick.
pub(super) fn of(sleeps: &[Sleep], model: &Scored) -> f64 {
    let nominal = 1e9 / model.hz;
    let Some(runs) = runs(sleeps, model, nominal) else { return 0.0 };
    let Some(first) = runs.first().filter(|_| (model.grid.tick / nominal - 1.0).abs() <= EXACT) else { return 0.0 };
    let part = 2.0 * EXACT * first.length / nominal * NOMINAL.len() as f64;
    let mut nats = -part.clamp(1e-9, 1.0).ln();
    for (at, run) in runs.iter().enumerate() {
        let apart = |other: &Run| {
            let ticks = (run.requested - other.requested) / model.grid.tick;
            (ticks - ticks.round()).abs() > APART
        };
        if at > 0 && runs[..at].iter().all(apart) {
            let off = (run.place - first.place).abs();
            let width = 2.0 * off.min(model.grid.tick - off).max(run.width).max(first.width).max(NARROWEST);
            nats -= (width / nominal).min(1.0).ln();
        }
    }
    nats
}

/// Whether all sleeps asked for the same and took as long.
pub(super) fn at_one_place(sleeps: &[Sleep], model: &Scored) -> bool {
    let same = sleeps.iter().all(|sleep| (sleep.requested - sleeps[0].requested).abs() < 1.0);
    same && runs(sleeps, model, 1e9 / model.hz).is_some()
}

/// Whether all sleeps asked for the same, and a share of that which is in use is a tick or more and as long as they were
/// late, to a tick.
pub(super) fn like_a_share(sleeps: &[Sleep], model: &Scored) -> bool {
    let lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let Some(late) = median(&lates) else { return false };
    let (asked, tick) = (sleeps[0].requested, model.grid.tick);
    let share = |ratio: &f64| ratio * asked >= tick && (0.0..=tick).contains(&(late - ratio * asked));
    at_one_place(sleeps, model) && RATIOS.iter().any(share)
}

/// Whether sleeps of different requests were due on the grid: a program's own, which makes sleeps of whole ticks by itself.
pub(super) fn own_schedule(sleeps: &[Sleep], model: &Scored) -> bool {
    model.grid.dues > ON_GRID && sleeps.iter().any(|sleep| !same_request(sleep, sleeps))
}

/// Whether a sleep asked for what the first one of its cell did, to 1 %.
fn same_request(sleep: &Sleep, sleeps: &[Sleep]) -> bool {
    let first = sleeps.iter().find(|other| other.view == sleep.view);
    first.is_some_and(|first| (sleep.requested / first.requested - 1.0).abs() < 0.01)
}

/// Each cell's sleeps; `None` if the sleeps of one differ in length.
fn runs(sleeps: &[Sleep], model: &Scored, nominal: f64) -> Option<Vec<Run>> {
    let mut cells: BTreeMap<usize, Vec<&Sleep>> = BTreeMap::new();
    for sleep in sleeps {
        cells.entry(sleep.view).or_default().push(sleep);
    }
    let several = cells.len() > 1;
    let mut runs = Vec::new();
    for sleeps in cells.values() {
        let back_to_back = |pair: &&[&Sleep]| pair[1].start - pair[0].end < 0.5 * (pair[1].end - pair[0].end);
        let lengths: Vec<f64> = if several {
            sleeps.windows(2).filter(back_to_back).map(|pair| pair[1].end - pair[0].end).collect()
        } else {
            sleeps.windows(2).map(|pair| pair[1].end - pair[0].end).collect()
        };
        let first = *lengths.first()?;
        if lengths.iter().any(|length| (length - first).abs() >= 0.1 * nominal) {
            return None;
        }
        if several && lengths.len() < ENOUGH {
            continue;
        }
        let places: Vec<f64> = sleeps.iter().map(|sleep| off(&model.grid, sleep.end)).collect();
        let place = median(&places)?;
        let length = lengths.iter().sum::<f64>() / lengths.len() as f64;
        runs.push(Run { requested: sleeps[0].requested, length, place, width: 3.0 * spread(&places, place) });
    }
    Some(runs)
}

//! How unlikely it is that costs by chance complete sleeps to whole ticks.

use super::REACH;
use super::ticks::{Scored, off};
use crate::patterns::features::grid::{Grid, NOMINAL, centred, fit};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::robust::{median, spread};
use crate::patterns::features::share::RATIOS;
use std::collections::BTreeMap;

/// Largest relative distance of ticks from their nominal length where nothing steers them.
const EXACT: f64 = 20e-6;
/// Fewest sleeps of one length that count, where there are several cells.
const ENOUGH: usize = 20;
/// Least difference of two requests, beyond whole ticks, in ticks.
const APART: f64 = 0.1;
/// Narrowest place within a tick, in ns.
const NARROWEST: f64 = 1_000.0;

/// Length of the due times' mean vector, 0 to 1, above which they lie on the grid themselves.
const ON_GRID: f64 = 0.75;

/// Where one cell's sleeps end within the tick. Times are in ns.
struct CellPlacement {
    requested: f64,
    length: f64,
    /// Median of their places within the tick, and how widely these scatter.
    place: f64,
    width: f64,
}

/// Returns how unlikely, in nats, it is that costs make each sleep take a whole number of nominal ticks: once for the
/// rate, and again for every request that differs from those before by a part of a tick.
pub(super) fn of(sleeps: &[Sleep], model: &Scored) -> f64 {
    let nominal = 1e9 / model.hz;
    let Some(placements) = placements(sleeps, model, nominal) else { return 0.0 };
    let Some(first) = placements.first().filter(|_| (model.grid.tick / nominal - 1.0).abs() <= EXACT) else {
        return 0.0;
    };
    let part = 2.0 * EXACT * first.length / nominal * NOMINAL.len() as f64;
    let mut nats = -part.clamp(1e-9, 1.0).ln();
    for (at, placement) in placements.iter().enumerate() {
        let apart = |other: &CellPlacement| {
            let ticks = (placement.requested - other.requested) / model.grid.tick;
            (ticks - ticks.round()).abs() > APART
        };
        if at > 0 && placements[..at].iter().all(apart) {
            let off = (placement.place - first.place).abs();
            let width = 2.0 * off.min(model.grid.tick - off).max(placement.width).max(first.width).max(NARROWEST);
            nats -= (width / nominal).min(1.0).ln();
        }
    }
    nats
}

/// Returns whether all sleeps asked for the same and took the same time, to a tenth of a tick.
pub(super) fn at_one_place(sleeps: &[Sleep], model: &Scored) -> bool {
    have_one_request(sleeps) && placements(sleeps, model, 1e9 / model.hz).is_some()
}

/// Share of the sleeps that most are.
const MOST: f64 = 0.9;

/// Returns whether all sleeps asked for the same and most took the same time, to a tenth of a tick: any number of ticks that
/// this time is would do.
pub(super) fn mostly_at_one_place(sleeps: &[Sleep], model: &Scored) -> bool {
    let lengths: Vec<f64> = sleeps.windows(2).map(|pair| pair[1].end - pair[0].end).collect();
    let Some(usual) = median(&lengths) else { return false };
    let alike = lengths.iter().filter(|length| (**length - usual).abs() < 0.1 * model.grid.tick).count();
    alike as f64 >= MOST * lengths.len() as f64 && have_one_request(sleeps)
}

fn have_one_request(sleeps: &[Sleep]) -> bool {
    sleeps.iter().all(|sleep| (sleep.requested - sleeps[0].requested).abs() < 1.0)
}

/// Returns whether nearly all sleeps are late by the same time, to the exactness of a clock.
pub(super) fn always_alike(sleeps: &[Sleep]) -> bool {
    let mut lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    lates.sort_by(f64::total_cmp);
    let end = lates.len() / 20;
    lates[lates.len() - 1 - end] - lates[end] < NARROWEST
}

/// Returns whether all sleeps asked for the same, and a share in use of that request comes to a tick or more and
/// explains their lateness to within a tick.
pub(super) fn like_a_share(sleeps: &[Sleep], model: &Scored) -> bool {
    let lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let Some(late) = median(&lates) else { return false };
    let (asked, tick) = (sleeps[0].requested, model.grid.tick);
    let share = |ratio: &f64| ratio * asked >= tick && (0.0..=tick).contains(&(late - ratio * asked));
    at_one_place(sleeps, model) && RATIOS.iter().any(share)
}

/// Returns whether sleeps were due on the grid, or one from which they slide, by the program's own schedule: it is known to
/// be `scheduled`, requests of a cell differ, or the due times scatter far less about the grid than the wake-ups, which
/// those of a program that only sleeps again follow.
pub(super) fn own_schedule(sleeps: &[Sleep], model: &Scored, scheduled: bool) -> bool {
    (model.grid.dues > ON_GRID || slides_from_the_dues(sleeps, model))
        && (scheduled || sleeps.iter().any(|sleep| !same_request(sleep, sleeps)) || dues_are_exact(sleeps, &model.grid))
}

/// Length of the due times' mean vector, 0 to 1, on a grid of their own from which the wake-ups may slide.
const OWN_GRID: f64 = 0.95;

/// Returns whether the due times keep a grid of the same rate with another drift, from which the wake-ups slide by less than
/// a tick: so would a cost that grows with time. A tick that slides on makes lateness jump.
fn slides_from_the_dues(sleeps: &[Sleep], model: &Scored) -> bool {
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let span = sleeps.last().map_or(0.0, |last| last.end - sleeps[0].end);
    fit(&dues, &dues, model.hz, REACH)
        .is_some_and(|own| own.wakes > OWN_GRID && (own.tick / model.grid.tick - 1.0).abs() * span < model.grid.tick)
}

/// Largest scatter of the due times of a schedule, as a part of the wake-ups'.
const EXACTLY_DUE: f64 = 0.3;

/// Returns whether the due times keep a grid, or their own rhythm, more exactly than the wake-ups do.
fn dues_are_exact(sleeps: &[Sleep], grid: &Grid) -> bool {
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let on_grid =
        |times: &[f64]| scatter(&times.iter().map(|time| centred(time - times[0], grid.tick)).collect::<Vec<f64>>());
    let in_rhythm = |times: &[f64]| scatter(&times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>());
    on_grid(&dues) < EXACTLY_DUE * on_grid(&ends) || in_rhythm(&dues) < EXACTLY_DUE * in_rhythm(&ends)
}

fn scatter(values: &[f64]) -> f64 {
    median(values).map_or(0.0, |middle| spread(values, middle))
}

/// Returns whether a sleep's request equals that of the first sleep of its cell, to 1 %.
fn same_request(sleep: &Sleep, sleeps: &[Sleep]) -> bool {
    let first = sleeps.iter().find(|other| other.view == sleep.view);
    first.is_some_and(|first| (sleep.requested / first.requested - 1.0).abs() < 0.01)
}

/// Returns each cell's placement; `None` if a cell's sleeps differ in length by a tenth of a tick or more.
fn placements(sleeps: &[Sleep], model: &Scored, nominal: f64) -> Option<Vec<CellPlacement>> {
    let mut cells: BTreeMap<usize, Vec<&Sleep>> = BTreeMap::new();
    for sleep in sleeps {
        cells.entry(sleep.view).or_default().push(sleep);
    }
    let several = cells.len() > 1;
    let mut placements = Vec::new();
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
        placements.push(CellPlacement {
            requested: sleeps[0].requested,
            length,
            place,
            width: 3.0 * spread(&places, place),
        });
    }
    Some(placements)
}

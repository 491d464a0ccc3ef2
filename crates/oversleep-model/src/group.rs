//! The sleeps that are judged together: one method under one set of conditions, in the order of their ends.

use oversleep_recording::catalog::{KernelTimer, MethodId, MethodRow, Mode, SlackRule};
use oversleep_recording::plan::{Cell, Conditions, Policy};
use oversleep_recording::{Flags, Recording, Sample};
use oversleep_sys::units::Nanos;

use super::density::RESOLUTION;
use std::collections::HashMap;

/// Most sleeps of a group that are scored, and of all groups together: beyond these, more sleeps change no answer that
/// the dependence between them lets one give.
const MOST: usize = 400;
const MOST_OF_ALL: usize = 1_500;
/// Sleeps of a group below which nothing is said of it.
const LEAST: usize = 3;

/// One group. Times in ns from the whole second before the first start.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) method: String,
    pub(crate) cells: Vec<u32>,
    /// Whether its timeouts are counted on Linux' timer wheel.
    pub(crate) wheel: bool,
    /// Whether busy threads are recorded beside it.
    pub(crate) loaded: bool,
    /// What slack its timers have on Linux; none of real-time threads.
    pub(crate) slack: SlackRule,
    /// The slack that was read back, in ns.
    pub(crate) read_back: Option<f64>,
    /// The stamps' step.
    pub(crate) step: f64,
    pub(crate) sleeps: Vec<Sleep>,
}

/// One sleep of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sleep {
    pub(crate) start: f64,
    pub(crate) asked: f64,
    pub(crate) end: f64,
    pub(crate) cell: u32,
    pub(crate) absolute: bool,
}

impl Sleep {
    pub(crate) fn late(&self) -> f64 {
        self.end - self.start - self.asked
    }
}

impl Group {
    /// Returns whether all its sleeps are to deadlines.
    pub(crate) fn has_deadlines(&self) -> bool {
        self.sleeps.iter().all(|sleep| sleep.absolute)
    }

    /// Returns its shortest and its longest request, in ns.
    pub(crate) fn requests(&self) -> (f64, f64) {
        let asked = self.sleeps.iter().map(|sleep| sleep.asked);
        asked.fold((f64::INFINITY, 0.0), |(shortest, longest), asked| (shortest.min(asked), longest.max(asked)))
    }

    pub(crate) fn ends(&self) -> Vec<f64> {
        self.sleeps.iter().map(|sleep| sleep.end).collect()
    }

    pub(crate) fn late(&self) -> Vec<f64> {
        self.sleeps.iter().map(Sleep::late).collect()
    }
}

/// Returns the groups of a recording whose methods wait for a timer.
pub(crate) fn gather(recording: &Recording) -> Vec<Group> {
    let origin = recording.samples.iter().map(|sample| sample.start.get()).min().unwrap_or(0);
    let origin = origin - origin.rem_euclid(1_000_000_000);
    let mut of_cells = HashMap::<u32, Vec<&Sample>>::new();
    for sample in &recording.samples {
        of_cells.entry(sample.cell).or_default().push(sample);
    }
    let mut groups: Vec<(Conditions, Group)> = Vec::new();
    for cell in &recording.meta.plan.cells {
        if row(cell).is_some_and(|row| row.timer == KernelTimer::None) {
            continue;
        }
        let samples = of_cells.get(&cell.id).into_iter().flatten();
        let sleeps: Vec<Sleep> = samples.filter_map(|sample| read(sample, cell, origin)).collect();
        let same =
            groups.iter_mut().find(|(conditions, group)| group.method == cell.method && *conditions == cell.conditions);
        if let Some((_, group)) = same {
            group.cells.push(cell.id);
            group.sleeps.extend(sleeps);
            continue;
        }
        let obtained = recording.note.obtained.iter().find(|note| note.cell == cell.id).map(|note| &note.conditions);
        let is_real_time = obtained.and_then(|conditions| conditions.policy).is_some_and(Policy::is_real_time);
        let group = Group {
            method: cell.method.clone(),
            cells: vec![cell.id],
            wheel: row(cell).is_some_and(|row| row.timer == KernelTimer::Wheel),
            loaded: cell.conditions.load.is_some_and(|load| load.threads > 0),
            slack: match row(cell) {
                _ if is_real_time => SlackRule::None,
                row => row.map_or(SlackRule::Varies, |row| row.slack),
            },
            read_back: obtained.and_then(|conditions| conditions.timer_slack).map(Nanos::as_f64),
            step: 1.0,
            sleeps,
        };
        groups.push((cell.conditions.clone(), group));
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    groups.retain(|group| group.sleeps.len() >= LEAST);
    let each = (MOST_OF_ALL / groups.len().max(1)).clamp(100, MOST);
    for group in &mut groups {
        prepare(group, each);
    }
    groups
}

/// Returns the catalogue's row of a cell's method, by any of its names: tables of other programs have their own.
fn row(cell: &Cell) -> Option<&'static MethodRow> {
    MethodId::recognise(&cell.method).map(MethodId::row)
}

fn read(sample: &Sample, cell: &Cell, origin: i64) -> Option<Sleep> {
    if sample.flags.has(Flags::FAILED) || sample.flags.has(Flags::INTERRUPTED) {
        return None;
    }
    let absolute = row(cell).is_some_and(|row| matches!(row.mode, Mode::Absolute | Mode::Periodic));
    let wanted = sample.deadline.map_or(sample.requested, |deadline| deadline.saturating_sub(sample.start));
    // Sleeps to a wall clock's second are rounded as their method does, but due at what was asked.
    let asked = if absolute { wanted } else { row(cell).map_or(wanted, |row| row.rounded(wanted)) };
    (asked.get() > 0).then(|| Sleep {
        start: (sample.start.get() - origin) as f64,
        end: (sample.end.get() - origin) as f64,
        asked: asked.get() as f64,
        cell: sample.cell,
        absolute,
    })
}

/// Keeps the first sleeps of each cell, in whole stretches because their order matters, and places each end within its
/// stamp's step: a stamp stands for an interval, and where the sleep ended in it is drawn once, for all hypotheses.
fn prepare(group: &mut Group, most: usize) {
    group.sleeps.sort_by(|a, b| a.end.total_cmp(&b.end));
    let each = (most / group.cells.len()).max(8);
    if group.sleeps.len() > most {
        let mut kept = HashMap::<u32, usize>::new();
        group.sleeps.retain(|sleep| {
            let count = kept.entry(sleep.cell).or_default();
            *count += 1;
            *count <= each
        });
        group.sleeps.truncate(most);
    }
    let on = |step: f64| group.sleeps.iter().all(|sleep| sleep.end % step == 0.0 && sleep.start % step == 0.0);
    group.step = [1e6, 1e5, 1e4, 1e3].into_iter().find(|step| on(*step)).unwrap_or(1.0);
    let width = group.step.max(RESOLUTION);
    let mut state = 1u64;
    for sleep in &mut group.sleeps {
        // Knuth's multiplier of the 64-bit linear congruential generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sleep.end += ((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * width;
    }
}

//! Sleeps of one method under one set of conditions, with times relative to the first.

use oversleep_recording::catalog::Mode;
use oversleep_recording::plan::{Cell, ClockName, Conditions};
use oversleep_recording::{Flags, Recording, Sample};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// One sleep, in ns from the group's first start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupedSleep {
    /// When it began.
    pub(crate) start: i64,
    /// Number of its cell.
    pub(crate) cell: u32,
    /// The time from then to the requested end, rounded as the method does.
    pub(crate) asked: i64,
    /// The same without that rounding: lateness counts from here.
    pub(crate) wanted: i64,
    /// Whether the request was a time on the clock.
    pub(crate) absolute: bool,
    /// How late it ended, in ns.
    pub(crate) late: i64,
}

impl GroupedSleep {
    /// Returns when it ended, in ns.
    pub(crate) fn end(&self) -> i64 {
        self.start.saturating_add(self.wanted).saturating_add(self.late)
    }
}

/// One method under one set of conditions, on one clock.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelledGroup {
    pub(crate) method: String,
    pub(crate) clock: ClockName,
    pub(crate) conditions: Conditions,
    pub(crate) cells: Vec<u32>,
    /// First start, in ns of the clock.
    pub(crate) origin: i64,
    pub(crate) sleeps: Vec<GroupedSleep>,
    /// Sleeps of zero requests, which are not in `sleeps`: whether such a call sleeps at all depends on the method.
    pub(crate) timeless: usize,
}

impl ModelledGroup {
    /// Returns every n-th sleep, so that at most `most` remain.
    pub(crate) fn downsampled(&self, most: usize) -> Self {
        let step = self.sleeps.len().div_ceil(most).max(1);
        Self { sleeps: self.sleeps.iter().step_by(step).copied().collect(), cells: self.cells.clone(), ..self.bare() }
    }

    fn bare(&self) -> Self {
        let (method, conditions) = (self.method.clone(), self.conditions.clone());
        Self {
            method,
            conditions,
            clock: self.clock,
            cells: Vec::new(),
            origin: self.origin,
            sleeps: Vec::new(),
            timeless: 0,
        }
    }
}

/// Returns the groups of a recording that have usable sleeps.
pub(crate) fn gather(recording: &Recording) -> Vec<ModelledGroup> {
    let mut groups: Vec<ModelledGroup> = Vec::new();
    // Each cell, its group, and whether its method takes a time on the clock.
    let mut places: HashMap<u32, (&Cell, usize, bool)> = HashMap::new();
    for cell in &recording.meta.plan.cells {
        let same = |group: &ModelledGroup| {
            group.method == cell.method && group.clock == cell.clock && group.conditions == cell.conditions
        };
        let at = groups.iter().position(same).unwrap_or_else(|| {
            let (method, conditions) = (cell.method.clone(), cell.conditions.clone());
            groups.push(ModelledGroup {
                method,
                clock: cell.clock,
                conditions,
                cells: Vec::new(),
                origin: 0,
                sleeps: Vec::new(),
                timeless: 0,
            });
            groups.len() - 1
        });
        groups[at].cells.push(cell.id);
        let absolute = cell.row().is_some_and(|row| matches!(row.mode, Mode::Absolute | Mode::Periodic));
        places.insert(cell.id, (cell, at, absolute));
    }
    let usable = |sample: &&Sample| !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED);
    for sample in recording.samples.iter().filter(usable) {
        if let Some(&(cell, at, absolute)) = places.get(&sample.cell) {
            match slept(sample, cell, absolute) {
                sleep if sleep.wanted > 0 => groups[at].sleeps.push(sleep),
                _ => groups[at].timeless += 1,
            }
        }
    }
    for group in &mut groups {
        group.origin = group.sleeps.iter().map(|sleep| sleep.start).min().unwrap_or(0);
        group.sleeps.iter_mut().for_each(|sleep| sleep.start = sleep.start.saturating_sub(group.origin));
    }
    groups.retain(|group| group.sleeps.len() + group.timeless > 0);
    groups
}

fn slept(sample: &Sample, cell: &Cell, absolute: bool) -> GroupedSleep {
    let wanted = sample.deadline.map_or(sample.requested, |deadline| deadline.saturating_sub(sample.start));
    let rounded = |nanos: Nanos| if absolute { nanos } else { cell.row().map_or(nanos, |row| row.rounded(nanos)) };
    GroupedSleep {
        start: sample.start.get(),
        cell: sample.cell,
        asked: rounded(wanted).get(),
        wanted: wanted.get(),
        absolute,
        late: sample.oversleep().get(),
    }
}

//! Groups sleeps by what they have in common: by cell, and by method under one set of conditions.

use oversleep_figures::quantile;
use oversleep_recording::catalog::{MethodId, MethodRow};
use oversleep_recording::plan::{Cell, ClockName, Conditions};
use oversleep_recording::{Flags, Recording, Sample};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// One sleep, in nanoseconds from its group's first start; exact in `f64` for 104 days.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sleep {
    /// Index of its cell among the views.
    pub view: usize,
    /// Start.
    pub start: f64,
    /// When it was due: its end without its oversleep.
    pub due: f64,
    /// End.
    pub end: f64,
    /// The request as a duration in ns, rounded up to the call's unit.
    pub requested: f64,
    /// Oversleep beyond that, in ns.
    pub late: f64,
    /// Which thread slept.
    pub thread: u16,
    /// The processor it woke on.
    pub cpu: u16,
}

/// One cell's samples.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// Oversleeps in order of sequence, in ns.
    pub series: Vec<i64>,
    /// The same, sorted.
    pub sorted: Vec<i64>,
    /// The least oversleep in ns.
    pub least: i64,
    /// Of how many sleeps it is the least: the view may hold fewer.
    pub count: usize,
    /// The median request in ns.
    pub requested: i64,
    /// What the call's unit adds to each request, in ns: `poll` counts milliseconds.
    pub unit: i64,
    /// The group it belongs to.
    pub group: usize,
}

impl View<'_> {
    /// Returns the nearest-rank quantile in ns; 0 for an empty cell (views are never empty).
    pub fn quantile(&self, share: f64) -> i64 {
        self.sorted.get(quantile::place(self.sorted.len(), share)).copied().unwrap_or(0)
    }
}

/// One method under one set of conditions.
#[derive(Debug, Clone)]
pub struct Group {
    /// The method's name.
    pub method: String,
    /// The conditions its cells were asked to have.
    pub conditions: Conditions,
    /// The conditions as read back, where the recording has them.
    pub obtained: Option<Conditions>,
    /// The clock that its sleeps were timed with.
    pub clock: ClockName,
    /// Its cells, as indices of views.
    pub views: Vec<usize>,
    /// Its sleeps in order of their ends.
    pub sleeps: Vec<Sleep>,
    /// The clock's reading at time 0 of `sleeps`, in ns.
    pub origin: i64,
}

impl Group {
    /// Returns whether the call gives up the processor without asking for time.
    pub fn yields(&self) -> bool {
        is_yield(&self.method)
    }

    /// Returns the sleeps that asked for some time: a request of zero may return without having slept.
    pub fn timed(&self) -> Vec<Sleep> {
        self.sleeps.iter().filter(|sleep| sleep.requested > 0.0).copied().collect()
    }
}

/// Returns whether a method of this name is a yield of the catalogue, or plainly called so: it gives up the processor. Calls
/// with other names may give way to tasks of their own thread only.
fn is_yield(method: &str) -> bool {
    use oversleep_recording::catalog::Mode;
    method == "yield" || MethodId::recognise(method).is_some_and(|id| id.row().mode == Mode::Yield)
}

/// Returns views of every cell with usable samples, and the groups they form.
pub fn gather(recording: &Recording) -> (Vec<View<'_>>, Vec<Group>) {
    let by_cell = samples_by_cell(recording);
    let mut views: Vec<View<'_>> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    for (cell, samples) in recording.meta.plan.cells.iter().zip(by_cell) {
        if samples.is_empty() {
            continue;
        }
        let obtained = recording.note.obtained.iter().find(|note| note.cell == cell.id).map(|note| &note.conditions);
        let group = place(&mut groups, cell, obtained, &samples);
        let view = view(cell, &samples, group);
        groups[group].views.push(views.len());
        let origin = groups[group].origin;
        let row = MethodId::recognise(&cell.method).map(MethodId::row);
        groups[group].sleeps.extend(samples.iter().map(|sample| sleep(sample, views.len(), origin, row)));
        views.push(view);
    }
    for group in &mut groups {
        group.sleeps.sort_by(|a, b| a.end.total_cmp(&b.end));
    }
    (views, groups)
}

/// Returns whether a sample shows what the timer did: failed and interrupted calls do not.
fn usable(sample: &Sample) -> bool {
    !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED)
}

pub(super) fn samples_by_cell(recording: &Recording) -> Vec<Vec<&Sample>> {
    let cells = &recording.meta.plan.cells;
    let places: BTreeMap<u32, usize> = cells.iter().enumerate().map(|(at, cell)| (cell.id, at)).collect();
    let mut by_cell = vec![Vec::new(); cells.len()];
    for sample in recording.samples.iter().filter(|sample| usable(sample)) {
        if let Some(&at) = places.get(&sample.cell) {
            by_cell[at].push(sample);
        }
    }
    by_cell
}

fn place(groups: &mut Vec<Group>, cell: &Cell, obtained: Option<&Conditions>, samples: &[&Sample]) -> usize {
    let same = |group: &Group| {
        group.method == cell.method
            && group.clock == cell.clock
            && group.conditions == cell.conditions
            && group.obtained.as_ref() == obtained
    };
    if let Some(at) = groups.iter().position(same) {
        return at;
    }
    groups.push(Group {
        method: cell.method.clone(),
        conditions: cell.conditions.clone(),
        obtained: obtained.cloned(),
        clock: cell.clock,
        views: Vec::new(),
        sleeps: Vec::new(),
        origin: samples.iter().map(|sample| sample.start.get()).min().unwrap_or(0),
    });
    groups.len() - 1
}

fn view<'a>(cell: &'a Cell, samples: &[&Sample], group: usize) -> View<'a> {
    let series: Vec<i64> = samples.iter().map(|sample| sample.oversleep().get()).collect();
    let mut sorted = series.clone();
    sorted.sort_unstable();
    let mut requests: Vec<i64> = samples.iter().map(|sample| asked(sample)).collect();
    let middle = quantile::place(requests.len(), 0.5);
    let requested = *requests.select_nth_unstable(middle).1;
    let row = MethodId::recognise(&cell.method).map(MethodId::row);
    let same = samples.iter().all(|sample| asked(sample) == requested && sample.deadline.is_none());
    let unit = if same { in_unit(requested, row) } else { 0 };
    View { cell, least: sorted[0], count: sorted.len(), series, sorted, requested, unit, group }
}

/// Returns what rounding a request up to the call's unit adds, in ns.
fn in_unit(requested: i64, row: Option<&MethodRow>) -> i64 {
    row.map_or(0, |row| row.rounded(Nanos::new(requested)).get().saturating_sub(requested).max(0))
}

/// Returns the request as a duration in ns: for sleeps with a deadline, the time from start to deadline.
fn asked(sample: &Sample) -> i64 {
    sample.deadline.map_or(sample.requested.get(), |deadline| deadline.saturating_sub(sample.start).get())
}

fn sleep(sample: &Sample, view: usize, origin: i64, row: Option<&MethodRow>) -> Sleep {
    let from_origin = |ns: i64| ns.saturating_sub(origin) as f64;
    let unit = if sample.deadline.is_some() { 0 } else { in_unit(sample.requested.get(), row) };
    let (end, late) = (from_origin(sample.end.get()), (sample.oversleep() - Nanos::new(unit)).as_f64());
    Sleep {
        view,
        start: from_origin(sample.start.get()),
        due: end - late,
        end,
        requested: asked(sample).saturating_add(unit) as f64,
        late,
        thread: sample.thread,
        cpu: sample.cpu_end,
    }
}

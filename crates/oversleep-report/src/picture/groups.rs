//! Plots with one row per group of sleeps: by load, and by processor.

use super::Subject;
use super::plots::{lateness, quantity};
use super::rows::{PlotRow, RowShape, Rows, Spread};
use super::series::COLOURS;
use crate::columns::needed;
use crate::headline;
use crate::style::figure;
use oversleep_figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::document::{AskedAndObtained, PageRecording};
use oversleep_recording::plan::{Conditions, Load, LoadKind};
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Returns the oversleep with each number of busy threads.
pub(super) fn load(data: &Subject<'_>) -> Result<Rows, String> {
    let loads: Vec<Load> = data.recording.measured.cells.iter().map(|cell| of_conditions(&cell.conditions)).collect();
    let mut kinds: Vec<Load> = loads.clone();
    kinds.sort_by_key(|load| (load.threads, load.kind.name()));
    kinds.dedup();
    let several_kinds = kinds.iter().any(|load| load.threads > 0 && load.kind != LoadKind::Spin);
    let label = |place: usize| words(kinds[place], several_kinds);
    let place = |sample: &Sample| {
        let load = loads.get(sample.cell as usize)?;
        kinds.iter().position(|one| one == load)
    };
    let series = CellSeries::group(data.recording, |conditions| Conditions { load: None, ..conditions.clone() });
    match grouped(data, &series, place, label) {
        Ok(rows) => Ok(rows),
        Err(Some(only)) => {
            Err(format!("every sleep had the same load ({only}); `oversleep measure --load 0,2` measures several"))
        }
        Err(None) => Err("no sleep has a known load".to_owned()),
    }
}

/// Returns the oversleep on each processor.
pub(super) fn processors(data: &Subject<'_>) -> Result<Rows, String> {
    let place = |sample: &Sample| sample.cpu().map(usize::from);
    let series = CellSeries::group(data.recording, Conditions::clone);
    let stalls = data.recording.measured.stalls.is_some();
    let measure = "`oversleep measure -a 0,1 -t 2 --one-cpu-each` measures two processors";
    match grouped(data, &series, place, |processor| format!("processor {processor}")) {
        Ok(rows) => Ok(rows),
        Err(Some(only)) if stalls => Err(format!("{only} alone was watched")),
        Err(Some(only)) => Err(format!("every sleep ended on {only}; {measure}")),
        Err(None) => Err(format!("the recording does not say on which processor a sleep ended; {measure}")),
    }
}

/// Returns the load that ran, or else the one that was asked for. Without busy threads it has no kind.
fn of_conditions(conditions: &AskedAndObtained) -> Load {
    let none = Load { threads: 0, kind: LoadKind::Spin };
    let ran = conditions.obtained.as_ref().and_then(|obtained| obtained.load);
    ran.or(conditions.asked.load).filter(|load| load.threads > 0).unwrap_or(none)
}

fn words(load: Load, with_kind: bool) -> String {
    let kind = if with_kind { format!(" ({})", load.kind.name()) } else { String::new() };
    match load.threads {
        0 => "no busy threads".to_owned(),
        1 => format!("1 busy thread{kind}"),
        threads => format!("{threads} busy threads{kind}"),
    }
}

/// The series that each cell belongs to. Cells that differ in more than the groups are different series: sleeps of different methods are not mixed, unless there are too many.
struct CellSeries {
    /// Index of each cell's series.
    of_cell: Vec<usize>,
    /// Names of the series; empty if there is one.
    names: Vec<String>,
    /// Whether cells that differ are one series, because there are too many.
    mixed: bool,
}

impl CellSeries {
    /// Returns the series of a recording's cells. `rest` returns the conditions that distinguish series.
    fn group(recording: &PageRecording, rest: impl Fn(&Conditions) -> Conditions) -> Self {
        let cells = &recording.measured.cells;
        let slept: Vec<usize> = (0..recording.cells.len()).filter(|cell| cells[*cell].raw.n > 0).collect();
        let values = |f: &dyn Fn(usize) -> String| -> Vec<String> { slept.iter().map(|cell| f(*cell)).collect() };
        let methods = values(&|cell| cells[cell].method.clone());
        let asked = values(&|cell| recording.cells[cell].asked.clone());
        let conditions = values(&|cell| {
            let AskedAndObtained { asked, obtained } = &cells[cell].conditions;
            rest(asked).name(obtained.as_ref().map(&rest).as_ref())
        });
        let single = Self { of_cell: vec![0; recording.cells.len()], names: Vec::new(), mixed: false };
        let differ = needed([&methods, &asked, &conditions]).contains(&true);
        if !differ || recording.measured.stalls.is_some() {
            return single;
        }
        let labels = headline::distinct_labels(&methods, &asked, &conditions);
        let mut names: Vec<String> = Vec::new();
        let mut of_cell = single.of_cell.clone();
        for (cell, label) in slept.iter().zip(labels) {
            let known = names.iter().position(|name| *name == label);
            of_cell[*cell] = known.unwrap_or(names.len());
            if known.is_none() {
                names.push(label);
            }
        }
        if names.len() > COLOURS { Self { mixed: true, ..single } } else { Self { of_cell, names, mixed: false } }
    }
}

/// The oversleeps of a group, in ns.
#[derive(Default)]
struct GroupValues {
    /// Those that were selected evenly from all.
    values: Vec<i64>,
    /// The smallest and the largest of all.
    ends: Option<(i64, i64)>,
}

/// Returns a row for each series and group; `place` returns a sample's group, `label` a group's name. The error is the name of
/// the only group, `None` if there is none.
fn grouped(
    data: &Subject<'_>,
    series: &CellSeries,
    place: impl Fn(&Sample) -> Option<usize>,
    label: impl Fn(usize) -> String,
) -> Result<Rows, Option<String>> {
    let mut groups: BTreeMap<(usize, usize), GroupValues> = BTreeMap::new();
    for (index, sample) in data.samples.iter().enumerate() {
        let cell = series.of_cell.get(sample.cell as usize).filter(|_| !sample.flags.has(Flags::FAILED));
        let (Some(series), Some(place)) = (cell, place(sample)) else { continue };
        let group = groups.entry((*series, place)).or_default();
        let late = sample.oversleep().get();
        let (least, most) = group.ends.unwrap_or((late, late));
        group.ends = Some((least.min(late), most.max(late)));
        if data.selection.is_extra.get(index) != Some(&true) {
            group.values.push(late);
        }
    }
    let mut places: Vec<usize> = groups.keys().map(|(_, place)| *place).collect();
    places.sort_unstable();
    places.dedup();
    match places.as_slice() {
        [] => return Err(None),
        [only] => return Err(Some(label(*only))),
        _ => {}
    }
    let ends = groups.values().filter_map(|group| group.ends);
    let (low, high) = ends.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1))).ok_or(None)?;
    let axis = lateness(quantity(data.recording), low as f64, high as f64);
    let position = |ns: i64| axis.at(ns as f64).clamp(0.0, 1.0);
    let row = |((series_of, place), group): ((usize, usize), GroupValues)| {
        let name = match series.names.get(series_of) {
            Some(series) => format!("{series}, {}", label(place)),
            None => label(place),
        };
        row(name, group, &position)
    };
    let all = groups.len();
    let lines = groups.into_iter().take(super::rows::MOST).map(row).collect();
    let chosen =
        (data.selection.one_of > 1).then(|| format!("of one of {} sleeps, and the extremes", data.selection.one_of));
    let mixed = series.mixed.then(|| "each row has all methods, requests and other conditions together".to_owned());
    let note = chosen.into_iter().chain(mixed).reduce(|both, mixed| format!("{both}; {mixed}"));
    let more = all.saturating_sub(super::rows::MOST);
    Ok(Rows { title: data.recording.headline.clone(), axis, lines, more, note })
}

fn row(name: String, mut group: GroupValues, at: &impl Fn(i64) -> f64) -> PlotRow {
    group.values.sort_unstable();
    let n = group.values.len();
    let quantile = |p: Fraction| {
        if supports_quantile(n as u64, p) { of_sorted(&group.values, p) } else { None }
    };
    let time = |ns: Option<i64>| figure(ns.map(Nanos::new));
    let (p50, p99) = (quantile(Fraction::P50), quantile(Fraction::P99));
    let middle = p50.and_then(|_| Some((quantile(Fraction::from_share(0.25))?, quantile(Fraction::from_share(0.75))?)));
    let (least, latest) = group.ends.unwrap_or_default();
    let spread = Spread {
        least: at(least),
        middle: middle.map(|(low, high)| (at(low), at(high))),
        median: p50.map(at),
        p99: p99.map(at),
        latest: at(latest),
    };
    PlotRow { name, figure: format!("n {n}, p50 {}, p99 {}", time(p50), time(p99)), shape: RowShape::Spread(spread) }
}

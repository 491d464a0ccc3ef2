//! Builds the document of a check-up of runtimes.

use super::fit::{Fit, Native, fit, without_rules};
use super::gather::Gather;
use super::inside::{busy, compiling};
use super::outliers::struck;
use super::points::{Point, Series};
use super::proved::proved;
use super::rules::RequestRule;
use super::schedule::{drift, settled};
use super::share::share;
use super::told::told;
use crate::figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::catalog::{Early, MethodId};
use oversleep_recording::document::clocks::Tool;
use oversleep_recording::document::runtimes::{
    Mechanism, RuntimeApi, RuntimeCell, RuntimeMechanism, Runtimes, ToldTime,
};
use oversleep_recording::plan::{Load, LoadKind};
use oversleep_recording::runtimes::Api;
use oversleep_recording::{End, Probe};
use oversleep_sys::units::Nanos;

/// Version of the document's format.
const FORMAT: u32 = 1;
/// The slack that Linux gives every thread, in ns.
const DEFAULT_SLACK: f64 = 50e3;
/// Largest difference, in ns, at which a constant is taken for that slack.
const NEAR_SLACK: f64 = 10e3;

/// Fewest different requests that can tell rules apart.
const FEWEST_REQUESTS: usize = 2;

/// Judges a check-up of runtimes.
pub fn document(gather: &Gather) -> Runtimes {
    let (meta, note) = (gather.meta(), gather.notes());
    let mut apis: Vec<RuntimeApi> = Vec::new();
    for cell in &meta.plan.cells {
        let probe = note.probes.iter().find(|probe| probe.method == cell.method);
        if let Some(probe) = probe.filter(|probe| !apis.iter().any(|api| api.api == probe.method)) {
            apis.extend(api(gather, probe));
        }
    }
    Runtimes {
        format: FORMAT,
        tool: Tool { name: "oversleep".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        apis,
        unavailable: meta.unavailable.iter().chain(&note.unavailable).cloned().collect(),
        stopped: note.end != Some(End::Complete),
    }
}

/// Judges one API; `None` where it has no sleeps.
fn api(gather: &Gather, probe: &Probe) -> Option<RuntimeApi> {
    let row = Api::from_name(&probe.method);
    // A program of the user's own is measured in turns with one primitive.
    let beside_it = || gather.meta().plan.cells.iter().find_map(|cell| MethodId::from_name(&cell.method));
    let native_name = row.map(|row| row.native).or_else(beside_it).map(MethodId::name);
    let beside = native_name.map(|name| gather.series(name)).unwrap_or_default();
    let (series, rearmed) = settled(gather.series(&probe.method));
    if series.is_empty() {
        return None;
    }
    let told = told(gather.notes(), &probe.method);
    let (mechanisms, undecided) = judge(&series, &beside, rearmed, known(gather, probe, &told));
    Some(RuntimeApi {
        api: probe.method.clone(),
        call: row.map(|row| row.call),
        runtime: probe.runtime.clone(),
        unit: row.map(|row| row.unit.name()),
        promise: row.map(|row| row.promise),
        source: row.map(|row| row.source),
        may_wake_early: row.map(|row| row.early == Early::Possible),
        native: native_name,
        schedule: probe.schedule,
        clock_cost: probe.clock_cost,
        clock_error: probe.clock_error,
        warm_up: probe.warm_up,
        collections: probe.collections,
        cells: series.iter().map(|series| cell(series, &beside)).collect(),
        mechanisms,
        does: row.and_then(|row| row.does).map(|does| does.what),
        does_source: row.and_then(|row| row.does).map(|does| does.source),
        told,
        undecided,
        resolution: (!beside.is_empty()).then(|| Nanos::from_f64(Native::of(&beside).worth())),
        instead: row.map(|row| row.instead),
    })
}

/// What is known of an API beside its samples.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// Timer slack that was in force, in ns.
    pub(super) own_slack: Option<f64>,
    /// The rule that the trace has proved: it is not left open.
    pub(super) proved: Option<RequestRule>,
    /// Whether the program confirmed load inside it.
    pub(super) load_inside: bool,
    /// Whether its runtime compiles code while it runs, and its first sleeps are samples.
    pub(super) compiles: bool,
}

/// Runtimes that compile code while it runs, as they name themselves.
const COMPILING: [&str; 2] = ["Java", "Node.js"];

fn known(gather: &Gather, probe: &Probe, told: &[ToldTime]) -> Known {
    let is_one = |name: &str| COMPILING.iter().any(|runtime| name.starts_with(runtime));
    Known {
        own_slack: own_slack(gather),
        proved: proved(told),
        load_inside: load_inside(gather, &probe.method),
        compiles: probe.warm_up == 0 && probe.runtime.as_deref().is_some_and(is_one),
    }
}

/// Returns whether a program confirmed load inside it.
fn load_inside(gather: &Gather, method: &str) -> bool {
    let inside = |load: Load| load.threads > 0 && load.kind == LoadKind::Runtime;
    let cells = gather.meta().plan.cells.iter().filter(|cell| cell.method == method);
    let obtained = |id: u32| gather.notes().obtained.iter().filter(move |obtained| obtained.cell == id);
    cells.flat_map(|cell| obtained(cell.id)).any(|obtained| obtained.conditions.load.is_some_and(inside))
}

/// Returns the timer slack that was in force, in nanoseconds.
fn own_slack(gather: &Gather) -> Option<f64> {
    gather.notes().obtained.first()?.conditions.timer_slack.map(Nanos::as_f64)
}

fn cell(series: &Series, beside: &[Series]) -> RuntimeCell {
    let native = beside.iter().find(|native| native.requested == series.requested);
    let sorted = sorted(series);
    RuntimeCell {
        requested: series.requested,
        n: sorted.len() as u64,
        early: sorted.iter().filter(|late| **late < 0).count() as u64,
        p50: figure(&sorted, Fraction::P50),
        p99: figure(&sorted, Fraction::P99),
        native_n: native.map_or(0, |native| native.points.len() as u64),
        native_p50: native.and_then(|native| figure(&self::sorted(native), Fraction::P50)),
        share: native.and_then(|native| share(series, native)),
    }
}

fn sorted(series: &Series) -> Vec<i64> {
    let mut all: Vec<i64> = series.points.iter().map(|point| Nanos::from_f64(point.lateness()).get()).collect();
    all.sort_unstable();
    all
}

fn figure(sorted: &[i64], fraction: Fraction) -> Option<Nanos> {
    let supported = supports_quantile(sorted.len() as u64, fraction);
    of_sorted(sorted, fraction).filter(|_| supported).map(Nanos::new)
}

/// Returns the mechanisms, and what they leave undecided.
pub(super) fn judge(
    series: &[Series],
    beside: &[Series],
    rearmed: bool,
    known: Known,
) -> (Vec<RuntimeMechanism>, Option<String>) {
    if beside.is_empty() {
        return (Vec::new(), Some("its native primitive was not measured beside it".to_owned()));
    }
    let native = Native::of(beside);
    let proved = known.proved;
    let (without, fitted) = fit(series, &native, proved);
    // Half of the work's delay would pass for an added constant: the work, which is known, is tried first.
    let plain = without_rules(series, &native);
    let works = known.load_inside && proved.is_none() && busy(series, &plain, &native).is_some();
    let found = if works { plain } else { fitted };
    let all = series.iter().map(|of| of.points.len() as u64).sum();
    let error_with = found.error;
    let entry = |(mechanism, size, sleeps): (Mechanism, f64, u64)| RuntimeMechanism {
        mechanism,
        size: Nanos::from_f64(size),
        sleeps,
        error_without: Nanos::from_f64(without),
        error_with: Nanos::from_f64(error_with),
    };
    let named = found
        .mechanisms()
        .into_iter()
        .map(|(mechanism, size)| (with_slack(mechanism, size, known.own_slack), size, all));
    let mut mechanisms: Vec<_> = named.map(entry).collect();
    if rearmed {
        mechanisms.push(entry((Mechanism::DriftByRearming, drift(series, |point| found.duration(point)), all)));
    }
    let mut single = struck(series, beside, &found, &native);
    if let Some(busy) = known.load_inside.then(|| busy(series, &found, &native)).flatten() {
        // Turns of others are the load's.
        single.retain(|(mechanism, ..)| *mechanism != Mechanism::YieldsFirst);
        single.push(busy);
    }
    let explained = !single.is_empty();
    single.extend(known.compiles.then(|| compiling(series, &found, &native)).flatten());
    // With one request, rounding up, a least request and an added constant are the same.
    let told_apart = series.len() >= FEWEST_REQUESTS || proved.is_some();
    if !told_apart && !mechanisms.is_empty() && !rearmed {
        let why = "one request alone does not tell rules apart: give several (-r), or --trace";
        return (single.into_iter().map(entry).collect(), Some(why.to_owned()));
    }
    // Of rules that do not explain most sleeps only what is proved is stated.
    let kept = proved.map(RequestRule::mechanisms).unwrap_or_default();
    let is_kept = |found: &RuntimeMechanism| kept.iter().any(|(mechanism, _)| *mechanism == found.mechanism);
    if let Some((requested, by)) = found.misses(series, &native).filter(|_| !explained) {
        let by = Nanos::from_f64(by);
        return (
            mechanisms.into_iter().filter(is_kept).collect(),
            Some(format!("sleeps of {requested} end {by} from where the rules that fit best would have them end")),
        );
    }
    let undecided = (!explained).then(|| open(&found, &native, series)).flatten();
    if undecided.is_some() && !rearmed {
        mechanisms.retain(is_kept);
    }
    mechanisms.extend(single.into_iter().map(entry));
    (mechanisms, undecided)
}

/// Names a constant of the kernel's default slack that of a timer thread, if the runtime began with hardly any slack.
fn with_slack(mechanism: Mechanism, size: f64, own: Option<f64>) -> Mechanism {
    let near = (size - DEFAULT_SLACK).abs() <= NEAR_SLACK;
    let hardly_any = own.is_some_and(|own| own < DEFAULT_SLACK / 5.0);
    if mechanism == Mechanism::AddsConstant && near && hardly_any { Mechanism::TimerThreadSlack } else { mechanism }
}

/// Returns what no mechanism explains, if it is much more than the primitive's own scatter.
fn open(found: &Fit, native: &Native, series: &[Series]) -> Option<String> {
    let rest = |point: &Point| point.end - found.predict(point, native);
    let middle = |of: &Series| super::points::median(of.points.iter().map(|point| rest(point).abs()).collect());
    let usual = super::points::median(series.iter().map(middle).collect());
    (usual > 40e3 + 3.0 * native.noise).then(|| {
        let usual = Nanos::from_f64(usual);
        format!("half of its sleeps end {usual} or more from where any rule tried here would have them end")
    })
}

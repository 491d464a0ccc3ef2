//! Builds the document of a check-up of runtimes.

use super::earliest::{Earliest, earliest};
use super::fit::{Fit, Native, fit, is_ambiguous, without_rules};
use super::gather::Gather;
use super::inside::{busy, first_use};
use super::kernel_requests::kernel_requests;
use super::outliers::struck;
use super::points::{Point, RequestSeries, early_share, median, usual};
use super::proved::proved;
use super::rules::RequestRule;
use super::schedule::{drift, from_ticks, settled, without_dropped};
use super::share::share;
use oversleep_figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::catalog::{Early, MethodId};
use oversleep_recording::document::clocks::Tool;
use oversleep_recording::document::runtimes::{
    KernelRequest, Mechanism, RuntimeApi, RuntimeCell, RuntimeMechanism, Runtimes,
};
use oversleep_recording::runtimes::Api;
use oversleep_recording::{End, Probe};
use oversleep_sys::units::Nanos;

/// Version of the document's format.
const FORMAT: u32 = 1;
/// The slack that Linux gives every thread, in ns.
const DEFAULT_SLACK: f64 = 50e3;
/// Largest difference, in ns, at which a constant is taken for that slack.
const NEAR_SLACK: f64 = 10e3;

/// Fewest sleeps from which a rule is named, unless a trace proves it.
const FEWEST_SLEEPS: usize = 20;
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
    let told = kernel_requests(gather.notes(), &probe.method);
    let context = context(gather, probe, &told);
    let (without_load, kept) = settled(gather.series_without_load(&probe.method));
    let (mechanisms, undecided) = if without_load.is_empty() {
        judge(&series, &beside, rearmed, context)
    } else {
        let loaded = gather.series(&probe.method);
        judge_loaded(&if kept { from_ticks(&loaded) } else { loaded }, &without_load, &beside, kept, context)
    };
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
        cells: series
            .iter()
            .map(|series| RuntimeCell {
                cost: gather.cost(&probe.method, series.requested),
                native_cost: native_name.and_then(|native| gather.cost(native, series.requested)),
                ..cell(series, &beside, &without_load)
            })
            .collect(),
        mechanisms,
        does: row.and_then(|row| row.does).map(|does| does.what),
        does_source: row.and_then(|row| row.does).map(|does| does.source),
        told,
        undecided,
        resolution: (!beside.is_empty()).then(|| Nanos::from_f64(Native::from_series(&beside).worth())),
        instead: row.map(|row| row.instead),
    })
}

/// What is known about an API besides its samples.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ApiContext<'a> {
    /// Timer slack that was in force, in ns.
    pub(super) own_slack: Option<f64>,
    /// The rule that the trace has proved: it is not left open.
    pub(super) proved: Option<RequestRule>,
    /// What the kernel was told, by the trace.
    pub(super) told: &'a [KernelRequest],
    /// Whether its runtime loads and compiles code while it runs, and its first sleeps are samples.
    pub(super) starts_cold: bool,
}

/// Runtimes that load and compile code while it runs, as they name themselves.
const COMPILING: [&str; 2] = ["Java", "Node.js"];

fn context<'a>(gather: &Gather, probe: &Probe, told: &'a [KernelRequest]) -> ApiContext<'a> {
    let is_one = |name: &str| COMPILING.iter().any(|runtime| name.starts_with(runtime));
    ApiContext {
        own_slack: own_slack(gather),
        proved: proved(told),
        told,
        starts_cold: probe.warm_up == 0 && probe.runtime.as_deref().is_some_and(is_one),
    }
}

/// Returns the timer slack that was in force, in nanoseconds.
fn own_slack(gather: &Gather) -> Option<f64> {
    gather.notes().obtained.first()?.conditions.timer_slack.map(Nanos::as_f64)
}

fn cell(series: &RequestSeries, beside: &[RequestSeries], without_load: &[RequestSeries]) -> RuntimeCell {
    let same = |others: &'_ [RequestSeries]| others.iter().position(|other| other.requested == series.requested);
    let native = same(beside).map(|at| &beside[at]);
    let without_load = same(without_load).map(|at| &without_load[at]);
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
        load_share: without_load.and_then(|without_load| share(series, without_load)),
        cost: None,
        native_cost: None,
    }
}

fn sorted(series: &RequestSeries) -> Vec<i64> {
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
    series: &[RequestSeries],
    beside: &[RequestSeries],
    rearmed: bool,
    context: ApiContext<'_>,
) -> (Vec<RuntimeMechanism>, Option<String>) {
    if beside.is_empty() {
        return (Vec::new(), Some("its native primitive was not measured beside it".to_owned()));
    }
    let proved = context.proved;
    let sleeps = series.iter().map(|of| of.points.len()).sum::<usize>();
    if sleeps < FEWEST_SLEEPS && proved.is_none() {
        return (Vec::new(), Some(format!("{sleeps} sleeps are too few to tell rules apart: give -n {FEWEST_SLEEPS}")));
    }
    let series = &without_dropped(series);
    let native = Native::from_series(beside);
    let (without, found) = fit(series, &native, proved);
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
        .map(|(mechanism, size)| (with_slack(mechanism, size, context.own_slack), size, all));
    let mut mechanisms: Vec<_> = named.map(entry).collect();
    if rearmed {
        mechanisms.push(entry((
            Mechanism::DriftByRearming,
            drift(series, |point| found.duration(point, &native)),
            all,
        )));
    }
    let mut single = struck(series, beside, &found, &native);
    let explained = !single.is_empty();
    single.extend(context.starts_cold.then(|| first_use(series, &found, &native)).flatten());
    // With one request, rounding up, a least request and an added constant are the same.
    let is_one = series.len() < FEWEST_REQUESTS;
    let told_apart = !is_one && !is_ambiguous(&found, series, &native) || proved.is_some();
    if !told_apart && !found.mechanisms().is_empty() {
        let what = if is_one { "one request alone does" } else { "these requests do" };
        let why =
            format!("{what} not tell rules apart: give {} (-r), or --trace", if is_one { "several" } else { "more" });
        return (single.into_iter().map(entry).collect(), Some(why));
    }
    // Of rules that do not explain most sleeps only what is proved is stated.
    let kept = proved.map(RequestRule::mechanisms).unwrap_or_default();
    let is_kept = |found: &RuntimeMechanism| kept.iter().any(|(mechanism, _)| *mechanism == found.mechanism);
    let missed = found.misses(series, &native).filter(|_| !explained);
    let undecided = missed.map(|(requested, by)| {
        let by = Nanos::from_f64(by);
        format!("sleeps of {requested} end {by} from where the rules that fit best would have them end")
    });
    let is_missed = undecided.is_some();
    let undecided = undecided.or_else(|| (!explained).then(|| open(&found, &native, series)).flatten());
    let undecided = undecided.or_else(|| contradicted(&found, &native, context));
    let undecided = undecided.or_else(|| early(&found, series, beside));
    let is_open = undecided.is_some() && proved.is_none() && !rearmed;
    if let Some(found) = is_open.then(|| earliest(series, beside)).flatten() {
        return of_earliest(&found, series);
    }
    if is_missed {
        return (mechanisms.into_iter().filter(is_kept).collect(), undecided);
    }
    if undecided.is_some() {
        // How far a schedule slips is known where no rule changes its period.
        let is_certain =
            |one: &RuntimeMechanism| one.mechanism == Mechanism::DriftByRearming && found.mechanisms().is_empty();
        mechanisms.retain(|one| is_kept(one) || is_certain(one));
    }
    mechanisms.extend(single.into_iter().map(entry));
    (mechanisms, undecided)
}

/// Returns the rule that the earliest sleeps keep, and by how much others end later.
fn of_earliest(found: &Earliest, series: &[RequestSeries]) -> (Vec<RuntimeMechanism>, Option<String>) {
    let Earliest { rule, native, without, delayed } = found;
    let points = || series.iter().flat_map(|of| &of.points);
    let entry = |(mechanism, size): (Mechanism, f64)| RuntimeMechanism {
        mechanism,
        size: Nanos::from_f64(size),
        sleeps: points().count() as u64,
        error_without: Nanos::from_f64(*without),
        error_with: Nanos::from_f64(rule.error),
    };
    let later = median(points().map(|point| point.end - rule.predict(point, native)).collect());
    let open = format!(
        "seen in its earliest fifth; half of its sleeps end {} or more later, and {:.0} % of its primitive's are late, too",
        Nanos::from_f64(later),
        100.0 * delayed
    );
    (rule.mechanisms().into_iter().map(entry).collect(), Some(open))
}

/// Returns the mechanisms of a runtime with load inside it: those of its sleeps without load, as far as those with load
/// keep them, and what the load adds.
pub(super) fn judge_loaded(
    loaded: &[RequestSeries],
    without: &[RequestSeries],
    beside: &[RequestSeries],
    rearmed: bool,
    context: ApiContext<'_>,
) -> (Vec<RuntimeMechanism>, Option<String>) {
    // A trace shows the sleeps with load.
    let (mut mechanisms, mut undecided) = judge(without, beside, rearmed, ApiContext { proved: None, ..context });
    if beside.is_empty() {
        return (mechanisms, undecided);
    }
    let native = Native::from_series(beside);
    let (_, rules) = fit(without, &native, None);
    let plain = without_rules(without, &native);
    if let Some(found) = busy(loaded, without, [&rules, &plain], &native) {
        if found.rules.mechanisms().is_empty() {
            mechanisms.clear();
            undecided = None;
        }
        let (mechanism, size, sleeps) = found.delay;
        let points = || loaded.iter().flat_map(|of| &of.points);
        let error = |delay: f64| {
            let off = |point: &Point| (point.end - found.rules.predict(point, &native) - found.anyway - delay).abs();
            Nanos::from_f64(usual(points().map(off).collect()))
        };
        let (error_without, error_with) = (error(0.0), error(size));
        mechanisms.push(RuntimeMechanism { mechanism, size: Nanos::from_f64(size), sleeps, error_without, error_with });
    }
    (mechanisms, undecided)
}

/// Names a constant of the kernel's default slack that of a timer thread, if the runtime began with hardly any slack.
fn with_slack(mechanism: Mechanism, size: f64, own: Option<f64>) -> Mechanism {
    let near = (size - DEFAULT_SLACK).abs() <= NEAR_SLACK;
    let hardly_any = own.is_some_and(|own| own < DEFAULT_SLACK / 5.0);
    if mechanism == Mechanism::AddsConstant && near && hardly_any { Mechanism::TimerThreadSlack } else { mechanism }
}

/// Largest distance of what the kernel was told from what the rules say, as a share of it and in ns.
const AS_TOLD: f64 = 0.1;
const NEAR_TOLD: f64 = 60e3;

/// Returns that the trace contradicts the rules, where the kernel was told another time than they say.
fn contradicted(found: &Fit, native: &Native, context: ApiContext<'_>) -> Option<String> {
    let is_other = |one: &&KernelRequest| {
        let said = found.told(one.requested.as_f64(), native);
        let (Some(said), [told], Some(_)) = (said, &one.told[..], one.rule) else { return false };
        (said - told.as_f64()).abs() > NEAR_TOLD.max(AS_TOLD * told.as_f64())
    };
    let one = context.told.iter().find(|one| !found.mechanisms().is_empty() && is_other(one))?;
    Some(format!("no rule tried here makes {} of {}, which the kernel was told", one.told[0], one.requested))
}

/// Least share of sleeps that end early for no rule's sake that is said, where the primitive's do not.
const OFTEN_EARLY: f64 = 0.2;

/// Returns that many sleeps end early, where no rule found says why.
fn early(found: &Fit, series: &[RequestSeries], beside: &[RequestSeries]) -> Option<String> {
    let share = early_share(series);
    let is_open = found.mechanisms().is_empty() && share - early_share(beside) > OFTEN_EARLY;
    is_open.then(|| format!("{:.0} % of its sleeps end early, by no rule tried here", 100.0 * share))
}

/// Returns what no mechanism explains, if it is much more than the primitive's own scatter and lateness: a runtime's code is
/// slow after a sleep for the same reasons as the kernel's.
fn open(found: &Fit, native: &Native, series: &[RequestSeries]) -> Option<String> {
    let rest = |point: &Point| point.end - found.predict(point, native);
    let middle = |of: &RequestSeries| median(of.points.iter().map(|point| rest(point).abs()).collect());
    let late = |of: &RequestSeries| native.late(of.requested.as_f64()).max(0.0);
    let beyond = median(series.iter().map(|of| middle(of) - late(of)).collect());
    let usual = Nanos::from_f64(median(series.iter().map(middle).collect()));
    (beyond > 40e3 + 3.0 * native.noise)
        .then(|| format!("half of its sleeps end {usual} or more from where any rule tried here would have them end"))
}

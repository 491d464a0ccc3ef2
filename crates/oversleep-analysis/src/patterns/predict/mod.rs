//! Predicts what a remedy is worth before it is applied: each sleep's lateness loses the part that the remedy removes,
//! and the cost of waking changes with the length of the sleep ([`wake`]).

mod quantile;
mod wake;

use super::cause::At;
use super::features::{Features, idle};
use super::{parts, system};
use crate::latency_hold;
use oversleep_figures::quantile::{Fraction, median};
use oversleep_recording::document::evidence::{ConstantCost, DeepestIdle, Examined, IdleExit};
use oversleep_recording::document::{Cause, Finding, Predicted, PredictedQuantile, Remedy};
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;
use quantile::Change;

/// Linux' default timer slack, in ns: it shows as soon as timers fire between ticks.
const SLACK: f64 = 50e3;

/// Largest part of a median that is a cost of waking, in ns, and largest part of a 99th percentile under a real-time policy:
/// what exceeds it waits for other threads, and a real-time thread does not wait for them.
const COST: f64 = 150e3;
const DEAR: i64 = 500_000;

/// Keeps at most one remedy of the recording's system (if known) and one of any; predicts the effect of the former. A
/// second one that makes the thread a real-time one is kept where its own effect is predicted.
pub(super) fn remedies(features: &Features<'_>, at: At, finding: &mut Finding) {
    let system = system::of_remedies(features.recording);
    let mut real_time = None;
    if let Some(system) = system {
        let mut own: Vec<Remedy> = Vec::new();
        for remedy in finding.remedy.drain(..).filter(|remedy| remedy.system == system || remedy.system == "any") {
            if own.iter().all(|kept| kept.system != remedy.system) {
                own.push(remedy);
            } else if remedy.makes_real_time() {
                real_time = Some(remedy);
            }
        }
        finding.remedy = own;
    }
    let At::View(view) = at else { return };
    let own = priority(features, view);
    finding.remedy.retain(|remedy| remedy.real_time_priority().is_none_or(|priority| priority > own));
    real_time = real_time.filter(|_| own == 0);
    let idle = deepest_idle(finding);
    if let Some(idle) = idle.as_ref().filter(|_| system == Some("Linux")) {
        bound_hold(finding, idle, is_bounded(features));
    }
    let Some(removal) = Removal::new(features, view, finding, system) else { return };
    for remedy in finding.remedy.iter_mut().chain(&mut real_time).filter(|remedy| Some(&*remedy.system) == system) {
        remedy.predicted = removal.predicted(features, view, remedy.makes_real_time());
    }
    // Beside the first remedy only, so that the one that needs a privilege is not the only one with a figure.
    if finding.remedy.iter().any(|remedy| remedy.predicted.is_some()) {
        finding.remedy.extend(real_time.filter(|remedy| remedy.predicted.is_some()));
    }
}

/// Returns the deepest idle state that a finding's evidence names.
fn deepest_idle(finding: &Finding) -> Option<DeepestIdle> {
    let cost = finding.evidence.get::<ConstantCost>().and_then(|cost| cost.idle.clone());
    cost.or_else(|| finding.evidence.get::<IdleExit>()?.idle.clone())
}

/// Returns whether the machine's exit latencies bound what a latency hold saves.
fn is_bounded(features: &Features<'_>) -> bool {
    latency_hold::is_bounded(&features.recording.meta.machine)
}

/// Adds the remedy by a latency hold to a cost, with what it saves at most, unless that is next to nothing. On a guest nothing
/// bounds what it saves.
fn bound_hold(finding: &mut Finding, idle: &DeepestIdle, is_bounded: bool) {
    let latency = Nanos::new(idle.exit_latency_ns);
    let note = if is_bounded {
        format!("saves at most {latency}, the exit latency of {}; costs power", idle.deepest_idle)
    } else {
        "saves what leaving the idle state costs, on a guest the host's part of it too; costs power".to_owned()
    };
    let hold = "hold /dev/cpu_dma_latency open with 0 (measure --latency-hold 0 tries it)";
    finding.remedy.retain(|remedy| remedy.system != "Linux");
    if !is_bounded || latency_hold::is_worth_it(latency, finding.size) {
        finding.remedy.insert(0, Remedy::new("Linux", hold, &note));
    }
}

/// What a remedy takes from a cell's sleeps.
struct Removal {
    /// Latenesses without the removed part, in order of sequence, in ns.
    after: Vec<i64>,
    /// Their upper limits, where sleeps that were not examined may have been late for another reason.
    at_most: Option<Vec<i64>>,
    /// What the removed part is replaced by, in ns, included in `after`.
    instead: f64,
    /// How much smaller than stated the removed part may be, in ns.
    less: f64,
    /// How much larger it may be, in ns.
    more: f64,
    /// Whether it is timer slack.
    slack: bool,
    /// Whether it is a wait for other threads.
    wait: bool,
    /// Whether it is the cost of leaving idle states, which is all that changes with the length of the sleep.
    idle: bool,
}

impl Removal {
    fn new(features: &Features<'_>, view: usize, finding: &Finding, system: Option<&str>) -> Option<Self> {
        let cell = &features.views[view];
        let of = |late: i64| parts::split(features, view, late);
        let (mut instead, mut less, mut more) = (0.0, 0.0, 0.0);
        let (slack, idle) = (finding.cause() == Cause::TimerSlack, finding.cause() == Cause::IdleExit);
        match finding.cause() {
            Cause::TimerSlack => {
                let (low, high) = (finding.low.unwrap_or(finding.size), finding.high.unwrap_or(finding.size));
                (less, more) = ((finding.size - low).max(0.0), (high - finding.size).max(0.0));
            }
            Cause::IdleExit if !is_bounded(features) => return None,
            Cause::ProportionalSlack | Cause::IdleExit => (),
            Cause::RunQueue if is_wait(finding) => (),
            // Only where the cost of a wake-up is known apart from the wait.
            Cause::TickQuantised | Cause::TimerWheel if of(cell.quantile(0.5)).cost > 0 => {
                instead = if system == Some("Linux") { default_slack(features, view) } else { 0.0 };
            }
            _ => return None,
        }
        // What else grows with the sleep, such as caches that cool, may stay under the remedy.
        let deepest = deepest_idle(finding).map(|idle| idle.exit_latency_ns);
        let seen = features.examined[view].as_ref();
        // Without the wait and without slack, which a real-time thread does not have either, an examined sleep is late by
        // no more than this.
        let (waits_from, left) = seen.map_or((i64::MAX, 0), |seen| {
            (seen.threshold.min(DEAR), seen.most_without(&[Cause::RunQueue, Cause::TimerSlack]))
        });
        let whole = Nanos::from_f64(finding.size).get();
        let wait = finding.cause() == Cause::RunQueue;
        let removed = |late: i64| match finding.cause() {
            // Another interrupt ended some sleeps within their slack, and would have come shortly before the end
            // without it: what is left of them is below any cost, and they count among the cheapest wake-ups.
            Cause::TimerSlack => whole,
            Cause::ProportionalSlack => of(late).stretch,
            Cause::IdleExit => deepest.map_or(of(late).idle, |latency| of(late).idle.min(latency)),
            // Sleeps that were too little late to be examined waited like the others, as far as anything is known.
            Cause::RunQueue => (late - left).max(if late > waits_from { 0 } else { of(late).slack }),
            _ => of(late).tick,
        };
        let instead_ns = Nanos::from_f64(instead).get();
        let after = cell.series.iter().map(|&late| late - removed(late) + instead_ns).collect();
        let surely = |late: i64| if late > waits_from { removed(late) } else { of(late).slack };
        let at_most = wait.then(|| cell.series.iter().map(|&late| late - surely(late) + instead_ns).collect());
        Some(Self { after, at_most, instead, less, more, slack, wait, idle })
    }

    /// Returns the predicted quantiles under the remedy, which may make the thread a real-time one.
    fn predicted(&self, features: &Features<'_>, view: usize, real_time: bool) -> Option<Predicted> {
        let cell = &features.views[view];
        let left = median(self.after.clone())? as f64;
        if (self.slack || self.wait) && left > COST {
            return None;
        }
        let cost = (left - self.instead).max(0.0);
        let asked = (cell.requested + cell.unit) as f64;
        let before = asked + cell.quantile(0.5) as f64;
        let after = if self.idle { before } else { asked + left.max(0.0) };
        let known = wake::growth(features, view);
        let changed = wake::change((before, after), known, real_time);
        // A deeper idle state that no longer fits the shorter sleep.
        let latency = |length: f64| idle::exit_latency(features, view, Nanos::from_f64(length));
        let shallower = (latency(before) - latency(after)).max(Nanos::ZERO).as_f64();
        let change = Change {
            cost,
            factor: changed.factor,
            error: changed.error,
            less: self.less,
            more: self.more + shallower.min(cost),
        };
        let of = |series: &[i64], p| quantile::predict(&cell.sorted, series, p, change);
        let at = |p: Fraction| {
            let known = of(&self.after, p)?;
            let highest = self.at_most.as_ref().and_then(|most| of(most, p)).map_or(known.high_ns, |most| most.high_ns);
            Some(PredictedQuantile { high_ns: known.high_ns.max(highest), ..known })
        };
        let is_known = |found: &PredictedQuantile| !real_time || found.after_ns <= DEAR;
        let (p50, p99) = (at(Fraction::P50), at(Fraction::P99).filter(is_known));
        (p50.is_some() || p99.is_some()).then_some(Predicted { p50, p99 })
    }
}

/// Least share of the examined sleeps that waited for other threads most of the time, for all late ones to have done so.
const ALL: f64 = 0.9;

/// Returns whether examined sleeps show that those later than the threshold wait for other threads.
fn is_wait(finding: &Finding) -> bool {
    let is_all = |seen: &Examined| seen.examined >= FEWEST && seen.largest_part_of as f64 >= ALL * seen.examined as f64;
    finding.evidence.examined().is_some_and(is_all)
}

/// Least number of examined sleeps for a prediction.
const FEWEST: u64 = 5;

/// Returns the real-time priority that the thread of a view's sleeps has already; 0 for none.
fn priority(features: &Features<'_>, view: usize) -> i32 {
    features.groups[features.views[view].group].obtained.as_ref().map_or(0, Conditions::real_time_priority)
}

/// Returns the slack, in ns, that a view's sleeps will have once their timers fire between ticks.
fn default_slack(features: &Features<'_>, view: usize) -> f64 {
    if priority(features, view) > 0 {
        return 0.0;
    }
    let obtained = features.groups[features.views[view].group].obtained.as_ref();
    obtained.and_then(|obtained| obtained.timer_slack).map_or(SLACK, Nanos::as_f64)
}

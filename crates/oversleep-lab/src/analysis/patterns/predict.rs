//! Predicts what a remedy is worth before it is applied: each sleep's lateness loses the part that the remedy removes.

use super::cause::At;
use super::features::Features;
use super::{parts, system};
use crate::figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::document::evidence::{ConstantCost, DeepestIdle, IdleExit};
use oversleep_recording::document::{Cause, Finding, Predicted, PredictedQuantile, Remedy};
use oversleep_sys::units::Nanos;

/// Linux' default timer slack, in ns: it shows as soon as timers fire between ticks.
const SLACK: f64 = 50e3;
/// Margin of a prediction for what its model leaves out: 1 µs (`GIVE`, in ns) or 2 % (`PART`), whichever is more. It
/// equals the tolerance between witnesses.
const GIVE: f64 = 1e3;
const PART: f64 = 0.02;
/// Half the width of a two-sided 95 % interval of a normal distribution, in standard deviations.
const SIGMAS: f64 = 1.96;

/// Keeps at most one remedy of the recording's system (if known) and one of any; predicts the effect of the former.
pub(super) fn remedies(features: &Features<'_>, at: At, finding: &mut Finding) {
    let system = system::of_remedies(features.recording);
    if let Some(system) = system {
        let mut own: Vec<Remedy> = Vec::new();
        for remedy in finding.remedy.drain(..).filter(|remedy| remedy.system == system || remedy.system == "any") {
            if own.iter().all(|kept| kept.system != remedy.system) {
                own.push(remedy);
            }
        }
        finding.remedy = own;
    }
    let At::View(view) = at else { return };
    let idle = deepest_idle(finding);
    if let Some(idle) = idle.as_ref().filter(|_| system == Some("Linux")) {
        bound_hold(finding, idle);
    }
    let predicted = predicted(features, view, finding, system);
    for remedy in finding.remedy.iter_mut().filter(|remedy| Some(&*remedy.system) == system) {
        remedy.predicted = predicted;
    }
}

/// Returns the deepest idle state that a finding's evidence names.
fn deepest_idle(finding: &Finding) -> Option<DeepestIdle> {
    let cost = finding.evidence.get::<ConstantCost>().and_then(|cost| cost.idle.clone());
    cost.or_else(|| finding.evidence.get::<IdleExit>()?.idle.clone())
}

/// Says in the remedy by a latency hold what it saves at most; adds that remedy to a cost.
fn bound_hold(finding: &mut Finding, idle: &DeepestIdle) {
    let latency = Nanos::new(idle.exit_latency_ns);
    let note = format!("saves at most {latency}, the exit latency of {}; costs power", idle.deepest_idle);
    let hold = "hold /dev/cpu_dma_latency open with 0 (measure --latency-hold 0 tries it)";
    finding.remedy.retain(|remedy| remedy.system != "Linux");
    finding.remedy.insert(0, Remedy::new("Linux", hold, &note));
}

fn predicted(features: &Features<'_>, view: usize, finding: &Finding, system: Option<&str>) -> Option<Predicted> {
    let cell = &features.views[view];
    let of = |late: i64| parts::of(features, view, late);
    // `instead`: the lateness that replaces the removed part, in ns. `less`, `more`: how far that part may be smaller
    // or larger than its stated size, in ns.
    let (instead, less, more) = match finding.cause() {
        Cause::TimerSlack => {
            let (low, high) = (finding.low.unwrap_or(finding.size), finding.high.unwrap_or(finding.size));
            (0.0, (finding.size - low).max(0.0), (high - finding.size).max(0.0))
        }
        Cause::ProportionalSlack | Cause::IdleExit => (0.0, 0.0, 0.0),
        // Only where the cost of a wake-up is known apart from the wait.
        Cause::TickQuantised | Cause::TimerWheel if of(cell.quantile(0.5)).cost > 0 => {
            (if system == Some("Linux") { slack(features, view) } else { 0.0 }, 0.0, 0.0)
        }
        _ => return None,
    };
    // What else grows with the sleep, such as caches that cool, may stay under the remedy.
    let deepest = deepest_idle(finding).map(|idle| idle.exit_latency_ns);
    let removed = |late: i64| {
        let parts = of(late);
        match finding.cause() {
            Cause::TimerSlack => parts.slack,
            Cause::ProportionalSlack => parts.stretch,
            Cause::IdleExit => deepest.map_or(parts.idle, |latency| parts.idle.min(latency)),
            _ => parts.tick,
        }
    };
    let mut after: Vec<i64> =
        cell.series.iter().map(|&late| late - removed(late) + Nanos::from_f64(instead).get()).collect();
    after.sort_unstable();
    let at = |p: Fraction| quantile(&cell.sorted, &after, p, more, less);
    let (p50, p99) = (at(Fraction::P50), at(Fraction::P99));
    (p50.is_some() || p99.is_some()).then_some(Predicted { p50, p99 })
}

/// Returns the slack, in ns, that a view's sleeps will have once their timers fire between ticks.
fn slack(features: &Features<'_>, view: usize) -> f64 {
    let obtained = features.groups[features.views[view].group].obtained.as_ref();
    let real_time =
        obtained.is_some_and(|obtained| obtained.policy.is_some_and(oversleep_sys::settings::Policy::is_real_time));
    if real_time {
        return 0.0;
    }
    obtained.and_then(|obtained| obtained.timer_slack).map_or(SLACK, Nanos::as_f64)
}

/// Returns a quantile before and after the remedy. Its interval is that of its rank, wider by how far the removed part
/// may be larger (`more`) or smaller (`less`), in ns. `None` where the interval is at least as wide as the change.
fn quantile(before: &[i64], after: &[i64], p: Fraction, more: f64, less: f64) -> Option<PredictedQuantile> {
    let n = after.len();
    if !supports_quantile(n as u64, p) {
        return None;
    }
    let (share, n) = (p.as_f64(), n as f64);
    let rank = |sigmas: f64| n * share + sigmas * (n * share * (1.0 - share)).sqrt();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held between the first and the last
    let ranked = |rank: f64| after[((rank - 1.0).round().max(0.0) as usize).min(after.len() - 1)];
    let (low, high) = (ranked(rank(-SIGMAS).floor()), ranked(rank(SIGMAS).ceil() + 1.0));
    let after_ns = of_sorted(after, p)?;
    let give = |ns: i64| Nanos::from_f64((PART * ns.unsigned_abs() as f64).max(GIVE)).get();
    let before_ns = of_sorted(before, p)?;
    let low_ns = (low - give(low) - Nanos::from_f64(more).get()).max(after[0].min(0));
    let high_ns = high + give(high) + Nanos::from_f64(less).get();
    let tells = high_ns - low_ns < (before_ns - after_ns).abs();
    tells.then_some(PredictedQuantile { before_ns, after_ns, low_ns, high_ns })
}

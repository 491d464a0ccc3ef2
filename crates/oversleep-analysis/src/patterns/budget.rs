//! A cell's median and 99th percentile, each split among causes. The parts sum to the quantile to the nanosecond.

use super::features::Features;
use super::parts;
use oversleep_figures::quantile::{Fraction, supports_quantile};
use oversleep_recording::document::{Budget, Cause, Split};
use oversleep_sys::units::Nanos;

/// Name of what no cause explains.
const UNEXPLAINED: &str = "unexplained";

/// Returns the budget of a view's cell. A quantile is `None` where the sleeps are too few for it.
pub fn compute(features: &Features<'_>, view: usize) -> Budget {
    let n = features.views[view].sorted.len() as u64;
    let at = |share: f64| split(features, view, features.views[view].quantile(share));
    Budget {
        p50_ns: supports_quantile(n, Fraction::P50).then(|| at(0.5)),
        p99_ns: supports_quantile(n, Fraction::P99).then(|| with_examined(features, view, at(0.99))),
    }
}

/// Returns the budget of a view's cell for quantiles that were computed from more sleeps than the view holds.
pub fn of_quantiles(features: &Features<'_>, view: usize, p50: Option<Nanos>, p99: Option<Nanos>) -> Budget {
    let at = |late: Nanos| split(features, view, late.get());
    Budget { p50_ns: p50.map(at), p99_ns: p99.map(|late| with_examined(features, view, at(late))) }
}

/// Least number of examined sleeps that tell what such sleeps are made of.
const TELLING: usize = 3;

/// Splits what a pattern leaves unexplained as the lateness of examined sleeps is split, where these are as late as that: they
/// are examples of it. Causes that the pattern names keep their parts.
fn with_examined(features: &Features<'_>, view: usize, mut split: Split) -> Split {
    let late: i64 = split.values().sum();
    let rest = split.get(UNEXPLAINED).copied().unwrap_or(0);
    let Some(examined) = features.examined[view].as_ref() else { return split };
    if examined.count() < TELLING || late <= examined.threshold || rest <= 0 {
        return split;
    }
    let mut sums = examined.sums();
    // What the pattern names and the examination does not is part of what stays open there.
    let named = split.iter().filter(|(name, _)| !sums.keys().flatten().any(|cause| cause.name() == name.as_str()));
    let named: i64 = named.filter(|(name, _)| *name != UNEXPLAINED).map(|(_, ns)| ns).sum();
    let open = sums.entry(None).or_insert(0);
    *open = open.saturating_sub(named.saturating_mul(i64::try_from(examined.count()).unwrap_or(i64::MAX))).max(0);
    sums.retain(|cause, ns| *ns > 0 && cause.is_none_or(|cause| !split.contains_key(cause.name())));
    let all: i128 = sums.values().map(|ns| i128::from(*ns)).sum();
    if sums.is_empty() {
        return split;
    }
    split.insert(UNEXPLAINED.into(), 0);
    // Cumulative shares, so that the parts sum to the rest exactly, and nothing stays unexplained by rounding.
    let upto = |sum: i128| i64::try_from(i128::from(rest) * sum / all.max(1)).unwrap_or(0);
    let mut sum = 0;
    for (cause, ns) in sums {
        let before = upto(sum);
        sum += i128::from(ns);
        split.insert(cause.map_or(UNEXPLAINED, Cause::name).into(), upto(sum) - before);
    }
    split
}

fn split(features: &Features<'_>, view: usize, late: i64) -> Split {
    let wheel = features.wheels[features.views[view].group];
    let parts = parts::split(features, view, late).named(wheel);
    parts.into_iter().filter(|&(name, ns)| ns != 0 || name == UNEXPLAINED).map(|(name, ns)| (name.into(), ns)).collect()
}

//! A cell's median and 99th percentile, each split among causes. The parts sum to the quantile to the nanosecond.

use super::features::Features;
use super::parts;
use crate::figures::quantile::{Fraction, supports_quantile};
use oversleep_recording::document::{Budget, Split};
use oversleep_sys::units::Nanos;

/// Returns the budget of a view's cell. A quantile is `None` where the sleeps are too few for it.
pub fn of(features: &Features<'_>, view: usize) -> Budget {
    let n = features.views[view].sorted.len() as u64;
    let at = |share: f64| split(features, view, features.views[view].quantile(share));
    Budget {
        p50_ns: supports_quantile(n, Fraction::P50).then(|| at(0.5)),
        p99_ns: supports_quantile(n, Fraction::P99).then(|| at(0.99)),
    }
}

/// Returns the budget of a view's cell for quantiles that were computed from more sleeps than the view holds.
pub fn of_quantiles(features: &Features<'_>, view: usize, p50: Option<Nanos>, p99: Option<Nanos>) -> Budget {
    let at = |late: Nanos| split(features, view, late.get());
    Budget { p50_ns: p50.map(at), p99_ns: p99.map(at) }
}

fn split(features: &Features<'_>, view: usize, late: i64) -> Split {
    let wheel = features.wheels[features.views[view].group];
    let parts = parts::of(features, view, late).named(wheel);
    parts
        .into_iter()
        .filter(|&(name, ns)| ns != 0 || name == "unexplained")
        .map(|(name, ns)| (name.into(), ns))
        .collect()
}

//! Fits mechanisms to the samples.

use super::points::{Point, RequestSeries, median, usual};
use super::rules::{COMMON, RequestRule, TimeRule, Waits};
use oversleep_recording::document::runtimes::Mechanism;
use oversleep_sys::units::Nanos;

/// Least reduction of the error by a further mechanism, in ns; [`WORTH_NOISE`] of the primitive's scatter, if that is
/// more.
const WORTH: f64 = 8e3;
const WORTH_NOISE: f64 = 0.7;
/// Number of sleeps of a request from which its weight no longer grows.
const ENOUGH: usize = 100;
/// Scatter of the primitive at a request, in ns, at which that request has half its weight: where the machine delays most
/// sleeps by milliseconds, they do not decide between rules.
const STEADY: f64 = 50e3;
/// Sleeps of a request are not explained by the rules if their median distance from the predicted end exceeds this, in
/// ns, plus `FAR_ERRORS` of its standard errors, plus the primitive's own lateness (but at most this again): after a long
/// sleep a runtime's code is slow for the same reason as the kernel's, and there is more of it.
const FAR: f64 = 200e3;
const FAR_ERRORS: f64 = 5.0;
/// Fewest sleeps of a request that are examined alone.
const FEW: usize = 5;
/// A unit or a period is named only if the error is at most this share of it: for ends spread evenly it is a fifth.
const SHARP: f64 = 0.15;
/// Largest difference of two predictions that are the same, as a share of a rule's size: sizes are estimated.
const SAME: f64 = 0.05;
/// Number of phases that are tried where ends do not show the phase.
const PHASES: u32 = 40;
/// Least constant that is named, in ns, and the largest beside a unit or a period, as a share of it.
const LEAST_CONSTANT: f64 = 10e3;
const BESIDE_UNIT: f64 = 0.3;

/// The native primitive that is measured in turns with an API.
#[derive(Debug, Clone)]
pub(super) struct Native {
    /// What is known of it at each request.
    requests: Vec<AtRequest>,
    /// How much its lateness scatters, in ns.
    pub(super) noise: f64,
    /// How much earlier than the median its earliest tenth ends, in ns.
    earlier: f64,
}

/// The primitive at one request; times in ns.
#[derive(Debug, Clone, Copy)]
struct AtRequest {
    requested: f64,
    median: f64,
    noise: f64,
}

impl Native {
    pub(super) fn from_series(series: &[RequestSeries]) -> Self {
        let at = |of: &RequestSeries| AtRequest {
            requested: of.requested.as_f64(),
            median: of.median_lateness(),
            noise: of.noise(),
        };
        let mut requests: Vec<AtRequest> = series.iter().map(at).collect();
        requests.sort_by(|a, b| a.requested.total_cmp(&b.requested));
        let noise = median(requests.iter().map(|at| at.noise).collect());
        let earlier = median(series.iter().map(RequestSeries::earlier).collect());
        Self { requests, noise, earlier }
    }

    /// Returns by how much a mechanism must reduce the error to be named, in ns.
    pub(super) fn worth(&self) -> f64 {
        WORTH.max(WORTH_NOISE * self.noise)
    }

    /// Returns how late it is, in ns, for a sleep of about this duration.
    pub(super) fn late(&self, duration: f64) -> f64 {
        // A request that becomes zero does not reach the kernel.
        if duration <= 0.0 {
            return 0.0;
        }
        self.nearest(duration).map_or(0.0, |at| at.median)
    }

    fn nearest(&self, duration: f64) -> Option<&AtRequest> {
        let apart = |at: &AtRequest| (at.requested - duration).abs();
        self.requests.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    /// Returns how much the sleeps of a request count, from 0 to 1.
    fn steadiness(&self, requested: f64) -> f64 {
        self.nearest(requested).map_or(1.0, |at| STEADY / (STEADY + at.noise))
    }
}

/// A set of mechanisms and the error that they leave; times in ns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    request: RequestRule,
    time: TimeRule,
    phase: f64,
    constant: f64,
    /// The usual distance of ends from the prediction.
    pub(super) error: f64,
}

impl Fit {
    /// Returns when this sleep should have ended, in ns.
    pub(super) fn predict(&self, point: &Point, native: &Native) -> f64 {
        let waits = self.waits(point, native);
        let due = self.time.due(point.begin(), waits.total(), self.phase);
        due.max(point.begin()) + native.late(waits.last) + self.constant
    }

    /// Returns the duration that a request becomes, in ns; in a schedule, the time left when its timer is set.
    pub(super) fn duration(&self, point: &Point, native: &Native) -> f64 {
        self.waits(point, native).total()
    }

    fn waits(&self, point: &Point, native: &Native) -> Waits {
        let left = point.start + point.requested - point.begin();
        self.request.apply(left, point.index, |duration| native.late(duration))
    }

    /// Returns what the kernel is told for a request, in ns, where the rules say so: one wait, whenever it begins.
    pub(super) fn told(&self, requested: f64, native: &Native) -> Option<f64> {
        let waits = self.request.apply(requested, u64::MAX, |duration| native.late(duration));
        let is_one =
            self.time == TimeRule::Exact && waits.before <= 0.0 && !matches!(self.request, RequestRule::Nested(..));
        is_one.then_some(waits.last)
    }

    /// Returns the mechanisms and their sizes in ns.
    pub(super) fn mechanisms(&self) -> Vec<(Mechanism, f64)> {
        let mut all = self.request.mechanisms();
        all.extend(self.time.mechanisms());
        if self.constant != 0.0 {
            all.push((Mechanism::AddsConstant, self.constant));
        }
        all
    }

    /// Returns the first request whose sleeps these mechanisms do not explain, and their median distance from the
    /// predicted end, in ns.
    pub(super) fn misses(&self, series: &[RequestSeries], native: &Native) -> Option<(Nanos, f64)> {
        let found = series.iter().filter(|of| of.points.len() >= FEW).map(|of| {
            let middle = median(of.points.iter().map(|point| point.end - self.predict(point, native)).collect());
            (of, middle)
        });
        let late = |of: &RequestSeries| native.late(of.requested.as_f64()).clamp(0.0, FAR);
        let far = |of: &RequestSeries| FAR + late(of) + FAR_ERRORS * of.noise() / (of.points.len() as f64).sqrt();
        let mut missed = found.filter(|(of, middle)| middle.abs() > far(of));
        missed.next().map(|(of, middle)| (of.requested, middle))
    }

    /// Returns the usual distance of ends from the prediction, in ns. Requests have equal weights, except that fewer than
    /// [`ENOUGH`] sleeps weigh less, and those for which the primitive is not [`STEADY`].
    fn error_on(&self, series: &[RequestSeries], native: &Native) -> f64 {
        let error = |point: &Point| (point.end - self.predict(point, native)).abs();
        let weight = |of: &RequestSeries| of.points.len().min(ENOUGH) as f64 * native.steadiness(of.requested.as_f64());
        let weights = series.iter().map(weight);
        let errors = series.iter().map(|of| usual(of.points.iter().map(error).collect()));
        weights.clone().zip(errors).map(|(weight, error)| weight * error).sum::<f64>() / weights.sum::<f64>()
    }

    /// Returns the same with a constant, if nearly every sleep is later by about the same.
    fn with_constant(self, series: &[RequestSeries], native: &Native) -> Option<Self> {
        let points = series.iter().flat_map(|of| &of.points);
        let rest = common(points.map(|point| point.end - self.predict(point, native)).collect(), native);
        // Beside a unit, a constant of about its size is another unit.
        let units = self.mechanisms().into_iter().map(|(_, size)| size);
        let most = BESIDE_UNIT * units.fold(f64::INFINITY, f64::min);
        let fit = Self { constant: rest.filter(|rest| (LEAST_CONSTANT..most).contains(rest))?, ..self };
        Some(Self { error: fit.error_on(series, native), ..fit })
    }

    /// Returns whether ends keep the units and the period of these mechanisms.
    fn is_sharp(&self) -> bool {
        let mut units = self.request.mechanisms().into_iter().chain(self.time.mechanisms());
        units.all(|(_, size)| self.error <= SHARP * size)
    }

    /// Returns the other fit if it is sharp, and better by more than its further mechanisms must be worth.
    fn or_better(self, other: Self, native: &Native) -> Self {
        if other.price(native) < self.price(native) && other.is_sharp() { other } else { self }
    }

    /// Returns whether the other one has rules of other names, and no more of them.
    fn is_rival(&self, other: &Self) -> bool {
        let names_of = |fit: &Self| fit.mechanisms().into_iter().map(|(mechanism, _)| mechanism).collect::<Vec<_>>();
        let (ours, others) = (names_of(self), names_of(other));
        others != ours && (1..=ours.len()).contains(&others.len())
    }

    fn price(&self, native: &Native) -> f64 {
        self.error + self.mechanisms().len() as f64 * native.worth()
    }
}

/// Returns the error without any mechanism, and the best set of mechanisms, which has the rule that is `proved`.
pub(super) fn fit(series: &[RequestSeries], native: &Native, proved: Option<RequestRule>) -> (f64, Fit) {
    let without = without_rules(series, native);
    let mut best = proved.map_or(without, |request| tried(series, native, request, TimeRule::Exact));
    for request in proved.map_or_else(|| candidates(series, native), |rule| vec![rule]) {
        best = all_with(request, series, native).fold(best, |best, fit| best.or_better(fit, native));
    }
    (without.error, best)
}

/// Returns the same, of rules alone that make requests longer whenever they are made.
pub(super) fn fit_longer(series: &[RequestSeries], native: &Native) -> (f64, Fit) {
    let without = without_rules(series, native);
    let longer = candidates(series, native).into_iter().filter(|rule| rule.makes_longer());
    let tries = longer.map(|rule| tried(series, native, rule, TimeRule::Exact));
    (without.error, tries.fold(without, |best, fit| best.or_better(fit, native)))
}

/// Returns whether another rule for requests makes the same of these, so that they do not tell them apart: 100 µs and 1 ms
/// both last 1 ms if they are rounded up, and if 1 ms is the least.
pub(super) fn is_ambiguous(best: &Fit, series: &[RequestSeries], native: &Native) -> bool {
    let largest = best.mechanisms().into_iter().map(|(_, size)| size).fold(0.0, f64::max);
    let near = native.worth().max(SAME * largest);
    let is_same = |other: &Fit| {
        let apart = |point: &Point| (other.predict(point, native) - best.predict(point, native)).abs();
        series.iter().flat_map(|of| &of.points).all(|point| apart(point) <= near)
    };
    let others = candidates(series, native).into_iter().map(|rule| tried(series, native, rule, TimeRule::Exact));
    let with_constant = |fit: Fit| [Some(fit), fit.with_constant(series, native)].into_iter().flatten();
    others.flat_map(with_constant).any(|other| best.is_rival(&other) && is_same(&other))
}

/// Returns the fits of a rule for requests with each rule for the time, without and with a constant.
fn all_with<'a>(
    request: RequestRule,
    series: &'a [RequestSeries],
    native: &'a Native,
) -> impl Iterator<Item = Fit> + 'a {
    let rare = request
        .mechanisms()
        .into_iter()
        .any(|(mechanism, size)| mechanism != Mechanism::Clamped && !COMMON.contains(&size));
    let times = TimeRule::tried(request == RequestRule::Exact).filter(move |time| *time == TimeRule::Exact || !rare);
    let times = times.filter(move |time| shows(*time, request, series));
    times.flat_map(move |time| {
        let plain = tried(series, native, request, time);
        [Some(plain), plain.with_constant(series, native)].into_iter().flatten()
    })
}

/// Returns whether sleeps of these requests show a rule beside that for requests. A clock that is read less often than the
/// longest sleep lasts ends almost all of them at once, as any constant would explain. A wait is rounded up once.
fn shows(time: TimeRule, request: RequestRule, series: &[RequestSeries]) -> bool {
    match time {
        TimeRule::Cached(period) => series.iter().any(|of| of.requested.as_f64() >= period),
        TimeRule::CoalescedThenRounded(_) => request == RequestRule::Exact,
        TimeRule::Exact | TimeRule::Coalesced(_) => true,
    }
}

/// Returns the fit of a runtime that has no rule of its own.
pub(super) fn without_rules(series: &[RequestSeries], native: &Native) -> Fit {
    tried(series, native, RequestRule::Exact, TimeRule::Exact)
}

/// Fits the phase of these rules, without a constant.
fn tried(series: &[RequestSeries], native: &Native, request: RequestRule, time: TimeRule) -> Fit {
    let mut fit = Fit { request, time, phase: 0.0, constant: 0.0, error: 0.0 };
    if let Some(period) = time.period() {
        let points = series.iter().flat_map(|of| &of.points);
        let seen = points.filter_map(|point| {
            let duration = fit.duration(point, native);
            Some((time.phase_of(point.end, duration)? - native.late(duration)).rem_euclid(period))
        });
        let seen: Vec<f64> = seen.collect();
        fit.phase =
            if seen.is_empty() { best_phase(fit, series, native, period) } else { circular_middle(&seen, period) };
    }
    fit.error = fit.error_on(series, native);
    fit
}

/// Returns the phase with the least error, of [`PHASES`] that divide the period.
fn best_phase(fit: Fit, series: &[RequestSeries], native: &Native, period: f64) -> f64 {
    let phases = (0..PHASES).map(|step| (f64::from(step) + 0.5) / f64::from(PHASES) * period);
    let errors = phases.map(|phase| (phase, Fit { phase, ..fit }.error_on(series, native)));
    errors.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |(phase, _)| phase)
}

/// Returns the median, if nine in ten values are at least 0.8 of it, and three in four hardly more: what delays only some
/// sleeps is not a rule, nor is what delays them by different times. A busy machine delays few of them. The primitive's own
/// scatter is allowed for on both sides.
fn common(mut values: Vec<f64>, native: &Native) -> Option<f64> {
    const ABOUT: f64 = 0.8;
    const NOISES: f64 = 4.0;
    let middle = median(values.clone());
    values.sort_by(f64::total_cmp);
    let &low = values.get(values.len() / 10)?;
    let &high = values.get(values.len() - 1 - values.len() / 4)?;
    let is_narrow = high - middle <= ((1.0 - ABOUT) * middle).max(NOISES * native.noise);
    (low + native.earlier >= ABOUT * middle && is_narrow).then_some(middle)
}

/// Returns the median of the densest part of values on a circle.
fn circular_middle(values: &[f64], period: f64) -> f64 {
    const BINS: usize = 64;
    let mut counts = [0_u32; BINS];
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to BINS
    let bin = |value: f64| ((value / period * BINS as f64) as usize).min(BINS - 1);
    for &value in values {
        counts[bin(value)] += 1;
    }
    let around = |at: usize| counts[(at + BINS - 1) % BINS] + counts[at] + counts[(at + 1) % BINS];
    let fullest = (0..BINS).max_by_key(|&at| around(at)).unwrap_or(0);
    let centre = (fullest as f64 + 0.5) / BINS as f64 * period;
    let from_centre = |value: f64| (value - centre + period / 2.0).rem_euclid(period) - period / 2.0;
    let near = values.iter().map(|&value| from_centre(value)).filter(|apart| apart.abs() < period / 8.0);
    (centre + median(near.collect())).rem_euclid(period)
}

/// Returns every rule for requests that is worth trying.
fn candidates(series: &[RequestSeries], native: &Native) -> Vec<RequestRule> {
    let mut rules = vec![RequestRule::Exact];
    for unit in RequestRule::UNITS {
        let of_unit = [RequestRule::RoundedUp, RequestRule::RoundedUpInTwoWaits, RequestRule::TruncatedAtLeast];
        rules.extend(of_unit.map(|rule| rule(unit)));
        // Truncation to a unit shows in requests at least as long as the unit; a single such request is not enough.
        if series.iter().filter(|of| of.requested.as_f64() >= unit).count() > 1 {
            rules.push(RequestRule::Truncated(unit));
        }
    }
    let Some(shortest) = series.iter().min_by_key(|of| of.requested) else { return rules };
    let requested = shortest.requested.as_f64();
    // A least request shows in the shortest request.
    let lasted = |from: u64| -> Vec<f64> {
        let late = shortest.points.iter().filter(|point| point.index >= from);
        late.map(|point| point.end - point.start).collect()
    };
    let is_longer = |least: &f64| *least > requested * 1.2 && *least > requested + 100e3;
    let least = |from: u64| common(lasted(from), native).map(|whole| whole - native.late(whole)).filter(is_longer);
    rules.extend(least(0).map(RequestRule::Clamped));
    rules.extend((1..=10).filter_map(|after| Some(RequestRule::Nested(least(after)?, after))));
    // Where another rule scatters ends, round numbers are more likely.
    if is_longer(&median(lasted(0))) {
        rules.extend([1.0, 4.0, 10.0].map(|ms| RequestRule::Clamped(ms * 1e6)));
    }
    rules
}

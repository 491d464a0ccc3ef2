//! Rules for requests on a machine that delays most sleeps: what delays a sleep only ever adds, so the earliest ends of each
//! request still show when the runtime asked the kernel to wake it.
//!
//! Only sleeps of a whole request are used, not ticks, and only rules that make requests longer are tried. A scheduler delays
//! sleeps until its own ticks, so late ends lie on the kernel's grid, not the runtime's, and sleeps that begin on that grid do not
//! tell truncation from a clock that is seldom read.

use super::fit::{Fit, Native, fit_longer, is_ambiguous};
use super::outliers::threshold;
use super::points::{Point, RequestSeries, early_share};

/// Part of the sleeps that is the earliest.
const PART: usize = 5;
/// Fewest sleeps of a request whose earliest are examined.
const FEWEST: usize = 40;
/// Least share of the primitive's sleeps that are later than its earliest, where the machine delays sleeps.
const DELAYED: f64 = 0.1;
/// Largest error with the rules, as a share of that without them.
const MUCH_BETTER: f64 = 0.4;

/// Largest distance from the prediction of a sleep that is on time, in errors of the rule.
const ERRORS: f64 = 3.0;
/// Least share of the sleeps that are on time, for each of the primitive's.
const ON_TIME: f64 = 0.4;

/// Share of early sleeps from which requests do not only become longer.
const EARLY: f64 = 0.05;

/// What the earliest sleeps show.
#[derive(Debug, Clone)]
pub(super) struct Earliest {
    /// The rule that they keep.
    pub(super) rule: Fit,
    /// The primitive's earliest sleeps.
    pub(super) native: Native,
    /// Error without a rule, in ns.
    pub(super) without: f64,
    /// Share of the primitive's sleeps that the machine delays.
    pub(super) delayed: f64,
}

/// Returns the rule that the earliest sleeps keep; `None` where the primitive beside them is not delayed often, or where no
/// rule predicts them far better than none.
pub(super) fn earliest(series: &[RequestSeries], beside: &[RequestSeries]) -> Option<Earliest> {
    let examined: Vec<RequestSeries> = series.iter().filter(|of| of.points.len() >= FEWEST).cloned().collect();
    let is_sleep = |point: &Point| point.tick_before.is_none();
    if !series.iter().flat_map(|of| &of.points).all(is_sleep) || early_share(series) > EARLY {
        return None;
    }
    let early: Vec<RequestSeries> = examined.iter().map(first).collect();
    let native = Native::from_series(&beside.iter().map(first).collect::<Vec<_>>());
    let limit = threshold(&native);
    let is_delayed = |point: &&Point| point.lateness() - native.late(point.requested) > limit;
    let of_native = || beside.iter().flat_map(|of| &of.points);
    let delayed = of_native().filter(is_delayed).count() as f64 / of_native().count().max(1) as f64;
    if early.len() < 2 || delayed < DELAYED {
        return None;
    }
    let (without, rule) = fit_longer(&early, &native);
    let is_better = !rule.mechanisms().is_empty() && rule.error <= MUCH_BETTER * without;
    // Ends that are spread evenly have earliest ones, too, but few sleeps end with them.
    let near = limit.max(ERRORS * rule.error);
    let is_on_time = |point: &&Point| (point.end - rule.predict(point, &native)).abs() <= near;
    let of_api = || examined.iter().flat_map(|of| &of.points);
    let on_time = of_api().filter(is_on_time).count() as f64 / of_api().count().max(1) as f64;
    let is_clear = is_better && on_time >= ON_TIME * (1.0 - delayed) && !is_ambiguous(&rule, &examined, &native);
    is_clear.then_some(Earliest { rule, native, without, delayed })
}

/// Returns the sleeps of a request that ended first, after the request.
fn first(of: &RequestSeries) -> RequestSeries {
    let mut points = of.points.clone();
    points.sort_by(|a, b| a.lateness().total_cmp(&b.lateness()));
    points.truncate((of.points.len() / PART).max(1));
    RequestSeries { requested: of.requested, points }
}

#[cfg(test)]
mod tests {
    use super::super::document::{ApiContext, judge};
    use super::super::planted::{Planted, run};
    use super::super::random_tests::{Random, SCALES, delay_each, delayed};
    use super::*;
    use oversleep_recording::document::runtimes::{Mechanism, RuntimeMechanism};
    use oversleep_sys::units::Nanos;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Delays three sleeps of five until a tick of the scheduler, every 4 ms, or some ticks later.
    fn make_busy(series: &mut [RequestSeries], often: f64, seed: u64) {
        const TICK: f64 = 4e6;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        delay_each(series, |end| {
            let is_delayed = random.random_bool(often);
            let ticks = 1 + random.random_range(0..4);
            if is_delayed { (end / TICK).floor() * TICK + f64::from(ticks) * TICK - end } else { 0.0 }
        });
    }

    /// Returns what is found of a planted runtime whose sleeps, and its primitive's, a busy machine delays.
    fn on_a_busy_machine(rule: Planted, seed: u64) -> (Vec<RuntimeMechanism>, Option<String>) {
        let (mut api, mut native) = run(rule, false, seed);
        make_busy(&mut api, 0.6, seed);
        make_busy(&mut native, 0.4, seed + 100);
        judge(&api, &native, false, ApiContext::default())
    }

    #[test]
    fn a_request_s_rule_is_named_though_the_machine_delays_most_sleeps_and_the_rest_is_open() {
        for (rule, wanted) in [(Planted::RoundsUp, Mechanism::RoundedUp), (Planted::Clamps, Mechanism::Clamped)] {
            for seed in 1..=5 {
                let (found, open) = on_a_busy_machine(rule, seed);
                let named: Vec<_> = found.iter().map(|one| one.mechanism).collect();
                assert_eq!(named, [wanted], "seed {seed}: {open:?}");
                assert!((found[0].size - Nanos::MILLISECOND).abs() < Nanos::from_micros(10), "{found:?}");
                let said = open.unwrap_or_default();
                assert!(said.contains("of its primitive's are late, too"), "seed {seed}: {said}");
            }
        }
    }

    #[test]
    fn no_rule_of_a_request_is_named_where_there_is_none() {
        for rule in Planted::ALL {
            for seed in 1..=5 {
                let (found, _) = on_a_busy_machine(rule, seed);
                let is_true =
                    |one: &RuntimeMechanism| rule.expected(0.0).is_some_and(|(wanted, _)| wanted == one.mechanism);
                assert!(found.iter().all(is_true), "{rule:?}, seed {seed}: {found:?}");
            }
        }
    }

    /// The machine delays the runtime and its primitive alike, in each way at random.
    #[test]
    fn random_delays_of_both_name_no_rule() {
        let mut wrong = Vec::new();
        for kind in Random::ALL {
            for scale in SCALES {
                for seed in 1..=3 {
                    let (api, mut native) = delayed(kind, scale, false, seed);
                    let mut random = Pcg64Mcg::seed_from_u64(seed + 50);
                    delay_each(&mut native, |_| scale * kind.draw(&mut random));
                    let (found, _) = judge(&api, &native, false, ApiContext::default());
                    if !found.is_empty() {
                        wrong.push(format!("{kind:?} of {scale}, seed {seed}: {found:?}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn too_few_sleeps_and_a_primitive_on_time_show_nothing() {
        let (mut api, mut native) = run(Planted::RoundsUp, false, 1);
        make_busy(&mut api, 0.6, 1);
        assert!(earliest(&api, &native).is_none(), "the primitive is on time");
        make_busy(&mut native, 0.4, 2);
        assert!(earliest(&api, &native).is_some());
        assert!(earliest(&api[..1], &native).is_none(), "one request tells no rules apart");
        for of in &mut api {
            of.points.truncate(FEWEST - 1);
        }
        assert!(earliest(&api, &native).is_none(), "the earliest fifth would be a few");
    }
}

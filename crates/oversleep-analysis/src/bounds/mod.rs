//! How late a sleep can be at a risk: from the samples where they carry it, beyond them from a tail that was tested, and nothing
//! where neither does.

mod gather;
mod pareto;
mod regimes;

pub use gather::Gather;

use oversleep_recording::document::{TailBasis, TailBound, TailCarried, TailPart};
use oversleep_sys::units::Nanos;
use pareto::{FEWEST_EVENTS, Tail};
use statrs::function::beta::beta_reg;

/// Certainty of the limit that is given with a bound.
pub const CERTAINTY: f64 = 0.95;
/// Events beyond a bound with which the samples carry it themselves: its risk is then known to a third (10^(−½)).
const CARRYING_EVENTS: f64 = 10.0;
/// Least number of events expected beyond a bound for a tail to be followed to it: ten times as far as samples reach, no further.
const LEAST_EVENTS: f64 = 0.1;
/// Probability of a worse fit that a tail must have: at this level a true tail is refused one time in ten.
const FITS: f64 = 0.1;
/// Largest number of exceedances that are fitted, and largest share of the samples: more would be the middle, not the tail.
const MOST_EXCEEDANCES: usize = 2_000;
const MOST_OF_SAMPLES: usize = 10;
/// Risks of which the lowest that samples carry is named.
const RISKS: [f64; 13] = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 1e-5];

/// One sleep: when it was due, and how late it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueSleep {
    /// Time of the clock when it should have ended.
    pub due: Nanos,
    /// How late it ended; negative if early.
    pub late: Nanos,
}

/// Returns how late such sleeps can be at `risk`, above 0 and below 1; `None` without sleeps. Sorts them by time.
///
/// Sleeps that one event made late count as one ([`TailBound::events_per_late_sleep`]). Where lateness changed with time, the bound is the largest of all of them together and of each part that has one.
pub fn bound(sleeps: &mut [DueSleep], risk: f64) -> Option<TailBound> {
    sleeps.sort_by_key(|sleep| sleep.due);
    let (first, last) = (sleeps.first()?.due, sleeps.last()?.due);
    let series: Vec<i64> = sleeps.iter().map(|sleep| sleep.late.get()).collect();
    let cuts = regimes::parts(&series);
    let whole = Estimate::new(&series, risk);
    let mut parts = Vec::new();
    let of_all = whole.late();
    let (mut worst, mut latest) = ((whole, None), None);
    if cuts.len() > 1 {
        // At the lowest risk that all parts carry, the latest part is known even if it is too short for a bound.
        let shortest = cuts.iter().map(|(from, to)| to - from).min()?;
        let common = risk.max(CARRYING_EVENTS / shortest as f64);
        for (at, (from, to)) in cuts.iter().copied().enumerate() {
            let estimate = Estimate::new(&series[from..to], risk);
            parts.push(TailPart {
                from: sleeps[from].due.saturating_sub(first),
                to: sleeps[to - 1].due.saturating_sub(first),
                n: (to - from) as u64,
                p50: Nanos::new(estimate.at(0.5)),
                late: estimate.late().map(Nanos::new),
            });
            let usual = estimate.at(common);
            if latest.is_none_or(|(most, _)| usual > most) {
                latest = Some((usual, at));
            }
            if estimate.late() > worst.0.late() {
                worst = (estimate, Some(at));
            }
        }
    }
    let latest = latest.map(|(_, at)| at as u64);
    let (estimate, part) = worst;
    let n = estimate.sorted.len() as f64;
    let events = (n * risk * estimate.events_per_exceedance).max(f64::MIN_POSITIVE);
    let span = match part {
        Some(at) => parts[at].to.saturating_sub(parts[at].from),
        None => last.saturating_sub(first),
    };
    Some(TailBound {
        risk,
        certainty: CERTAINTY,
        n: series.len() as u64,
        span: last.saturating_sub(first),
        late: estimate.late().map(Nanos::new),
        low: estimate.found.as_ref().map(|found| Nanos::new(found.low)),
        at_most: estimate.found.as_ref().map(|found| Nanos::new(found.at_most)),
        basis: estimate.found.as_ref().map(|found| found.basis.clone()),
        events_per_late_sleep: estimate.events_per_exceedance,
        carried: estimate.carried(),
        max: Nanos::new(series.iter().copied().max()?),
        parts,
        of_all: of_all.filter(|_| part.is_some()).map(Nanos::new),
        bounded_part: part.map(|at| at as u64),
        latest_part: latest,
        carried_after: Nanos::from_f64(span.get() as f64 * CARRYING_EVENTS / events),
    })
}

#[derive(Debug, Clone)]
struct Estimate {
    sorted: Vec<i64>,
    events_per_exceedance: f64,
    found: Option<Found>,
}

#[derive(Debug, Clone)]
struct Found {
    late: i64,
    low: i64,
    at_most: i64,
    basis: TailBasis,
}

impl Estimate {
    fn new(series: &[i64], risk: f64) -> Self {
        let mut sorted = series.to_vec();
        sorted.sort_unstable();
        let n = sorted.len() as f64;
        // How many events made sleeps about as late as the bound: of at least forty sleeps, as fewer cannot be divided into events.
        let enough = (4.0 * CARRYING_EVENTS).max(n * risk).min(n / 2.0).max(1.0);
        let (events_per_exceedance, _) = events_beyond(series, &sorted, enough);
        let mut estimate = Self { events_per_exceedance, sorted, found: None };
        let beyond = n * risk * estimate.events_per_exceedance;
        let tail = || estimate.by_tail(series, risk).filter(|_| beyond >= LEAST_EVENTS);
        estimate.found = if beyond >= CARRYING_EVENTS { None } else { tail() }.or_else(|| estimate.by_order(risk));
        estimate
    }

    fn late(&self) -> Option<i64> {
        self.found.as_ref().map(|found| found.late)
    }

    /// Returns the value exceeded by a share of the sleeps.
    fn at(&self, share: f64) -> i64 {
        self.beyond(share * (self.sorted.len() as f64 + 1.0))
    }

    /// Returns the value that the `exceeding`-th latest sleep has.
    fn beyond(&self, exceeding: f64) -> i64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held within the samples
        let rank = (exceeding.floor().max(1.0) as usize).min(self.sorted.len());
        self.sorted[self.sorted.len() - rank]
    }

    /// Returns the order statistic that the next sleep exceeds with probability `risk`, and the quantile's 90 % interval.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a rank
    fn by_order(&self, risk: f64) -> Option<Found> {
        let n = self.sorted.len() as f64;
        let exceeding = (risk * (n + 1.0)).floor();
        let (most, least) = (self.rank_below(risk, CERTAINTY)?, self.rank_above(risk, CERTAINTY));
        Some(Found {
            late: self.beyond(exceeding),
            low: self.beyond(least),
            at_most: self.beyond(most),
            basis: TailBasis::Samples { beyond: exceeding as u64, events: exceeding * self.events_per_exceedance },
        })
    }

    /// Returns the largest rank from the latest whose value is above the quantile with this certainty: the share of all sleeps beyond
    /// the j-th latest of n has a beta distribution of j and n + 1 − j, fewer events of both where sleeps come together.
    fn rank_below(&self, risk: f64, certainty: f64) -> Option<f64> {
        let holds = |rank: f64| self.share_below(rank, risk) >= certainty;
        holds(1.0).then(|| last_where(self.sorted.len(), holds))
    }

    /// Returns the smallest rank from the latest whose value is below the quantile with this certainty.
    fn rank_above(&self, risk: f64, certainty: f64) -> f64 {
        let holds = |rank: f64| self.share_below(rank, risk) > 1.0 - certainty;
        last_where(self.sorted.len(), holds) + 1.0
    }

    /// Returns the probability that at most `risk` of all sleeps are later than the `rank`-th latest.
    fn share_below(&self, rank: f64, risk: f64) -> f64 {
        let (n, each) = (self.sorted.len() as f64, self.events_per_exceedance);
        beta_reg((rank * each).max(1e-9), (n + 1.0 - rank) * each, risk)
    }

    /// Returns the bound by the tail of the most exceedances that fit one.
    fn by_tail(&self, series: &[i64], risk: f64) -> Option<Found> {
        let n = self.sorted.len();
        let mut exceedances = (n / MOST_OF_SAMPLES).min(MOST_EXCEEDANCES);
        while exceedances >= 8 {
            let threshold = self.sorted[n - exceedances - 1];
            let excesses: Vec<f64> = self
                .sorted
                .iter()
                .skip_while(|late| **late <= threshold)
                .map(|late| (late - threshold) as f64)
                .collect();
            let (share, runs) = events_beyond(series, &self.sorted, excesses.len() as f64);
            // How late an event makes sleeps does not depend on when the others came.
            let events = runs * excesses.len() as f64;
            // A threshold that is hardly exceeded more often than the bound says nothing of it.
            if events < FEWEST_EVENTS || (excesses.len() as f64) < 2.0 * risk * n as f64 {
                return None;
            }
            let tail = Tail::fit(&excesses, n, events, share);
            let fit = tail.fit_probability(&excesses, events);
            if fit >= FITS {
                let value = |excess: f64| threshold.saturating_add(Nanos::from_f64(excess).get());
                return Some(Found {
                    late: value(tail.bound(risk)),
                    low: value(tail.quantile_limit(risk, 1.0 - CERTAINTY)),
                    at_most: value(tail.quantile_limit(risk, CERTAINTY)),
                    basis: TailBasis::Model {
                        threshold: Nanos::new(threshold),
                        exceedances: excesses.len() as u64,
                        events,
                        shape: tail.shape,
                        scale_ns: tail.scale,
                        fit_probability: fit,
                        samples_reach: 1.0 / n as f64,
                    },
                });
            }
            exceedances = exceedances * 2 / 3;
        }
        None
    }

    /// Returns the lowest risk whose bound the samples carry themselves.
    fn carried(&self) -> Option<TailCarried> {
        let known = |risk: f64| {
            let rank = self.rank_below(risk, CERTAINTY)?;
            let late = Nanos::new(self.at(risk));
            Some(TailCarried { risk, late, at_most: Nanos::new(self.beyond(rank)) })
        };
        RISKS.into_iter().map_while(known).last()
    }
}

/// Returns the share of events among the `k` latest sleeps, and that of runs of such sleeps: a stall is a run, and stalls that come
/// together, in a restless time, are one event.
fn events_beyond(series: &[i64], sorted: &[i64], k: f64) -> (f64, f64) {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held within the samples
    let k = (k as usize).max(1);
    if k >= sorted.len() {
        return (1.0, 1.0);
    }
    let limit = sorted[sorted.len() - k - 1];
    let places: Vec<usize> =
        series.iter().enumerate().filter(|(_, late)| **late > limit).map(|(place, _)| place).collect();
    let runs = 1 + places.windows(2).filter(|pair| pair[1] > pair[0] + 1).count();
    (extremal_index(&places), runs as f64 / places.len().max(1) as f64)
}

/// Returns the last of 1 to `n` for which a condition holds that holds for all before it; 1 if for none.
fn last_where(n: usize, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (1_usize, n);
    while low < high {
        let middle = low.midpoint(high + 1);
        if holds(middle as f64) { low = middle } else { high = middle - 1 }
    }
    low as f64
}

/// Returns the share of exceedances that are events of their own, from 0 to 1: the extremal index by the intervals estimator (Ferro
/// and Segers, "Inference for clusters of extreme values", JRSS B 65, 2003, equations 4 and 5), which needs no length that parts
/// events. `places` are the places of the exceedances in the series, in order.
fn extremal_index(places: &[usize]) -> f64 {
    let gaps: Vec<f64> = places.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    if gaps.is_empty() {
        return 1.0;
    }
    let far = gaps.iter().any(|gap| *gap > 2.0);
    let (less, lesser) = if far { (1.0, 2.0) } else { (0.0, 0.0) };
    let sum: f64 = gaps.iter().map(|gap| gap - less).sum();
    let squares: f64 = gaps.iter().map(|gap| (gap - less) * (gap - lesser)).sum();
    if squares <= 0.0 { 1.0 } else { (2.0 * sum * sum / (gaps.len() as f64 * squares)).min(1.0) }
}

#[cfg(test)]
mod tests;

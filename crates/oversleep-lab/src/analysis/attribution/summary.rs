//! A run's breakdowns in figures.

use super::culprits::{Culprit, culprits};
use super::model::{Breakdown, Complete, PartKind};
use super::unexplained::unexplained;
use super::usual::Usual;
use crate::analysis::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a run's breakdowns say together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Sleeps that were traced.
    pub sleeps: u64,
    /// Those whose chain is whole. All figures are of these.
    pub complete: u64,
    /// Why the others are not, and how many each.
    pub partial: BTreeMap<String, u64>,
    /// The oversleep.
    pub oversleep: Spread,
    /// The budget of the typical sleep and of the late one, part by part.
    pub parts: Vec<PartFigures>,
    /// Time without a named cause.
    pub unexplained: Spread,
    /// Its share of all oversleep time, 0 to 1; `None` without complete sleeps.
    pub unexplained_share: Option<f64>,
    /// Who had the processor while sleepers waited.
    pub culprits: Vec<Culprit>,
}

/// Two quantiles and the mean; `None` where too few sleeps carry them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Spread {
    /// The median.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// 99 of 100 are at or below.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// The mean.
    #[serde(rename = "mean_ns")]
    pub mean: Option<f64>,
}

/// One kind of part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartFigures {
    /// Which.
    pub kind: PartKind,
    /// Its own distribution over the complete sleeps, 0 where it did not occur. Medians of parts do not sum to the
    /// median of the whole; [`PartFigures::typical`] and [`PartFigures::late`] do.
    pub spread: Spread,
    /// Its time in the sleep whose oversleep is the median.
    #[serde(rename = "at_p50_ns")]
    pub typical: Option<Nanos>,
    /// Its time in the sleep whose oversleep is the 99th percentile.
    #[serde(rename = "at_p99_ns")]
    pub late: Option<Nanos>,
    /// Its share of all oversleep time, 0 to 1.
    pub share: Option<f64>,
}

/// Figures of a run's breakdowns.
pub fn summarise(all: &[Breakdown]) -> Summary {
    let complete: Vec<&Breakdown> = all.iter().filter(|breakdown| breakdown.is_complete()).collect();
    let mut partial = BTreeMap::new();
    for breakdown in all {
        if let Complete::Partial(why) = &breakdown.complete {
            *partial.entry(reason(why)).or_insert(0) += 1;
        }
    }
    let late: Vec<i64> = complete.iter().map(|breakdown| breakdown.oversleep().get()).collect();
    let total: i128 = late.iter().map(|ns| i128::from(*ns)).sum();
    let usual = Usual::of(&complete);
    let nameless: Vec<i64> = unexplained(&complete, &usual).into_iter().map(Nanos::get).collect();
    let mut culprits = culprits(&complete);
    culprits.extend(usual.culprits(&complete));
    culprits.sort_by_key(|culprit| std::cmp::Reverse(culprit.time));
    Summary {
        sleeps: all.len() as u64,
        complete: complete.len() as u64,
        partial,
        parts: parts(&complete, total),
        unexplained_share: share(nameless.iter().map(|ns| i128::from(*ns)).sum(), total),
        unexplained: spread(nameless),
        oversleep: spread(late),
        culprits,
    }
}

fn parts(complete: &[&Breakdown], total: i128) -> Vec<PartFigures> {
    let mut order: Vec<&&Breakdown> = complete.iter().collect();
    order.sort_by_key(|breakdown| breakdown.oversleep());
    let ranks: Vec<i64> = (0..i64::try_from(order.len()).unwrap_or(0)).collect();
    let at = |p| supports_quantile(order.len() as u64, p).then(|| of_sorted(&ranks, p)).flatten();
    let sleep = |p| at(p).and_then(|rank| order.get(usize::try_from(rank).ok()?));
    let (typical, late) = (sleep(Fraction::P50), sleep(Fraction::P99));
    let seen =
        PartKind::ALL.iter().copied().filter(|kind| complete.iter().any(|b| b.parts.iter().any(|p| p.kind == *kind)));
    seen.map(|kind| {
        let times: Vec<i64> = complete.iter().map(|breakdown| breakdown.of(kind).get()).collect();
        let sum = times.iter().map(|ns| i128::from(*ns)).sum();
        PartFigures {
            kind,
            typical: typical.map(|breakdown| breakdown.of(kind)),
            late: late.map(|breakdown| breakdown.of(kind)),
            share: share(sum, total),
            spread: spread(times),
        }
    })
    .collect()
}

fn share(part: i128, whole: i128) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Quantiles where the number of values carries them.
pub fn spread(mut values: Vec<i64>) -> Spread {
    values.sort_unstable();
    let n = values.len() as u64;
    let quantile = |p| if supports_quantile(n, p) { of_sorted(&values, p).map(Nanos::new) } else { None };
    let sum: i128 = values.iter().map(|ns| i128::from(*ns)).sum();
    Spread { p50: quantile(Fraction::P50), p99: quantile(Fraction::P99), mean: (n > 0).then(|| sum as f64 / n as f64) }
}

/// A reason without its numbers, so that equal reasons are counted together.
fn reason(why: &str) -> String {
    let mut words = Vec::new();
    for word in why.split(' ') {
        let number = word.trim_start_matches('-').starts_with(|letter: char| letter.is_ascii_digit());
        words.push(if number { "…" } else { word });
    }
    words.join(" ")
}

//! Summarises the breakdowns of a run.

use super::usual::{UsualPartTimes, straight_line};
use super::{Breakdown, Complete, Owner, PartKind};
use oversleep_figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::document::breakdown::real_time_class;
use oversleep_recording::document::trace::{Culprit, Named, PartFigures, QuantilesAndMean, Summary};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Returns the figures of a run's breakdowns.
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
    let usual = UsualPartTimes::compute(&complete);
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
        let times: Vec<i64> = complete.iter().map(|breakdown| breakdown.total(kind).get()).collect();
        let sum = times.iter().map(|ns| i128::from(*ns)).sum();
        PartFigures {
            kind,
            typical: typical.map(|breakdown| breakdown.total(kind)),
            late: late.map(|breakdown| breakdown.total(kind)),
            share: share(sum, total),
            spread: spread(times),
        }
    })
    .collect()
}

fn share(part: i128, whole: i128) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns the mean and quantiles of values in ns; a quantile only if their number supports it.
pub fn spread(mut values: Vec<i64>) -> QuantilesAndMean {
    values.sort_unstable();
    let n = values.len() as u64;
    let quantile = |p| if supports_quantile(n, p) { of_sorted(&values, p).map(Nanos::new) } else { None };
    let sum: i128 = values.iter().map(|ns| i128::from(*ns)).sum();
    QuantilesAndMean {
        p50: quantile(Fraction::P50),
        p99: quantile(Fraction::P99),
        mean: (n > 0).then(|| sum as f64 / n as f64),
    }
}

/// Returns a reason without its numbers, so that equal reasons are counted together.
fn reason(why: &str) -> String {
    let mut words = Vec::new();
    for word in why.split(' ') {
        let number = word.trim_start_matches('-').starts_with(|letter: char| letter.is_ascii_digit());
        words.push(if number { "…" } else { word });
    }
    words.join(" ")
}

/// Returns every owner that had the processor while sleepers waited, and during which part, the most time first.
pub fn culprits(breakdowns: &[&Breakdown]) -> Vec<Culprit> {
    let mut sums: BTreeMap<(Named, PartKind), (Nanos, u64)> = BTreeMap::new();
    for breakdown in breakdowns {
        let mut own: BTreeMap<(Named, PartKind), Nanos> = BTreeMap::new();
        for part in &breakdown.parts {
            for (owner, time) in &part.owners {
                *own.entry((Named(name(owner)), part.kind)).or_default() += *time;
            }
        }
        for (key, time) in own {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0.saturating_add(time), sum.1 + 1);
        }
    }
    let with = |((name, during), (time, sleeps))| Culprit { name, during, time, sleeps };
    let mut all: Vec<_> = sums.into_iter().map(with).collect();
    all.sort_by_key(|culprit| std::cmp::Reverse(culprit.time));
    all
}

/// Returns an owner's name; threads have no number in it, so that a pool of ten is one culprit.
pub fn name(owner: &Owner) -> String {
    match owner {
        Owner::Task { comm, prio, .. } => {
            real_time_class(*prio).map_or_else(|| comm.clone(), |class| format!("{comm} ({class})"))
        }
        Owner::Idle(_) => Owner::Idle(None).to_string(),
        other => other.to_string(),
    }
}

/// Returns the time without a known cause of each complete breakdown, in order.
///
/// Straight-line parts take a certain time on a machine; what exceeds the median of similar sleeps (see `UsualPartTimes`)
/// is unexplained. So is the time of hidden or unknown owners, and what a lower tier could not split.
pub(super) fn unexplained(breakdowns: &[&Breakdown], usual: &UsualPartTimes) -> Vec<Nanos> {
    let of = |(at, breakdown): (usize, &&Breakdown)| {
        let excess = straight_line().map(|kind| (breakdown.total(kind) - usual.time(at, kind)).max(Nanos::ZERO));
        excess.chain(nameless(breakdown)).sum()
    };
    breakdowns.iter().enumerate().map(of).collect()
}

fn nameless(breakdown: &Breakdown) -> impl Iterator<Item = Nanos> + '_ {
    breakdown.parts.iter().map(|part| match part.kind {
        PartKind::Rest | PartKind::NotYetRun => part.time,
        kind if kind.is_straight_line() => Nanos::ZERO,
        _ => part.owners.iter().filter(|(owner, _)| !owner.is_named()).map(|(_, time)| *time).sum(),
    })
}

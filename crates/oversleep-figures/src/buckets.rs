//! Figures of distributions that come in buckets: of a quantile, only the bucket it is in is known.

use super::bucket_omission;
use super::quantile::{Fraction, rank, supports_quantile};
use oversleep_recording::document::{Bounds, DistributionFigures};
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_recording::{Distribution, Loss, Note};
use oversleep_sys::units::Nanos;

/// Returns the figures of every non-empty distribution in the notes.
pub fn figures(plan: &Plan, note: &Note) -> Vec<DistributionFigures> {
    note.distributions
        .iter()
        .filter(|distribution| distribution.count > 0)
        .filter_map(|one| summarize(plan, one))
        .collect()
}

/// Returns the buckets, and the values beyond the last one as a bucket of their own where both of their bounds are known.
pub fn with_those_beyond(distribution: &Distribution) -> Vec<(Nanos, Nanos, u64)> {
    let mut buckets = distribution.buckets.clone();
    if let (beyond @ 1.., Some(low), Some(high)) = (distribution.outside(), distribution.outside_from, distribution.max)
    {
        buckets.push((low, high.max(low), beyond));
    }
    buckets
}

/// Returns the bounds of a quantile; `None` where the values do not carry it or the file tells neither bound.
pub fn quantile(distribution: &Distribution, p: Fraction) -> Option<Bounds> {
    let n = distribution.count;
    if supports_quantile(n, p) { bounds(distribution, rank(n, p)) } else { None }
}

/// Returns the bounds of the largest value: a file that counts whole microseconds tells where it begins.
pub fn largest(max: Nanos) -> Bounds {
    let low = if max.get() % 1_000 == 999 { max - Nanos::new(999) } else { max };
    Bounds { low: Some(low), high: Some(max) }
}

fn summarize(plan: &Plan, distribution: &Distribution) -> Option<DistributionFigures> {
    let cell = plan.cells.iter().find(|cell| cell.id == distribution.cell)?;
    let n = distribution.count;
    let quantile = |p| quantile(distribution, p);
    let unknown = distribution.lost.contains(&Loss::Requests);
    Some(DistributionFigures {
        cell: cell.id,
        method: cell.method.clone(),
        requested_ns: cell.pattern.requested().filter(|requested| !unknown && requested.get() > 0),
        conditions: cell.conditions.clone(),
        quantity: distribution.quantity,
        n,
        outside: distribution.outside(),
        min: distribution.min,
        mean_ns: distribution.mean_ns,
        p50: quantile(Fraction::P50),
        p90: quantile(Fraction::P90),
        p99: quantile(Fraction::P99),
        p999: quantile(Fraction::P999),
        max: distribution.max,
        corrected: match cell.pattern {
            Pattern::Periodic { period } if !unknown => bucket_omission::corrected(distribution, Some(period)),
            _ => bucket_omission::corrected(distribution, None),
        },
        lost: distribution.lost.clone(),
    })
}

/// Returns the bounds of the value with this rank, from 1; `None` where the file tells neither.
fn bounds(distribution: &Distribution, rank: u64) -> Option<Bounds> {
    let mut seen = 0_u64;
    for (low, high, count) in &distribution.buckets {
        seen = seen.saturating_add(*count);
        if seen >= rank {
            let high = distribution.max.map_or(*high, |max| max.min(*high));
            let low = distribution.min.map_or(*low, |min| min.max(*low));
            return Some(Bounds { low: Some(low.min(high)), high: Some(high) });
        }
    }
    let low = distribution.outside_from.or(distribution.min);
    (low.is_some() || distribution.max.is_some()).then_some(Bounds { low, high: distribution.max })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Quantity;

    #[test]
    fn a_quantile_is_within_its_bucket_or_beyond_the_last() {
        let us = Nanos::from_micros;
        let distribution = Distribution {
            cell: 0,
            quantity: Quantity::Oversleep,
            count: 100,
            buckets: vec![(us(1), us(2), 50), (us(2), us(3), 39), (us(4), us(5), 2)],
            outside_from: Some(us(20)),
            min: Some(Nanos::new(1_500)),
            max: Some(us(77)),
            mean_ns: None,
            lost: Vec::new(),
        };
        let at = |rank| bounds(&distribution, rank).map(|bounds| (bounds.low.unwrap(), bounds.high.unwrap()));
        assert_eq!(at(1), Some((Nanos::new(1_500), us(2))));
        assert_eq!(at(50), Some((Nanos::new(1_500), us(2))));
        assert_eq!(at(51), Some((us(2), us(3))));
        assert_eq!(at(91), Some((us(4), us(5))));
        assert_eq!(at(92), Some((us(20), us(77))), "beyond the last bucket");
        assert_eq!((distribution.in_buckets(), distribution.outside()), (91, 9));
        assert_eq!(with_those_beyond(&distribution)[2..], [(us(4), us(5), 2), (us(20), us(77), 9)]);
        let bare = Distribution { buckets: Vec::new(), outside_from: None, min: None, max: None, ..distribution };
        assert_eq!(bounds(&bare, 1), None);
    }
}

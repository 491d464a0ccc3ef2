//! The pause of a garbage collection, from the sleeps during which one began.
//!
//! A sleep of duration `d` in which a collection of length `P` begins after `u` ends `u + P - d` later than usual, and
//! `u` is not known. The scheduler delays that end like any other, so a pause is only ever seen lengthened, and a median
//! or a maximum of what is seen would be too long beside busy threads. How much the scheduler delays sleeps is known from
//! those without a collection, under the same load. From both follows how likely what was seen is for each length. The
//! mean of all lengths, weighted by that, is returned: of the estimators of a location that move with it, it has the
//! least mean squared error (Pitman, Biometrika 30, 1939, p. 391).

use super::points::{Point, RequestSeries, median};

/// Fewest sleeps with a collection from which collections are named.
const FEWEST: usize = 3;
/// Most sleeps with a collection that are used: the shortest, which show the pause best.
const MOST: usize = 200;
/// Fewest sleeps without a collection whose delays stand for a request; otherwise those of all requests do.
const ENOUGH: usize = 20;
/// Number of quantiles by which delays are represented.
const QUANTILES: usize = 64;
/// Share of sleeps with a collection that may be explained otherwise: by two collections, or by one of another length.
const OTHERWISE: f64 = 0.02;
/// Least logarithm of how much likelier what was seen is with the best length than with collections that delay nothing.
const LEAST_LOG: f64 = 6.9;
/// Largest standard deviation of the length that is stated, as a share of it.
const SPREAD: f64 = 0.2;
/// Number of lengths that are tried.
const LENGTHS: u32 = 4_000;

/// Returns the length of a collection and the number of sleeps with one; `None` if they do not show it. `rest` is how much later than predicted a
/// sleep ended, `duration` how long it would have been without a collection; all in ns.
pub(super) fn pause(
    series: &[RequestSeries],
    rest: impl Fn(&Point) -> f64,
    duration: impl Fn(&Point) -> f64,
) -> Option<(f64, u64)> {
    let collected = |of: &RequestSeries| of.points.iter().filter(|point| point.collected).copied().collect::<Vec<_>>();
    let count = series.iter().map(|of| collected(of).len()).sum::<usize>();
    if count < FEWEST {
        return None;
    }
    let others = |of: &RequestSeries| of.points.iter().filter(|point| !point.collected).map(&rest).collect::<Vec<_>>();
    let of_all = Delays::new(series.iter().flat_map(others).collect())?;
    let own = |of: &RequestSeries| Some(others(of)).filter(|own| own.len() >= ENOUGH).and_then(Delays::new);
    let delays: Vec<Delays> = series.iter().map(|of| own(of).unwrap_or_else(|| of_all.clone())).collect();
    let mut seen = Vec::with_capacity(count);
    for (of, delays) in series.iter().zip(&delays) {
        seen.extend(collected(of).iter().map(|point| (duration(point), rest(point), delays)));
    }
    seen.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    seen.truncate(MOST);
    // No sleep with a collection is shorter than the collection.
    let longest = median(seen.iter().map(|(duration, rest, _)| duration + rest).collect());
    let lengths = (0..=LENGTHS).map(|step| longest * f64::from(step) / f64::from(LENGTHS));
    let fits: Vec<(f64, f64)> = lengths
        .map(|length| {
            let log = seen.iter().map(|(duration, rest, delays)| delays.likelihood(*rest, *duration, length).ln());
            (length, log.sum())
        })
        .collect();
    let best = fits.iter().map(|(_, log)| *log).fold(f64::MIN, f64::max);
    let weights = || fits.iter().map(|(length, log)| (length, (log - best).exp()));
    let sum: f64 = weights().map(|(_, weight)| weight).sum();
    let middle = weights().map(|(length, weight)| length * weight).sum::<f64>() / sum;
    let deviation = (weights().map(|(length, weight)| (length - middle).powi(2) * weight).sum::<f64>() / sum).sqrt();
    // Collections that run while the loop waits anyway delay nothing, and then any shorter length fits as well.
    let is_seen = fits[0].1 + LEAST_LOG < best && deviation <= SPREAD * middle;
    is_seen.then_some((middle, count as u64))
}

/// The delays of sleeps without a collection, in order, in ns.
#[derive(Debug, Clone)]
struct Delays {
    one: Vec<f64>,
    /// Sums of two independent delays: of the beginning of a collection, and of its end.
    two: Vec<f64>,
}

impl Delays {
    fn new(mut delays: Vec<f64>) -> Option<Self> {
        delays.sort_by(f64::total_cmp);
        let at = |part: usize| delays.get((2 * part + 1) * delays.len() / (2 * QUANTILES)).copied();
        let one: Vec<f64> = (0..QUANTILES).map(at).collect::<Option<_>>()?;
        let mut two: Vec<f64> = one.iter().flat_map(|a| one.iter().map(move |b| a.max(0.0) + b)).collect();
        two.sort_by(f64::total_cmp);
        Some(Self { one, two })
    }

    /// Returns how likely a sleep of this duration is to end this much later than usual, but for a constant factor, if
    /// collections have this length.
    ///
    /// The collection begins at any time until the sleep's end, which may be delayed, with equal probability.
    fn likelihood(&self, rest: f64, duration: f64, length: f64) -> f64 {
        // A collection that is over before the sleep changes nothing.
        let is_hidden = length < duration && rest <= self.one[QUANTILES * 9 / 10];
        let likelihood = if is_hidden {
            1.0 - length / duration
        } else {
            share_below(&self.one, rest - length + duration) - share_below(&self.two, rest - length)
        };
        likelihood.max(0.0) + OTHERWISE
    }
}

fn share_below(sorted: &[f64], limit: f64) -> f64 {
    sorted.partition_point(|value| *value <= limit) as f64 / sorted.len() as f64
}

#[cfg(test)]
mod tests;

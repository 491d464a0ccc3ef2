//! Lateness that is a share of the request: timer slack in proportion, up to a limit.

use super::group::Group;
use super::robust::{line, median};
use super::steady::{Steady, UsualLateness};

/// Lateness proportional to the request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Lateness as a share of the request: 0.125 is 12.5 %.
    pub ratio: f64,
    /// Half the 95 % interval of `ratio`.
    pub error: f64,
    /// The largest lateness of this kind, in ns, where sleeps were long enough to reach it.
    pub cap: Option<f64>,
}

impl Share {
    /// Returns a share in use by which a law predicts a group's sleeps, if it grows by more than idle states do.
    pub(super) fn of_law(ratio: f64, group: &Group) -> Option<Self> {
        let asked = || group.sleeps.iter().map(|sleep| sleep.requested);
        let range = asked().fold(0.0, f64::max) - asked().fold(f64::INFINITY, f64::min);
        (ratio * range > IDLE_GROWTH).then_some(Self { ratio, error: 0.0, cap: None })
    }

    /// Returns whether the cells, which ascend, show this share and no other. On an unknown system, where any is as likely as
    /// another, they alone can.
    pub(super) fn is_clear(&self, cells: &[UsualLateness]) -> bool {
        self.is_more_than_idling(cells) && self.is_determined_by(cells)
    }

    /// Returns whether the share grows by more, from the shortest request to the longest, than idle states are known to: on
    /// an unknown system, steps and roots of theirs look like a small share of a few requests. The cells ascend.
    fn is_more_than_idling(&self, cells: &[UsualLateness]) -> bool {
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return false };
        let stretch = |requested: f64| (self.ratio * requested).min(self.cap.unwrap_or(f64::INFINITY));
        stretch(last.requested) - stretch(first.requested) > IDLE_GROWTH
    }

    /// Returns whether the cells, which ascend, determine this share: below its cap, their slope is the ratio, and the
    /// lateness of the longest scatters little beside it. A share of a part of the request, one with a lower bound, or sleeps
    /// that end anywhere within a share have other slopes, and scatter.
    fn is_determined_by(&self, cells: &[UsualLateness]) -> bool {
        let below = |cell: &&UsualLateness| self.cap.is_none_or(|cap| self.ratio * cell.requested < cap);
        let below: Vec<UsualLateness> = cells.iter().filter(below).copied().collect();
        let is_the_slope = slope(&below).is_some_and(|slope| (slope / self.ratio - 1.0).abs() < OTHER_SLOPE);
        let scatter = |cell: &UsualLateness| cell.error * (cell.count as f64).sqrt();
        is_the_slope && below.last().is_some_and(|cell| scatter(cell) < SCATTERED * self.ratio * cell.requested)
    }
}

/// Largest relative distance of the slope of lateness over the request from a share that it determines.
const OTHER_SLOPE: f64 = 0.1;
/// Largest scatter of the lateness of one request, as a part of its share.
const SCATTERED: f64 = 0.25;

/// Ratios in use: Linux' polling calls (0.1 %, 0.5 % when nice; fs/select.c), FreeBSD's alloweddeviation (2⁻⁴,
/// 2⁻⁷; `kern_tc.c`), XNU's timeshare leeway (2⁻³).
pub(in crate::patterns) const RATIOS: &[f64] = &[0.001, 0.005, 0.0625, 0.007_812_5, 0.125];
/// Most lateness, in ns, that Linux allows a polling call because of its slack.
pub(super) const CAP: f64 = 100e6;
/// XNU's leeways, as (share, most in ns): an eighth of the request for a time-sharing thread, 32 times the request for
/// one in the background.
pub(super) const XNU: [(f64, f64); 2] = [(0.125, 1e6), (32.0, 100e6)];

/// Least advantage of a ratio that is not in use over one that is, as a difference of squares in standard errors (twice
/// the nats), and least difference of the two, as a part of the latter.
const ANOTHER: f64 = 16.0;
const APART: f64 = 0.03;
/// Largest part of the deviation under the ratio in use that the other may leave. What is not quite linear (FreeBSD ends
/// sleeps together within a share of the request) bends the slope, but no slope removes it.
const LEFT: f64 = 0.25;

/// Returns the share of the request by which sleeps are late beyond the constant slack, if lateness grows that way.
pub fn find(steady: &Steady) -> Option<Share> {
    let slack = steady.slack.map_or(0.0, |slack| slack.size);
    // What idle states add stops growing at 8 ms where it was seen; longer requests show the share alone.
    let long: Vec<UsualLateness> = steady.usual.iter().copied().filter(|cell| cell.requested >= 8e6).collect();
    let (cells, strict) = if long.len() >= 3 { (&long, 0.5) } else { (&steady.usual, 0.35) };
    let known = RATIOS.iter().copied().filter_map(|ratio| fits(cells, slack, (ratio, CAP), strict));
    let capped = XNU.into_iter().filter_map(|known| fits(&steady.usual, slack, known, 0.1));
    let known = known.chain(capped).min_by(|a, b| a.left.total_cmp(&b.left));
    // Where lateness grows by a share at all, long requests suffice to measure it.
    let over = if known.is_some() { cells } else { &steady.usual };
    let free = free_ratio(cells).and_then(|ratio| fits(over, slack, (ratio, CAP), 0.15));
    match (known, free) {
        (Some(known), Some(free)) if beats(&free, &known) => Some(free.share),
        (Some(known), _) => Some(known.share),
        (None, free) => free.map(|free| free.share),
    }
}

/// Returns whether a ratio that is in no use is far better and another.
fn beats(free: &Fit, known: &Fit) -> bool {
    free.misfit + ANOTHER < known.misfit
        && free.left < LEFT * known.left
        && (free.share.ratio / known.share.ratio - 1.0).abs() > APART
}

/// Returns the slope of lateness over the requests, if it is from 0.0002 to 0.5.
fn free_ratio(cells: &[UsualLateness]) -> Option<f64> {
    slope(cells).filter(|ratio| cells.len() >= 4 && (2e-4..0.5).contains(ratio))
}

/// Returns the slope of lateness over the requests: the median of the slopes between any two cells (Theil 1950, Sen 1968),
/// which a few odd cells do not bend.
fn slope(cells: &[UsualLateness]) -> Option<f64> {
    let slope = |a: &UsualLateness, b: &UsualLateness| (b.late - a.late) / (b.requested - a.requested);
    let pairs = cells.iter().enumerate().flat_map(|(at, a)| cells[at + 1..].iter().map(move |b| slope(a, b)));
    median(&pairs.filter(|slope| slope.is_finite()).collect::<Vec<f64>>())
}

/// Least part of the share that the usual lateness of most requests must come to.
const WHOLE: f64 = 0.8;
/// Largest growth that idle states may cause, in ns, and largest part of the deviation under a share that growth which bends
/// may leave.
const IDLE_GROWTH: f64 = 500_000.0;
const BENT: f64 = 0.6;

/// Returns the largest deviation, in ns, that is left where lateness grows with the logarithm or the root of the request, as
/// where a processor idles more deeply.
fn left_by_bend(cells: &[UsualLateness]) -> Option<f64> {
    let left = |shape: fn(f64) -> f64| {
        let points: Vec<(f64, f64)> = cells.iter().map(|cell| (shape(cell.requested), cell.late)).collect();
        let line = line(&points)?;
        let off = |(at, late): &(f64, f64)| (late - line.intercept - line.slope * at).abs();
        Some(points.iter().map(off).fold(0.0, f64::max))
    };
    [f64::ln, f64::sqrt].into_iter().filter_map(left).min_by(f64::total_cmp)
}

/// A share that fits, the largest deviation that it leaves in ns, and its deviations as squares in standard errors.
struct Fit {
    share: Share,
    left: f64,
    misfit: f64,
}

/// Returns a share with this ratio and cap (ns), if the largest deviation that it leaves is at most `strict` of what a
/// constant leaves.
fn fits(cells: &[UsualLateness], slack: f64, (ratio, most): (f64, f64), strict: f64) -> Option<Fit> {
    let stretch = |requested: f64| (ratio * requested).min(most).max(slack);
    let left = |model: &dyn Fn(f64) -> f64| {
        let rests: Vec<f64> = cells.iter().map(|cell| cell.late - model(cell.requested)).collect();
        let middle = median(&rests)?;
        Some(rests.iter().map(|rest| (rest - middle).abs()).fold(0.0, f64::max))
    };
    let without = left(&|_| 0.0)?;
    let with = left(&stretch)?;
    let longest = cells.last()?;
    let grown = stretch(longest.requested) - stretch(cells.first()?.requested);
    // Least growth of 12 µs: without a share, idle states were seen to add less between short and long sleeps.
    let chance = 5.0 * cells.iter().map(|cell| cell.error).fold(0.0, f64::max);
    let sure = |cell: &UsualLateness| cell.error * (1.0 + 6.0 / cell.count as f64) + 1_000.0;
    let misfit = |model: &dyn Fn(f64) -> f64| {
        let rests: Vec<f64> = cells.iter().map(|cell| cell.late - model(cell.requested)).collect();
        let middle = median(&rests)?;
        Some(cells.iter().zip(&rests).map(|(cell, rest)| ((rest - middle) / sure(cell)).powi(2)).sum::<f64>())
    };
    // The share must predict the cells better than one level for all, by eight nats (half the difference of squares).
    let own = misfit(&stretch)?;
    if misfit(&|_| 0.0)? - own < 16.0 {
        return None;
    }
    if cells.len() < 3 || grown < chance.max(12_000.0) || with > strict * without || with > 0.5 * grown {
        return None;
    }
    // Sleeps are late by their share at least, unless other interrupts end them.
    if cells.iter().filter(|cell| cell.late < WHOLE * stretch(cell.requested)).count() * 2 > cells.len() {
        return None;
    }
    if grown < IDLE_GROWTH && left_by_bend(cells).is_some_and(|bent| bent < BENT * with) {
        return None;
    }
    let error = with.max(1_000.0) / longest.requested;
    let cap = (ratio * longest.requested > 1.05 * most).then_some(most);
    Some(Fit { share: Share { ratio, error, cap }, left: with, misfit: own })
}

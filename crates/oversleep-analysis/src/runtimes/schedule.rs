//! Schedules: kept, or re-armed from tick to tick.

use super::points::{Point, RequestSeries, mean, median};

/// Least slip of a schedule that is not kept, as a share of how much the usual time from tick to tick exceeds the period.
const KEPT: f64 = 0.02;
/// Least slip that counts, in ns.
const LEAST: f64 = 5e3;
/// Least slip of a whole block, in usual deviations of its intervals and of its latenesses from a steady growth: ticks on a
/// schedule are not equally late either.
const DEVIATIONS: f64 = 4.0;
/// Least interval of an overdue tick that was waited for, as a share of the period.
const WAITED: f64 = 0.25;
/// Fewest intervals of which it can be said that they do not alternate.
const FEWEST: usize = 100;
/// Least amount of the negative correlation of intervals in turn from which they alternate: half way between that of a
/// schedule that is kept and that of one that is not. With few intervals it must also be this many standard errors, each one
/// over the root of their number.
const ALTERNATE: f64 = 0.25;
const SURE: f64 = 2.5;

/// Returns the sleeps of a schedule in the form for its kind, and whether it is re-armed. Sleeps of a request whose
/// schedule is not kept start at the tick before, those of a kept one a period before they were due. Other sleeps are
/// returned unchanged.
///
/// A schedule is re-armed if its lateness grows for most requests; or, where the runtime changes the period, if the ticks
/// of no request follow the period that was asked for. Neither is so if a late tick of any request shortens the interval
/// after it.
pub(super) fn settled(series: Vec<RequestSeries>) -> (Vec<RequestSeries>, bool) {
    let ticks = || series.iter().flat_map(|of| &of.points).filter(|point| point.tick_before.is_some());
    if ticks().next().is_none() {
        return (series, false);
    }
    let least = LEAST.max(KEPT * median(ticks().map(|tick| interval(tick) - tick.requested).collect()));
    let slips: Vec<Option<f64>> = series.iter().map(|of| growth(of, least)).collect();
    let known = || slips.iter().flatten();
    let grows = known().filter(|&&slip| slip > 0.0).count() * 2 > known().count();
    let is_lost = |slip: &f64| *slip != 0.0;
    let is_kept = series.iter().any(|of| alternates([of]) == Some(true));
    let all_lost = known().next().is_some() && known().all(is_lost) && alternates(&series) == Some(false);
    let rearmed = !is_kept && (grows || all_lost);
    let form = |(of, slip): (RequestSeries, Option<f64>)| {
        if rearmed || slip.is_some_and(|slip| is_lost(&slip)) { of_ticks(&of) } else { of }
    };
    (series.into_iter().zip(slips).map(form).collect(), rearmed)
}

/// Returns the sleeps of a re-armed schedule, each from the tick before.
pub(super) fn from_ticks(series: &[RequestSeries]) -> Vec<RequestSeries> {
    series.iter().map(of_ticks).collect()
}

/// Returns these sleeps, with ticks due a whole number of periods later where the runtime leaves out those that it is too
/// late for: where a tick that is due before the one before it was seen usually takes time all the same. One that catches
/// up gives such a tick at once.
pub(super) fn without_dropped(series: &[RequestSeries]) -> Vec<RequestSeries> {
    series.iter().map(on_its_grid).collect()
}

fn on_its_grid(of: &RequestSeries) -> RequestSeries {
    let due = |point: &Point| point.start + point.requested;
    let is_overdue = |point: &&Point| point.tick_before.is_some_and(|before| due(point) <= before);
    let took: Vec<f64> = of.points.iter().filter(is_overdue).map(interval).collect();
    if took.is_empty() || median(took) < WAITED * of.requested.as_f64() {
        return of.clone();
    }
    let next = |point: &Point| {
        let dropped = ((point.begin() - due(point)) / point.requested).floor() + 1.0;
        Point { start: point.start + dropped.max(0.0) * point.requested, ..*point }
    };
    RequestSeries { requested: of.requested, points: of.points.iter().map(next).collect() }
}

fn of_ticks(of: &RequestSeries) -> RequestSeries {
    let from_tick = |point: &Point| Point { start: point.begin(), ..*point };
    RequestSeries { requested: of.requested, points: of.points.iter().map(from_tick).collect() }
}

/// Returns the time from the tick before to this one, in ns.
fn interval(point: &Point) -> f64 {
    point.end - point.begin()
}

/// Returns by how much lateness against the schedule grows from tick to tick, usually, in ns; 0 if by no more than `threshold`,
/// or by no more than ticks differ. `None` without a block of three ticks.
fn growth(series: &RequestSeries, threshold: f64) -> Option<f64> {
    let (mut per_tick, mut whole, mut unsteady) = (Vec::new(), Vec::new(), Vec::new());
    for block in series.points.chunk_by(|a, b| a.turn == b.turn) {
        let (first, last) = (block.first()?, block.last()?);
        if block.len() >= 3 {
            let grown = last.lateness() - first.lateness();
            let slip = grown / (block.len() - 1) as f64;
            whole.push(grown);
            per_tick.push(slip);
            let steady = |at: usize| first.lateness() + at as f64 * slip;
            unsteady.extend(block.iter().enumerate().map(|(at, point)| (point.lateness() - steady(at)).abs()));
        }
    }
    if whole.is_empty() {
        return None;
    }
    let lengths = || series.points.iter().map(interval);
    let middle = median(lengths().collect());
    let deviation = median(lengths().map(|length| (length - middle).abs()).collect()).max(median(unsteady));
    let slip = median(per_tick);
    // A tick that was left out moves all later ones by whole periods, and the usual interval not at all.
    let usual = middle - series.requested.as_f64();
    let is_lost =
        slip.abs() > threshold && median(whole).abs() > DEVIATIONS * deviation && usual * slip.signum() > threshold;
    Some(if is_lost { slip } else { 0.0 })
}

/// Returns whether long intervals are followed by short ones, as on a schedule that is kept, whatever its period: there the
/// interval is the period plus the difference of two latenesses. If these are independent, the ranks of two intervals in
/// turn have a correlation of about -1/2; those of a re-armed schedule, of 0. `None` where there are too few to tell.
fn alternates<'a>(series: impl IntoIterator<Item = &'a RequestSeries>) -> Option<bool> {
    let (mut together, mut squares, mut pairs) = (0.0, 0.0, 0_usize);
    for of in series {
        let mut sorted: Vec<f64> = of.points.iter().map(interval).collect();
        sorted.sort_by(f64::total_cmp);
        // From -1/2 to 1/2: the share of shorter intervals, less the share of longer ones, halved.
        let rank = |point: &Point| {
            let shorter = sorted.partition_point(|&other| other < interval(point));
            let longer = sorted.len() - sorted.partition_point(|&other| other <= interval(point));
            (shorter as f64 - longer as f64) / (2.0 * sorted.len() as f64)
        };
        for block in of.points.chunk_by(|a, b| a.turn == b.turn) {
            let ranks: Vec<f64> = block.iter().map(rank).collect();
            let in_turn = ranks.windows(2);
            pairs += in_turn.len();
            together += in_turn.clone().map(|pair| pair[0] * pair[1]).sum::<f64>();
            squares += in_turn.map(|pair| 0.5 * (pair[0].powi(2) + pair[1].powi(2))).sum::<f64>();
        }
    }
    let correlation = together / squares;
    let sure = SURE / (pairs as f64).sqrt();
    if correlation <= -ALTERNATE.max(sure) {
        return Some(true);
    }
    (pairs >= FEWEST && correlation > -ALTERNATE).then_some(false)
}

/// Returns by how much a re-armed period exceeds the duration of its timer, on average, in ns.
///
/// It is the mean and no quantile: lateness adds up from tick to tick, so a schedule of `n` ticks slips by `n` times this,
/// the rare long delays included.
pub(super) fn drift(series: &[RequestSeries], duration: impl Fn(&Point) -> f64) -> f64 {
    let of_tick = |point: &Point| point.end - point.start - duration(point);
    mean(series.iter().map(|of| mean(of.points.iter().map(of_tick))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Returns ten blocks of twenty ticks, each `period` after the one before or on a schedule of that period, late by
    /// 50 to 150 µs at random; `requested` was asked for.
    fn ticks(requested: f64, period: f64, kept: bool) -> RequestSeries {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let mut points = Vec::new();
        for turn in 0..10_u32 {
            let begin = f64::from(turn) * 1e9;
            let (mut due, mut tick_before) = (begin, begin);
            for index in 0..20_u32 {
                let late = random.random_range(50e3..150e3);
                due += period;
                let end = if kept { due } else { tick_before + period } + late;
                let start = begin + f64::from(index) * requested;
                let turn = turn as usize;
                points.push(Point {
                    requested,
                    start,
                    end,
                    tick_before: Some(tick_before),
                    turn,
                    index: index.into(),
                    collected: false,
                });
                tick_before = end;
            }
        }
        RequestSeries { requested: Nanos::from_f64(requested), points }
    }

    #[test]
    fn a_schedule_of_another_period_is_kept_or_rearmed() {
        let both = |kept| vec![ticks(1.5e6, 1e6, kept), ticks(16.67e6, 16e6, kept), ticks(1e5, 1e6, kept)];
        let (rearmed, is_rearmed) = settled(both(false));
        assert!(is_rearmed);
        assert!((rearmed[0].median_lateness() + 400e3).abs() < 15e3, "{}", rearmed[0].median_lateness());
        let (_, is_rearmed) = settled(both(true));
        assert!(!is_rearmed, "a late tick shortens the interval after it");
    }

    #[test]
    fn sleeps_start_at_the_tick_before_only_where_the_schedule_is_lost() {
        // Ticks of 1 ms where 100 µs were asked for, and a schedule of 2 ms that is kept.
        let (found, is_rearmed) = settled(vec![ticks(1e5, 1e6, true), ticks(2e6, 2e6, true)]);
        assert!(!is_rearmed);
        assert!((found[0].median_lateness() - 900e3).abs() < 20e3, "{}", found[0].median_lateness());
        assert!((found[1].median_lateness() - 100e3).abs() < 15e3, "{}", found[1].median_lateness());
    }
}

//! Clocks that move only at ticks (Linux' `jiffies` clock source, `kernel/time/jiffies.c`). Every reading lies on the
//! tick's grid, whatever sleeps do, so sleeps are judged by how many ticks they took.

use super::grid::{COMMON, Grid};
use super::group::{Group, Sleep};
use super::robust::{line, median};
use super::rounding::{Rounding, Votes};
use super::tick::{Design, Tick};
use oversleep_model::KNOWN_RATES;
use oversleep_sys::units::gcd;
use std::collections::BTreeSet;

/// A clock that moves in smaller steps than this, in ns, is fine enough to see between ticks.
const LEAST: f64 = 90_000.0;
/// Fewest gaps between different readings.
const ENOUGH: usize = 12;
/// Largest relative difference of a step from a nominal tick: steering (500 ppm), and rounding to whole microseconds.
pub(super) const REACH: f64 = 1_200e-6;

/// From this number of different gaps on, in steps, the readings have no common divisor longer than the tick.
const VARIED: usize = 8;

/// Returns the lengths of known ticks, in ns, longest first, that the clock's steps may have: 99 % of the gaps between
/// the groups' readings are multiples of each. Only the longest, where the gaps are varied. Empty on a finer clock.
pub fn steps(groups: &[Group]) -> Vec<f64> {
    let Some(first) = groups.first() else { return Vec::new() };
    let mut times: Vec<f64> = Vec::new();
    for group in groups.iter().filter(|group| group.clock == first.clock) {
        let shift = group.origin.saturating_sub(first.origin) as f64;
        times.extend(group.sleeps.iter().flat_map(|sleep| [sleep.start + shift, sleep.end + shift]));
    }
    times.sort_by(f64::total_cmp);
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 2.0).collect();
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    if gaps.len() < ENOUGH || least < LEAST {
        return Vec::new();
    }
    let whole = |step: f64| gaps.iter().filter(|gap| is_whole(**gap, step)).count() * 100 >= gaps.len() * 99;
    // The shortest gap may be several ticks.
    let near = |hz: &&f64| {
        let times = (least * **hz * 1e-9).round();
        times >= 1.0 && (least * **hz * 1e-9 / times - 1.0).abs() < REACH
    };
    let mut steps: Vec<f64> = KNOWN_RATES
        .iter()
        .filter(near)
        .map(|hz| least / (least * hz * 1e-9).round())
        .filter(|step| whole(*step))
        .collect();
    steps.sort_by(|a, b| b.total_cmp(a));
    let lengths = |step: &f64| gaps.iter().map(|gap| whole_ticks(gap / step)).collect::<BTreeSet<i64>>();
    // Gaps that are all multiples of several steps are of a longer step, at a rate that is not known.
    steps.retain(|step| lengths(step).iter().fold(0, |unit, length| gcd(length.unsigned_abs().into(), unit)) == 1);
    let lengths = steps.first().map_or(BTreeSet::new(), lengths);
    // Gaps of two lengths, neither a single step, are equal sleeps and pauses of any length, on any clock.
    if lengths.len() <= 2 && lengths.iter().all(|length| *length > 1) {
        return Vec::new();
    }
    steps.truncate(if lengths.len() >= VARIED { 1 } else { steps.len() });
    steps.retain(|step| !groups.iter().all(|group| is_scheduled_on(&group.sleeps, *step)));
    steps
}

/// Returns whether a gap is a number of steps, to 0.2 % of it or a tenth of a step.
fn is_whole(gap: f64, step: f64) -> bool {
    (gap / step - (gap / step).round()).abs() * step < (2e-3 * gap).min(0.1 * step) + 2.0
}

/// Returns whether the program itself spaces sleeps by whole steps: its requests, which it computes anew for each sleep, end
/// whole steps apart. Then so do the sleeps, if they are equally late, on any clock.
fn is_scheduled_on(sleeps: &[Sleep], step: f64) -> bool {
    let computed: BTreeSet<i64> = sleeps.iter().map(|sleep| whole_ticks(sleep.requested)).collect();
    let on = sleeps.windows(2).filter(|pair| is_whole(pair[1].due - pair[0].due, step)).count();
    computed.len() > 2 && on * 10 >= sleeps.len().saturating_sub(1) * 9
}

/// Returns how finely a group's sleeps were timed, in ns: the step of its clock, or the largest unit of which all times
/// between its readings, or those between its ends, are multiples, if that is longer. A lateness is known to within one
/// such step on either side.
pub fn resolution(group: &Group) -> f64 {
    let step = steps(std::slice::from_ref(group)).first().copied().unwrap_or(0.0);
    let readings = group.sleeps.iter().flat_map(|sleep| [sleep.start, sleep.end]);
    step.max(unit(readings)).max(unit_of_ends(group).unwrap_or(0.0))
}

/// A step, in ns, in which times are written.
pub(super) const MILLISECOND: f64 = 1e6;

/// Returns whether a step is exactly a millisecond: times are written so. A slack of one such step ends sleeps where a tick of
/// that length would, so their number of steps shows neither.
pub(super) fn is_millisecond(step: f64) -> bool {
    (step - MILLISECOND).abs() < 0.5
}

/// Returns whether the largest unit of which all times between the readings of every group are multiples is a millisecond.
pub(super) fn in_milliseconds(groups: &[Group]) -> bool {
    let own = |group: &Group| unit(group.sleeps.iter().flat_map(|sleep| [sleep.start, sleep.end]));
    !groups.is_empty() && groups.iter().all(|group| is_millisecond(own(group)))
}

/// Longest step of a clock, in ns: one that counts seconds.
const LONGEST: f64 = 1e9;

/// Returns the unit, in ns, of which all times between a group's ends are multiples, of at least three sizes, if it is
/// longer than any cost of waking scatters. No kernel wakes a thread at exactly the same place of every tick: the ends
/// alone were truncated.
pub(super) fn unit_of_ends(group: &Group) -> Option<f64> {
    let unit = unit(group.sleeps.iter().map(|sleep| sleep.end));
    if group.sleeps.len() < ENOUGH || !(LEAST..=LONGEST).contains(&unit) {
        return None;
    }
    let lengths: BTreeSet<i64> =
        group.sleeps.windows(2).map(|pair| whole_ticks((pair[1].end - pair[0].end) / unit)).collect();
    (lengths.len() > 2).then_some(unit)
}

/// Returns the largest unit of which all distances between these times are multiples, in ns; 0 where all are equal.
fn unit(times: impl Iterator<Item = f64>) -> f64 {
    #[allow(clippy::cast_possible_truncation)] // whole numbers below 2^53, as times from a group's first reading are
    let mut readings = times.map(|time| time as i64);
    let first = readings.next().unwrap_or(0);
    readings.fold(0, |unit, reading| gcd((reading - first).unsigned_abs().into(), unit)) as f64
}

/// Converts to a whole number of ticks.
#[allow(clippy::cast_possible_truncation)] // saturating: gaps of that length are all alike
fn whole_ticks(ticks: f64) -> i64 {
    ticks.round() as i64
}

/// Returns the tick of a group whose clock moves in one of these steps; `None` with fewer than eight sleeps, or if no
/// rounding rule explains them at any step. Of the rates that one explains, common ones are preferred; where several
/// are left, the rate stays open.
pub fn tick(sleeps: &[Sleep], steps: &[f64]) -> Option<Tick> {
    let mut fits: Vec<(f64, f64, Votes)> = steps.iter().filter_map(|&step| fit(sleeps, step)).collect();
    if fits.iter().any(|(hz, ..)| COMMON.contains(hz)) {
        fits.retain(|(hz, ..)| COMMON.contains(hz));
    }
    let &(hz, step, votes) = fits.first().filter(|_| sleeps.len() >= 8)?;
    let points: Vec<(f64, f64)> = sleeps.iter().map(|sleep| ((sleep.end / step).round(), sleep.end)).collect();
    let (length, error) = line(&points).map_or((step, 0.0), |line| (line.slope, line.error));
    let phase = median(&sleeps.iter().map(|sleep| sleep.end.rem_euclid(length)).collect::<Vec<_>>())?;
    let agreed = fits.iter().all(|(.., other)| rule(other) == rule(&votes));
    Some(Tick {
        hz: (fits.len() == 1).then_some(hz),
        candidates: fits.iter().map(|(hz, ..)| *hz).collect(),
        grid: Some(Grid { tick: length, error, phase, wakes: 1.0, dues: 1.0, on_grid: 1.0, jitter: 0.0 }),
        rounding: agreed.then(|| rule(&votes)),
        votes,
        rules: Vec::new(),
        design: Design::Coarse,
    })
}

fn rule(votes: &Votes) -> Rounding {
    if votes.up >= votes.counted { Rounding::Up } else { Rounding::UpPlusOne }
}

/// Returns the rate of a step in Hz, the step and the votes, if one rounding rule explains 80 % of the sleeps.
fn fit(sleeps: &[Sleep], step: f64) -> Option<(f64, f64, Votes)> {
    let near = |hz: &&f64| (step * **hz * 1e-9 - 1.0).abs() < REACH;
    let hz = COMMON.iter().chain(&KNOWN_RATES).find(near).copied()?;
    let votes = votes(sleeps, step, 1e9 / hz);
    (votes.up.max(votes.counted) >= 0.8).then_some((hz, step, votes))
}

/// Counts the sleeps that each rule predicts. On a clock that moves at ticks, a sleep that ends at the first tick at or
/// after its time takes ceil(request / tick) steps; one counted from the tick in progress, plus one, takes a step more.
fn votes(sleeps: &[Sleep], step: f64, nominal: f64) -> Votes {
    let took = |extra: f64| {
        let as_told = |sleep: &&Sleep| {
            let need = (sleep.requested / nominal - 1e-6).ceil().max(1.0);
            // From more than 62 ticks on, the timer wheel is coarser; two less, as the step may be somewhat off.
            let coarser = need > 60.0 && (sleep.end - sleep.start) / step > need;
            (((sleep.end - sleep.start) / step).round() - need - extra).abs() < 0.5 || (extra > 0.0 && coarser)
        };
        sleeps.iter().filter(as_told).count()
    };
    let (up, counted) = (took(0.0), took(1.0));
    let n = sleeps.len().max(1) as f64;
    Votes {
        tested: sleeps.len(),
        up: up as f64 / n,
        counted: counted as f64 / n,
        telling: sleeps.len(),
        telling_up: up,
        telling_counted: counted,
        ..Votes::default()
    }
}

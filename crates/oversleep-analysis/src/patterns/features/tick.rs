//! Finds out whether the sleeps of one group end at ticks, and at which.

use super::grid::{COMMON, Grid, NOMINAL, fit};
use super::group::Sleep;
use super::robust::{median, mode, spread};
use super::rounding::{Rounding, Votes, WHEEL_FROM, votes};

/// A tick found in a group's wake times.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The kernel's rate in Hz: nominal, or as measured where no nominal rate is near; `None` where several fit.
    pub hz: Option<f64>,
    /// Rates that fit the samples: `hz` alone where it is known.
    pub candidates: Vec<f64>,
    /// The grid, at `hz` or the first candidate; `None` where no tick's length is certain.
    pub grid: Option<Grid>,
    /// The rounding rule, where the samples decide.
    pub rounding: Option<Rounding>,
    /// How many sleeps each rule predicts.
    pub votes: Votes,
    /// Rules that predict these sleeps equally well, the likeliest first; empty before judging.
    pub rules: Vec<Rounding>,
    /// The rhythm of the sleeps in which it was found.
    pub design: Design,
}

/// The rhythm of an experiment, which limits what its sleeps show of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// Sleeps were due anywhere within a tick.
    Diverse,
    /// Sleeps were always due at the same place within a tick (back to back, fixed request).
    Locked,
    /// Sleeps were due at a steady rhythm that slides along the ticks.
    Sliding,
    /// Sleeps were due at a steady rhythm that keeps its place among the ticks.
    Flat,
    /// The clock itself moves at ticks only.
    Coarse,
}

/// Largest distance of a tick from its nominal rate, in ppm: a disciplined clock (500 ppm) and divisors (700 ppm).
pub(in crate::patterns) const REACH: f64 = 1_500.0;
/// The same limit, in ppm, where only the nominal length is evidence of the tick.
const REACH_LOCKED: f64 = 700.0;
/// Ticks shorter than this, in ns, cannot be recognised by their nominal length alone: some rate always fits.
const SHORTEST_LOCKED: f64 = 900_000.0;

/// If more than this share of the sleeps is late by the same amount, wherever they were due, timers fire between ticks.
const STEADY: f64 = 0.3;

/// Looks for a tick. `None`: these sleeps end anywhere, or are fewer than ten. `counted`: their method's timeouts are
/// known to be counted in ticks, so that a steady lateness is not a cost.
pub(super) fn find(sleeps: &[Sleep], counted: bool) -> Option<Tick> {
    if sleeps.len() < 10 {
        return None;
    }
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let steady = steady_share(sleeps);
    // Sleeps that are always late by the same amount end relative to their due time, not at ticks.
    let diverse = |hz: f64| (steady <= STEADY).then(|| diverse(sleeps, &ends, &dues, hz, REACH, steady)).flatten();
    // Common rates first: timeouts of even numbers of ticks fit half the rate as well.
    let rare = NOMINAL.iter().filter(|hz| !COMMON.contains(hz));
    COMMON.iter().chain(rare).find_map(|&hz| diverse(hz)).or_else(|| locked(sleeps, &ends, &dues, counted))
}

/// Returns the share of sleeps whose lateness is the same to 2 %, as of a timer that fires when due, plus slack.
pub fn steady_share(sleeps: &[Sleep]) -> f64 {
    let mut lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    lates.sort_by(f64::total_cmp);
    let Some(mode) = mode(&lates) else { return 0.0 };
    let width = 0.02 * mode.abs() + 1_000.0;
    let near = lates.iter().filter(|late| (**late - mode).abs() <= width).count();
    near as f64 / lates.len() as f64
}

/// Returns the sleeps too short to meet a coarser timer wheel, if there are at least eight, otherwise all.
pub fn short_of_wheel(sleeps: &[Sleep], tick: f64) -> Vec<Sleep> {
    let short: Vec<Sleep> = sleeps.iter().filter(|sleep| sleep.requested < WHEEL_FROM * tick).copied().collect();
    if short.len() >= 8 { short } else { sleeps.to_vec() }
}

/// Finds a tick in sleeps that were due anywhere and ended together.
fn diverse(sleeps: &[Sleep], ends: &[f64], dues: &[f64], hz: f64, reach: f64, steady: f64) -> Option<Tick> {
    let grid = fit(ends, dues, hz, reach)?;
    // The due times may partly keep a rhythm of their own; the wake-ups must keep a clearer one.
    if grid.dues > 0.75 || grid.wakes < grid.dues + 0.2 || steady > STEADY {
        return None;
    }
    let clear = grid.on_grid >= 0.85 && grid.wakes >= 0.75;
    let many = ends.len() as f64 * grid.wakes * grid.wakes >= 30.0 && grid.wakes >= 0.35;
    let votes = votes(&short_of_wheel(sleeps, grid.tick), &grid, 1e9 / hz);
    // Where many wake-ups lie off the grid, a rule that allows a range of two ticks would explain anything.
    let share = if grid.wakes > 0.5 { votes.share() } else { votes.on_time() };
    let kept = grid.on_grid >= 0.9 && grid.wakes >= 0.85 && grid.dues < 0.3;
    let ruled = share >= if clear { 0.8 } else { 0.9 } || (kept && votes.held_up() && !slower(ends, dues, hz));
    ((clear || many) && ruled).then(|| Tick {
        hz: Some(hz),
        candidates: vec![hz],
        grid: Some(grid),
        rounding: votes.verdict(),
        votes,
        rules: Vec::new(),
        design: Design::Diverse,
    })
}

/// Finds a tick only from sleeps that take a whole number of nominal ticks, more than they asked for.
fn locked(sleeps: &[Sleep], ends: &[f64], dues: &[f64], counted: bool) -> Option<Tick> {
    let mut fits: Vec<(f64, Grid, Votes)> = Vec::new();
    for &hz in NOMINAL.iter().filter(|&&hz| 1e9 / hz >= SHORTEST_LOCKED) {
        let Some(grid) = fit(ends, dues, hz, REACH_LOCKED) else { continue };
        let votes = votes(&short_of_wheel(sleeps, grid.tick), &grid, 1e9 / hz);
        let tight = grid.on_grid >= 0.85 && grid.wakes >= 0.85 && grid.jitter < 0.02 * grid.tick;
        if tight
            && votes.share() >= 0.9
            && telling(sleeps, grid.tick)
            && (counted || requests_apart(sleeps, grid.tick) || exact(sleeps, hz, &grid) || anchored(sleeps))
        {
            fits.push((hz, grid, votes));
        }
    }
    // A common rate with a usual rule is preferred: 20 ms for 1 ms and for 5 ms alike are 100 Hz and the extra tick of
    // most kernels rather than 50 Hz. Next, a rate at which sleeps end at the first tick at or after their time: 20 ms
    // back to back take 40 at 50 Hz, for which 100 Hz would need two ticks more.
    let usual = |votes: &Votes| votes.up >= 0.9 || votes.counted >= 0.9;
    let common: Vec<f64> = fits.iter().map(|fit| fit.0).filter(|hz| COMMON.contains(hz)).collect();
    let by_first_tick: Vec<f64> = fits.iter().filter(|(_, _, votes)| votes.up >= 0.9).map(|fit| fit.0).collect();
    let fits = preferred(fits, |(hz, _, votes)| COMMON.contains(hz) && usual(votes));
    let fits = preferred(fits, |(_, _, votes)| votes.up >= 0.9);
    let fits = preferred(fits, |(hz, ..)| COMMON.contains(hz));
    let &(hz, grid, votes) = fits.first()?;
    let mut candidates: Vec<f64> = fits.iter().map(|(hz, ..)| *hz).collect();
    let add = |candidates: &mut Vec<f64>, more: Vec<f64>| {
        let new: Vec<f64> = more.into_iter().filter(|hz| !candidates.contains(hz)).collect();
        candidates.extend(new);
    };
    // One tick of this rate that takes two looks like one of half the rate: how common a rate is does not decide.
    if votes.up >= 0.9 {
        add(&mut candidates, by_first_tick);
    }
    // Nor can a rare rate with a usual rule be told from a common one with a rare rule.
    if candidates.len() > 1 || !COMMON.contains(&hz) {
        add(&mut candidates, common);
    }
    let single = candidates.len() == 1;
    Some(Tick {
        hz: single.then_some(hz),
        candidates,
        grid: Some(grid),
        rounding: if single { votes.verdict() } else { None },
        votes,
        rules: Vec::new(),
        design: Design::Locked,
    })
}

/// Returns whether a rate that divides this one fits the wake-ups too: then the faster one is only its multiple.
fn slower(ends: &[f64], dues: &[f64], hz: f64) -> bool {
    let into = |slow: &&f64| **slow < hz && (hz / **slow).fract() == 0.0;
    NOMINAL.iter().filter(into).any(|&slow| fit(ends, dues, slow, REACH).is_some_and(|grid| grid.wakes >= 0.6))
}

/// Returns whether there are requests that do not differ by whole ticks, at least 20 sleeps of each kind. If all of
/// them end at whole ticks, that is not the coincidence of one request and one cost.
fn requests_apart(sleeps: &[Sleep], tick: f64) -> bool {
    let Some(first) = sleeps.first() else { return false };
    let apart = |sleep: &&Sleep| {
        let ticks = (sleep.requested - first.requested) / tick;
        (ticks - ticks.round()).abs() > 0.1
    };
    let others = sleeps.iter().filter(apart).count();
    others >= 20 && sleeps.len() - others >= 20
}

/// Largest distance of undisciplined ticks from their nominal length, in ppm.
const NEAR: f64 = 20.0;

/// Returns whether the wake-ups keep a common rate so exactly that a cost which happens to complete a tick is no
/// explanation: it would have to lie within 2 × 20 ppm of a sleep, which is less than 1 % of a tick. Requests up to a
/// deadline keep any rhythm by themselves.
fn exact(sleeps: &[Sleep], hz: f64, grid: &Grid) -> bool {
    let same = sleeps.iter().all(|sleep| (sleep.requested - sleeps[0].requested).abs() < 1.0);
    let off = (grid.tick * hz * 1e-9 - 1.0).abs() * 1e6;
    let lengths: Vec<f64> = sleeps.iter().map(|sleep| sleep.end - sleep.start).collect();
    let short = median(&lengths).is_some_and(|length| 2e-6 * NEAR * length < 0.01 * grid.tick);
    COMMON.contains(&hz) && same && short && off < NEAR && grid.error < 0.1e-6 * NEAR * grid.tick
}

/// Returns whether a late wake-up leaves the next one where it would have been, so that the next sleep is less late:
/// neighbouring latenesses are then negatively correlated (−0.5), and their running sum stays near its median. If
/// timers fire a fixed time after the start, each lateness is independent (0), and the sum drifts away.
fn anchored(sleeps: &[Sleep]) -> bool {
    // The first sleeps include page faults.
    let lates: Vec<f64> = sleeps.iter().skip(3).map(|sleep| sleep.late).collect();
    let Some(middle) = median(&lates) else { return false };
    // With outliers, the usual sleeps show it; where nothing else varies, the outliers do.
    let usual = 4.0 * spread(&lates, middle).max(1_000.0);
    [usual, f64::INFINITY].into_iter().any(|limit| {
        let kept = || lates.iter().filter(|late| (**late - middle).abs() <= limit);
        let mean = kept().sum::<f64>() / kept().count().max(1) as f64;
        let off = lates.iter().map(|late| if (late - middle).abs() > limit { 0.0 } else { late - mean });
        let off: Vec<f64> = off.collect();
        let squares: f64 = off.iter().map(|off| off * off).sum();
        let products: f64 = off.windows(2).map(|pair| pair[0] * pair[1]).sum();
        squares <= 0.0 || (products < -0.1 * squares && wandered(&off) < 3.0 * squares)
    })
}

/// Returns how far the running sum strays from its median, as a sum of squares.
fn wandered(off: &[f64]) -> f64 {
    let sums: Vec<f64> = off
        .iter()
        .scan(0.0, |sum, off| {
            *sum += off;
            Some(*sum)
        })
        .collect();
    let middle = median(&sums).unwrap_or(0.0);
    sums.iter().map(|sum| (sum - middle) * (sum - middle)).sum()
}

/// Returns those that have a property, or all if none has.
fn preferred<T: Copy>(all: Vec<T>, has: impl Fn(&T) -> bool) -> Vec<T> {
    let some: Vec<T> = all.iter().filter(|one| has(one)).copied().collect();
    if some.is_empty() { all } else { some }
}

/// Returns whether the sleeps' lateness far exceeds the nominal rate's tolerance and a wake-up's cost, so that ending
/// at whole ticks is evidence: 1 s late by 70 µs is a whole number of any ticks to 70 ppm.
fn telling(sleeps: &[Sleep], tick: f64) -> bool {
    let tells = |sleep: &&Sleep| {
        let late = sleep.late.abs();
        REACH_LOCKED * 1e-6 * (sleep.end - sleep.start) < 0.25 * late && late > 0.05 * tick
    };
    sleeps.iter().filter(tells).count() * 2 > sleeps.len()
}

//! Sleeps due at a steady rhythm, such as every whole second: their lateness slides as the tick's rate differs
//! from the clock's, and jumps back by one tick when it has slid all the way.

use super::grid::{COMMON, NOMINAL, fit};
use super::group::Sleep;
use super::robust::{line, median, spread};
use super::rounding::votes;
use super::steady::Steady;
use super::tick::{Design, Tick};

/// How lateness moves from sleep to sleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// Change of lateness in ns per second, jumps left out.
    pub slope: f64,
    /// Standard error of `slope`.
    pub error: f64,
    /// Height of the jumps in ns: one tick.
    pub jump: Option<f64>,
    /// How many jumps there were.
    pub jumps: usize,
    /// Least and most lateness, without the extreme 2 % on either side.
    pub range: (f64, f64),
    /// The rhythm: time from due to due, in ns.
    pub rhythm: f64,
}

/// Measures the slide of a steady rhythm; `None` where there is no steady rhythm, or lateness does not move.
pub fn measure(sleeps: &[Sleep]) -> Option<Slide> {
    if sleeps.len() < 20 {
        return None;
    }
    let rhythm = rhythm(sleeps)?;
    let lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let steps: Vec<f64> = lates.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let usual = median(&steps)?;
    let noise = spread(&steps, usual).max(2_000.0);
    let jumps = stepped(&steps, usual, noise).or_else(|| shifted(&lates, usual, noise)).unwrap_or_default();
    let jump = median(&jumps).map(f64::abs);
    let points = unwrapped(sleeps, &lates, &steps, usual, jump);
    let fit = line(&points)?;
    let span = points.last()?.0 - points.first()?.0;
    let moved = (fit.slope * span).abs();
    // Six times the scatter and 20 µs: less could be the wake-up's own cost changing.
    let slides = moved > 6.0 * fit.residual && moved > 20_000.0 && fit.slope.abs() > 8.0 * fit.error;
    if !slides || fit.kept * 10 < points.len() * 7 {
        return None;
    }
    let mut sorted = lates;
    sorted.sort_by(f64::total_cmp);
    let end = sorted.len() / 50;
    Some(Slide {
        slope: fit.slope,
        error: fit.error,
        jump,
        jumps: jumps.len(),
        range: (sorted[end], sorted[sorted.len() - 1 - end]),
        rhythm,
    })
}

/// The time from due to due, if the clock sets it: nearly always the same (to 3 %) and at least 20 ms.
pub fn rhythm(sleeps: &[Sleep]) -> Option<f64> {
    let gaps: Vec<f64> = sleeps.windows(2).map(|pair| pair[1].due - pair[0].due).collect();
    let usual = median(&gaps)?;
    let steady = gaps.iter().filter(|gap| (**gap - usual).abs() < 0.03 * usual).count();
    // Lateness that feeds back into the next due time is no rhythm: each due must be set by the clock.
    let mut requests: Vec<f64> = sleeps.iter().map(|sleep| sleep.requested).collect();
    requests.sort_by(f64::total_cmp);
    requests.dedup();
    let set = requests.len() > 2;
    (set && usual >= 20e6 && steady * 10 >= gaps.len() * 9).then_some(usual)
}

/// Steps that stand out, all one way and all of one size: several jumps of a sawtooth. A single late sleep steps up
/// and down again, by a size of its own.
fn stepped(steps: &[f64], usual: f64, noise: f64) -> Option<Vec<f64>> {
    let limit = (8.0 * noise).max(150_000.0);
    let outstanding: Vec<f64> = steps.iter().map(|step| step - usual).filter(|step| step.abs() > limit).collect();
    let one_way = |sign: f64| {
        let mine: Vec<f64> = outstanding.iter().copied().filter(|step| step * sign > 0.0).collect();
        let size = median(&mine)?;
        let agreeing: Vec<f64> =
            mine.iter().copied().filter(|step| (step - size).abs() < 0.03 * size.abs() + 3.0 * noise).collect();
        (agreeing.len() >= 2 && agreeing.len() * 10 >= mine.len() * 6).then_some(agreeing)
    };
    [one_way(-1.0), one_way(1.0)].into_iter().flatten().max_by_key(Vec::len)
}

/// Sleeps on either side of a moment whose middle is taken.
const BESIDE: usize = 4;

/// A single jump that lasts: the middle of the sleeps before it differs from the middle of those after it.
fn shifted(lates: &[f64], usual: f64, noise: f64) -> Option<Vec<f64>> {
    let change = |at: usize| {
        let before = &lates[at.saturating_sub(BESIDE)..at];
        let after = &lates[at..(at + BESIDE).min(lates.len())];
        let apart = 0.5 * (before.len() + after.len()) as f64;
        Some(median(after)? - median(before)? - usual * apart)
    };
    let changes: Vec<(usize, f64)> =
        (2..lates.len().saturating_sub(1)).filter_map(|at| change(at).map(|by| (at, by))).collect();
    let &(at, by) = changes.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    if by.abs() < (8.0 * noise).max(150_000.0) {
        return None;
    }
    let elsewhere = changes.iter().filter(|(other, _)| other.abs_diff(at) > BESIDE);
    let second = elsewhere.map(|(_, by)| by.abs()).fold(0.0, f64::max);
    (second < 0.5 * by.abs()).then(|| vec![lates[at] - lates[at - 1] - usual]).filter(|jump| {
        // The step itself must be the jump: not a late sleep beside it.
        (jump[0] - by).abs() < 0.2 * by.abs()
    })
}

/// Lateness against time in seconds, with the jumps taken out.
fn unwrapped(sleeps: &[Sleep], lates: &[f64], steps: &[f64], usual: f64, jump: Option<f64>) -> Vec<(f64, f64)> {
    let mut offset = 0.0;
    let mut points = Vec::with_capacity(sleeps.len());
    for (at, sleep) in sleeps.iter().enumerate() {
        if let (Some(jump), Some(step)) = (jump, at.checked_sub(1).and_then(|before| steps.get(before))) {
            offset -= jump * ((step - usual) / jump).round();
        }
        points.push((sleep.due * 1e-9, lates[at] + offset));
    }
    points
}

impl Slide {
    /// The tick this slide shows. Without a jump its rate stays open, unless all but one of the rates kernels are
    /// commonly built with are too fast for the lateness seen.
    pub fn tick(&self, sleeps: &[Sleep]) -> Tick {
        let (least, most) = self.range;
        let hz = self.jump.map(|jump| nearest(1e9 / jump));
        let possible = possible(self.range);
        let hz = hz.or(if let [one] = possible[..] { Some(one) } else { None });
        let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
        let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
        let grid = hz.and_then(|hz| fit(&ends, &dues, hz, 1_500.0)).filter(|grid| grid.on_grid > 0.7);
        let votes = match (hz, grid) {
            (Some(hz), Some(grid)) => votes(sleeps, &grid, 1e9 / hz),
            _ => super::rounding::Votes::default(),
        };
        Tick {
            hz,
            candidates: hz.map_or(possible, |hz| vec![hz]),
            grid,
            // Without a jump the tick's length is an inference, and so is how many of them were counted.
            rounding: if self.jump.is_some() { votes.verdict() } else { None },
            votes,
            design: Design::Sliding,
        }
    }
}

/// Common rates that allow this range of lateness: within the first tick (rounded up) or the second (an extra one).
pub fn possible((least, most): (f64, f64)) -> Vec<f64> {
    let within = |tick: f64, extra: f64| least > extra * tick - 1e5 && most < (extra + 1.02) * tick + 1e5;
    COMMON.iter().copied().filter(|hz| within(1e9 / hz, 0.0) || within(1e9 / hz, 1.0)).collect()
}

/// The nominal rate within 2 % of a measured one, or the measured one.
fn nearest(hz: f64) -> f64 {
    let near = |nominal: &&f64| (hz / **nominal - 1.0).abs() < 0.02;
    let best = |a: &&f64, b: &&f64| (hz / **a - 1.0).abs().total_cmp(&(hz / **b - 1.0).abs());
    NOMINAL.iter().filter(near).min_by(best).copied().unwrap_or(hz)
}

/// Whether sleeps due at whole seconds are late by so much, and by no slack in use, that only a tick which keeps
/// step with the clock explains it.
pub fn flat(steady: &Steady) -> bool {
    steady.base > 300_000.0 && super::steady::slack(steady, None, None).is_none()
}

/// The tick of a flat line: of which only a least length is known.
pub fn flat_tick(steady: &Steady) -> Tick {
    Tick {
        hz: None,
        candidates: possible((steady.base, steady.base)),
        grid: None,
        rounding: None,
        votes: super::rounding::Votes::default(),
        design: Design::Flat,
    }
}

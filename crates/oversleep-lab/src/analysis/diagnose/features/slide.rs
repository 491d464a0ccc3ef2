//! Sleeps due at a steady rhythm, such as every whole second: their lateness slides as the tick's rate differs
//! from the clock's, and jumps back by one tick when it has slid all the way.

use super::grid::{COMMON, NOMINAL, fit};
use super::group::Sleep;
use super::robust::{line, median, spread};
use super::rounding::votes;
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
    let jumps = lasting_jumps(&lates, &steps, usual, noise);
    let jump = agreed(&jumps);
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

/// The time from due to due, if nearly always the same (to 3 %) and at least 20 ms.
fn rhythm(sleeps: &[Sleep]) -> Option<f64> {
    let gaps: Vec<f64> = sleeps.windows(2).map(|pair| pair[1].due - pair[0].due).collect();
    let usual = median(&gaps)?;
    let steady = gaps.iter().filter(|gap| (**gap - usual).abs() < 0.03 * usual).count();
    // Lateness that feeds back into the next due time is no rhythm: each due must be set by the clock.
    let fed_back = sleeps.windows(2).filter(|pair| (pair[1].requested - pair[0].requested).abs() < 500.0).count();
    let set = fed_back * 2 < gaps.len();
    (set && usual >= 20e6 && steady * 10 >= gaps.len() * 9).then_some(usual)
}

/// Steps that stand out and last: the middle of three before differs from the middle of three after.
fn lasting_jumps(lates: &[f64], steps: &[f64], usual: f64, noise: f64) -> Vec<f64> {
    let outstanding = |step: f64| (step - usual).abs() > (8.0 * noise).max(150_000.0);
    let mut jumps = Vec::new();
    for (at, &step) in steps.iter().enumerate() {
        if !outstanding(step) {
            continue;
        }
        let before = median(&lates[at.saturating_sub(2)..=at]);
        let after = median(&lates[at + 1..(at + 4).min(lates.len())]);
        if let (Some(before), Some(after)) = (before, after) {
            let lasts = (after - before - (step - usual)).abs() < 0.5 * (step - usual).abs();
            if lasts && lates.len() - at > 2 {
                jumps.push(step - usual);
            }
        }
    }
    jumps
}

/// The height on which the jumps agree: same sign, same size to 5 %.
fn agreed(jumps: &[f64]) -> Option<f64> {
    let usual = median(jumps)?;
    let agreeing: Vec<f64> = jumps.iter().copied().filter(|jump| (jump / usual - 1.0).abs() < 0.05).collect();
    (agreeing.len() * 10 >= jumps.len() * 8).then(|| median(&agreeing).unwrap_or(usual).abs())
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
        // A flat stretch of one sawtooth: late by up to a tick at most, so the tick is at least that long.
        let possible: Vec<f64> = COMMON.iter().copied().filter(|hz| least > -1e5 && most < 1.02e9 / hz + 1e5).collect();
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

/// The nominal rate within 2 % of a measured one, or the measured one.
fn nearest(hz: f64) -> f64 {
    let near = |nominal: &&f64| (hz / **nominal - 1.0).abs() < 0.02;
    let best = |a: &&f64, b: &&f64| (hz / **a - 1.0).abs().total_cmp(&(hz / **b - 1.0).abs());
    NOMINAL.iter().filter(near).min_by(best).copied().unwrap_or(hz)
}

//! Fits a grid to the times of wake-ups: the tick's length and phase on the clock, however late each sleep was.
//!
//! If every wake-up is at `phase + k × tick` (plus a small cost), the mean of exp(2πi·t/tick) over wake times `t` has
//! length near 1 (Rayleigh's statistic). The times themselves are used, not durations, which mix two phases.

use super::robust::{Line, line, median, spread};
use std::f64::consts::TAU;

/// The rates that nearly all of today's general-purpose kernels are built with, in Hz.
pub const COMMON: &[f64] = &[100.0, 250.0, 300.0, 1000.0];

/// A grid fitted to wake times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Length of one tick on the clock, in ns.
    pub tick: f64,
    /// Standard error of `tick`, in ns.
    pub error: f64,
    /// Phase of the grid, in ns of the group's time: wake-ups lie at `phase + k × tick`.
    pub phase: f64,
    /// Length of the wake times' mean vector at this tick, 0 to 1.
    pub wakes: f64,
    /// Length of the due times' mean vector. Near 1, the requests themselves keep the rhythm, and the wake-ups'
    /// regularity proves nothing.
    pub dues: f64,
    /// Share of wake-ups within 8 % of a tick from the grid.
    pub on_grid: f64,
    /// Spread of the wake-ups about the grid (1 σ, robust), in ns.
    pub jitter: f64,
}

/// Largest distance from a grid point, in ticks, at which a wake-up is on the grid.
const NEAR: f64 = 0.08;

impl Grid {
    /// Returns how far a time lies past the last grid point, in ns: 0 to `tick`.
    pub fn past(&self, time: f64) -> f64 {
        (time - self.phase).rem_euclid(self.tick)
    }

    /// Converts a time to ticks since the phase.
    pub fn place(&self, time: f64) -> f64 {
        (time - self.phase) / self.tick
    }

    /// Returns whether a time lies on the grid, to 8 % of a tick.
    pub fn holds(&self, time: f64) -> bool {
        let past = self.past(time);
        past.min(self.tick - past) <= NEAR * self.tick
    }
}

/// Returns the length of the mean vector of `times` at `rate` (cycles per ns), and its angle in cycles.
pub fn resultant(times: &[f64], rate: f64) -> (f64, f64) {
    let (mut re, mut im) = (0.0, 0.0);
    for time in times {
        let (cos, sin) = vector(*time, rate);
        re += cos;
        im += sin;
    }
    let n = times.len().max(1) as f64;
    (re.hypot(im) / n, im.atan2(re) / TAU)
}

/// Yields the length of the mean vector of times at each of a series of rates.
///
/// From one rate to the next, each time's vector turns by the same angle: a product in place of a sine and a cosine, which
/// took nine tenths of the time that `explain` needs for thousands of cells.
struct Resultants {
    /// The times' vectors at the next rate.
    re: Vec<f64>,
    im: Vec<f64>,
    /// The turns from rate to rate.
    turn_re: Vec<f64>,
    turn_im: Vec<f64>,
}

impl Resultants {
    /// Begins at `first` and goes on in steps of `step` (cycles per ns).
    fn new(times: &[f64], first: f64, step: f64) -> Self {
        let vectors = |rate: f64| times.iter().map(|time| vector(*time, rate)).unzip();
        let ((re, im), (turn_re, turn_im)) = (vectors(first), vectors(step));
        Self { re, im, turn_re, turn_im }
    }
}

impl Iterator for Resultants {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let (mut sum_re, mut sum_im) = (0.0, 0.0);
        let vectors = self.re.iter_mut().zip(&mut self.im).zip(self.turn_re.iter().zip(&self.turn_im));
        for ((re, im), (turn_re, turn_im)) in vectors {
            sum_re += *re;
            sum_im += *im;
            (*re, *im) = (*re * turn_re - *im * turn_im, *re * turn_im + *im * turn_re);
        }
        Some(sum_re.hypot(sum_im) / self.re.len().max(1) as f64)
    }
}

/// Returns the vector of a time at a rate (cycles per ns): of length 1, turned by its phase.
fn vector(time: f64, rate: f64) -> (f64, f64) {
    let (sin, cos) = ((time * rate).fract() * TAU).sin_cos();
    (cos, sin)
}

/// Most times in one evaluation: enough for 2 % in the mean vector.
const ENOUGH: usize = 600;

/// Returns at most 600 of the values, in order: one of each of as many equal parts, at a place within it that no rhythm of
/// the values follows. Every second sleep alone would keep a grid that the others miss.
pub fn downsample(values: &[f64]) -> Vec<f64> {
    let size = values.len().div_ceil(ENOUGH).max(1);
    values.chunks(size).zip(0..).map(|(part, number)| part[scattered(number) % part.len()]).collect()
}

/// Returns a number without a rhythm in the numbers 0, 1, 2, …: Fibonacci hashing (Knuth, volume 3, section 6.4), twice.
#[allow(clippy::cast_possible_truncation)] // 24 bits
const fn scattered(number: u64) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = number.wrapping_mul(GOLDEN);
    ((mixed ^ (mixed >> 29)).wrapping_mul(GOLDEN) >> 40) as usize
}

/// Fits the grid nearest to `hz` that the wake-ups keep, within ± `reach` ppm; `None` if they keep none.
///
/// `ends` and `dues` are of the same sleeps, in order of `ends`.
pub fn fit(ends: &[f64], dues: &[f64], hz: f64, reach: f64) -> Option<Grid> {
    let rate = search(ends, hz * 1e-9, reach)?;
    let line = through(ends, rate)?;
    let tick = line.slope;
    // With few wake-ups the line may leave the range that was asked for.
    if (tick * hz * 1e-9 - 1.0).abs() * 1e6 > 1.05 * reach {
        return None;
    }
    let rate = 1.0 / tick;
    let (sampled_ends, sampled_dues) = (downsample(ends), downsample(dues));
    let wakes = resultant(&sampled_ends, rate).0;
    let residuals: Vec<f64> = ends.iter().map(|end| centred(end - line.intercept, tick)).collect();
    let centre = median(&residuals)?;
    let off: Vec<f64> = residuals.iter().map(|r| centred(r - centre, tick)).collect();
    let on = off.iter().filter(|r| r.abs() <= NEAR * tick).count();
    Some(Grid {
        tick,
        error: line.error,
        phase: line.intercept + centre,
        wakes,
        dues: resultant(&sampled_dues, rate).0,
        on_grid: on as f64 / ends.len() as f64,
        jitter: spread(&off, 0.0),
    })
}

/// Folds `value` into ± half a tick.
pub fn centred(value: f64, tick: f64) -> f64 {
    value - tick * (value / tick).round()
}

/// Returns the rate near `nominal` (cycles per ns) with the longest mean vector. It is searched on a short stretch
/// first and then on longer and longer ones.
fn search(ends: &[f64], nominal: f64, reach: f64) -> Option<f64> {
    let first = *ends.first()?;
    let span = ends.last()? - first;
    if span <= 0.0 {
        return None;
    }
    let mut half = nominal * reach * 1e-6;
    // About 400 steps on the first stretch, and at least 30 wake-ups.
    let mut stretch = (100.0 / half).min(span);
    let enough = ends.get(29.min(ends.len() - 1)).map_or(span, |end| end - first);
    stretch = stretch.max(enough).max(f64::MIN_POSITIVE);
    let mut centre = nominal;
    loop {
        let count = ends.partition_point(|end| end - first <= stretch);
        let times: Vec<f64> = downsample(&ends[..count]).iter().map(|end| end - first).collect();
        centre = best(&times, centre, half, 0.25 / stretch)?;
        if stretch >= span {
            return Some(centre);
        }
        half = 0.6 / stretch;
        stretch = (stretch * 4.0).min(span);
    }
}

/// Returns the best rate within `centre ± half`, in steps of `step`; `None` if no mean vector is 0.3 long.
///
/// Wake-ups one second apart look the same at rates one hertz apart: among equals, the rate nearest to the centre wins.
fn best(times: &[f64], centre: f64, half: f64, step: f64) -> Option<f64> {
    #[allow(clippy::cast_possible_truncation)] // at most some thousand steps
    let steps = (half / step).ceil().min(20_000.0) as i32;
    let off_centre = |at: i32| 0.03 * f64::from(at.abs()) / f64::from(steps.max(1));
    let score = |at: i32| resultant(times, centre + f64::from(at) * step).0 - off_centre(at);
    let lengths = Resultants::new(times, centre - f64::from(steps) * step, step);
    let scores = (-steps..=steps).zip(lengths).map(|(at, length)| (at, length - off_centre(at)));
    let (at, _) = scores.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let length = score(at);
    if length < 0.3 {
        return None;
    }
    // Near its top, the peak is about a parabola.
    let (left, right) = (score(at - 1), score(at + 1));
    let bend = left - 2.0 * length + right;
    let shift = if bend < 0.0 { (0.5 * (left - right) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    Some(centre + (f64::from(at) + shift) * step)
}

/// Fits a straight line through wake time against tick number.
fn through(ends: &[f64], rate: f64) -> Option<Line> {
    let (_, angle) = resultant(&downsample(ends), rate);
    let tick = 1.0 / rate;
    let phase = angle * tick;
    let step = ends.len().div_ceil(20_000).max(1);
    let points: Vec<(f64, f64)> = ends.iter().step_by(step).map(|&end| (((end - phase) / tick).round(), end)).collect();
    line(&points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_of_rates_has_the_lengths_of_each() {
        // Times of a minute at rates about 10 kHz, in as many steps as there can be.
        let times: Vec<f64> = (0..50).map(|at| f64::from(at * at) * 24_000_123.7).collect();
        let (first, step) = (9.99e-6, 4e-12);
        for (at, length) in Resultants::new(&times, first, step).take(40_001).enumerate().step_by(400) {
            let exact = resultant(&times, first + at as f64 * step).0;
            assert!((length - exact).abs() < 1e-6, "{at}: {length} is {exact}");
        }
    }
}

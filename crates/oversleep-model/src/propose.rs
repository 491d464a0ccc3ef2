//! Proposals for the tick's period. They decide nothing: each is scored, and its multiples and every known rate beside it.

use super::density::{centre, modulo};
use super::group::Group;
use super::prior::{self, Prior};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::TAU;

/// Relative distances from a known rate that are searched: a clock that is steered; a tick that is miscalibrated.
const STEERED: f64 = 700e-6;
const MISCALIBRATED: f64 = 12e-3;
/// Bins of a search, at most.
const BINS: usize = 1 << 16;
/// Bins of the search anywhere, its highest and its lowest rate in Hz.
const ANYWHERE: usize = 1 << 18;
const TOP: f64 = 12e3;
const LOW: f64 = 30.0;
/// Lengths of ticks that any kernel has, in ns: 60 kHz to 20 Hz, as the prior has it.
const SHORTEST: f64 = 1e9 / 60e3;
const LONGEST: f64 = 1e9 / 20.0;
/// A mean vector below this length is no peak, at any number of sleeps.
const SHORT: f64 = 0.15;
/// The same where nothing is known of the rate.
const SHORT_ANYWHERE: f64 = 0.35;
/// Sleeps that a peak is followed with.
const FOLLOWED: usize = 150;

/// A tick that is to be scored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Its nominal rate in Hz, if a known one.
    pub(crate) hz: Option<f64>,
    /// Its period, in ns.
    pub(crate) period: f64,
    /// Logarithm of the prior probability of rate and drift.
    pub(crate) prior: f64,
    /// The part of `prior` that says how usual the nominal length is.
    pub(crate) usual: f64,
    /// Relative error of the period.
    pub(crate) error: f64,
}

impl Candidate {
    /// Returns whether two candidates are one, to the error of their periods.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.hz == other.hz && (self.period / other.period - 1.0).abs() < 2.0 * self.error.min(other.error) + 1e-9
    }

    /// Returns whether two candidates are one, to rounding.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.hz == other.hz && (self.period / other.period - 1.0).abs() < 1e-12
    }
}

/// Returns candidates from the ends of these groups, and those that others propose (periods in ns).
pub(crate) fn periods(groups: &[&Group], prior: &Prior, proposed: &[f64]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut plans = FftPlanner::new();
    for period in proposed {
        let near = |known: &(f64, f64)| (period * known.0 * 1e-9 - 1.0).abs() < MISCALIBRATED;
        let known = prior.rates().into_iter().filter(near);
        let nearest =
            known.min_by(|a, b| (period * a.0 * 1e-9 - 1.0).abs().total_cmp(&(period * b.0 * 1e-9 - 1.0).abs()));
        push(&mut found, nearest, 1.0 / period, groups);
    }
    let mut longest: Vec<&Group> = groups.to_vec();
    longest.sort_by_key(|group| std::cmp::Reverse(group.sleeps.len()));
    let mut sets = vec![groups.to_vec()];
    if groups.len() > 1 {
        sets.extend(longest.iter().take(2).map(|group| vec![*group]));
    }
    for set in sets {
        let mut ends: Vec<f64> = set.iter().flat_map(|group| group.ends()).collect();
        ends.sort_unstable_by(f64::total_cmp);
        if ends.len() < 5 {
            continue;
        }
        for (hz, probability) in prior.rates() {
            let known = Some((hz, probability));
            let widths: &[(f64, usize)] = if hz >= 1e3 { &[(STEERED, 2), (MISCALIBRATED, 1)] } else { &[(STEERED, 2)] };
            for &(width, peaks) in widths {
                for frequency in peaks_near(&mut plans, &ends, (hz * 1e-9, width), peaks) {
                    push(&mut found, known, frequency, &set);
                }
            }
        }
        for group in &set {
            for frequency in jumps(&mut plans, group, &ends) {
                push(&mut found, None, frequency, &set);
            }
        }
        for frequency in peaks_anywhere(&mut plans, &ends) {
            if !is_known(frequency, prior) {
                push(&mut found, None, frequency, &set);
            }
        }
    }
    found
}

/// Returns all known rates with the same drift as a candidate, and those that are commensurate with it: by exactly its period, so
/// that what ends at the ticks of both scores the same under both.
pub(crate) fn related(candidate: &Candidate, groups: &[&Group], prior: &Prior) -> Vec<Candidate> {
    let mut found = Vec::new();
    for known in prior.rates() {
        match candidate.hz {
            _ if candidate.hz == Some(known.0) => (),
            Some(hz) => insert(&mut found, Some(known), candidate.period * hz / known.0, candidate.error),
            None => push(&mut found, Some(known), known.0 * 1e-9, groups),
        }
    }
    for (times, parts) in (1..=5).flat_map(|times| (1..=5).map(move |parts| (f64::from(times), f64::from(parts)))) {
        let period = candidate.period * times / parts;
        if !is_known(1.0 / period, prior) {
            insert(&mut found, None, period, candidate.error);
        }
    }
    found
}

/// Returns whether a frequency (per ns) is a known rate's: miscalibrated, it is not another rate as well.
fn is_known(frequency: f64, prior: &Prior) -> bool {
    let near = |hz: f64| if hz >= 1e3 { MISCALIBRATED } else { 3e-3 };
    prior.rates().iter().any(|&(hz, _)| (frequency * 1e9 / hz - 1.0).abs() < near(hz))
}

/// Adds a candidate near this frequency, with the period that the ends have there.
fn push(found: &mut Vec<Candidate>, known: Option<(f64, f64)>, frequency: f64, groups: &[&Group]) {
    let (period, error) = refine(groups, 1.0 / frequency);
    insert(found, known, period, error);
}

/// Adds a candidate of this period and relative error, unless it is in the list or no kernel has ticks of that length.
fn insert(found: &mut Vec<Candidate>, known: Option<(f64, f64)>, period: f64, error: f64) {
    if !(SHORTEST..LONGEST).contains(&period) {
        return;
    }
    if known.is_some_and(|(hz, _)| (period * hz * 1e-9 - 1.0).abs() > 1.1 * MISCALIBRATED) {
        return;
    }
    let (prior, usual) = prior::period(period, known, error);
    let candidate = Candidate { hz: known.map(|known| known.0), period, prior, usual, error };
    if !found.iter().any(|other| other.same(&candidate)) {
        found.push(candidate);
    }
}

/// Frequencies that are tried at once about one.
const TRIED: usize = 13;

/// Returns the one of [`TRIED`] frequencies, evenly from `step` below the middle one to `step` above, at which the mean vector of
/// times turned by it is longest.
fn longest(times: &[f64], middle: f64, step: f64) -> f64 {
    let turned = |frequency: f64, time: f64| Complex::from_polar(1.0, TAU * (frequency * time).fract());
    let apart = 2.0 * step / (TRIED - 1) as f64;
    let mut sums = [Complex::new(0.0, 0.0); TRIED];
    for &time in times {
        let (mut vector, by) = (turned(middle - step, time), turned(apart, time));
        for sum in &mut sums {
            *sum += vector;
            vector *= by;
        }
    }
    let lengths = sums.iter().map(Complex::norm_sqr).enumerate();
    let at = lengths.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |longest| longest.0);
    middle - step + at as f64 * apart
}

/// Returns frequencies near `centre` with the longest mean vectors. The ends are turned by it and binned as finely as the
/// band needs; one transform then gives the whole band.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // bins are limited
fn peaks_near(plans: &mut FftPlanner<f64>, ends: &[f64], (centre, width): (f64, f64), peaks: usize) -> Vec<f64> {
    let fine = 1.0 / (4.0 * width * centre);
    let first = ends[0];
    let until = ends.partition_point(|end| end - first <= BINS as f64 * fine).max(ends.len().min(12));
    let some = &ends[..until];
    let span = (some[some.len() - 1] - first).max(1.0);
    let bins = ((span / fine) as usize + 1).min(8 * BINS);
    let bin = span / bins as f64 * (1.0 + 1e-7);
    let mut values = vec![Complex::new(0.0, 0.0); (2 * bins).next_power_of_two().max(16)];
    for end in some {
        let since = end - first;
        values[(since / bin) as usize] += Complex::from_polar(1.0, -TAU * (centre * since).fract());
    }
    let n = values.len();
    plans.plan_fft_forward(n).process(&mut values);
    let step = 1.0 / (bin * n as f64);
    let offset = |at: usize| if at < n / 2 { at as f64 * step } else { (at as f64 - n as f64) * step };
    let mut lengths: Vec<(f64, f64)> = (0..n)
        .map(|at| (offset(at), values[at].norm_sqr().sqrt() / some.len() as f64))
        .filter(|(off, _)| off.abs() <= width * centre)
        .collect();
    let least = SHORT.max(1.5 / (some.len() as f64).sqrt());
    let mut found = Vec::new();
    for _ in 0..peaks {
        let Some(&(off, length)) = lengths.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if length < least {
            break;
        }
        found.push(follow(ends, centre + off, span));
        lengths.retain(|(other, _)| (other - off).abs() >= 1.5 / span);
    }
    found
}

/// Follows a peak from a stretch of this span to all ends.
fn follow(ends: &[f64], mut frequency: f64, mut span: f64) -> f64 {
    let (first, total) = (ends[0], ends[ends.len() - 1] - ends[0]);
    let mut step = 1.0 / span / 3.0;
    loop {
        let until = ends.partition_point(|end| end - first <= span * 1.0001).max(1);
        let by = until.div_ceil(FOLLOWED);
        let some: Vec<f64> = ends[..until].iter().step_by(by).map(|end| end - first).collect();
        frequency = longest(&some, frequency, step);
        step /= 4.0;
        if span >= total {
            if step < 0.02 / total.max(1.0) {
                return frequency;
            }
        } else {
            span = (3.0 * span).min(total);
            step = 0.5 / span / 3.0;
        }
    }
}

/// Returns frequencies with long mean vectors anywhere, and their parts.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // bins are limited
fn peaks_anywhere(plans: &mut FftPlanner<f64>, ends: &[f64]) -> Vec<f64> {
    let bin = 1e9 / (3.0 * TOP);
    let first = ends[0];
    let until = ends.partition_point(|end| end - first < ANYWHERE as f64 * bin);
    if until < 8 {
        return Vec::new();
    }
    let some = &ends[..until];
    // The transform of real numbers is one of half as many complex ones, which are each two of them.
    let half = ANYWHERE / 2;
    let mut values = vec![Complex::new(0.0, 0.0); half];
    for end in some {
        let at = ((end - first) / bin) as usize;
        let value = &mut values[at / 2];
        *(if at & 1 == 0 { &mut value.re } else { &mut value.im }) += 1.0;
    }
    plans.plan_fft_forward(half).process(&mut values);
    let least = SHORT_ANYWHERE * until as f64;
    let size = |at: usize| {
        let (own, other) = (values[at], values[half - at].conj());
        if 2.0 * (own.norm_sqr() + other.norm_sqr()) < least * least {
            return 0.0;
        }
        let turn = Complex::from_polar(1.0, -std::f64::consts::PI * at as f64 / half as f64);
        let (even, odd) = ((own + other) / 2.0, (own - other) / Complex::new(0.0, 2.0));
        (even + turn * odd).norm_sqr()
    };
    let step = 1.0 / (bin * ANYWHERE as f64);
    let span = (some[until - 1] - first).max(1.0);
    let (low, top) = ((LOW * 1e-9 / step).ceil() as usize, (TOP * 1e-9 / step).ceil() as usize);
    let mut lengths: Vec<(f64, f64)> = (low..top.min(half))
        .map(|at| (at as f64 * step, size(at).sqrt() / until as f64))
        .filter(|&(_, length)| length >= SHORT_ANYWHERE)
        .collect();
    let mut found = Vec::new();
    for _ in 0..6 {
        let Some(&(peak, _)) = lengths.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        lengths.retain(|(other, _)| (other - peak).abs() > 1.5 / span);
        for part in [1.0, 2.0, 3.0, 4.0] {
            if peak / part > LOW * 1e-9 {
                found.push(follow(ends, peak / part, span));
            }
        }
    }
    found
}

/// Returns frequencies from jumps: lateness that slides jumps back by the tick's length.
fn jumps(plans: &mut FftPlanner<f64>, group: &Group, ends: &[f64]) -> Vec<f64> {
    let late = group.late();
    let mut steps: Vec<f64> = late.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = median(&mut steps);
    for step in &mut steps {
        *step = (*step - middle).abs();
    }
    let usual = median(&mut steps);
    let mut big: Vec<f64> = steps.iter().copied().filter(|step| *step > (12.0 * usual).max(5e4)).collect();
    let apart = (ends[ends.len() - 1] - ends[0]) / ends.len() as f64;
    if big.is_empty() || big.len() > late.len() / 2 || apart < 1e8 {
        return Vec::new();
    }
    let width = if big.len() > 3 { 0.01 } else { 0.03 };
    peaks_near(plans, ends, (1.0 / median(&mut big), width), 3)
}

/// Returns the middle value, 0 of none; changes their order.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// Returns the period by a robust line through the places of the ends, and its relative error.
fn refine(groups: &[&Group], mut period: f64) -> (f64, f64) {
    let ends: Vec<Vec<f64>> = groups.iter().map(|group| group.ends()).collect();
    let places = |period: f64| -> Vec<Vec<f64>> {
        let of = |ends: &Vec<f64>| {
            let (middle, _) = centre(ends, period);
            ends.iter().map(|end| modulo(end - middle + period / 2.0, period) - period / 2.0).collect()
        };
        ends.iter().map(of).collect()
    };
    for _ in 0..3 {
        let at = places(period);
        let mut sizes: Vec<f64> = at.iter().flatten().map(|place| place.abs()).collect();
        let most = (4.0 * median(&mut sizes)).max(1e3);
        let (mut xx, mut xy, mut low, mut high) = (0.0, 0.0, f64::MAX, f64::MIN);
        for (ends, places) in ends.iter().zip(&at) {
            let kept: Vec<(f64, f64)> =
                ends.iter().copied().zip(places.iter().copied()).filter(|(_, place)| place.abs() < most).collect();
            let n = kept.len().max(1) as f64;
            let x0 = kept.iter().map(|pair| pair.0).sum::<f64>() / n;
            let y0 = kept.iter().map(|pair| pair.1).sum::<f64>() / n;
            for (x, y) in kept {
                xx += (x - x0) * (x - x0);
                xy += (x - x0) * (y - y0);
                (low, high) = (low.min(x), high.max(x));
            }
        }
        if xx <= 0.0 || (xy / xx * (high - low)).abs() > period / 2.0 {
            break;
        }
        period *= 1.0 + xy / xx;
    }
    let at = places(period);
    let mut sizes: Vec<f64> = at.iter().flatten().map(|place| place.abs()).collect();
    let usual = median(&mut sizes).max(100.0);
    // Neighbours repeat each other: the error is that of fewer sleeps.
    let limited = at.iter().map(|places| places.iter().map(|v| v.clamp(-3.0 * usual, 3.0 * usual)).collect::<Vec<_>>());
    let (mut own, mut with_next) = (0.0, 0.0);
    for places in limited {
        let mean = places.iter().sum::<f64>() / places.len().max(1) as f64;
        own += places.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
        with_next += places.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum::<f64>();
    }
    let repeat = if own > 0.0 { (with_next / own).clamp(0.0, 0.99) } else { 0.0 };
    let count = ends.iter().map(Vec::len).sum::<usize>() as f64;
    let mean = ends.iter().flatten().sum::<f64>() / count;
    let spread = (ends.iter().flatten().map(|end| (end - mean).powi(2)).sum::<f64>() / count).sqrt().max(1.0);
    (period, 1.5 * usual * ((1.0 + repeat) / (1.0 - repeat)).sqrt() / spread / count.sqrt())
}

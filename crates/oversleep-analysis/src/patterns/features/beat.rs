//! Periodic events: those that recur after the same time, or after the same number of ticks.

use super::grid::resultant;
use rustfft::{FftPlanner, num_complex::Complex};

/// A period at which events recur.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodEstimate {
    /// Cycles per ns.
    pub rate: f64,
    /// Step between the rates tried, in cycles per ns: `rate` may be off by this much.
    pub step: f64,
    /// Rayleigh's score n·R² of the n events at `rate`; R is the length of their mean vector.
    pub score: f64,
    /// Number of rates tried.
    pub tries: f64,
}

impl PeriodEstimate {
    /// Returns the period and its error, in ns.
    pub fn period(&self) -> (f64, f64) {
        (1.0 / self.rate, self.step / (self.rate * self.rate))
    }
}

/// Rates tried per cycle over the span: a line of the spectrum is about four of them wide.
const PER_CYCLE: usize = 4;
/// Highest number of cycles over the span that is searched.
const CYCLES: f64 = 20_000.0;

/// Returns the strongest period of events between two rates (cycles per ns), from the spectrum of their times: of lines
/// nearly as strong (0.8) the slowest, since a rate's multiples are as strong. `None` without events or rates.
pub fn in_time(events: &[f64], slowest: f64, fastest: f64) -> Option<PeriodEstimate> {
    let (first, span) = (*events.first()?, events.last()? - events.first()?);
    let cycles = (fastest * span).min(CYCLES);
    if span <= 0.0 || cycles <= slowest * span {
        return None;
    }
    let size = (4.0 * cycles).max(256.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 80 000
    let bins = (size as usize).next_power_of_two();
    let mut padded = vec![Complex { re: 0.0f32, im: 0.0f32 }; bins * PER_CYCLE];
    for event in events {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the span
        let at = (((event - first) / span * bins as f64) as usize).min(bins - 1);
        padded[at].re += 1.0;
    }
    FftPlanner::new().plan_fft_forward(padded.len()).process(&mut padded);
    let step = 1.0 / (span * PER_CYCLE as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 80 000
    let (from, to) = ((slowest / step).ceil() as usize, (cycles * PER_CYCLE as f64) as usize);
    let strength: Vec<f32> = padded.get(from..=to)?.iter().map(Complex::norm_sqr).collect();
    let most = strength.iter().copied().fold(0.0f32, f32::max);
    let at = strength.iter().position(|&strength| strength > 0.8 * most)?;
    let score = |rate: f64| events.len() as f64 * resultant(events, rate).0.powi(2);
    // The line's peak is within a few steps of the first strong rate.
    let near = (0..=2 * PER_CYCLE).map(|more| (from + at + more) as f64 * step).map(|rate| (rate, score(rate)));
    let (rate, score) = near.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(PeriodEstimate { rate, step, score, tries: (to - from + 1) as f64 })
}

/// A period in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Period in ticks.
    pub ticks: u32,
    /// Number of events at the period's place.
    pub kept: usize,
    /// Number of wake-ups at the period's place, with or without an event.
    pub seen: usize,
    /// The period's place: the tick number modulo `ticks`.
    pub at: u32,
}

/// Most periods times events that are tried: about a tenth of a second of work.
const MOST_STEPS: usize = 60_000_000;
/// Fewest events that show a period.
const LEAST: usize = 5;

/// Returns the period in ticks that most events keep, and by how many nats its likelihood exceeds that of random
/// events, after correction for the number of tries.
///
/// `seen`: the numbers of the ticks at which sleeps ended; `events`: those at which one was late. Both are sorted and
/// free of duplicates. A thread that sleeps the same number of ticks again and again coincides exactly with whatever
/// wakes at one of them. A few events among thousands are therefore enough: by chance, one of P places gets 1 in P.
pub fn in_ticks(events: &[u32], seen: &[u32]) -> Option<(Turn, f64)> {
    let span = seen.last()? - seen.first()?;
    #[allow(clippy::cast_possible_truncation)] // fewer than there are ticks
    let longest = (span / 8).min((seen.len() / LEAST).min(MOST_STEPS / events.len().max(1)) as u32);
    if events.len() < LEAST || longest < 3 {
        return None;
    }
    let mut best: Option<(f64, u32, u32)> = None;
    let mut counts = vec![0u16; longest as usize];
    let mut places = vec![0u32; events.len()];
    for ticks in 3..=longest {
        let mut most = (0u16, 0u32);
        for (place, event) in places.iter_mut().zip(events) {
            *place = event % ticks;
            let count = &mut counts[*place as usize];
            *count += 1;
            if *count > most.0 {
                most = (*count, *place);
            }
        }
        for &place in &places {
            counts[place as usize] = 0;
        }
        let gain = gain(f64::from(most.0), events.len() as f64 / f64::from(ticks));
        if best.is_none_or(|best| gain > best.0) {
            best = Some((gain, ticks, most.1));
        }
    }
    let (_, ticks, at) = best?;
    let kept = events.iter().filter(|event| **event % ticks == at).count();
    let met = seen.iter().filter(|tick| **tick % ticks == at).count();
    // Lateness that lasts, as where the tick's drift changes, delays one sleep after the other: each such run is one event.
    let late = |tick: u32| events.binary_search(&tick).is_ok();
    let all = runs(seen, late);
    let apart = runs(seen, |tick| tick % ticks == at && late(tick));
    let expected = met as f64 * all as f64 / seen.len() as f64;
    // Every place of every period counts as a try.
    let tries = 0.5 * f64::from(longest) * f64::from(longest);
    let turn = Turn { ticks, kept, seen: met, at };
    (apart >= LEAST).then(|| (turn, gain(apart as f64, expected) - tries.ln()))
}

/// Returns how many runs of neighbours have a property.
fn runs(seen: &[u32], is: impl Fn(u32) -> bool) -> usize {
    let begins = seen.windows(2).filter(|pair| is(pair[1]) && !is(pair[0])).count();
    begins + usize::from(seen.first().is_some_and(|first| is(*first)))
}

/// Returns the log likelihood (nats) of `count` events at their best rate, relative to a rate at which `expected` are
/// usual; 0 if they are no more than that.
fn gain(count: f64, expected: f64) -> f64 {
    if count <= expected { 0.0 } else { count * (count / expected).ln() - (count - expected) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Returns sorted random numbers, which keep no period.
    fn scattered(count: u32, below: u32) -> Vec<u32> {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(1);
        let mut all: Vec<u32> = (0..count).map(|_| random.random_range(0..below)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn eight_events_among_two_hundred_keep_their_period() {
        let seen: Vec<u32> = (0..60_000).filter(|tick| tick % 3 != 1).collect();
        let noise = scattered(200, 60_000);
        assert!(in_ticks(&noise, &seen).is_none_or(|(_, beyond)| beyond < 10.0));
        let mut events = noise.clone();
        events.extend((0..12).map(|turn| 137 + turn * 4_999));
        events.sort_unstable();
        events.dedup();
        let (turn, beyond) = in_ticks(&events, &seen).unwrap();
        assert_eq!((turn.ticks, turn.at), (4_999, 137));
        assert!(beyond > 10.0, "{beyond}");
    }

    #[test]
    fn places_that_are_seen_more_often_are_no_beat() {
        // Sleeps of ten ticks each: all events fall on every tenth tick, as all wake-ups do.
        let seen: Vec<u32> = (0..20_000).map(|tick| tick * 10).collect();
        let events: Vec<u32> = scattered(300, 20_000).iter().map(|tick| tick * 10).collect();
        assert!(in_ticks(&events, &seen).is_none_or(|(_, beyond)| beyond < 10.0));
    }

    #[test]
    fn lateness_that_lasts_is_no_beat() {
        // Sleeps of 250 ticks that fall behind by one tick half way, and are late from then on.
        let seen: Vec<u32> = (0..300).map(|n| n * 250 + u32::from(n > 150)).collect();
        let events = &seen[151..];
        assert!(in_ticks(events, &seen).is_none_or(|(_, beyond)| beyond < 10.0));
    }

    #[test]
    fn the_slowest_of_equal_lines_is_taken() {
        let events: Vec<f64> = (0..40).map(|turn| 3e9 * f64::from(turn)).collect();
        let beat = in_time(&events, 8.0 / 120e9, 1e-8).unwrap();
        assert!((beat.rate * 3e9 - 1.0).abs() < 1e-2, "{beat:?}");
        assert!(beat.score > 35.0, "{beat:?}");
    }
}

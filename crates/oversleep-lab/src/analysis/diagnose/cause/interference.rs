//! `periodic-interference`: something wakes at a fixed period and delays the sleeps it meets.

use super::{At, Cause, Seen};
use crate::analysis::diagnose::features::grid::{resultant, thin};
use crate::analysis::diagnose::features::robust::{median, spread};
use crate::analysis::diagnose::features::{Features, Rule};
use crate::analysis::diagnose::finding::{Finding, Unit};

/// Delayed sleeps needed.
const EVENTS: usize = 12;
/// At most this many rates are tried.
const RATES: f64 = 20_000.0;
/// By how much (in natural logarithms) the delays' rhythm must beat chance, after as many tries as were made.
const BEYOND_CHANCE: f64 = 10.0;

pub(super) fn look(features: &Features<'_>) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (at, group) in features.groups.iter().enumerate() {
        if let Some(finding) = rhythm(features, at) {
            seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
        }
    }
    seen
}

/// Delay of each timed sleep beyond what rules its group, with its end.
fn delays(features: &Features<'_>, group: usize) -> Vec<(f64, f64)> {
    let timed = features.groups[group].timed();
    match &features.rules[group] {
        Rule::Tick(tick) => match &tick.grid {
            Some(grid) => timed.iter().map(|s| (s.end, centred(grid.past(s.end), grid.tick))).collect(),
            None => Vec::new(),
        },
        Rule::Steady(steady) => {
            let usual =
                |view: usize| steady.usual.iter().find(|cell| cell.view == view).map_or(steady.base, |c| c.late);
            timed.iter().map(|s| (s.end, s.late - usual(s.view))).collect()
        }
        _ => Vec::new(),
    }
}

fn centred(past: f64, tick: f64) -> f64 {
    if past > 0.5 * tick { past - tick } else { past }
}

/// How many of the largest delays are looked at by themselves.
const LARGEST: &[usize] = &[768, 384, 192, 96, 64, 48, 36, 28, 22, 17, 13];

/// A rhythm in the times of delays.
struct Rhythm {
    rate: f64,
    step: f64,
    chance: f64,
    events: usize,
    bound: f64,
}

/// The rhythm of the delays beyond a bound.
fn rhythm_beyond(delays: &[(f64, f64)], bound: f64, usual: f64) -> Option<Rhythm> {
    if bound <= usual {
        return None;
    }
    let events: Vec<f64> = delays.iter().filter(|delay| delay.1 > bound).map(|delay| delay.0).collect();
    if events.len() < EVENTS || events.len() * 4 > delays.len() {
        return None;
    }
    let span = delays.last()?.0 - delays.first()?.0;
    let all: Vec<f64> = thin(&delays.iter().map(|delay| delay.0).collect::<Vec<_>>());
    let thinned = thin(&events);
    // From eight periods in the recording up to two sleeps per period, and to twenty periods per delay seen: what
    // meets fewer sleeps than that is hardly worth a name, and every rate tried makes chance likelier.
    let slowest = 8.0 / span;
    let fastest = (0.5 * delays.len() as f64).min(20.0 * events.len() as f64) / span;
    let step = (0.3 / span).max((fastest - slowest) / RATES);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most RATES
    let tries = (((fastest - slowest) / step).max(1.0)) as u32;
    let score = |rate: f64| {
        let length = resultant(&thinned, rate).0;
        thinned.len() as f64 * length * length
    };
    let scores: Vec<(f64, f64)> =
        (0..tries).map(|at| slowest + f64::from(at) * step).map(|rate| (rate, score(rate))).collect();
    let best = scores.iter().map(|(_, score)| *score).fold(0.0, f64::max);
    // As many rates as were tried, on as many bounds.
    let chance = best - (f64::from(tries) * (LARGEST.len() + 1) as f64).ln();
    // The lowest of the strong lines: its multiples are as strong.
    let &(rate, strength) = scores.iter().find(|(_, score)| *score > 0.8 * best)?;
    let regular = (strength / thinned.len() as f64).sqrt();
    if chance < BEYOND_CHANCE || regular < 0.7 || resultant(&all, rate).0 > 0.35 {
        return None;
    }
    Some(Rhythm { rate, step, chance, events: events.len(), bound })
}

fn rhythm(features: &Features<'_>, group: usize) -> Option<Finding> {
    let delays = delays(features, group);
    let values: Vec<f64> = delays.iter().map(|delay| delay.1).collect();
    let usual = median(&values)?;
    // Kernels' own work on every so many ticks costs some instructions; what is looked for costs more than that.
    let slow = features.read.map_or(1.0, |read| (read / 300.0).max(1.0));
    let bound = usual + (6.0 * spread(&values, usual)).max(15_000.0 * slow);
    let mut largest: Vec<f64> = values.iter().copied().filter(|value| *value > bound).collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    // What delays often by little hides what delays seldom by much: the largest are looked at by themselves too.
    let bounds = LARGEST.iter().filter_map(|&count| largest.get(count).copied());
    let tries = std::iter::once(bound).chain(bounds).filter_map(|bound| rhythm_beyond(&delays, bound, usual));
    let Rhythm { rate, step, chance, events, bound } = tries.max_by(|a, b| a.chance.total_cmp(&b.chance))?;
    let sizes: Vec<f64> = delays.iter().filter(|delay| delay.1 > bound).map(|delay| delay.1 - usual).collect();
    let finding = Finding::new(Cause::PeriodicInterference, median(&sizes)?, Unit::Nanoseconds)
        .sure(1.0 - (-chance).exp())
        .with("period_s", 1e-9 / rate)
        .with("period_error_s", 1e-9 * step / (rate * rate))
        .with("events", events)
        .with("log_likelihood_beyond_chance", chance);
    Some(finding)
}

//! How well a tick and its rules explain one group: logarithms of the marginal likelihood of its ends.

use super::density::{Density, add, centre, counts, modulo, sum};
use super::group::{Group, Sleep};
use super::prior::{Prior, Rule};
use super::propose::Candidate;
use oversleep_sim::Rounding;
use oversleep_sim::law::counted::TvToHz;
use oversleep_sim::law::wheel::granularity;
use oversleep_sim::law::{Counted, Even, FreeRtos, FromLast, Grid, Law, Sleep as Asked, Stamps, TickUp, floor};
use std::collections::{BTreeMap, BTreeSet};

/// Costs from a tick to the program's next reading that are tried, in ns.
pub(crate) const COSTS: [f64; 6] = [0.0, 10e3, 25e3, 50e3, 90e3, 150e3];
/// Numbers of ticks from the one that the rule names are counted from −4 to 43.
pub(crate) const NUMBERS: usize = 48;
const BEFORE: usize = 4;
/// Part of a period by which an end may be earlier than a tick's usual one: costs have a long upper tail. Where sleeps wait
/// for most of a tick, as one recording in five shows, less.
pub(crate) const BEFORE_TICK: f64 = 0.3;
const BEFORE_LATE: f64 = 0.05;
const LATE: f64 = 0.2;
/// "As the last ones" is as the middle of this many: a step is then missed by two sleeps only.
pub(crate) const LAST: usize = 3;
/// Sleeps from which a phase that moves is tried.
const MOVES: usize = 30;
/// Prior of "goes on as it was last time" against a fixed place.
pub(crate) const MEMORY: f64 = 0.05;
/// Half of all methods wake after a tick within this of another, in ns.
const ALIKE: f64 = 10e3;
/// A tick made by a clock's stamps has ends this near to it, in ns; ends of real wake-ups scatter more, with the
/// probability that `STAMPED` leaves.
const EXACT: f64 = 400.0;
const STAMPED: f64 = 0.02;
/// Nats behind the best rule from which a rule's score need not be exact, and sleeps after which this is asked.
const HOPELESS: f64 = 60.0;
const FEW: usize = 64;
/// Share of the timeouts in a wheel's coarse slots that end at a slot, and the number of ticks any of which may end another.
const AT_SLOT: f64 = 0.95;
const ANY: f64 = 480.0;

/// Probability that a sleep ends at a tick before the one that a rule names: kernels wake nobody early, but a start may be read
/// on the other side of a tick.
const EARLIER: f64 = 0.03;

/// Returns the middle of the last values before each; the first has itself.
pub(crate) fn before(values: &[f64]) -> Vec<f64> {
    let at = |i: usize| {
        let mut some: [f64; LAST] = std::array::from_fn(|back| values[(i + back).saturating_sub(LAST)]);
        some.sort_unstable_by(f64::total_cmp);
        some[LAST / 2]
    };
    (0..values.len()).map(at).collect()
}

/// Returns a place within a period, from this part of it before the level.
pub(crate) fn wrap(place: f64, period: f64, before: f64) -> f64 {
    modulo(place + before * period, period) - before * period
}

/// Scores places on a circle: anywhere, or mostly near where another method's are.
pub(crate) fn within(density: &Density, places: &[f64], period: f64, step: f64, expected: Option<f64>) -> f64 {
    density.located(places, step, |at, width| {
        let anywhere = width / period;
        let probability = expected.map_or(anywhere, |expected| {
            let off = (at - expected + period / 2.0).rem_euclid(period) - period / 2.0;
            0.2 * anywhere + 0.8 * width / (std::f64::consts::PI * ALIKE * (1.0 + (off / ALIKE).powi(2)))
        });
        probability.ln()
    })
}

/// Where the ends of a group lie within a tick, and how well that is predicted: the first half of a tick's score.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    half: f64,
    ways: Vec<Way>,
}

/// A way of assigning ends to ticks.
#[derive(Debug, Clone)]
struct Way {
    /// The ticks' phase at each sleep.
    phases: Vec<f64>,
    /// Ends by this part of a period before a tick's usual end are that tick's.
    before: f64,
    score: f64,
}

impl Places {
    /// Returns the places for a candidate; `shared` is the phase of another method's ends on the same machine.
    pub(crate) fn new(density: &Density, group: &Group, candidate: &Candidate, shared: Option<f64>) -> Self {
        let (ends, period) = (group.ends(), candidate.period);
        let (phase, half) = centre(&ends, period);
        let places = |before: f64| -> Vec<f64> { ends.iter().map(|end| wrap(end - phase, period, before)).collect() };
        let expected = shared.map(|shared| shared - phase);
        let fixed = |before: f64, places: &[f64], probability: f64| Way {
            phases: vec![phase; ends.len()],
            before,
            score: within(density, places, period, group.step, expected) + probability.ln(),
        };
        let (usual, late) = (places(BEFORE_TICK), places(BEFORE_LATE));
        let mut ways = if late == usual {
            vec![fixed(BEFORE_TICK, &usual, 1.0)]
        } else {
            vec![fixed(BEFORE_TICK, &usual, 1.0 - LATE), fixed(BEFORE_LATE, &late, LATE)]
        };
        if ends.len() >= MOVES {
            let mut unwrapped: Vec<f64> = Vec::with_capacity(ends.len());
            for end in &ends {
                let place = wrap(end - phase, period, 0.5);
                let last = unwrapped.last().copied().unwrap_or(place);
                unwrapped.push(place + ((last - place) / period).round() * period);
            }
            let phases: Vec<f64> = before(&unwrapped).iter().map(|place| phase + place).collect();
            let rest: Vec<f64> =
                ends.iter().zip(&phases).map(|(end, phase)| wrap(end - phase, period, BEFORE_TICK)).collect();
            let score = density.shape(&rest, group.step) + MEMORY.ln();
            ways.push(Way { phases, before: BEFORE_TICK, score });
        }
        Self { half, ways }
    }

    /// Returns the likeliest way of assigning some of the ends to ticks, without its own score.
    pub(crate) fn part(&self, of: std::ops::Range<usize>) -> Self {
        let best = self.ways.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let part = |way: &Way| Way { phases: way.phases[of.clone()].to_vec(), before: way.before, score: 0.0 };
        Self { half: self.half, ways: best.map(part).into_iter().collect() }
    }

    /// Returns the score with a phase that stays.
    #[cfg(test)]
    pub(crate) fn fixed(&self) -> f64 {
        self.ways[0].score
    }

    /// Returns what no rule can score above: a rule can only cost.
    pub(crate) fn bound(&self) -> f64 {
        sum(self.ways.iter().map(|way| way.score))
    }
}

/// The scores of a group under a tick's rules.
pub(crate) type Rules = Vec<(Rule, f64)>;

/// Returns the score of each rule at these places.
pub(crate) fn ticks(group: &Group, candidate: &Candidate, places: &Places, prior: &Prior) -> Rules {
    let best = places.ways.iter().map(|way| way.score).fold(f64::NEG_INFINITY, f64::max);
    // What is far behind another way of placing the ticks cannot be the explanation.
    let near = places.ways.iter().filter(|way| way.score >= best - 10.0);
    let mut near: Vec<(f64, Ended<'_>)> = near.map(|way| (way.score, Ended::new(group, candidate, way))).collect();
    let exact = places.half < EXACT;
    let score = |rule| {
        let scatter = match (rule, exact) {
            (Rule::Stamps, false) => f64::NEG_INFINITY,
            (Rule::Stamps, true) => 0.0,
            (_, true) => STAMPED.ln(),
            (_, false) => (1.0 - STAMPED).ln(),
        };
        let known = scatter + prior.rule(rule, group).ln();
        if known == f64::NEG_INFINITY {
            return (rule, known);
        }
        (rule, known + sum(near.iter_mut().map(|(score, ended)| *score + ended.numbers(rule))))
    };
    Rule::ALL.map(score).into()
}

/// The ticks at which the sleeps of a group end, under one way of placing them.
struct Ended<'a> {
    candidate: &'a Candidate,
    /// Each sleep that ends at any tick, from the ticks' phase, and its tick.
    sleeps: Vec<(Sleep, f64)>,
    /// Timeouts that end only where the wheel's slots of a width begin: start from the ticks' phase, number of ticks, tick.
    coarse: BTreeMap<i64, Vec<(f64, i64, i64)>>,
    /// The best score of a rule and a cost so far.
    best: f64,
}

impl<'a> Ended<'a> {
    #[allow(clippy::cast_possible_truncation)] // limited to the counted numbers
    fn new(group: &Group, candidate: &'a Candidate, way: &Way) -> Self {
        let period = candidate.period;
        let mut ended = Self {
            candidate,
            sleeps: Vec::with_capacity(group.sleeps.len()),
            coarse: BTreeMap::new(),
            best: f64::NEG_INFINITY,
        };
        for (sleep, phase) in group.sleeps.iter().zip(&way.phases) {
            let tick = floor((sleep.end - phase) / period + way.before);
            let start = sleep.start - phase;
            let count = if group.wheel { (sleep.asked / period - 1e-6).ceil() as i64 } else { 0 };
            match granularity(count) {
                1 => ended.sleeps.push((Sleep { start, ..*sleep }, tick)),
                width => ended.coarse.entry(width).or_default().push((start, count, tick as i64)),
            }
        }
        ended
    }

    /// Returns the score of the numbers of ticks between the one that ended each sleep and the one that the rule names; once it is
    /// [`HOPELESS`], that of the first sleeps, as more sleeps only lower it.
    fn numbers(&mut self, rule: Rule) -> f64 {
        let period = self.candidate.period;
        let mut ticks = Even { period, phase: 0.0 };
        // Where the clock drifts against ticks that the kernel counts, a request is counted by their nominal length; where
        // the ticks themselves are longer, by that.
        let countings: &[f64] = match (rule, self.candidate.hz) {
            (Rule::Early | Rule::Down, Some(hz)) => &[1e9 / hz, period],
            _ => &[period],
        };
        let laws: Vec<Law> = countings.iter().map(|counted| named(rule, self.candidate, *counted, ticks)).collect();
        let costs = COSTS.into_iter().filter(|&cost| cost == 0.0 || cost <= period / 2.0);
        let mut scores = Vec::new();
        for (cost, law) in costs.flat_map(|cost| laws.iter().map(move |law| (cost, law))) {
            let (mut seen, mut far) = ([0; NUMBERS], 0.0);
            let score = |seen: &Seen| if rule == Rule::Other { anywhere(seen) } else { mostly_as_named(seen) };
            for some in self.sleeps.chunks(FEW) {
                for (sleep, tick) in some {
                    let end = law.end(&Asked { start: sleep.start + cost, ..to_law(sleep) });
                    let (number, beyond) = numbered(tick - ticks.last(end + 0.01 * period) as f64);
                    far += beyond;
                    seen[number] += 1;
                }
                if far + score(&seen) < self.best - HOPELESS {
                    break;
                }
            }
            for (width, sleeps) in &self.coarse {
                let slot = |&(start, count, tick): &(f64, i64, i64)| {
                    let after = tick - ticks.last(start + cost) - count;
                    (1..=*width).contains(&after).then(|| tick.rem_euclid(*width))
                };
                far += at_slots(*width, &sleeps.iter().map(slot).collect::<Vec<_>>());
            }
            let score = far + score(&seen);
            self.best = self.best.max(score);
            scores.push(score);
        }
        let tried = scores.len() as f64;
        sum(scores) - tried.ln()
    }
}

/// Returns the place of this number of ticks after a named one among those that are counted, and the score of its distance from
/// them: beyond them any one may come, as 1 / m².
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // limited to the counted numbers
pub(crate) fn numbered(after: f64) -> (usize, f64) {
    let off = after + BEFORE as f64;
    let beyond = (off / (NUMBERS as f64 - 1.0)).max(off / -(BEFORE as f64)).max(1.0);
    let score = if beyond > 1.0 { -2.0 * beyond.ln() - ((NUMBERS - BEFORE - 1) as f64).ln() } else { 0.0 };
    (off.clamp(0.0, NUMBERS as f64 - 1.0) as usize, score)
}

/// Scores the places of ticks within coarse slots of this many; `None` of one that ends no sleep of this length. All slots
/// begin at one place, which depends on when the machine was started.
pub(crate) fn at_slots(width: i64, seen: &[Option<i64>]) -> f64 {
    let of = |place: i64| {
        let at = seen.iter().filter(|slot| **slot == Some(place)).count();
        at as f64 * AT_SLOT.ln() + (seen.len() - at) as f64 * ((1.0 - AT_SLOT) / ANY).ln()
    };
    let places: BTreeSet<i64> = seen.iter().copied().flatten().collect();
    let other = (width as f64 - places.len() as f64).ln() + of(-1);
    add(other, sum(places.into_iter().map(of))) - (width as f64).ln()
}

/// How often each number of ticks from the one that a rule names was seen, from [`BEFORE`] before it on.
pub(crate) type Seen = [usize; NUMBERS];

/// Scores numbers of ticks, any of which is as likely until it is seen.
pub(crate) fn anywhere(seen: &Seen) -> f64 {
    counts(seen, &[5.0 / NUMBERS as f64; NUMBERS])
}

/// Scores numbers of which nine in ten are the tick that a rule names, most others the one after; the rest, which something else
/// delayed, may lie anywhere, as without a rule.
pub(crate) fn mostly_as_named(seen: &Seen) -> f64 {
    const WEIGHTS: [f64; 3] = [1.8, 0.1, 0.1];
    let early: usize = seen[..BEFORE].iter().sum();
    let kinds = [seen[BEFORE], seen[BEFORE + 1], seen[BEFORE + 2..].iter().sum()];
    let nats = early as f64 * EARLIER.ln() + kinds.iter().sum::<usize>() as f64 * (1.0 - EARLIER).ln();
    let mut far = *seen;
    far[BEFORE - 1..=BEFORE + 1].fill(0);
    nats + counts(&kinds, &WEIGHTS) + anywhere(&far)
}

/// Returns the law of a rule by which a tick ends a sleep.
#[allow(clippy::cast_possible_truncation)] // rates are at most 1 MHz
fn named(rule: Rule, candidate: &Candidate, counted: f64, ticks: Even) -> Law {
    match rule {
        Rule::Up | Rule::Other => Law::TickUp(TickUp { ticks, extra: 0 }),
        Rule::UpPlusOne => Law::TickUp(TickUp { ticks, extra: 1 }),
        Rule::Early => Law::FromLast(FromLast { ticks, counted }),
        Rule::Down => Law::FreeRtos(FreeRtos { ticks, counted }),
        Rule::Stamps => Law::Stamps(Stamps { clock: ticks, both: false }),
        Rule::Counted | Rule::CountedDown => {
            let rounding = if rule == Rule::Counted { Rounding::CeilPlus1 } else { Rounding::LowPlus1 };
            let hz = candidate.hz.unwrap_or(1e9 / candidate.period).round().clamp(1.0, 1e6) as i64;
            let count = TvToHz::of_rate(hz, rounding);
            Law::Counted(Counted { ticks, count })
        }
    }
}

pub(crate) fn to_law(sleep: &Sleep) -> Asked {
    Asked { start: sleep.start, asked: sleep.asked, absolute: sleep.absolute }
}

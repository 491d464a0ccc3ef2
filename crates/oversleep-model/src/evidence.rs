//! The score of one group under one law: the logarithm of the marginal likelihood of its ends.

use super::density::{Density, add, centre, counts, level, modulo, sum};
use super::group::{Group, Sleep};
use super::prior::{Prior, Rule};
use super::propose::{Candidate, median};
use oversleep_sim::law::counted::TvToHz;
use oversleep_sim::law::wheel::granularity;
use oversleep_sim::law::{
    CachedStart, Counted, Even, FreeRtos, FromLast, Govern, Grid, Law, Share, Sleep as Asked, Stamps, TickUp,
};
use std::collections::{BTreeMap, BTreeSet};

/// Costs from a tick to the program's next reading that are tried, in ns.
const COSTS: [f64; 6] = [0.0, 10e3, 25e3, 50e3, 90e3, 150e3];
/// Numbers of ticks from the one that the rule names are counted from −4 to 43.
const NUMBERS: usize = 48;
const BEFORE: usize = 4;
/// Part of a period by which an end may be earlier than a tick's usual one: costs have a long upper tail. Where sleeps wait
/// for most of a tick, as one recording in five shows, less.
const BEFORE_TICK: f64 = 0.3;
const BEFORE_LATE: f64 = 0.05;
const LATE: f64 = 0.2;
/// "As the last ones" is as the middle of this many: a step is then missed by two sleeps only.
const LAST: usize = 3;
/// Sleeps from which a phase that moves is tried.
const MOVES: usize = 30;
/// Prior of "goes on as it was last time" against a fixed place.
const MEMORY: f64 = 0.05;
/// Half of all methods wake after a tick within this of another, in ns.
const ALIKE: f64 = 10e3;
/// Half of all steady changes from sleep to sleep are below this, in ns.
const CHANGE: f64 = 2e3;
/// A tick made by a clock's stamps has ends this near to it, in ns; ends of real wake-ups scatter more, with the
/// probability that `STAMPED` leaves.
const EXACT: f64 = 400.0;
const STAMPED: f64 = 0.02;
/// Share of the timeouts in a wheel's coarse slots that end at a slot, and the number of ticks any of which may end another.
const AT_SLOT: f64 = 0.95;
const ANY: f64 = 480.0;

/// Prior of steps that a program makes, of one of the lengths that are tried.
const STEPS: f64 = 1e-3;
/// Programs do not sleep by shorter steps, in ns.
pub(crate) const SHORTEST_STEP: f64 = 0.5e6;
/// Probability that a sleep ends at a tick before the one that a rule names: kernels wake nobody early, but a start may be read
/// on the other side of a tick.
const EARLIER: f64 = 0.03;

/// A law without ticks, for one group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Free {
    /// Each sleep costs the same, with scatter.
    Level,
    /// Due at full seconds.
    Second,
    /// A level for each request.
    Requests,
    /// As late as the last ones.
    Last,
    /// Lateness that grows with time.
    Trend,
    /// Late by a share of the request.
    Share(f64),
    /// Anywhere within a share.
    Within,
    /// A quantum of busy threads, in ns.
    Quantum(f64),
    /// Whole steps of this length, in ns, from the sleep's own start: a program that sleeps by steps until its time has come,
    /// or rounds its requests.
    Steps(f64),
}

/// Shares that systems are known for, as laws: Linux' `select`, XNU's tiers and background, FreeBSD's precision.
const SHARES: [(f64, f64); 7] =
    [(0.001, 100e6), (0.005, 100e6), (1.0 / 16.0, 1e12), (1.0 / 128.0, 1e12), (0.125, 1e6), (0.25, 5e6), (32.0, 100e6)];
/// Quanta that are known, in ns.
const QUANTA: [f64; 10] = [10e6, 20e6, 30e6, 40e6, 50e6, 60e6, 100e6, 120e6, 180e6, 200e6];

/// Returns the scores of the laws without ticks.
pub(crate) fn free(density: &Density, group: &Group, prior: &Prior) -> Vec<(Free, f64)> {
    let (late, step) = (group.late(), group.step);
    let n = late.len();
    let asked: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.asked).collect();
    let mut scores = vec![(Free::Level, density.lateness(&late, step) + 0.5f64.ln())];
    let off: Vec<f64> = group.sleeps.iter().map(|s| (s.start + s.asked + 5e8).rem_euclid(1e9) - 5e8).collect();
    let mut sizes: Vec<f64> = off.iter().map(|off| off.abs()).collect();
    if median(&mut sizes) < 1e6 {
        let exact: Vec<f64> = late.iter().zip(&off).map(|(late, off)| late + off).collect();
        scores.push((Free::Second, density.lateness(&exact, step) + 0.3f64.ln()));
    }
    if group.cells.len() > 1 && group.cells.len() <= n / 4 {
        scores.push((Free::Requests, by_request(density, group, &late) + 0.3f64.ln()));
    }
    let changes: Vec<f64> = late.iter().zip(before(&late, LAST)).map(|(late, last)| late - last).collect();
    let steady = |at: f64, width: f64| (width / (std::f64::consts::PI * CHANGE * (1.0 + (at / CHANGE).powi(2)))).ln();
    scores.push((Free::Last, density.located(&changes, step, steady) + MEMORY.ln()));
    if n >= 8 {
        scores.push((Free::Trend, trend(density, group, &late)));
    }
    if group.loaded || middle(&late) > 1e6 {
        scores.extend(quanta(density, group));
    }
    let range = asked.iter().copied().fold(0.0, f64::max) - asked.iter().copied().fold(f64::MAX, f64::min);
    if prior.shares() {
        scores.extend(known_shares(density, group));
        if range > 0.5 * middle(&asked) {
            scores.extend(fitted_shares(density, group, &late, &asked));
        }
    }
    scores
}

fn middle(values: &[f64]) -> f64 {
    median(&mut values.to_vec())
}

/// Returns the middle of the last `width` values before each; the first has itself.
fn before(values: &[f64], width: usize) -> Vec<f64> {
    let at = |i: usize| {
        let padded = (0..width).map(|back| values[(i + back).saturating_sub(width)]);
        let mut some: Vec<f64> = padded.collect();
        median(&mut some)
    };
    (0..values.len()).map(at).collect()
}

/// A level for each request, all with one shape: levels are like each other, or like any cost.
fn by_request(density: &Density, group: &Group, late: &[f64]) -> f64 {
    let (overall, wide) = level(late);
    let scale = wide.max(0.2 * overall.abs()).max(1e3);
    let (mut rest, mut nats) = (vec![0.0; late.len()], 0.0);
    for cell in &group.cells {
        let at: Vec<usize> = (0..late.len()).filter(|i| group.sleeps[*i].cell == *cell).collect();
        if at.is_empty() {
            continue;
        }
        let own: Vec<f64> = at.iter().map(|i| late[*i]).collect();
        let (middle, half) = level(&own);
        let error =
            half.max(group.step).max(super::density::RESOLUTION) * (std::f64::consts::TAU / own.len() as f64).sqrt();
        let like = (error / (std::f64::consts::PI * scale * (1.0 + ((middle - overall) / scale).powi(2)))).ln();
        nats += (add(like, super::density::cost(middle, error)) - std::f64::consts::LN_2).min(0.0);
        for i in at {
            rest[i] = late[i] - middle;
        }
    }
    nats + density.shape(&rest, group.step)
}

fn trend(density: &Density, group: &Group, late: &[f64]) -> f64 {
    let ends = group.ends();
    let n = late.len() as f64;
    let (x0, y0) = (ends.iter().sum::<f64>() / n, late.iter().sum::<f64>() / n);
    let (xx, xy) =
        ends.iter().zip(late).fold((0.0, 0.0), |(xx, xy), (x, y)| (xx + (x - x0).powi(2), xy + (x - x0) * (y - y0)));
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    let rest: Vec<f64> = ends.iter().zip(late).map(|(x, y)| y - slope * (x - ends[0])).collect();
    let (_, half) = level(&rest);
    let error = half.max(group.step).max(super::density::RESOLUTION) / (xx / n).sqrt().max(1.0) / n.sqrt();
    // Slopes up to 100 ppm, one recording in two hundred.
    density.lateness(&rest, group.step) + (error / 1e-4).max(1e-12).ln().min(0.0) + 0.005f64.ln()
}

/// Returns how well a law predicts the ends, with one cost of waking.
fn law_score(density: &Density, group: &Group, law: &dyn Govern) -> f64 {
    let rest: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.end - law.end(&to_law(sleep))).collect();
    density.lateness(&rest, group.step)
}

fn known_shares(density: &Density, group: &Group) -> Vec<(Free, f64)> {
    let mut scores = Vec::new();
    let score_of = |law: &dyn Govern| law_score(density, group, law);
    for (share, cap) in SHARES {
        scores
            .push((Free::Share(share), score_of(&Share { share, least: 0.0, cap }) + (0.1 / SHARES.len() as f64).ln()));
    }
    // FreeBSD's cached start: the wind-up's phase by where long sleeps end, less a cost.
    for shift in [4u32, 7] {
        let share = 1.0 + 1.0 / f64::from(1 << shift);
        let long = group.sleeps.iter().filter(|sleep| sleep.asked >= 1e6 * f64::from(1 << shift));
        let due: Vec<f64> = long.map(|sleep| sleep.end - sleep.asked * share).collect();
        if due.len() >= 5 {
            let (phase, _) = centre(&due, 1e6);
            let cost = |cost: f64| score_of(&CachedStart { windup: Even { period: 1e6, phase: phase - cost }, shift });
            let score = sum(COSTS.map(cost)) - (COSTS.len() as f64).ln();
            scores.push((Free::Share(share - 1.0), score + 0.05f64.ln()));
        }
    }
    scores
}

fn fitted_shares(density: &Density, group: &Group, late: &[f64], asked: &[f64]) -> Vec<(Free, f64)> {
    let mut scores = Vec::new();
    // Any share: fitted to the longer half.
    let usual = middle(asked);
    let mut ratios: Vec<f64> =
        late.iter().zip(asked).filter(|(_, asked)| **asked > usual).map(|(late, asked)| late / asked).collect();
    let ratio = median(&mut ratios);
    if ratio > 1e-4 {
        let rest: Vec<f64> = late.iter().zip(asked).map(|(late, asked)| late - ratio * asked).collect();
        let (_, half) = level(&rest);
        let mean = asked.iter().sum::<f64>() / asked.len() as f64;
        let spread = (asked.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / asked.len() as f64).sqrt().max(1.0);
        let error = half.max(group.step).max(super::density::RESOLUTION) / spread / (asked.len() as f64).sqrt();
        let fitted = (2.5 * error / ratio).min(1.0) / 7.0;
        scores.push((Free::Share(ratio), density.lateness(&rest, group.step) + fitted.ln().min(0.0) + 0.02f64.ln()));
        // … up to a cap, where the longest are late alike.
        let cap = late.iter().copied().fold(0.0, f64::max);
        let below: Vec<f64> =
            late.iter().zip(asked).filter(|(late, _)| **late < 0.7 * cap).map(|(late, asked)| late / asked).collect();
        if below.len() >= 5 {
            let ratio = middle(&below);
            let (top, _) = level(late);
            let score = law_score(density, group, &Share { share: ratio, least: 0.0, cap: top });
            scores.push((Free::Share(ratio), score + (0.02f64 * 1e-4).ln()));
        }
    }
    // Anywhere within a share: the scatter grows with the request.
    let relative: Vec<f64> = late.iter().zip(asked).map(|(late, asked)| 1e6 * late / asked).collect();
    let scaled: f64 = asked.iter().map(|asked| (asked / 1e6).ln()).sum();
    scores.push((Free::Within, density.lateness(&relative, 1.0) - scaled + 0.03f64.ln()));
    scores
}

/// Quanta that begin when the sleeper leaves, and quanta with a phase of their own.
fn quanta(density: &Density, group: &Group) -> Vec<(Free, f64)> {
    let took: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.end - sleep.start).collect();
    if took.len() < 8 || middle(&took) < 5e6 {
        return Vec::new();
    }
    // A recorded busy thread makes a queue likely; without one it is one recording in three hundred.
    let prior = (if group.loaded { 0.3 } else { 0.003 }) / QUANTA.len() as f64 / 2.0;
    let ends = group.ends();
    QUANTA
        .iter()
        .map(|&quantum| {
            let score = add(
                circular(density, &took, quantum, group.step, &took, &group.sleeps),
                circular(density, &ends, quantum, group.step, &took, &group.sleeps),
            );
            (Free::Quantum(quantum), score + prior.ln())
        })
        .collect()
}

/// Returns the score of steps as long as a candidate for the tick, of which the program counts as many as its request holds
/// with their nominal length.
pub(crate) fn steps(density: &Density, group: &Group, candidate: &Candidate) -> (Free, f64) {
    let period = candidate.period;
    let took: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.end - sleep.start).collect();
    let middle = wrap(centre(&took, period).0, period, BEFORE_TICK);
    let places: Vec<f64> = took.iter().map(|took| wrap(took - middle, period, BEFORE_TICK)).collect();
    let countings = candidate.hz.map_or([period; 2], |hz| [1e9 / hz, period]);
    let numbers = countings.map(|counted| {
        let mut far = 0.0;
        let of = |(sleep, took): (&Sleep, &f64)| {
            let named = (sleep.asked / counted - 1e-6).ceil();
            let (number, beyond) = numbered(((took - middle) / period + BEFORE_TICK).floor() - named);
            far += beyond;
            number
        };
        let seen: Vec<usize> = group.sleeps.iter().zip(&took).map(of).collect();
        far + mostly_as_named(&seen)
    });
    let score = within(density, &places, period, group.step, None) + sum(numbers) - std::f64::consts::LN_2;
    (Free::Steps(period), score + STEPS.ln())
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // limited
fn circular(density: &Density, at: &[f64], quantum: f64, step: f64, took: &[f64], sleeps: &[Sleep]) -> f64 {
    let (middle, _) = centre(at, quantum);
    let places: Vec<f64> = at.iter().map(|at| wrap(at - middle, quantum, BEFORE_TICK)).collect();
    let numbers: Vec<usize> = took
        .iter()
        .zip(sleeps)
        .map(|(took, sleep)| ((took - sleep.asked) / quantum + BEFORE_TICK).floor().clamp(0.0, 47.0) as usize)
        .collect();
    within(density, &places, quantum, step, None) + counts(&numbers, &[5.0 / NUMBERS as f64; NUMBERS])
}

/// Returns a place within a period, from this part of it before the level.
fn wrap(place: f64, period: f64, before: f64) -> f64 {
    modulo(place + before * period, period) - before * period
}

/// Scores places on a circle: anywhere, or mostly near where another method's are.
fn within(density: &Density, places: &[f64], period: f64, step: f64, expected: Option<f64>) -> f64 {
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
            let phases: Vec<f64> = before(&unwrapped, LAST).iter().map(|place| phase + place).collect();
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
    Rule::ALL
        .into_iter()
        .map(|rule| {
            let exact = places.half < EXACT;
            let scatter = match (rule, exact) {
                (Rule::Stamps, false) => f64::NEG_INFINITY,
                (Rule::Stamps, true) => 0.0,
                (_, true) => STAMPED.ln(),
                (_, false) => (1.0 - STAMPED).ln(),
            };
            // What is far behind another way of placing the ticks cannot be the explanation.
            let near = places.ways.iter().filter(|way| way.score >= best - 10.0);
            let score = sum(near.map(|way| way.score + numbers(group, candidate, rule, way)));
            (rule, score + scatter + prior.rule(rule, group).ln())
        })
        .collect()
}

/// Returns the score of the numbers of ticks between the one that ended each sleep and the one that the rule names.
#[allow(clippy::cast_possible_truncation)] // limited to the counted numbers
fn numbers(group: &Group, candidate: &Candidate, rule: Rule, way: &Way) -> f64 {
    let period = candidate.period;
    // Where the clock drifts against ticks that the kernel counts, a request is counted by their nominal length; where the
    // ticks themselves are longer, by that.
    let countings: &[f64] = match (rule, candidate.hz) {
        (Rule::Early | Rule::Down, Some(hz)) => &[1e9 / hz, period],
        _ => &[period],
    };
    let costs = COSTS.into_iter().filter(|&cost| cost == 0.0 || cost <= period / 2.0);
    let mut scores = Vec::new();
    for (cost, &counted) in costs.flat_map(|cost| countings.iter().map(move |counted| (cost, counted))) {
        let (mut seen, mut far) = (Vec::with_capacity(group.sleeps.len()), 0.0);
        let mut coarse = BTreeMap::<i64, Vec<Option<i64>>>::new();
        for (i, sleep) in group.sleeps.iter().enumerate() {
            let mut ticks = Even { period, phase: way.phases[i] };
            let ended = ((sleep.end - ticks.phase) / period + way.before).floor();
            let count = (sleep.asked / period - 1e-6).ceil() as i64;
            let slots = if group.wheel { granularity(count) } else { 1 };
            if slots > 1 {
                let ended = ended as i64;
                let after = ended - ticks.last(sleep.start + cost) - count;
                let slot = (1..=slots).contains(&after).then(|| ended.rem_euclid(slots));
                coarse.entry(slots).or_default().push(slot);
                continue;
            }
            let (number, beyond) = numbered(ended - named(rule, (candidate, counted), &mut ticks, sleep, cost) as f64);
            far += beyond;
            seen.push(number);
        }
        far += coarse.iter().map(|(width, seen)| at_slots(*width, seen)).sum::<f64>();
        scores.push(far + if rule == Rule::Other { anywhere(&seen) } else { mostly_as_named(&seen) });
    }
    let tried = scores.len() as f64;
    sum(scores) - tried.ln()
}

/// Returns the place of this number of ticks after a named one among those that are counted, and the score of its distance from
/// them: beyond them any one may come, as 1 / m².
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // limited to the counted numbers
fn numbered(after: f64) -> (usize, f64) {
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

/// Scores numbers of ticks, any of which is as likely until it is seen.
fn anywhere(numbers: &[usize]) -> f64 {
    counts(numbers, &[5.0 / NUMBERS as f64; NUMBERS])
}

/// Scores numbers of which nine in ten are the tick that a rule names, most others the one after; the rest, which something else
/// delayed, may lie anywhere, as without a rule.
fn mostly_as_named(numbers: &[usize]) -> f64 {
    const WEIGHTS: [f64; 3] = [1.8, 0.1, 0.1];
    let kinds: Vec<usize> = numbers.iter().filter_map(|number| Some(number.checked_sub(BEFORE)?.min(2))).collect();
    let early = numbers.len() - kinds.len();
    let nats = early as f64 * EARLIER.ln() + kinds.len() as f64 * (1.0 - EARLIER).ln();
    let far = |number: &usize| !(BEFORE - 1..=BEFORE + 1).contains(number);
    let far: Vec<usize> = numbers.iter().copied().filter(far).collect();
    nats + counts(&kinds, &WEIGHTS) + anywhere(&far)
}

/// Returns the tick that a law names. `cost` is the time from a tick to the program's reading and from that to the kernel's.
#[allow(clippy::cast_possible_truncation)] // rates are at most 1 MHz
fn named(rule: Rule, (candidate, counted): (&Candidate, f64), ticks: &mut Even, sleep: &Sleep, cost: f64) -> i64 {
    let moved = Sleep { start: sleep.start + cost, ..*sleep };
    let law = match rule {
        Rule::Up | Rule::Other => Law::TickUp(TickUp { ticks: *ticks, extra: 0 }),
        Rule::UpPlusOne => Law::TickUp(TickUp { ticks: *ticks, extra: 1 }),
        Rule::Early => Law::FromLast(FromLast { ticks: *ticks, counted }),
        Rule::Down => Law::FreeRtos(FreeRtos { ticks: *ticks, counted }),
        Rule::Stamps => Law::Stamps(Stamps { clock: *ticks, both: false }),
        Rule::Counted => {
            let hz = candidate.hz.unwrap_or(1e9 / candidate.period).round().clamp(1.0, 1e6) as i64;
            let count = TvToHz::of_rate(hz, oversleep_sim::Rounding::CeilPlus1);
            Law::Counted(Counted { ticks: *ticks, count })
        }
    };
    let end = law.end(&to_law(&moved));
    ticks.last(end + 0.01 * ticks.period)
}

fn to_law(sleep: &Sleep) -> Asked {
    Asked { start: sleep.start, asked: sleep.asked, absolute: sleep.absolute }
}

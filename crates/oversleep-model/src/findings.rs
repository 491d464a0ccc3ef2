//! Findings as marginals of the posterior, each with a confidence and an interval computed from this recording; what is
//! not separated stays open, with all survivors and their shares.

use super::addition::Addition;
use super::density::{add, level, sum};
use super::group::Group;
use super::posterior::{FOLLOWS, Kind, Machine, Posterior};
use super::prior::{Family, Rule};

/// Probability from which a rate, a rule or a law is named.
const NAMED: f64 = 0.95;
/// Probability from which a rate is that something else shows too.
const CONFIRMED: f64 = 0.98;
/// Probability from which a tick is.
const SAID: f64 = 0.9;
/// Nats by which samples themselves must speak for a tick.
const SHOWN: f64 = 6.0;
/// A rate or a rule is decided only if it leads every other by this many nats where all are equally usual: how usual one is
/// orders candidates, and shows nothing of this machine.
const LEAD: f64 = 3.0;
/// Least probability of a candidate that is listed.
const LISTED: f64 = 0.003;
/// Ratio of the longest request to the shortest from which requests vary.
const VARIES: f64 = 2.0;
/// Scatter that a share may leave, as a part of what it comes to.
const CLEAR: f64 = 0.25;
/// Rates this near to each other are one.
const SAME_RATE: f64 = 3e-3;

/// What was found about a recording.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    /// Probability of "none of these" beside the law that wins.
    pub none_of_these: f64,
    /// What each group of sleeps says of ticks: one method under one set of conditions.
    pub groups: Vec<Ticks>,
    /// What each says of slack and shares, if it ends at no tick.
    pub additions: Vec<Additions>,
}

/// What one group of sleeps says of ticks, if one of the laws holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Its cells.
    pub cells: Vec<u32>,
    /// Rates in Hz, likeliest first. The sum of their probabilities is that of these sleeps ending at ticks.
    pub rates: Vec<Answer<f64>>,
    /// Rules, given the likeliest rate; likeliest first.
    pub rules: Vec<Answer<Rule>>,
    /// By how many nats these samples speak for ticks, however usual those are: of methods that are known to count them, any.
    pub evidence: f64,
    /// Length of the likeliest rate's ticks, in ns.
    pub period: f64,
    /// Whether they end at other numbers of ticks in the first half than in the second: another rate or rule.
    pub changes: bool,
}

/// One of several answers to a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer<K> {
    /// The answer.
    pub is: K,
    /// Its probability.
    pub probability: f64,
    /// Score of the samples in nats, where all answers are equally usual.
    pub score: f64,
}

impl Ticks {
    /// Returns the probability that these sleeps end at ticks.
    pub fn probability(&self) -> f64 {
        self.rates.iter().map(|rate| rate.probability).sum()
    }

    /// Returns whether the samples show that they do.
    pub fn are_shown(&self) -> bool {
        self.probability() >= SAID && self.evidence >= SHOWN
    }

    /// Returns the probability that they end at ticks of this rate, in Hz.
    pub fn of_rate(&self, hz: f64) -> f64 {
        self.rates.iter().filter(|rate| same_rate(rate.is, hz)).map(|rate| rate.probability).sum()
    }

    /// Returns the rate that is decided, in Hz.
    pub fn rate(&self) -> Option<f64> {
        let best = self.rates.first()?;
        let all = self.probability();
        (self.are_shown() && best.probability >= NAMED * all && self.sets_rate_apart(best.is)).then_some(best.is)
    }

    /// Returns whether the samples set this rate, in Hz, apart from every other, however usual each is.
    fn sets_rate_apart(&self, hz: f64) -> bool {
        apart(&self.rates, |rate| same_rate(rate, hz), |_| true)
    }

    /// Returns whether a rate, in Hz, that something else shows too is decided: among rates that kernels are `known` for, and
    /// by how usual it is, if the samples themselves prefer no other.
    pub fn confirms_rate(&self, hz: f64, known: impl Fn(f64) -> bool) -> bool {
        let own = |rate| same_rate(rate, hz);
        self.of_rate(hz) >= CONFIRMED * self.probability()
            && apart(&self.rates, own, known)
            && best(&self.rates, own) >= best(&self.rates, |_| true)
    }

    /// Returns the rates that are possible, in Hz, likeliest first.
    pub fn possible(&self) -> impl Iterator<Item = f64> {
        let least = self.probability() * LISTED;
        let best = self.rates.iter().map(|rate| rate.score).fold(f64::NEG_INFINITY, f64::max);
        self.rates.iter().filter(move |rate| rate.probability >= least || rate.score > best - LEAD).map(|rate| rate.is)
    }

    /// Returns the probability of a rule, given the likeliest rate.
    pub fn of_rule(&self, is: impl Fn(Rule) -> bool) -> f64 {
        self.rules.iter().filter(|rule| is(rule.is)).map(|rule| rule.probability).sum()
    }

    /// Returns whether a rule of this kind is decided.
    pub fn decides_rule(&self, is: impl Fn(Rule) -> bool) -> bool {
        self.rules.first().is_some_and(|rule| is(rule.is))
            && self.of_rule(&is) >= NAMED * self.of_rule(|rule| rule != Rule::Down)
            && self.sets_rule_apart(is)
    }

    fn sets_rule_apart(&self, is: impl Fn(Rule) -> bool) -> bool {
        apart(&self.rules, is, rounds)
    }
}

/// Returns whether these answers lead every other that counts.
fn apart<K: Copy>(answers: &[Answer<K>], own: impl Fn(K) -> bool, counts: impl Fn(K) -> bool) -> bool {
    let score = |of_own: bool| best(answers, |answer| own(answer) == of_own && counts(answer));
    score(true) >= score(false) + LEAD
}

/// Returns the best score of these answers.
fn best<K: Copy>(answers: &[Answer<K>], are: impl Fn(K) -> bool) -> f64 {
    answers.iter().filter(|answer| are(answer.is)).map(|answer| answer.score).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns whether this is a rule of large machines, by which kernels round to ticks.
fn rounds(rule: Rule) -> bool {
    !matches!(rule, Rule::Other | Rule::Stamps | Rule::Down | Rule::CountedDown)
}

/// What one group of sleeps says of slack and shares, if none of them ends at a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Additions {
    /// Its cells.
    pub cells: Vec<u32>,
    /// What may be added, likeliest first. What is missing to 1 is the probability of laws that say nothing of it.
    pub answers: Vec<Answer<Addition>>,
    /// Whether it is known what the system may add.
    known: bool,
    /// Whether the likeliest share leaves little scatter.
    is_clear: bool,
}

impl Additions {
    /// Returns what is added, if it is decided, and its probability: a share that explains nearly all of the lateness; on an
    /// unknown system, where a level may be anything's, no slack, and nothing by how usual it is.
    pub fn decided(&self) -> Option<(Addition, f64)> {
        let best = self.answers.first()?;
        let is_apart = || self.known || apart(&self.answers, |answer| answer == best.is, |_| true);
        let shows = match best.is {
            Addition::Nothing => true,
            Addition::Slack(_) => self.known,
            Addition::Share { .. } => self.is_clear && is_apart(),
        };
        (best.probability >= NAMED && shows).then_some((best.is, best.probability))
    }

    /// Returns what may be added, likeliest first.
    pub fn possible(&self) -> impl Iterator<Item = Addition> {
        let all: f64 = self.answers.iter().map(|answer| answer.probability).sum();
        self.answers.iter().filter(move |answer| answer.probability >= LISTED * all).map(|answer| answer.is)
    }
}

fn hz(machine: &Machine) -> f64 {
    machine.candidate.map_or(0.0, |candidate| candidate.hz.unwrap_or(1e9 / candidate.period))
}

fn same_rate(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < SAME_RATE
}

/// Returns the findings of a posterior.
pub(crate) fn findings(posterior: &Posterior) -> Judgement {
    let all = 0..posterior.groups.len();
    Judgement {
        none_of_these: posterior.none_of_these,
        groups: all.clone().filter_map(|group| ticks(posterior, group)).collect(),
        additions: all.map(|group| additions(posterior, group)).collect(),
    }
}

/// Returns what a group says of slack and shares.
fn additions(posterior: &Posterior, at: usize) -> Additions {
    let laws = &posterior.free[at];
    let all = sum(laws.iter().map(|law| law.score));
    let mut answers = Vec::new();
    let group = &posterior.groups[at];
    let (shortest, longest) = group.requests();
    for law in laws {
        let Some(is) = law.adds else { continue };
        let answer = Answer { is, probability: (law.score - all).exp(), score: law.score - law.usual };
        weigh(&mut answers, |own: &Addition| own.same(&is, longest), answer);
    }
    answers.sort_by(likelier);
    let best = answers.first().map(|answer| answer.is);
    let known = posterior.prior.family() != Family::Unknown;
    // A single request shows no share: any cost is one of it.
    let varies = longest > VARIES * shortest;
    Additions {
        cells: group.cells.clone(),
        known,
        is_clear: best.is_some_and(|best| is_clear(group, best)) && (known || varies),
        answers,
    }
}

/// Returns whether half of a group's sleeps are, beyond a share, within a small part of what it comes to.
fn is_clear(group: &Group, addition: Addition) -> bool {
    let Addition::Share { share, cap, .. } = addition else { return false };
    let stretch = |asked: f64| (share * asked).min(cap);
    let rest: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.late() - stretch(sleep.asked)).collect();
    level(&rest).1 < CLEAR * stretch(group.requests().1)
}

/// Returns what a group says of ticks; `None` if none was scored.
fn ticks(posterior: &Posterior, at: usize) -> Option<Ticks> {
    let group = &posterior.groups[at];
    let covers = |kind: Kind| kind == Kind::Tick || (kind == Kind::Wheel && group.wheel);
    let with = || posterior.machines.iter().filter(|machine| covers(machine.kind));
    let (mut rates, mut rules) = (Vec::new(), Vec::new());
    for machine in with() {
        let usual = machine.candidate.map_or(0.0, |candidate| posterior.prior.usual_rate(&candidate));
        let probability = machine.probability * machine.follows[at].exp() * (1.0 - stamps(machine));
        weigh(
            &mut rates,
            |rate| same_rate(hz(machine), *rate),
            Answer { is: hz(machine), probability, score: machine.score + machine.follows[at] - usual },
        );
    }
    rates.sort_by(likelier);
    let likeliest = rates.first()?.is;
    let of_rate = with().filter(|machine| same_rate(hz(machine), likeliest));
    let best = of_rate.max_by(|a, b| (a.score + a.follows[at]).total_cmp(&(b.score + b.follows[at])));
    let period = best.and_then(|best| best.candidate)?.period;
    for machine in with().filter(|machine| same_rate(hz(machine), likeliest)) {
        let all = sum(machine.rules[at].iter().map(|rule| rule.1));
        for &(rule, score) in &machine.rules[at] {
            let probability = machine.probability * machine.follows[at].exp() * (score - all).exp();
            weigh(
                &mut rules,
                |own| *own == rule,
                Answer { is: rule, probability, score: probability.ln() - posterior.prior.usual_rule(rule, group) },
            );
        }
    }
    let all: f64 = rules.iter().map(|rule| rule.probability).sum();
    for rule in &mut rules {
        rule.probability /= all;
    }
    rules.sort_by(likelier);
    let on = sum(with().map(|machine| machine.score + machine.follows[at]));
    let off = sum(posterior.machines.iter().map(|machine| {
        let on = if covers(machine.kind) { machine.follows[at] } else { f64::NEG_INFINITY };
        machine.score + (-on.exp()).ln_1p()
    }));
    let usual = posterior.prior.tick() * FOLLOWS;
    let evidence = if group.wheel { f64::INFINITY } else { on - off - (usual / (1.0 - usual)).ln() };
    Some(Ticks { cells: group.cells.clone(), rates, rules, evidence, period, changes: posterior.changes[at] })
}

fn likelier<K>(a: &Answer<K>, b: &Answer<K>) -> std::cmp::Ordering {
    b.probability.total_cmp(&a.probability)
}

/// Adds to the weight of an answer.
fn weigh<K>(all: &mut Vec<Answer<K>>, is: impl Fn(&K) -> bool, more: Answer<K>) {
    match all.iter_mut().find(|answer| is(&answer.is)) {
        Some(answer) => {
            answer.probability += more.probability;
            answer.score = add(answer.score, more.score);
        }
        None => all.push(more),
    }
}

/// Returns the share of a machine's probability that its ticks are those of the stamps.
fn stamps(machine: &Machine) -> f64 {
    let shares = machine.rules.iter().zip(&machine.follows).filter(|(_, follows)| **follows > 0.5f64.ln());
    let shares: Vec<f64> = shares
        .map(|(rules, _)| {
            let all = sum(rules.iter().map(|rule| rule.1));
            rules.iter().filter(|rule| rule.0 == Rule::Stamps).map(|rule| (rule.1 - all).exp()).sum()
        })
        .collect();
    shares.iter().copied().fold(0.0, f64::max)
}

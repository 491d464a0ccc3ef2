//! Findings as marginals of the posterior, each with a confidence and an interval computed from this recording; what is
//! not separated stays open, with all survivors and their shares.

use super::density::{add, level, sum};
use super::evidence::Free;
use super::posterior::{FOLLOWS, Kind, Machine, Posterior};
use super::prior::Rule;
use oversleep_recording::document::Cause;

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
/// Probability of a rate that no kernel is known for, from which no list is given: it could not be complete.
const ODD: f64 = 0.05;
/// No confidence is higher: the laws themselves may be wrong.
const HIGHEST: f64 = 0.999;
/// Rates this near to each other are one.
const SAME_RATE: f64 = 3e-3;
/// Costs up to this, in ns, are named as such; beyond, slack and cost cannot be told apart by one level.
const USUAL_COST: f64 = 150e3;
/// Ticks shorter than this (ns) cannot show their rule beside the cost of waking.
const SHOWS_RULE: f64 = 50e3;

/// What was found about a recording.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    /// Probability that sleeps end at ticks.
    pub tick: f64,
    /// Probability that socket timeouts alone do.
    pub wheel: f64,
    /// Probability of "none of these" beside the law that wins.
    pub none_of_these: f64,
    /// Step of the clock that stamps, in ns, where the grid on which sleeps end is that clock's, and the confidence.
    pub stamps: Option<(f64, f64)>,
    /// Rates in Hz with their probabilities, given a tick; likeliest first.
    pub rates: Vec<(f64, f64)>,
    /// What each group of sleeps says of ticks: one method under one set of conditions.
    pub groups: Vec<Ticks>,
    /// What is determined.
    pub findings: Vec<Finding>,
    /// What is not.
    pub open: Vec<Open>,
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
    !matches!(rule, Rule::Other | Rule::Stamps | Rule::Down)
}

/// One finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its cause.
    pub cause: Cause,
    /// Its cells; empty for one of the machine.
    pub cells: Vec<u32>,
    /// Size: ns, ppm for a drift, a ratio for a share.
    pub size: f64,
    /// Interval that holds the size with a probability of 95 %.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Probability that the statement is true.
    pub confidence: f64,
    /// Rate of the tick in Hz; `None` if it is open.
    pub hz: Option<f64>,
    /// Rates that are possible, with probabilities, where none is named; empty where a list could not be complete.
    pub candidates: Vec<(f64, f64)>,
    /// Rule of the tick; `None` if it is open.
    pub rule: Option<Rule>,
}

/// An open question.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// Its cells; empty for one about the machine.
    pub cells: Vec<u32>,
    /// The question.
    pub question: &'static str,
    /// Answers with their probabilities, likeliest first.
    pub candidates: Vec<(String, f64)>,
}

/// Adds a probability to the entry of an equal key.
fn tally<K: PartialEq>(all: &mut Vec<(K, f64)>, key: K, probability: f64) {
    match all.iter_mut().find(|entry| entry.0 == key) {
        Some(entry) => entry.1 += probability,
        None => all.push((key, probability)),
    }
}

fn sort<K>(all: &mut [(K, f64)]) {
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
}

fn hz(machine: &Machine) -> f64 {
    machine.candidate.map_or(0.0, |candidate| candidate.hz.unwrap_or(1e9 / candidate.period))
}

fn same_rate(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < SAME_RATE
}

/// Returns the findings of a posterior.
pub(crate) fn findings(posterior: &Posterior) -> Judgement {
    let mut judgement = Judgement { none_of_these: posterior.none_of_these, ..Judgement::default() };
    let stands = 1.0 - posterior.none_of_these;
    // What is stamped by a clock of ticks has no tick of the kernel's.
    for kind in [Kind::Tick, Kind::Wheel] {
        let some: Vec<&Machine> = posterior.machines.iter().filter(|machine| machine.kind == kind).collect();
        let (mut total, mut stamped) = (0.0, 0.0);
        for machine in &some {
            let share = stamps(machine);
            stamped += machine.probability * share;
            total += machine.probability * (1.0 - share);
        }
        let total = total * stands;
        if kind == Kind::Tick {
            judgement.tick = total;
        } else {
            judgement.wheel = total;
        }
        if stamped >= SAID {
            judgement.stamps = some[0].candidate.map(|candidate| (candidate.period, stamped.min(HIGHEST)));
        }
        if total >= LISTED {
            machine_findings(posterior, &some, kind, total, &mut judgement);
        }
    }
    for group in 0..posterior.groups.len() {
        judgement.groups.extend(ticks(posterior, group));
        free_findings(posterior, group, stands, &mut judgement);
    }
    judgement
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

/// Returns the rule as which one is named: one more after rounding up, and counted with one more, are one.
fn named(rule: Rule) -> Rule {
    if rule == Rule::Counted { Rule::UpPlusOne } else { rule }
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

fn machine_findings(posterior: &Posterior, some: &[&Machine], kind: Kind, total: f64, judgement: &mut Judgement) {
    let all: f64 = some.iter().map(|machine| machine.probability).sum();
    let mut rates: Vec<(f64, f64)> = Vec::new();
    for machine in some {
        match rates.iter_mut().find(|rate| same_rate(hz(machine), rate.0)) {
            Some(rate) => rate.1 += machine.probability / all,
            None => rates.push((hz(machine), machine.probability / all)),
        }
    }
    sort(&mut rates);
    let known = |rate: f64| {
        some.iter().any(|machine| {
            machine.candidate.is_some_and(|candidate| candidate.hz.is_some_and(|known| same_rate(known, rate)))
        })
    };
    let odd = rates.iter().any(|rate| rate.1 >= ODD && !known(rate.0));
    let decided = (rates[0].1 >= NAMED).then_some(rates[0].0);
    let listed: Vec<(f64, f64)> = if decided.is_some() || odd {
        Vec::new()
    } else {
        rates.iter().copied().filter(|rate| rate.1 >= LISTED).collect()
    };
    judgement.rates.clone_from(&rates);
    let Some(best) = some.iter().find(|machine| same_rate(hz(machine), rates[0].0)) else { return };
    let Some(candidate) = best.candidate else { return };
    let cause = if kind == Kind::Tick { Cause::TickQuantised } else { Cause::TimerWheel };
    if total < SAID {
        let mut answers = vec![("no tick".to_owned(), 1.0 - total)];
        answers.extend(listed.iter().map(|(hz, p)| (format!("{hz:.6} Hz"), p * total)));
        sort(&mut answers);
        judgement.open.push(Open { cells: Vec::new(), question: "whether sleeps end at ticks", candidates: answers });
        return;
    }
    let finding = Finding {
        cause,
        cells: Vec::new(),
        size: candidate.period / 2.0,
        low: 0.0,
        high: candidate.period,
        confidence: total.min(HIGHEST),
        hz: decided,
        candidates: listed,
        rule: None,
    };
    judgement.findings.push(finding.clone());
    for (at, group) in posterior.groups.iter().enumerate() {
        let follows: f64 = some.iter().map(|machine| machine.probability * machine.follows[at].exp()).sum();
        if follows < SAID {
            continue;
        }
        let mut rules: Vec<(Rule, f64)> = Vec::new();
        for machine in some.iter().filter(|machine| same_rate(hz(machine), rates[0].0)) {
            let all = sum(machine.rules[at].iter().map(|rule| rule.1));
            for &(rule, score) in &machine.rules[at] {
                tally(&mut rules, named(rule), machine.probability * (score - all).exp());
            }
        }
        sort(&mut rules);
        let weight: f64 = rules.iter().map(|rule| rule.1).sum();
        let sure = decided.is_some() && candidate.period >= SHOWS_RULE && rules[0].1 >= NAMED * weight;
        let rule = (sure && rules[0].0 != Rule::Other).then_some(rules[0].0);
        judgement.findings.push(Finding {
            cells: group.cells.clone(),
            size: level(&group.late()).0,
            confidence: follows.min(HIGHEST),
            rule,
            ..finding.clone()
        });
    }
    if kind == Kind::Tick && decided.is_some() && candidate.hz.is_some() {
        drift(posterior, some, best, total, judgement);
    }
}

/// Adds the drift of the likeliest rate, where it is one and shows.
fn drift(posterior: &Posterior, some: &[&Machine], best: &Machine, total: f64, judgement: &mut Judgement) {
    let Some(candidate) = best.candidate else { return };
    let ppm = |period: f64| (period * hz(best) * 1e-9 - 1.0) * 1e6;
    let of_rate: Vec<_> = some.iter().filter(|machine| same_rate(hz(machine), hz(best))).collect();
    let near = |machine: &Machine| {
        machine.candidate.is_some_and(|other| {
            (other.period / candidate.period - 1.0).abs() <= 3.0 * candidate.error.max(other.error).max(3e-7)
        })
    };
    let all: f64 = of_rate.iter().map(|machine| machine.probability).sum();
    let share = of_rate.iter().filter(|machine| near(machine)).map(|machine| machine.probability).sum::<f64>() / all;
    let half = (2.0 * candidate.error * 1e6).max(0.1);
    let span =
        posterior.groups.iter().map(|group| group.sleeps.last().map_or(0.0, |last| last.end - group.sleeps[0].end));
    let span = span.fold(0.0, f64::max);
    let size = ppm(candidate.period);
    let shows = size.abs() > 1.5 * half && size.abs() * 1e-6 * span > 0.02 * candidate.period;
    if share >= NAMED && shows {
        judgement.findings.push(Finding {
            cause: Cause::ClockDrift,
            cells: Vec::new(),
            size,
            low: size - half,
            high: size + half,
            confidence: (total * share).min(0.99),
            hz: None,
            candidates: Vec::new(),
            rule: None,
        });
    }
}

/// Adds what the laws without ticks say of a group that follows none.
fn free_findings(posterior: &Posterior, at: usize, stands: f64, judgement: &mut Judgement) {
    let group = &posterior.groups[at];
    let follows: f64 = posterior.machines.iter().map(|machine| machine.probability * machine.follows[at].exp()).sum();
    let free = (1.0 - follows) * if posterior.machines[0].kind == Kind::Free { 1.0 } else { stands };
    if free < NAMED {
        if follows < SAID {
            let candidates = vec![("a tick".to_owned(), follows), ("no tick".to_owned(), free)];
            judgement.open.push(Open {
                cells: group.cells.clone(),
                question: "whether these sleeps end at ticks",
                candidates,
            });
        }
        return;
    }
    let all = sum(posterior.free[at].iter().map(|law| law.1));
    let mut kinds: Vec<(&'static str, f64)> = Vec::new();
    let mut best = (Free::Level, f64::NEG_INFINITY);
    for &(law, score) in &posterior.free[at] {
        tally(&mut kinds, kind(law), (score - all).exp());
        if score > best.1 {
            best = (law, score);
        }
    }
    sort(&mut kinds);
    let (middle, half) = level(&group.late());
    let error = 2.0 * half.max(group.step) / (group.sleeps.len() as f64).sqrt();
    let confidence = (free * kinds[0].1).min(HIGHEST);
    let finding = |cause, size: f64, low: f64, high: f64| Finding {
        cause,
        cells: group.cells.clone(),
        size,
        low,
        high,
        confidence,
        hz: None,
        candidates: Vec::new(),
        rule: None,
    };
    let found = match best.0 {
        _ if confidence < NAMED => None,
        Free::Share(share) => Some(finding(Cause::ProportionalSlack, share, share, share)),
        Free::Within => Some(finding(Cause::Coalescing, middle, 0.0, middle + half)),
        Free::Quantum(quantum) => Some(finding(Cause::RunQueue, quantum, quantum, quantum)),
        // One level that is no more than waking usually costs; slack within it is open.
        _ if middle > 0.0 && middle <= USUAL_COST => {
            Some(finding(Cause::ConstantCost, middle, (middle - error).max(0.0), middle + error))
        }
        _ => None,
    };
    match found {
        Some(found) => judgement.findings.push(found),
        None => judgement.open.push(Open {
            cells: group.cells.clone(),
            question: "what makes these sleeps late",
            candidates: kinds
                .into_iter()
                .filter(|kind| kind.1 >= LISTED)
                .map(|(name, p)| (name.to_owned(), p))
                .collect(),
        }),
    }
}

fn kind(law: Free) -> &'static str {
    match law {
        Free::Level | Free::Second | Free::Requests | Free::Last | Free::Trend => "slack or a cost",
        Free::Share(_) => "a share of the request",
        Free::Within => "coalescing within a share",
        Free::Quantum(_) => "quanta of busy threads",
        Free::Steps(_) => "steps of the program's own",
    }
}

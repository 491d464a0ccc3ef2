//! The posterior over machines: the product of groups under each tick and without one, in the order of an exact bound.

use super::density::{Density, add, sum};
use super::free::{SHORTEST_STEP, Scored, free, steps};
use super::group::{Group, gather};
use super::prior::{Prior, Rule};
use super::propose::{Candidate, periods, related};
use super::ticks::{Places, Rules, ticks};
use oversleep_recording::Recording;

/// Probability that a method's timers follow a tick that the machine's timers follow; that socket timeouts follow it.
pub(crate) const FOLLOWS: f64 = 0.9;
const FOLLOWS_WHEEL: f64 = 0.97;
/// Probability that the sleeps of one method, or under one set of conditions, are rounded as all others of the machine are.
const SHARED: f64 = 0.9;
/// Nats behind the best from which a bounded candidate is not scored.
const BEHIND: f64 = 12.0;
/// Candidates whose relatives are tried before any is scored, by their bounds.
const LEADING: usize = 4;
/// Distances from the period of the best, in its errors, at which it is tried as well.
const POLISHED: [f64; 6] = [-2.0, -1.0, -0.5, 0.5, 1.0, 2.0];
/// Prior of "none of these" above all laws: that a tick which wins is not all that ends these sleeps.
const NONE: f64 = 0.01;
/// Nats by which the halves of a group must be better described apart, for its numbers of ticks to change: bursts of delays give up
/// to 15, another rate or rule 40 or more (200 to 400 simulated sleeps of each).
const CHANGES: f64 = 20.0;
/// Sleeps of a group below which its halves are not compared.
const FEWEST: usize = 30;

/// What a machine's sleeps end by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No tick.
    Free,
    /// Every timer follows the tick.
    Tick,
    /// Socket timeouts alone do.
    Wheel,
}

/// A hypothesis about the machine.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) kind: Kind,
    pub(crate) candidate: Option<Candidate>,
    pub(crate) score: f64,
    /// Bound under which it was scored.
    pub(crate) bound: f64,
    /// Scores of the rules, by group.
    pub(crate) rules: Vec<Rules>,
    /// Logarithm of the probability that a group follows.
    pub(crate) follows: Vec<f64>,
    pub(crate) probability: f64,
}

/// Everything that was scored.
#[derive(Debug)]
pub(crate) struct Posterior {
    pub(crate) prior: Prior,
    pub(crate) groups: Vec<Group>,
    pub(crate) machines: Vec<Machine>,
    pub(crate) free: Vec<Vec<Scored>>,
    /// Probability that what wins leaves a dependence on time or request unexplained.
    pub(crate) none_of_these: f64,
    /// Whether each group's sleeps end at other numbers of ticks in the first half than in the second: another rate or rule.
    pub(crate) changes: Vec<bool>,
    /// Candidates that were bounded away, with their bounds: none can reach a thousandth.
    pub(crate) bounded: Vec<(Candidate, f64)>,
}

/// A tick that is tried.
struct Tried {
    candidate: Candidate,
    places: Vec<Places>,
    /// Which groups count on the timer wheel; whether the tick is that of the wheel alone.
    on_wheel: Vec<bool>,
    wheel: bool,
    /// Scores of the rules, by group; empty before they are needed.
    rules: Vec<Rules>,
}

impl Tried {
    fn new(density: &Density, groups: &[Group], lead: &Group, candidate: Candidate) -> Self {
        let shared = super::density::centre(&lead.ends(), candidate.period).0;
        let place =
            |group: &Group| Places::new(density, group, &candidate, (!std::ptr::eq(group, lead)).then_some(shared));
        Self {
            candidate,
            places: groups.iter().map(place).collect(),
            on_wheel: groups.iter().map(|group| group.wheel).collect(),
            wheel: lead.wheel,
            rules: Vec::new(),
        }
    }

    fn judge(&mut self, groups: &[Group], prior: &Prior) {
        let of = |(group, places)| ticks(group, &self.candidate, places, prior);
        self.rules = groups.iter().zip(&self.places).map(of).collect();
    }

    /// Returns the logarithms of a group's likelihood if it follows the tick, and if it may.
    fn follows(&self, group: usize, with: f64, without: f64) -> (f64, f64) {
        let probability = if self.on_wheel[group] { FOLLOWS_WHEEL } else { FOLLOWS };
        let follows = probability.ln() + with;
        (follows, add(follows, (1.0 - probability).ln() + without))
    }

    /// Returns what no score is above.
    fn bound(&self, without: &[f64]) -> f64 {
        let parts = self.places.iter().zip(without).enumerate();
        self.candidate.prior
            + parts.map(|(at, (places, without))| self.follows(at, places.bound(), *without).1).sum::<f64>()
    }

    /// Returns each group's score under its rules, whichever holds.
    fn any_rule(&self) -> Vec<f64> {
        self.rules.iter().map(|rules| sum(rules.iter().map(|rule| rule.1))).collect()
    }

    /// Returns the score if all groups that may follow it do, and if each may; none without its rules. Most groups share one.
    fn scores(&self, groups: &[Group], prior: &Prior, without: &[f64]) -> (f64, f64) {
        if self.rules.is_empty() {
            return (f64::NEG_INFINITY, f64::NEG_INFINITY);
        }
        let any = self.any_rule();
        let kind = if self.wheel { 1.0 - prior.tick() } else { prior.tick() };
        let (mut all, mut may) = (self.candidate.prior, kind.ln() + self.candidate.prior);
        for wheel in [false, true] {
            let own: Vec<usize> = (0..groups.len()).filter(|&at| self.on_wheel[at] == wheel).collect();
            if self.wheel && !wheel {
                may += own.iter().map(|&at| without[at]).sum::<f64>();
                continue;
            }
            let shared = |rule: Rule| {
                let follows = own.iter().map(|&at| {
                    let alike = prior.likelihood(&self.rules[at], rule, &groups[at]);
                    self.follows(at, add(SHARED.ln() + alike, (1.0 - SHARED).ln() + any[at]), without[at])
                });
                let usual = prior.of_durations(rule, wheel).ln();
                follows.fold((usual, usual), |(all, may), own| (all + own.0, may + own.1))
            };
            let scores = Rule::ALL.map(shared);
            all += sum(scores.map(|score| score.0));
            may += sum(scores.map(|score| score.1));
        }
        (all, may)
    }

    /// Returns the score under its rules, if they are known.
    fn score(&self, groups: &[Group], prior: &Prior, without: &[f64]) -> f64 {
        self.scores(groups, prior, without).1
    }

    fn machine(self, groups: &[Group], prior: &Prior, without: &[f64]) -> Machine {
        let follows = |(at, any): (usize, f64)| {
            let (follows, may) = self.follows(at, any, without[at]);
            if self.wheel && !self.on_wheel[at] { f64::NEG_INFINITY } else { follows - may }
        };
        Machine {
            kind: if self.wheel { Kind::Wheel } else { Kind::Tick },
            candidate: Some(self.candidate),
            score: self.score(groups, prior, without),
            bound: self.bound(without),
            follows: self.any_rule().into_iter().enumerate().map(follows).collect(),
            rules: self.rules,
            probability: 0.0,
        }
    }
}

impl Posterior {
    /// Returns the posterior of a recording; `None` without sleeps that can be judged.
    pub(crate) fn new(recording: &Recording, proposed: &[f64]) -> Option<Self> {
        let groups = gather(recording);
        let prior = Prior::new(recording);
        (!groups.is_empty()).then(|| Self::judge(groups, &prior, proposed))
    }

    /// Judges these groups; `proposed` periods, in ns, are scored beside those that are found here.
    pub(crate) fn judge(groups: Vec<Group>, prior: &Prior, proposed: &[f64]) -> Self {
        let density = Density::new(groups.iter().map(|group| group.sleeps.len()).max().unwrap_or(0) + 1);
        let free: Vec<_> = groups.iter().map(|group| free(&density, group, prior)).collect();
        let mut without: Vec<f64> = free.iter().map(|laws| sum(laws.iter().map(|law| law.score))).collect();
        let tick = prior.tick();
        let score = (1.0 - tick).ln() + without.iter().sum::<f64>();
        let nobody = Machine {
            kind: Kind::Free,
            candidate: None,
            score,
            bound: score,
            rules: Vec::new(),
            follows: vec![f64::NEG_INFINITY; groups.len()],
            probability: 0.0,
        };
        let mut judged = Self {
            prior: prior.clone(),
            groups,
            machines: vec![nobody],
            free,
            none_of_these: 0.0,
            changes: Vec::new(),
            bounded: Vec::new(),
        };
        for wheel in [false, true] {
            judged.kind(&density, (prior, proposed), &mut without, wheel);
        }
        let all = sum(judged.machines.iter().map(|machine| machine.score));
        judged.machines.iter_mut().for_each(|machine| machine.probability = (machine.score - all).exp());
        judged.machines.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        judged.none_of_these = judged.left_over(&density);
        judged.changes = (0..judged.groups.len()).map(|at| judged.changes(&density, at)).collect();
        judged
    }

    /// Scores the candidates from the groups that count on the timer wheel, or from all others; then those that are commensurate
    /// with the best, until none of them is better.
    fn kind(&mut self, density: &Density, (prior, proposed): (&Prior, &[f64]), without: &mut [f64], wheel: bool) {
        let own: Vec<&Group> = self.groups.iter().filter(|group| group.wheel == wheel).collect();
        let Some(lead) = own.iter().copied().max_by_key(|group| group.sleeps.len()) else { return };
        let mut tried: Vec<Tried> = Vec::new();
        let mut new = periods(&own, prior, proposed);
        let (mut round, mut reached) = (0, f64::NEG_INFINITY);
        loop {
            // Relatives of the best replace what was found nearly there by itself: only so are their residuals the same.
            let leads = round > 1;
            let mut is_new = false;
            for candidate in new {
                let same = tried.iter().position(|tried| tried.candidate.same(&candidate));
                match same {
                    Some(_) if !leads || tried.iter().any(|tried| tried.candidate.equals(&candidate)) => continue,
                    Some(at) => drop(tried.swap_remove(at)),
                    None => (),
                }
                is_new = true;
                // What ends whole steps after its own start keeps a tick of that length as well, back to back.
                if same.is_none() && candidate.period >= SHORTEST_STEP {
                    let groups = self.groups.iter().zip(&mut self.free).zip(without.iter_mut());
                    for ((group, free), without) in groups.filter(|((group, _), _)| group.wheel == wheel) {
                        let law = steps(density, group, &candidate);
                        *without = add(*without, law.score);
                        free.push(law);
                    }
                }
                tried.push(Tried::new(density, &self.groups, lead, candidate));
            }
            if leads && !is_new {
                break;
            }
            let free = (1.0 - prior.tick()).ln() + without.iter().sum::<f64>();
            (self.machines[0].score, self.machines[0].bound) = (free, free);
            let mut best = tried.iter().fold(free, |best, tried| best.max(tried.score(&self.groups, prior, without)));
            tried.sort_by(|a, b| b.bound(without).total_cmp(&a.bound(without)));
            for one in &mut tried {
                if one.rules.is_empty() && one.bound(without) >= best - BEHIND {
                    one.judge(&self.groups, prior);
                    best = best.max(one.score(&self.groups, prior, without));
                }
            }
            let judged = (0..tried.len()).filter(|&at| !tried[at].rules.is_empty());
            let followed = judged.map(|at| (at, tried[at].scores(&self.groups, prior, without).0));
            let mut leader = followed.max_by(|a, b| a.1.total_cmp(&b.1));
            // The line through its places is not where the score is highest.
            for part in POLISHED {
                let Some((at, score)) = &mut leader else { break };
                let best = tried[*at].candidate;
                let period = best.period * (1.0 + part * best.error);
                let mut one = Tried::new(density, &self.groups, lead, Candidate { period, ..best });
                one.judge(&self.groups, prior);
                let polished = one.scores(&self.groups, prior, without).0;
                if polished > *score {
                    (tried[*at], *score) = (one, polished);
                }
            }
            let score = leader.map_or(f64::NEG_INFINITY, |leader| leader.1);
            if leads && score <= reached {
                break;
            }
            reached = score;
            let leading =
                tried.iter().take(if round == 0 { LEADING } else { 0 }).chain(leader.map(|leader| &tried[leader.0]));
            new = leading.flat_map(|leading| related(&leading.candidate, &own, prior)).collect();
            round += 1;
        }
        let (bounded, scored): (Vec<_>, Vec<_>) = tried.into_iter().partition(|tried| tried.rules.is_empty());
        self.bounded.extend(bounded.into_iter().map(|tried| (tried.candidate, tried.bound(without))));
        self.machines.extend(scored.into_iter().map(|tried| tried.machine(&self.groups, prior, without)));
    }

    /// Returns whether two halves of a group end at ticks by other numbers, under the winning tick.
    fn changes(&self, density: &Density, at: usize) -> bool {
        let (group, best) = (&self.groups[at], &self.machines[0]);
        let Some(candidate) =
            best.candidate.filter(|_| best.follows[at] >= 0.5f64.ln() && group.sleeps.len() >= FEWEST)
        else {
            return false;
        };
        let places = Places::new(density, group, &candidate, None);
        let score = |of: std::ops::Range<usize>| {
            let part = Group { sleeps: group.sleeps[of.clone()].to_vec(), ..group.clone() };
            sum(ticks(&part, &candidate, &places.part(of), &self.prior).into_iter().map(|rule| rule.1))
        };
        let (middle, all) = (group.sleeps.len() / 2, group.sleeps.len());
        score(0..middle) + score(middle..all) - score(0..all) > CHANGES
    }

    /// Returns the probability that the winning tick's residuals still depend on time: their two halves are better
    /// described apart than together.
    fn left_over(&self, density: &Density) -> f64 {
        let Some(best) = self.machines.first() else { return 0.0 };
        let Some(candidate) = best.candidate else { return 0.0 };
        let mut gain = 0.0f64;
        for (group, follows) in self.groups.iter().zip(&best.follows) {
            if *follows < 0.5f64.ln() || group.sleeps.len() < FEWEST {
                continue;
            }
            let ends = group.ends();
            let (phase, _) = super::density::centre(&ends, candidate.period);
            let rest: Vec<f64> = ends
                .iter()
                .map(|end| (end - phase + 0.3 * candidate.period).rem_euclid(candidate.period) - 0.3 * candidate.period)
                .collect();
            let (early, late) = rest.split_at(rest.len() / 2);
            let apart = density.lateness(early, group.step) + density.lateness(late, group.step);
            gain = gain.max(apart - density.lateness(&rest, group.step) - 3.0);
        }
        let odds = NONE * gain.clamp(0.0, 50.0).exp();
        odds / (1.0 + odds)
    }
}

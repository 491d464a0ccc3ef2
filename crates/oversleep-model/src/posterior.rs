//! The posterior over machines: the product of groups under each tick and without one, in the order of an exact bound.

use super::density::{Density, add, sum};
use super::evidence::{Free, Places, Rules, SHORTEST_STEP, free, steps, ticks};
use super::group::{Group, gather};
use super::prior::Prior;
use super::propose::{Candidate, periods, related};
use oversleep_recording::Recording;

/// Probability that a method's timers follow a tick that the machine's timers follow; that socket timeouts follow it.
pub(crate) const FOLLOWS: f64 = 0.9;
const FOLLOWS_WHEEL: f64 = 0.97;
/// Nats behind the best from which a bounded candidate is not scored.
const BEHIND: f64 = 12.0;
/// Candidates whose relatives are proposed too.
const LEADING: usize = 4;
/// Prior of "none of these" above all laws: that a tick which wins is not all that ends these sleeps.
const NONE: f64 = 0.01;
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
    pub(crate) free: Vec<Vec<(Free, f64)>>,
    /// Probability that what wins leaves a dependence on time or request unexplained.
    pub(crate) none_of_these: f64,
    /// Whether each group's sleeps end at other numbers of ticks in the first half than in the second: another rate or rule.
    pub(crate) changes: Vec<bool>,
    /// Candidates that were bounded away, with their bounds: none can reach a thousandth.
    pub(crate) bounded: Vec<(Candidate, f64)>,
}

impl Posterior {
    /// Returns the posterior of a recording; `None` without sleeps that can be judged.
    pub(crate) fn of(recording: &Recording, proposed: &[f64]) -> Option<Self> {
        let groups = gather(recording);
        let prior = Prior::of(recording);
        (!groups.is_empty()).then(|| Self::judge(groups, &prior, proposed))
    }

    /// Judges these groups; `proposed` periods, in ns, are scored beside those that are found here.
    pub(crate) fn judge(groups: Vec<Group>, prior: &Prior, proposed: &[f64]) -> Self {
        let density = Density::new(groups.iter().map(|group| group.sleeps.len()).max().unwrap_or(0) + 1);
        let free: Vec<_> = groups.iter().map(|group| free(&density, group, prior)).collect();
        let mut without: Vec<f64> = free.iter().map(|laws| sum(laws.iter().map(|law| law.1))).collect();
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

    /// Scores the candidates from the groups that count on the timer wheel, or from all others.
    fn kind(&mut self, density: &Density, (prior, proposed): (&Prior, &[f64]), without: &mut [f64], wheel: bool) {
        let own: Vec<&Group> = self.groups.iter().filter(|group| group.wheel == wheel).collect();
        let Some(lead) = own.iter().copied().max_by_key(|group| group.sleeps.len()) else { return };
        let follows: Vec<f64> =
            self.groups.iter().map(|group| if group.wheel { FOLLOWS_WHEEL } else { FOLLOWS }).collect();
        let placed = |candidate: Candidate| {
            let shared = super::density::centre(&lead.ends(), candidate.period).0;
            let place =
                |group: &Group| Places::new(density, group, &candidate, (!std::ptr::eq(group, lead)).then_some(shared));
            let places: Vec<Places> = self.groups.iter().map(place).collect();
            (candidate, places)
        };
        let bound = |without: &[f64], (candidate, places): &(Candidate, Vec<Places>)| {
            let parts = places.iter().zip(&follows).zip(without);
            let best: f64 = parts
                .map(|((places, follows), without)| add(follows.ln() + places.bound(), (1.0 - follows).ln() + without))
                .sum();
            candidate.prior + best
        };
        let mut tried: Vec<_> = periods(&own, prior, proposed).into_iter().map(placed).collect();
        tried.sort_by(|a, b| bound(without, b).total_cmp(&bound(without, a)));
        let leading: Vec<Candidate> = tried.iter().take(LEADING).map(|tried| tried.0).collect();
        for candidate in leading.iter().flat_map(|leading| related(leading, &own, prior)) {
            if !tried.iter().any(|(other, _)| other.same(&candidate)) {
                tried.push(placed(candidate));
            }
        }
        // What ends whole steps after its own start keeps a tick of that length as well, back to back.
        for candidate in tried.iter().map(|tried| tried.0).filter(|candidate| candidate.period >= SHORTEST_STEP) {
            let groups = self.groups.iter().zip(&mut self.free).zip(without.iter_mut());
            for ((group, free), without) in groups.filter(|((group, _), _)| group.wheel == wheel) {
                let law = steps(density, group, &candidate);
                *without = add(*without, law.1);
                free.push(law);
            }
        }
        let free = (1.0 - prior.tick()).ln() + without.iter().sum::<f64>();
        (self.machines[0].score, self.machines[0].bound) = (free, free);
        let mut tried: Vec<_> = tried.into_iter().map(|tried| (bound(without, &tried), tried.0, tried.1)).collect();
        tried.sort_by(|a, b| b.0.total_cmp(&a.0));
        let tick = prior.tick();
        let mut best = self.machines[0].score;
        let mut scored = Vec::new();
        for (bound, candidate, places) in tried {
            if bound < best - BEHIND {
                self.bounded.push((candidate, bound));
                continue;
            }
            let rules: Vec<Rules> = self
                .groups
                .iter()
                .zip(&places)
                .map(|(group, places)| ticks(group, &candidate, places, prior))
                .collect();
            let with: Vec<f64> = rules.iter().map(|rules| sum(rules.iter().map(|rule| rule.1))).collect();
            let both: Vec<f64> =
                (0..with.len()).map(|i| add(follows[i].ln() + with[i], (1.0 - follows[i]).ln() + without[i])).collect();
            let mut row = |kind: Kind, weight: f64, of: &dyn Fn(&Group) -> bool| {
                let part = |i: usize| if of(&self.groups[i]) { both[i] } else { without[i] };
                let following = |i: usize| {
                    if of(&self.groups[i]) { follows[i].ln() + with[i] - both[i] } else { f64::NEG_INFINITY }
                };
                let total: f64 = (0..with.len()).map(part).sum();
                let score = weight.ln() + candidate.prior + total;
                best = best.max(score);
                scored.push(Machine {
                    kind,
                    candidate: Some(candidate),
                    score,
                    bound,
                    rules: rules.clone(),
                    follows: (0..with.len()).map(following).collect(),
                    probability: 0.0,
                });
            };
            if wheel {
                row(Kind::Wheel, 1.0 - tick, &|group| group.wheel);
            } else {
                row(Kind::Tick, tick, &|_| true);
            }
        }
        self.machines.extend(scored);
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
        NONE.ln() + score(0..middle) + score(middle..all) - score(0..all) > 0.0
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

//! Features that all detectors use, computed once: sleeps by cell and method, ticks, slides, queues, steady lateness.

pub mod beat;
pub mod coarse;
mod coarse_clock;
mod examined;
pub mod fold;
pub mod grid;
pub mod group;
pub mod idle;
mod jumps;
mod lattice;
pub mod load;
pub mod methods;
pub mod open;
pub mod pieces;
mod predicted;
pub mod queue;
pub(super) mod rhythm;
pub mod robust;
pub mod rounding;
mod rule;
pub mod share;
pub mod slide;
pub mod speed;
mod stamps;
pub mod steady;
pub mod threads;
pub mod tick;
pub mod wheel;
pub mod windup;

use super::system::{counts_from_last_tick, of_remedies};
use crate::attribution::ExaminedSleeps;
use group::{Group, View, gather};
use methods::{counts_ticks, is_timer_without, slackless};
use open::OpenQuestion;
use oversleep_model::{Addition, Additions, may_add};
use oversleep_recording::Recording;
use oversleep_recording::catalog::SlackRule;
use oversleep_recording::document::evidence::{BesideLoad, SlackBasis};
use oversleep_recording::plan::Pattern;
use predicted::Predicted;
use queue::Queue;
pub use rule::LatenessRule;
use share::Share;
use slide::Slide;
use steady::Steady;
use tick::{Design, Tick};

/// The features of a recording.
#[derive(Debug)]
pub struct Features<'a> {
    /// The recording.
    pub recording: &'a Recording,
    /// Its cells that have usable samples.
    pub views: Vec<View<'a>>,
    /// Its groups: one method under one set of conditions each.
    pub groups: Vec<Group>,
    /// What rules the lateness of each group.
    pub rules: Vec<LatenessRule>,
    /// The slide of each group's lateness, for groups with a steady rhythm.
    pub slides: Vec<Option<Slide>>,
    /// Run queues.
    pub queues: Vec<Queue>,
    /// Groups whose timeouts are counted on the timer wheel.
    pub wheels: Vec<bool>,
    /// What reading a pair of clocks costs, in ns, where known: a measure of how slow the machine is.
    pub read: Option<f64>,
    /// How late each view is without the busy threads that it waits for; `None` where it waits for none.
    pub beside: Vec<Option<BesideLoad>>,
    /// The question that stays open about each group; `None` where nothing does.
    pub open: Vec<Option<OpenQuestion>>,
    /// Probability, by prediction, that each group's sleeps end at ticks; `None` of those without a tick.
    pub ticks: Vec<Option<f64>>,
    /// Whether every law of ticks leaves lateness that depends on time.
    pub unsettled: bool,
    /// The late sleeps of each view that were examined one by one; `None` where none was.
    pub examined: Vec<Option<ExaminedSleeps>>,
}

impl<'a> Features<'a> {
    /// Computes all features of a recording.
    pub fn new(recording: &'a Recording) -> Self {
        let (views, groups) = gather(recording);
        let slides: Vec<Option<Slide>> = groups.iter().map(|group| slide::measure(&group.timed())).collect();
        let queues = queues(&views, &groups);
        let rule = |at| rule(at, &views, &groups, (&slides, &queues));
        let mut rules: Vec<LatenessRule> = (0..groups.len()).map(rule).collect();
        let read = speed::read(&recording.note.brackets);
        let plausible = PLAUSIBLE.max(PAIRS * read.unwrap_or(0.0));
        let predicted = Predicted::new(recording, &rules);
        let mut open = open::judge_rules(
            &views,
            &groups,
            &mut rules,
            (counts_from_last_tick(recording), fires_between_ticks(recording)),
            &predicted,
        );
        load::doubt_queues(recording, &groups, (&queues, &mut rules), &mut open);
        coarse_clock::judge(&groups, &mut rules, &mut open);
        let probability = |(rule, group): (&LatenessRule, &Group)| match rule {
            LatenessRule::Tick(tick) if matches!(tick.design, Design::Diverse | Design::Locked) => {
                predicted.probability(&views, group)
            }
            _ => None,
        };
        let ticks = rules.iter().zip(&groups).map(probability).collect();
        let unsettled = predicted.abstains();
        doubt_wheels(&groups, &mut rules);
        add_waits(&views, &groups, &mut rules);
        add_slack((read, recording), &views, &groups, &predicted, &mut rules);
        doubt_costs(recording, &views, &groups, &rules, (plausible, &predicted), &mut open);
        let beside = load::add_waits(&views, &groups, &mut rules, &mut open);
        let on_wheel =
            |(rule, group): (&LatenessRule, &Group)| matches!(rule, LatenessRule::Tick(_)) && counts_ticks(group);
        let wheels = rules.iter().zip(&groups).map(on_wheel).collect();
        let examined = examined::of_views(recording, &views, &groups);
        let mut features = Self {
            recording,
            views,
            groups,
            rules,
            slides,
            queues,
            wheels,
            read,
            beside,
            open,
            ticks,
            unsettled,
            examined,
        };
        features.know_crowds();
        features
    }

    /// Closes questions about widely varying lateness where two clusters or a step between two levels explain it.
    fn know_crowds(&mut self) {
        if !self.open.iter().flatten().any(|open| open.wide) {
            return;
        }
        let told = super::cause::crowds(self);
        for (group, open) in self.groups.iter().zip(&mut self.open) {
            let known = || group.views.iter().all(|view| told.contains(view));
            if open.as_ref().is_some_and(|open| open.wide) && known() {
                *open = None;
            }
        }
    }

    /// Returns the tick of a view's group, if the tick rules it.
    pub fn tick_of(&self, view: usize) -> Option<&Tick> {
        match &self.rules[self.views[view].group] {
            LatenessRule::Tick(tick) => Some(tick),
            _ => None,
        }
    }

    /// Returns the steady lateness of a view's group, if that rules it.
    pub fn steady_of(&self, view: usize) -> Option<&Steady> {
        match &self.rules[self.views[view].group] {
            LatenessRule::Steady(steady) => Some(steady),
            _ => None,
        }
    }

    /// Returns whether it stays open what the lateness of a view's group consists of.
    pub fn doubted(&self, view: usize) -> bool {
        self.open[self.views[view].group].is_some()
    }

    /// Returns the run queue in which a view's sleeps wait.
    pub fn queue_of(&self, view: usize) -> Option<&Queue> {
        match self.rules[self.views[view].group] {
            LatenessRule::Queue(at) => self.queues.get(at),
            _ => None,
        }
    }
}

fn rule(
    at: usize,
    views: &[View<'_>],
    groups: &[Group],
    (slides, queues): (&[Option<Slide>], &[Queue]),
) -> LatenessRule {
    let group = &groups[at];
    let waits = |queue: &Queue| group.views.iter().filter(|view| queue.views.contains(view)).count() * 2;
    if let Some(queue) = queues.iter().position(|queue| waits(queue) > group.views.len()) {
        return LatenessRule::Queue(queue);
    }
    let timed = group.timed();
    if group.yields() || timed.len() < 8 {
        return if timed.is_empty() { LatenessRule::Unclear } else { LatenessRule::Few };
    }
    if let Some(slide) = &slides[at] {
        return LatenessRule::Tick(slide.tick(&timed));
    }
    // One second apart, wake-ups fit every whole rate: only lateness that slides (above) or is flat is evidence of a
    // tick.
    let rhythm = is_rhythmic(views, group, &timed);
    match steady::measure(views, group) {
        Some(steady) if rhythm && slide::flat(&steady) => LatenessRule::Tick(slide::flat_tick(&steady)),
        Some(steady) => LatenessRule::Steady(steady),
        None => LatenessRule::Unclear,
    }
}

/// Returns whether the clock sets a steady rhythm in which sleeps are due, or all are due at multiples of a unit of time, such
/// as whole seconds.
fn is_rhythmic(views: &[View<'_>], group: &Group, timed: &[group::Sleep]) -> bool {
    let is_aligned = |view: &usize| matches!(views[*view].cell.pattern, Pattern::Aligned { .. });
    slide::rhythm(timed).is_some() || group.views.iter().all(is_aligned)
}

/// The largest cost of a wake-up that needs no evidence of its own: `PLAUSIBLE` in ns, or `PAIRS` times the cost of
/// reading a pair of clocks if that is more (slow machines).
const PLAUSIBLE: f64 = 150_000.0;
const PAIRS: f64 = 110.0;

/// Leaves open whether steady lateness is a cost, where nothing shows that it is.
fn doubt_costs(
    recording: &Recording,
    views: &[View<'_>],
    groups: &[Group],
    rules: &[LatenessRule],
    (plausible, predicted): (f64, &Predicted<'_>),
    open: &mut [Option<OpenQuestion>],
) {
    let between = fires_between_ticks(recording);
    for (at, rule) in rules.iter().enumerate() {
        let LatenessRule::Steady(steady) = rule else { continue };
        let told = groups[at].obtained.as_ref().is_some_and(|obtained| obtained.timer_slack.is_some());
        // Another method that cannot have slack and is as late shows that this one has none.
        let alike = |other: &usize| {
            let beside = groups[*other].conditions == groups[at].conditions && slackless(&groups[*other]);
            beside
                && matches!(&rules[*other], LatenessRule::Steady(free) if (free.base / steady.base - 1.0).abs() < 0.2)
        };
        let told = told || (0..groups.len()).any(|other| alike(&other));
        let additions = predicted.additions(views, &groups[at]).filter(|_| !told);
        open[at] = open::doubt_cost(views, &groups[at], steady, plausible, between, additions);
    }
}

/// Returns the run queues: at most one for each set of groups that differ in method only.
fn queues(views: &[View<'_>], groups: &[Group]) -> Vec<Queue> {
    let mut done = vec![false; groups.len()];
    let mut queues = Vec::new();
    for at in 0..groups.len() {
        if done[at] {
            continue;
        }
        let same = |other: &&usize| {
            groups[**other].conditions == groups[at].conditions && groups[**other].clock == groups[at].clock
        };
        let indices: Vec<usize> = (at..groups.len()).collect::<Vec<_>>().iter().filter(same).copied().collect();
        for &index in &indices {
            done[index] = true;
        }
        let members: Vec<&Group> = indices.iter().map(|&index| &groups[index]).collect();
        queues.extend(queue::find(views, &members));
    }
    queues
}

/// A yield asks for no time: if it takes this long, in ns, another thread ran.
pub const LONG_YIELD: i64 = 300_000;

/// Sets [`LatenessRule::Waits`] where yields take 1 ms and more: other sleeps under the same conditions that are late by more
/// than 1 ms, or by no rule, but not because of the tick, wait for the same threads.
fn add_waits(views: &[View<'_>], groups: &[Group], rules: &mut [LatenessRule]) {
    let long = |group: &Group| {
        group.yields() && group.views.iter().any(|&view| views[view].quantile(0.5) >= LONG_YIELD.max(1_000_000))
    };
    for (at, rule) in rules.iter_mut().enumerate() {
        let beside = groups.iter().any(|other| long(other) && other.conditions == groups[at].conditions);
        let late = match rule {
            LatenessRule::Steady(steady) => steady.base > 1e6,
            LatenessRule::Unclear => !groups[at].yields(),
            _ => false,
        };
        if beside && late {
            *rule = LatenessRule::Waits;
        }
    }
}

/// Infers slack and share of every steady group. This needs the whole recording: what other methods cost, how slowly
/// clocks are read, and the system (one that is not named may have no slack, but a share of the request).
fn add_slack(
    (read, recording): (Option<f64>, &Recording),
    views: &[View<'_>],
    groups: &[Group],
    predicted: &Predicted<'_>,
    rules: &mut [LatenessRule],
) {
    let all: Vec<Option<Steady>> = rules
        .iter()
        .map(|rule| if let LatenessRule::Steady(steady) = rule { Some(steady.clone()) } else { None })
        .collect();
    let (is_linux, may_have_slack) =
        (of_remedies(recording) == Some("Linux"), may_add(recording, SlackRule::Share).slack);
    for (at, rule) in rules.iter_mut().enumerate() {
        if !matches!(rule, LatenessRule::Steady(_) | LatenessRule::Unclear) || groups[at].yields() {
            continue;
        }
        let decided = predicted.additions(views, &groups[at]).and_then(Additions::decided);
        let share = match decided {
            Some((Addition::Share { share, cap, .. }, _)) => Some((share, cap)),
            _ => None,
        };
        if let Some(steady) = share.and_then(|share| steady::under_share(&groups[at], share)) {
            *rule = LatenessRule::Steady(steady);
        }
        let LatenessRule::Steady(steady) = rule else { continue };
        let same = |other: &usize| *other != at && groups[*other].conditions == groups[at].conditions;
        let others = || (0..groups.len()).filter(same).filter_map(|other| Some((&groups[other], all[other].as_ref()?)));
        // On a system that may have no slack, methods differ by what they cost, unless one is a timer known to have none.
        let is_telling = |group: &Group| is_linux || is_timer_without(group);
        let free = others().min_by(|a, b| a.1.base.total_cmp(&b.1.base)).filter(|(group, _)| is_telling(group));
        let free = free.map(|(_, steady)| steady);
        let told = groups[at].obtained.as_ref().and_then(|obtained| obtained.timer_slack);
        steady.slack = match told {
            _ if slackless(&groups[at]) || !may_have_slack => None,
            Some(told) => {
                // Methods that have slack too are as late: only one without can show what this one adds.
                let bare = others().filter(|(group, _)| slackless(group)).map(|(_, steady)| steady);
                let bare = bare.min_by(|a, b| a.base.total_cmp(&b.base));
                known(told.as_f64(), steady, bare.map(|bare| steady.later_than(bare, views)))
            }
            None => steady::contrast(steady, free, read).or_else(|| steady::decided_slack(decided, steady)),
        };
        steady.share = share.and_then(|(ratio, cap)| Share::new(ratio, cap, &steady.usual));
        steady.cost = steady::cost(steady, &groups[at]);
    }
}

/// Returns the slack that was read back from the system, if lateness shows it: some methods ignore it.
fn known(size: f64, steady: &Steady, beyond_free: Option<f64>) -> Option<steady::Slack> {
    let shows = size >= 1_000.0 && steady.base >= size && beyond_free.is_none_or(|later| later > 0.5 * size);
    shows.then_some(steady::Slack { size, low: size, high: size, confidence: 0.97, basis: SlackBasis::Conditions })
}

/// Returns whether the system says that its timers fire between ticks.
pub(super) fn fires_between_ticks(recording: &Recording) -> bool {
    recording.meta.machine.timekeeping.high_resolution == Some(true)
}

/// Half the shortest tick of a kernel's timer wheel (1000 Hz), in ns.
const HALF_A_TICK: f64 = 500_000.0;

/// Leaves groups open whose timeouts are known to be counted in ticks and come much later than a wake-up costs, but
/// whose ticks a busy machine has scattered: how much of that is waiting and how much cost is not known.
fn doubt_wheels(groups: &[Group], rules: &mut [LatenessRule]) {
    for (group, rule) in groups.iter().zip(rules) {
        let late = matches!(rule, LatenessRule::Steady(steady) if steady.base > HALF_A_TICK);
        if late && counts_ticks(group) {
            *rule = LatenessRule::Unclear;
        }
    }
}

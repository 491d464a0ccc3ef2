//! What stays open about each method after judging: the causes that would have given the same samples.

use super::LatenessRule;
use super::group::{Group, View};
use super::methods::is_kernel_timer;
use super::predicted::{Judged, Predicted};
use super::steady::{self, Steady};
use super::tick::{Design, Tick};
use super::{coarse, rhythm, slide};
use oversleep_model::{Addition, Additions};
use oversleep_recording::document::Cause;
use oversleep_sys::units::Nanos;

/// A question about what rules a method's lateness.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenQuestion {
    /// The causes that would have given the same samples.
    pub candidates: Vec<String>,
    /// Why the samples do not decide.
    pub why: String,
    /// Whether the only objection to a steady level is how widely lateness varies.
    pub wide: bool,
}

impl OpenQuestion {
    fn new(candidates: &[Cause], why: impl Into<String>) -> Self {
        Self {
            candidates: candidates.iter().map(|cause| cause.name().to_owned()).collect(),
            why: why.into(),
            wide: false,
        }
    }

    fn or_ticks(mut self, rates: &[f64]) -> Self {
        let tick = |hz: &f64| format!("{} {} Hz", Cause::TickQuantised, (hz * 1e3).round() / 1e3);
        self.candidates.extend(rates.iter().map(tick));
        self
    }
}

/// Fewest sleeps without a steady lateness in which ticks are searched.
const SEARCHED: usize = 10;

/// Judges every group's rule and returns what stays open. `from_last`: whether the system counts sleeps from the last tick,
/// where it is known; `between`: whether it is known that its timers fire between ticks.
pub(super) fn judge_rules(
    views: &[View<'_>],
    groups: &[Group],
    rules: &mut [LatenessRule],
    (from_last, between): (Option<bool>, bool),
    predicted: &Predicted<'_>,
) -> Vec<Option<OpenQuestion>> {
    let judged = rules.iter_mut().zip(groups).map(|(rule, group)| {
        let between = between && is_kernel_timer(group);
        judge_rule(views, group, rule, (from_last, between), predicted)
    });
    judged.collect()
}

fn judge_rule(
    views: &[View<'_>],
    group: &Group,
    rule: &mut LatenessRule,
    (from_last, between): (Option<bool>, bool),
    predicted: &Predicted<'_>,
) -> Option<OpenQuestion> {
    let timed = group.timed();
    match rule {
        LatenessRule::Tick(tick) => {
            match tick.design {
                Design::Sliding => {
                    if from_last == Some(true) {
                        *tick = slide::of_windows(tick.clone());
                    }
                    predicted.decide_rate(tick, views, group);
                }
                Design::Flat if between || matches!(predicted.judged(views, group), Judged::Free) => {
                    *rule = steady::measure(views, group).map_or(LatenessRule::Unclear, LatenessRule::Steady);
                }
                Design::Flat => {
                    let open = flat(&tick.candidates);
                    *rule = LatenessRule::Unclear;
                    return Some(open);
                }
                Design::Diverse | Design::Locked | Design::Coarse => (),
            }
            return None;
        }
        LatenessRule::Unclear if group.yields() || timed.len() < SEARCHED => return None,
        // Due one second apart, sleeps fit every whole rate: only lateness that slides is evidence of a tick.
        LatenessRule::Steady(_) | LatenessRule::Unclear if super::is_rhythmic(views, group, &timed) => return None,
        LatenessRule::Steady(_) | LatenessRule::Unclear => (),
        LatenessRule::Few | LatenessRule::Queue(_) | LatenessRule::Waits => return None,
    }
    let (found, open) = match predicted.judged(views, group) {
        Judged::Tick(found) if between => (LatenessRule::Unclear, Some(others_ticks(&found))),
        Judged::Tick(found) => (LatenessRule::Tick(*found), None),
        Judged::Either(rates) if !between => (LatenessRule::Unclear, Some(either(&rates))),
        Judged::Either(_) | Judged::Free => return None,
    };
    *rule = found;
    open
}

/// Returns the question about wake-ups that keep a tick's grid although this method's timer fires between ticks.
fn others_ticks(tick: &Tick) -> OpenQuestion {
    let why = "not enough to tell: wake-ups keep a tick, and timers here fire between ticks, so the tick may be that of other \
               threads' turns, or of something else that holds the processor";
    OpenQuestion::new(&[Cause::RunQueue, Cause::PeriodicInterference], why).or_ticks(&tick.candidates)
}

fn flat(rates: &[f64]) -> OpenQuestion {
    let why = "not enough to tell: at one steady rhythm a lateness that never changes may be a tick that keeps step with \
               the clock, slack, or a wait for other threads";
    OpenQuestion::new(&[Cause::TimerSlack, Cause::RunQueue, Cause::ConstantCost], why).or_ticks(rates)
}

fn either(rates: &[f64]) -> OpenQuestion {
    let why = "not enough to tell: a tick and a lateness that is the same wherever sleeps end predict these sleeps \
               equally well";
    OpenQuestion::new(&[Cause::ConstantCost, Cause::TimerSlack, Cause::ProportionalSlack], why).or_ticks(rates)
}

/// Returns the question about back-to-back sleeps that take whole quanta, where nothing shows that other threads ran.
pub(super) fn queue_or_tick(quantum: f64) -> OpenQuestion {
    let why = format!(
        "not enough to tell: sleeps back to back take whole multiples of {}, as quanta of other threads or ticks do; no busy \
         thread was recorded",
        Nanos::from_f64(quantum)
    );
    OpenQuestion::new(&[Cause::RunQueue], why).or_ticks(&[1e9 / quantum])
}

/// Returns the question about sleeps whose time stamps move in steps of `step` ns: they may end between the steps.
pub(super) fn coarse_stamps(step: f64) -> OpenQuestion {
    let why = format!(
        "not enough to tell: starts and ends alike lie on a grid of {}, so the clock that was read moves in such steps, \
         and sleeps may end anywhere between",
        Nanos::from_f64(step)
    );
    let mut open = OpenQuestion::new(&[], why);
    open.candidates.push("coarse-time-stamps".into());
    let rates =
        oversleep_model::KNOWN_RATES.iter().copied().filter(|hz| (step * hz * 1e-9 - 1.0).abs() < coarse::REACH);
    open.or_ticks(&rates.collect::<Vec<f64>>())
}

/// Returns the question about sleeps whose ends alone lie in steps of `step` ns.
pub(super) fn coarse_ends(step: f64) -> OpenQuestion {
    let why = format!(
        "not enough to tell: ends lie exactly on a grid of {} and starts do not, as where only ends are read on a coarse \
         clock; sleeps may end anywhere between",
        Nanos::from_f64(step)
    );
    let mut open = OpenQuestion::new(&[], why);
    open.candidates.push("coarse-time-stamps".into());
    open
}

/// Returns the causes that may be part of what waking costs, where it is not decided which are, or a share is not determined.
fn undecided(additions: &Additions) -> Vec<Cause> {
    let is_decided = matches!(additions.decided(), Some((Addition::Nothing | Addition::Slack(_), _)));
    let mut causes = Vec::new();
    for addition in additions.possible().filter(|_| !is_decided) {
        let cause = match addition {
            Addition::Nothing => Cause::ConstantCost,
            Addition::Slack(_) => Cause::TimerSlack,
            Addition::Share { .. } => Cause::ProportionalSlack,
        };
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    match causes[..] {
        [] | [Cause::ConstantCost] => Vec::new(),
        _ if causes.contains(&Cause::ConstantCost) => causes,
        _ => [causes, vec![Cause::ConstantCost]].concat(),
    }
}

/// Period of the fastest tick that kernels are built with, in ns; sleeps that end at its ticks are half of it late.
const FASTEST: f64 = 100_000.0;

/// Lateness keeps no level if the range of its middle half exceeds this part of its median.
const WIDE: f64 = 0.8;

/// Returns why a steady lateness may not be called the cost of a wake-up; `None` where it may.
///
/// `plausible`: the largest cost that needs no evidence, in ns; `between`: whether timers are known to fire between ticks;
/// `additions`: what slack and shares may be part of it, where nothing else tells.
pub(super) fn doubt_cost(
    views: &[View<'_>],
    group: &Group,
    steady: &Steady,
    plausible: f64,
    between: bool,
    additions: Option<&Additions>,
) -> Option<OpenQuestion> {
    // Where a share is likeliest, a known slack does not explain all.
    let likeliest = additions.and_then(|additions| additions.answers.first()).map(|answer| answer.is);
    let shares = matches!(likeliest, Some(Addition::Share { .. }));
    let known = steady.share.is_some() || (steady.slack.is_some() && !shares);
    let added: Vec<Cause> = additions.filter(|_| !known).map_or_else(Vec::new, undecided);
    let cost = steady.cost;
    if cost > plausible {
        let mut causes = vec![Cause::ConstantCost, Cause::RunQueue];
        causes.extend((!between).then_some(Cause::TickQuantised));
        causes.extend(added.iter().filter(|cause| **cause != Cause::ConstantCost));
        let why = format!(
            "not enough to tell: {} of lateness without a pattern, more than most wake-ups cost",
            Nanos::from_f64(cost)
        );
        return Some(OpenQuestion::new(&causes, why));
    }
    if !between && cost > FASTEST && rhythm::most_cells_have_one(group) {
        let why = format!(
            "not enough to tell: at one steady rhythm, {:.0} us late may be the cost of waking, or part of a tick that keeps \
             step with it",
            cost * 1e-3
        );
        return Some(OpenQuestion::new(&[Cause::ConstantCost, Cause::TimerSlack, Cause::TickQuantised], why));
    }
    if steady.grows_unexplained() {
        let why = "not enough to tell: lateness grows with the request, by no rule that is known";
        return Some(OpenQuestion::new(
            &[Cause::ProportionalSlack, Cause::TimerSlack, Cause::RunQueue, Cause::ConstantCost],
            why,
        ));
    }
    if !between && rhythm::ends_keep_places(group) {
        let why = "not enough to tell: a sleep that starts later is as much less late, as where sleeps end at ticks, but which \
                   ticks these samples do not show";
        return Some(OpenQuestion::new(&[Cause::TickQuantised, Cause::ConstantCost], why));
    }
    if !added.is_empty() {
        let why = format!(
            "not enough to tell: {} late may be slack, or a share of the request, and the cost of waking, or all cost",
            Nanos::from_f64(steady.base)
        );
        return Some(OpenQuestion::new(&added, why));
    }
    // Lateness that grows with the request varies because requests do.
    if steady.share.is_some() {
        return None;
    }
    let wide = |view: &usize| {
        let view = &views[*view];
        let (low, middle, high) = (view.quantile(0.25), view.quantile(0.5), view.quantile(0.75));
        (high - low) as f64 > WIDE * middle.abs() as f64 + 5_000.0
    };
    let timed = group.views.iter().filter(|view| views[**view].requested > 0);
    let (all, many) = timed.fold((0, 0), |(all, many), view| (all + 1, many + usize::from(wide(view))));
    let why = "not enough to tell: lateness varies by as much as its size";
    (2 * many > all)
        .then(|| OpenQuestion { wide: true, ..OpenQuestion::new(&[Cause::ConstantCost, Cause::RunQueue], why) })
}

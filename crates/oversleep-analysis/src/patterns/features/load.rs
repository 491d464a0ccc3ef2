//! The effect of recorded busy threads on sleeps: the same requests with and without them.

use super::LatenessRule;
use super::group::{Group, View};
use super::open::{OpenQuestion, queue_or_tick};
use super::queue::Queue;
use super::robust::median;
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::BesideLoad;
use oversleep_recording::plan::{Conditions, LoadKind};

/// Waiting for busy threads adds more than `LEAST`, in ns, to the lateness and makes it more than `TIMES` as large.
const LEAST: f64 = 1e6;
const TIMES: f64 = 2.0;

/// Sets the rule of groups to [`LatenessRule::Waits`] where recorded busy threads made the same sleeps later and nothing else
/// explains their lateness. Returns, for each view, how late it is without the threads.
pub(super) fn add_waits(
    views: &[View<'_>],
    groups: &[Group],
    rules: &mut [LatenessRule],
    open: &mut [Option<OpenQuestion>],
) -> Vec<Option<BesideLoad>> {
    let mut beside = vec![None; views.len()];
    for at in 0..groups.len() {
        let group = &groups[at];
        let unexplained = match &rules[at] {
            LatenessRule::Steady(steady) => steady.base > LEAST,
            LatenessRule::Unclear => !group.yields(),
            _ => false,
        };
        let Some(busy) = busy(&group.conditions).filter(|_| unexplained) else { continue };
        let Some(alone) =
            groups.iter().find(|other| other.method == group.method && is_same_without_load(group, other))
        else {
            continue;
        };
        let pairs: Vec<(usize, i64, i64)> = group.views.iter().filter_map(|&view| pair(views, view, alone)).collect();
        let more: Vec<f64> = pairs.iter().map(|(_, with, without)| (with - without) as f64).collect();
        let usual: Vec<f64> = pairs.iter().map(|(_, _, without)| *without as f64).collect();
        let later = median(&more).zip(median(&usual));
        if later.is_some_and(|(more, usual)| more > LEAST && more > (TIMES - 1.0) * usual.abs()) {
            rules[at] = LatenessRule::Waits;
            open[at] = None;
            for (view, _, without_ns) in pairs {
                beside[view] = Some(BesideLoad { busy_threads: busy.into(), without_ns });
            }
        }
    }
    beside
}

/// Leaves open whether sleeps wait for other threads, where neither yields nor recorded busy threads show that there are any.
pub(super) fn doubt_queues(
    recording: &Recording,
    groups: &[Group],
    (queues, rules): (&[Queue], &mut [LatenessRule]),
    open: &mut [Option<OpenQuestion>],
) {
    for (at, rule) in rules.iter_mut().enumerate() {
        let LatenessRule::Queue(queue) = rule else { continue };
        let queue = &queues[*queue];
        if !queue.yields && beside(recording, &groups[at].conditions).is_none() {
            open[at] = Some(queue_or_tick(queue.quantum));
            *rule = LatenessRule::Unclear;
        }
    }
}

/// Describes the threads that wanted to run beside the sleeping ones: a load, or more runnable threads than processors.
pub fn beside(recording: &Recording, conditions: &Conditions) -> Option<String> {
    if let Some(threads) = busy(conditions) {
        let plural = if threads == 1 { "" } else { "s" };
        return Some(format!("{threads} busy thread{plural} ran beside"));
    }
    let machine = &recording.meta.machine;
    let runnable = machine.load.as_ref()?.runnable?;
    let processors = machine.processor.online.len();
    (processors > 0 && runnable as usize > processors)
        .then(|| format!("{runnable} threads wanted to run on {processors} processors"))
}

/// Returns the number of busy threads, without those that give way to others.
fn busy(conditions: &Conditions) -> Option<u16> {
    conditions.load.filter(|load| load.kind != LoadKind::Neighbour && load.threads > 0).map(|load| load.threads)
}

/// Returns whether `other` has the same conditions as `group`, but no busy threads.
fn is_same_without_load(group: &Group, other: &Group) -> bool {
    let rest = Conditions { load: other.conditions.load, ..group.conditions.clone() };
    busy(&other.conditions).is_none() && rest == other.conditions
}

/// Returns a view, its median lateness, and that of the same request (to 1 %) without busy threads, in ns.
fn pair(views: &[View<'_>], view: usize, alone: &Group) -> Option<(usize, i64, i64)> {
    let asked = views[view].requested;
    let same = |other: &&usize| (views[**other].requested - asked).abs() * 100 <= asked;
    let other = alone.views.iter().find(same)?;
    Some((view, views[view].quantile(0.5), views[*other].quantile(0.5)))
}

//! What busy threads that were recorded did to sleeps: the same request with and without them.

use super::Rule;
use super::group::{Group, View};
use super::open::Open;
use super::robust::median;
use oversleep_recording::document::evidence::BesideLoad;
use oversleep_recording::plan::{Conditions, LoadKind};

/// Waiting for another thread takes longer than `LEAST`, in ns, and makes sleeps at least `TIMES` as late.
const LEAST: f64 = 1e6;
const TIMES: f64 = 2.0;

/// Enters a wait for busy threads where they made the same sleeps later and nothing else explains these. Returns of
/// each view how late it is without them.
pub(super) fn add_waits(
    views: &[View<'_>],
    groups: &[Group],
    rules: &mut [Rule],
    open: &mut [Option<Open>],
) -> Vec<Option<BesideLoad>> {
    let mut beside = vec![None; views.len()];
    for at in 0..groups.len() {
        let group = &groups[at];
        let unexplained = match &rules[at] {
            Rule::Steady(steady) => steady.base > LEAST,
            Rule::Unclear => !group.yields(),
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
            rules[at] = Rule::Waits;
            open[at] = None;
            for (view, _, without_ns) in pairs {
                beside[view] = Some(BesideLoad { busy_threads: busy.into(), without_ns });
            }
        }
    }
    beside
}

/// How many busy threads there were that do not give way.
fn busy(conditions: &Conditions) -> Option<u16> {
    conditions.load.filter(|load| load.kind != LoadKind::Neighbour && load.threads > 0).map(|load| load.threads)
}

/// Whether conditions are the same but for busy threads, which the other has none of.
fn is_same_without_load(group: &Group, other: &Group) -> bool {
    let rest = Conditions { load: other.conditions.load, ..group.conditions.clone() };
    busy(&other.conditions).is_none() && rest == other.conditions
}

/// A cell's median lateness, and that of the same request without busy threads.
fn pair(views: &[View<'_>], view: usize, alone: &Group) -> Option<(usize, i64, i64)> {
    let asked = views[view].requested;
    let same = |other: &&usize| (views[**other].requested - asked).abs() * 100 <= asked;
    let other = alone.views.iter().find(same)?;
    Some((view, views[view].quantile(0.5), views[*other].quantile(0.5)))
}

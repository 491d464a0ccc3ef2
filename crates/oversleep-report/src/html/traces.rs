//! Traced sleeps as the page draws them: a row of times for each sleep.

use oversleep_recording::document::breakdown::{Breakdown, Complete, PartKind};
use oversleep_recording::document::trace::Trace;
use oversleep_recording::document::{PageTrace, TracedSleep};

/// Numbers of sleeps drawn of a cell: evenly spread over the run, and those with the largest oversleep.
const SPREAD: usize = 400;
const LATEST: usize = 100;

/// Returns the page's data on a traced cell, whose document must list every sleep.
pub fn traced(mut trace: Trace) -> PageTrace {
    let all = trace.sleeps.take().unwrap_or_default();
    let shown = chosen(&all);
    let used = |kind: &PartKind| shown.iter().any(|sleep| sleep.parts.iter().any(|part| part.kind == *kind));
    let kinds: Vec<PartKind> = PartKind::ALL.iter().copied().filter(used).collect();
    let sleeps = shown.iter().map(|sleep| row(sleep, &kinds)).collect();
    PageTrace { trace, parts: kinds.iter().map(|kind| kind.name().to_owned()).collect(), sleeps }
}

fn row(sleep: &Breakdown, kinds: &[PartKind]) -> TracedSleep {
    let longest = sleep.parts.iter().max_by_key(|part| part.time);
    TracedSleep {
        sequence: sleep.sequence,
        oversleep: sleep.oversleep(),
        times_ns: kinds.iter().map(|kind| sleep.total(*kind)).collect(),
        owner: longest.and_then(|part| part.mostly()).map(ToString::to_string),
        incomplete: match &sleep.complete {
            Complete::Complete => None,
            Complete::Partial(why) => Some(why.clone()),
        },
    }
}

/// Returns evenly spread sleeps and those with the largest oversleep, in order.
fn chosen(all: &[Breakdown]) -> Vec<&Breakdown> {
    if all.len() <= SPREAD + LATEST {
        return all.iter().collect();
    }
    let mut latest: Vec<usize> = (0..all.len()).collect();
    latest.sort_unstable_by_key(|index| std::cmp::Reverse(all[*index].oversleep()));
    latest.truncate(LATEST);
    let mut indices: Vec<usize> = (0..SPREAD).map(|step| step * all.len() / SPREAD).chain(latest).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.into_iter().map(|index| &all[index]).collect()
}

//! What differs between the threads of one group: their costs and their requests. What is inferred from how widely lateness
//! is spread, or from how it grows with the request, must hold within a thread.

use super::group::Sleep;
use super::robust::{median, mode};
use std::collections::BTreeMap;

/// Fewest sleeps of a thread that show its usual lateness.
const ENOUGH: usize = 8;

/// The usual lateness of each thread, and how much earlier than it sleeps ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ByThread {
    /// Least usual lateness of a thread, in ns; `None` with a single thread.
    pub least: Option<f64>,
    /// By how much each sleep ended later than its thread's sleeps usually do, in ns, sorted.
    pub beyond: Vec<f64>,
}

/// Compares the threads of these sleeps. `base`: the usual lateness of all, in ns.
pub(super) fn compare(sleeps: &[Sleep], base: f64) -> ByThread {
    let threads = by_thread(sleeps.iter());
    let usual = |lates: &Vec<f64>| {
        let mut lates = lates.clone();
        lates.sort_by(f64::total_cmp);
        mode(&lates).filter(|_| lates.len() >= ENOUGH)
    };
    let several = threads.len() > 1;
    let levels: Vec<f64> = threads.values().filter_map(usual).collect();
    let least = levels.iter().copied().reduce(f64::min).filter(|_| several);
    let own = |lates: &Vec<f64>| if several { usual(lates).unwrap_or(base) } else { base };
    let from = |lates: &Vec<f64>| {
        let own = own(lates);
        lates.iter().map(|late| late - own).collect::<Vec<f64>>()
    };
    let mut beyond: Vec<f64> = threads.values().flat_map(from).collect();
    beyond.sort_by(f64::total_cmp);
    ByThread { least, beyond }
}

/// Returns the least growth of lateness between two cells (indices of views) within a thread, in ns, over the threads that
/// slept in both; zero if none did. `None` with a single thread.
pub(super) fn growth(sleeps: &[Sleep], first: usize, last: usize) -> Option<f64> {
    let of = |view: usize| by_thread(sleeps.iter().filter(move |sleep| sleep.view == view));
    let (first, last) = (of(first), of(last));
    if first.len() == 1 && first.keys().eq(last.keys()) {
        return None;
    }
    let grown = |(thread, lates): (&u16, &Vec<f64>)| Some(median(lates)? - median(first.get(thread)?)?);
    Some(last.iter().filter_map(grown).reduce(f64::min).unwrap_or(0.0))
}

fn by_thread<'a>(sleeps: impl Iterator<Item = &'a Sleep>) -> BTreeMap<u16, Vec<f64>> {
    let mut threads: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
    for sleep in sleeps {
        threads.entry(sleep.thread).or_default().push(sleep.late);
    }
    threads
}

//! What differs between the threads of one group: growth of lateness with the request must show within a thread.

use super::group::Sleep;
use super::robust::median;
use std::collections::BTreeMap;

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

//! The latest sleeps of every thread: stalls are too rare for the spread samples.

use super::Placed;

/// Number of latest samples kept for each thread.
const EACH: usize = 32;
/// At most one latest sample is added per this number of a thread's others, so that quantiles hardly change.
const ONE_IN: usize = 100;

/// The latest samples by key.
#[derive(Debug, Default)]
pub(super) struct Latest {
    threads: Vec<Thread>,
}

#[derive(Debug)]
struct Thread {
    kept: Vec<Placed>,
    /// The least lateness kept, in ns, once there are `EACH` samples.
    bar: i64,
}

impl Latest {
    #[inline]
    pub(super) fn take(&mut self, key: usize, placed: &Placed) {
        if key >= self.threads.len() {
            self.threads.resize_with(key + 1, || Thread { kept: Vec::new(), bar: i64::MIN });
        }
        let thread = &mut self.threads[key];
        if thread.kept.len() < EACH || placed.sample.oversleep().get() > thread.bar {
            thread.take(placed);
        }
    }

    /// Returns all samples of `spread` (by key), and the latest ones that are not among them.
    pub(super) fn beside(mut self, spread: Vec<Vec<Placed>>) -> Vec<Placed> {
        let mut all = Vec::with_capacity(spread.iter().map(Vec::len).sum());
        for (key, mut kept) in spread.into_iter().enumerate() {
            let room = kept.len() / ONE_IN;
            if let Some(thread) = self.threads.get_mut(key) {
                thread.kept.sort_unstable_by_key(|placed| std::cmp::Reverse(late(placed)));
                let beside = |latest: &&Placed| kept.binary_search_by_key(&latest.ordinal, |own| own.ordinal).is_err();
                let missing: Vec<Placed> = thread.kept.iter().take(room).filter(beside).copied().collect();
                kept.extend(missing);
            }
            all.append(&mut kept);
        }
        all
    }
}

impl Thread {
    fn take(&mut self, placed: &Placed) {
        if self.kept.len() < EACH {
            self.kept.push(*placed);
        } else if let Some(least) = self.kept.iter_mut().min_by_key(|placed| late(placed)) {
            *least = *placed;
        }
        if self.kept.len() == EACH {
            self.bar = self.kept.iter().map(late).min().unwrap_or(i64::MIN);
        }
    }
}

fn late(placed: &Placed) -> i64 {
    placed.sample.oversleep().get()
}

//! Sleeps spread evenly over a run whose length is not known in advance.

use super::Placed;

/// At most `bound` samples: one of each 2^k neighbours of every thread. When there are too many, k grows by one for the
/// thread with the most samples.
#[derive(Debug)]
pub(super) struct Spread {
    bound: usize,
    total: usize,
    strata: Vec<Strata>,
}

/// One thread's samples, one of each stratum of 2^`shift` neighbours: the one whose number has the least hash. So two
/// joined strata hold the sample that one of double the size would hold.
#[derive(Debug, Default)]
struct Strata {
    shift: u32,
    kept: Vec<Placed>,
}

impl Strata {
    fn stratum(&self, placed: &Placed) -> u64 {
        placed.ordinal.checked_shr(self.shift).unwrap_or(0)
    }

    /// Adds a sample; returns whether one more is held now.
    #[inline]
    fn take(&mut self, placed: &Placed) -> bool {
        let stratum = self.stratum(placed);
        if let Some(last) = self.kept.last_mut()
            && last.ordinal.checked_shr(self.shift).unwrap_or(0) == stratum
        {
            if hash(placed.ordinal) < hash(last.ordinal) {
                *last = *placed;
            }
            return false;
        }
        self.kept.push(*placed);
        true
    }

    fn widen(&mut self) {
        self.shift += 1;
        let before = std::mem::take(&mut self.kept);
        self.kept.reserve(before.len() / 2 + 1);
        for placed in &before {
            self.take(placed);
        }
    }
}

impl Spread {
    pub(super) fn new(bound: usize) -> Self {
        Self { bound, total: 0, strata: Vec::new() }
    }

    #[inline]
    pub(super) fn take(&mut self, key: usize, placed: &Placed) {
        if key >= self.strata.len() {
            self.strata.resize_with(key + 1, Strata::default);
        }
        self.total += usize::from(self.strata[key].take(placed));
        if self.total > self.bound {
            self.widen();
        }
    }

    fn widen(&mut self) {
        let Some(most) = self.strata.iter_mut().max_by_key(|strata| strata.kept.len()) else { return };
        let before = most.kept.len();
        // At least one sample of each thread is kept.
        if before > 1 {
            most.widen();
            self.total -= before - most.kept.len();
        }
    }

    /// Returns the kept samples, by key.
    pub(super) fn finish(self) -> Vec<Vec<Placed>> {
        self.strata.into_iter().map(|strata| strata.kept).collect()
    }
}

/// Returns Splitmix64's finaliser (Vigna): the hashes of neighbours are unrelated.
fn hash(ordinal: u64) -> u64 {
    let mut z = ordinal.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

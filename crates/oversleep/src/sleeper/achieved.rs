//! What a sleeper achieved.

use crate::{Lateness, Nanos};

/// Latenesses counted by powers of two: bin b holds those of b significant bits, from 2^(b−1) to 2^b − 1 ns.
const BINS: usize = 64;

/// What a sleeper achieved since it was made or last asked to begin anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Achieved {
    sleeps: u64,
    on_time: u64,
    overdue: u64,
    requested: Nanos,
    spun: Nanos,
    worst: Lateness,
    bins: [u64; BINS],
}

impl Achieved {
    pub(super) fn new() -> Self {
        Self {
            sleeps: 0,
            on_time: 0,
            overdue: 0,
            requested: Nanos::ZERO,
            spun: Nanos::ZERO,
            worst: Lateness::default(),
            bins: [0; BINS],
        }
    }

    pub(super) fn count_overdue(&mut self) {
        self.overdue += 1;
    }

    pub(super) fn count_pause(&mut self, pause: Nanos) {
        self.spun = self.spun.saturating_add(pause);
        self.requested = self.requested.saturating_add(pause);
    }

    pub(super) fn count(&mut self, requested: Nanos, spun: Nanos, in_time: bool, lateness: Lateness) {
        self.sleeps += 1;
        self.on_time += u64::from(in_time);
        self.requested = self.requested.saturating_add(requested);
        self.spun = self.spun.saturating_add(spun);
        self.worst = self.worst.max(lateness);
        let late = lateness.nanos().get().max(0);
        self.bins[(i64::BITS - late.leading_zeros()) as usize] += 1;
    }

    /// Sleeps whose deadline lay ahead when they were asked for.
    pub fn sleeps(&self) -> u64 {
        self.sleeps
    }

    /// The share of them that were awake before the deadline and had only to wait finely: 0 to 1; `None` of none.
    pub fn on_time(&self) -> Option<f64> {
        (self.sleeps > 0).then(|| self.on_time as f64 / self.sleeps as f64)
    }

    /// Requests whose deadline was over already. They count nowhere else.
    pub fn overdue(&self) -> u64 {
        self.overdue
    }

    /// Fine waiting as a share of the time asked for: 0 to 1; `None` of none.
    pub fn spun_share(&self) -> Option<f64> {
        (self.requested > Nanos::ZERO).then(|| self.spun.as_f64() / self.requested.as_f64())
    }

    /// All the time waited finely.
    pub fn spun(&self) -> Nanos {
        self.spun
    }

    /// The worst lateness.
    pub fn worst(&self) -> Lateness {
        self.worst
    }

    /// A time that this share of sleeps were not later than, to within a factor of two above; `None` of none.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of sleeps
    pub fn lateness_at_most(&self, share: f64) -> Option<Nanos> {
        let wanted = (share.clamp(0.0, 1.0) * self.sleeps as f64).ceil() as u64;
        let mut counted = 0;
        let bin = self.bins.iter().position(|count| {
            counted += count;
            counted >= wanted.max(1)
        })?;
        let bound = Nanos::new(i64::try_from((1_u128 << bin) - 1).unwrap_or(i64::MAX));
        Some(bound.min(self.worst.nanos().max(Nanos::ZERO)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_bounds() {
        let mut achieved = Achieved::new();
        assert_eq!(achieved.on_time(), None);
        assert_eq!(achieved.lateness_at_most(0.5), None);
        for late in [100, 120, 140, 50_000] {
            let late = Lateness::between(Nanos::ZERO, Nanos::new(late));
            achieved.count(Nanos::MILLISECOND, Nanos::from_micros(10), !late.exceeds(Nanos::MICROSECOND), late);
        }
        achieved.count_overdue();
        assert_eq!(achieved.sleeps(), 4);
        assert_eq!(achieved.overdue(), 1);
        assert_eq!(achieved.on_time(), Some(0.75));
        assert_eq!(achieved.spun_share(), Some(0.01));
        assert_eq!(achieved.lateness_at_most(0.25), Some(Nanos::new(127)));
        assert_eq!(achieved.lateness_at_most(0.75), Some(Nanos::new(255)));
        assert_eq!(achieved.lateness_at_most(1.0), Some(Nanos::new(50_000)));
    }
}

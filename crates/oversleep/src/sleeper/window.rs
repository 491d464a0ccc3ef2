//! The latest oversleeps of one class of sleeps, in order of time and in order of size.

use crate::Nanos;

/// Number of oversleeps remembered: enough to determine the 0.99 quantile, few enough to forget in a second or two.
const LENGTH: usize = 128;

/// A ring buffer of the latest oversleeps, and the same values sorted.
///
/// It rises quickly and forgets slowly, as intended: at the 0.97 quantile three later wake-ups of 128 raise the
/// margin, and it takes 126 earlier ones to lower it again.
#[derive(Debug, Clone)]
pub(super) struct Window {
    ring: [u32; LENGTH],
    sorted: [u32; LENGTH],
    len: usize,
    next: usize,
}

impl Window {
    pub(super) fn new() -> Self {
        Self { ring: [0; LENGTH], sorted: [0; LENGTH], len: 0, next: 0 }
    }

    /// Returns whether each new oversleep replaces an old one.
    pub(super) fn is_full(&self) -> bool {
        self.len == LENGTH
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds an oversleep. A wake-up before its time counts as zero, because no margin can be below that. One of more
    /// than 4.29 s counts as 4.29 s.
    pub(super) fn insert(&mut self, oversleep: Nanos) {
        let value = u32::try_from(oversleep.get().max(0)).unwrap_or(u32::MAX);
        if self.is_full() {
            let oldest = self.ring[self.next];
            let index = self.sorted.partition_point(|v| *v < oldest);
            self.sorted.copy_within(index + 1.., index);
            self.len -= 1;
        }
        let index = self.sorted[..self.len].partition_point(|v| *v < value);
        self.sorted.copy_within(index..self.len, index + 1);
        self.sorted[index] = value;
        self.len += 1;
        self.ring[self.next] = value;
        self.next = (self.next + 1) % LENGTH;
    }

    /// Returns a time that the next oversleep will not exceed with probability `share`, if it is like the previous
    /// ones; the largest one where there are too few. `None` without any.
    ///
    /// This predicts the next sleep. Reports describe past sleeps, by nearest rank: a different question, answered in a
    /// crate that this library does not depend on.
    ///
    /// The k-th smallest of n is exceeded by the next with probability 1 − k/(n + 1), whatever their distribution
    /// (David and Nagaraja, *Order Statistics*, 3rd edition, section 2.5 and 7.2): so k is the smallest whole number
    /// not below share × (n + 1).
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below 129
    pub(super) fn quantile(&self, share: f64) -> Option<Nanos> {
        let rank = (share * (self.len + 1) as f64).ceil() as usize;
        let index = rank.clamp(1, self.len.max(1)) - 1;
        self.sorted[..self.len].get(index).map(|value| Nanos::new(i64::from(*value)))
    }

    /// Returns the smallest of the latest `n`; `None` if there are fewer.
    pub(super) fn least_of_latest(&self, n: usize) -> Option<Nanos> {
        let latest = (1..=n).map(|back| self.ring[(self.next + LENGTH - back) % LENGTH]);
        latest.min().filter(|_| self.len >= n).map(|value| Nanos::new(i64::from(value)))
    }

    /// Returns the largest remembered oversleep that is not above `margin`.
    pub(super) fn largest_within(&self, margin: Nanos) -> Option<Nanos> {
        let within = self.sorted[..self.len].partition_point(|value| i64::from(*value) <= margin.get());
        within.checked_sub(1).map(|index| Nanos::new(i64::from(self.sorted[index])))
    }

    /// Returns the mean of max(0, margin − oversleep) over the remembered oversleeps.
    pub(super) fn mean_wait(&self, margin: Nanos) -> Nanos {
        let waits = self.sorted[..self.len].iter().map(|value| (margin.get() - i64::from(*value)).max(0));
        Nanos::new(waits.sum::<i64>() / i64::try_from(self.len.max(1)).unwrap_or(i64::MAX))
    }

    /// Returns the margin at which one more sleep on time would cost more than it is `worth` in mean fine waiting, and
    /// whether any remembered oversleep is above it. Of the n oversleeps o₁ ≤ … ≤ oₙ it is the oₖ for which
    /// worth × k/(n + 1) − mean of max(0, oₖ − oᵢ) is greatest, plus an nth of it: few oversleeps show only a part of
    /// what may come. Zero without any.
    pub(super) fn worthwhile(&self, worth: Nanos) -> (Nanos, bool) {
        let (mut sum, mut greatest, mut best) = (0, i64::MIN, (0, 0));
        let mut known = 0;
        for value in &self.sorted[..self.len] {
            let value = i64::from(*value);
            known += 1;
            sum += value;
            // Both terms times n, which is nearly n + 1.
            let gain = worth.get() * known - (known * value - sum);
            if gain >= greatest {
                (greatest, best) = (gain, (known, value));
            }
        }
        let (rank, margin) = best;
        (Nanos::new(margin + margin / known.max(1)), rank < known)
    }

    /// Returns the largest margin with a mean fine wait of at most `budget`: the mean of max(0, margin − oversleep)
    /// over the remembered oversleeps. Exact. [`Nanos::MAX`] without any.
    pub(super) fn margin_for(&self, budget: Nanos) -> Nanos {
        let total = i128::from(budget.get().max(0)) * self.len as i128;
        let mut sum = 0_i128;
        for (index, value) in self.sorted[..self.len].iter().enumerate() {
            sum += i128::from(*value);
            let below = index as i128 + 1;
            // With this many oversleeps below the margin, their waits add up to below × margin − sum. Whether the
            // margin is at most the following oversleep shows without a division.
            let following = self.sorted[..self.len].get(index + 1).copied();
            if following.is_none_or(|following| total + sum < below * (i128::from(following) + 1)) {
                return Nanos::new(i64::try_from((total + sum) / below).unwrap_or(i64::MAX));
            }
        }
        Nanos::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    fn filled(values: &[i64]) -> Window {
        let mut window = Window::new();
        for ns in values {
            window.insert(Nanos::new(*ns));
        }
        window
    }

    #[test]
    fn an_empty_window_knows_nothing() {
        assert_eq!(Window::new().quantile(0.5), None);
        assert_eq!(Window::new().margin_for(Nanos::ZERO), Nanos::MAX);
    }

    #[test]
    fn quantiles_promise_at_least_their_share() {
        let window = filled(&(1..=128).collect::<Vec<_>>());
        assert_eq!(window.quantile(0.97), Some(Nanos::new(126))); // exceeded by 3 of 129 = 2.3 %
        assert_eq!(window.quantile(0.99), Some(Nanos::new(128))); // 1 of 129 = 0.8 %
        assert_eq!(window.quantile(0.5), Some(Nanos::new(65)));
        assert_eq!(filled(&[7]).quantile(0.97), Some(Nanos::new(7)));
    }

    #[test]
    fn the_latest_are_the_last_inserted() {
        let mut window = filled(&[1, 50, 40, 60]);
        assert_eq!(window.least_of_latest(3), Some(Nanos::new(40)));
        assert_eq!(window.least_of_latest(5), None);
        for ns in 0..200 {
            window.insert(Nanos::new(ns));
        }
        assert_eq!(window.least_of_latest(3), Some(Nanos::new(197)));
    }

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut window = filled(&[1_000_000]);
        for _ in 0..LENGTH - 1 {
            window.insert(Nanos::new(5));
        }
        assert_eq!(window.quantile(0.99), Some(Nanos::new(1_000_000)));
        window.insert(Nanos::new(5));
        assert_eq!(window.quantile(0.99), Some(Nanos::new(5)));
        assert_eq!(window.len(), LENGTH);
    }

    #[test]
    fn early_and_endless_wake_ups_are_held_at_the_ends() {
        let window = filled(&[-5, i64::MAX]);
        assert_eq!(window.quantile(0.1), Some(Nanos::ZERO));
        assert_eq!(window.quantile(0.9), Some(Nanos::new(i64::from(u32::MAX))));
    }

    #[test]
    fn a_budget_buys_an_exact_margin() {
        let window = filled(&[10, 20, 30, 100]);
        assert_eq!(window.margin_for(Nanos::ZERO), Nanos::new(10)); // waits for nobody
        assert_eq!(window.margin_for(Nanos::new(5)), Nanos::new(25)); // (15 + 5) / 4
        assert_eq!(window.margin_for(Nanos::new(60)), Nanos::new(100)); // (90 + 80 + 70) / 4
        assert_eq!(window.margin_for(Nanos::new(70)), Nanos::new(110));
    }

    #[test]
    fn the_largest_within_a_margin_is_found() {
        let window = filled(&[10, 30, 20]);
        let within = |margin| window.largest_within(Nanos::new(margin)).map(Nanos::get);
        assert_eq!([within(9), within(10), within(29), within(99)], [None, Some(10), Some(20), Some(30)]);
    }

    #[test]
    fn the_worthwhile_margin_leaves_a_far_tail_and_takes_a_near_one() {
        let worthwhile = |values: &[i64], worth| filled(values).worthwhile(Nanos::new(worth));
        assert_eq!(Window::new().worthwhile(Nanos::MILLISECOND), (Nanos::ZERO, false));
        assert_eq!(worthwhile(&[40], 100), (Nanos::new(80), false)); // a single one is doubled
        // 2000 more of waiting in three sleeps for one more in four: not at 1000, but at 10 000.
        assert_eq!(worthwhile(&[100, 100, 100, 2_100], 1_000), (Nanos::new(125), true));
        assert_eq!(worthwhile(&[100, 100, 100, 2_100], 10_000), (Nanos::new(2_625), false));
    }

    proptest! {
        #[test]
        fn sorted_and_ring_agree_with_a_queue(values in prop::collection::vec(0_i64..1_000, 1..400), budget in 0_i64..2_000) {
            let window = filled(&values);
            let latest: VecDeque<i64> = values.iter().rev().take(LENGTH).copied().collect();
            let mut expected: Vec<_> = latest.iter().map(|ns| u32::try_from(*ns).unwrap()).collect();
            expected.sort_unstable();
            prop_assert_eq!(&window.sorted[..window.len], &expected[..]);

            let margin = window.margin_for(Nanos::new(budget)).get();
            let wait = |margin: i64| latest.iter().map(|ns| (margin - ns).max(0)).sum::<i64>();
            let allowed = budget * i64::try_from(latest.len()).unwrap();
            prop_assert!(wait(margin) <= allowed);
            let count = i64::try_from(latest.len()).unwrap();
            prop_assert_eq!(window.mean_wait(Nanos::new(budget)).get(), wait(budget) / count);
            prop_assert!(wait(margin + 1) > allowed || budget == 0 && margin >= latest.iter().copied().min().unwrap());
        }
    }
}

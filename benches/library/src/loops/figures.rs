//! Figures of a contender in a cell, each with the tolerance that its samples and rounds allow.

use super::contenders::Kind;
use crate::stats::Sorted;
use oversleep::Nanos;

/// Standard errors that make a difference.
const APART: f64 = 2.0;
/// Fewest samples beyond a quantile for it to be shown.
const BEYOND: f64 = 5.0;

/// What one contender did in one round.
#[derive(Debug, Clone)]
pub struct Round {
    /// Place in the order of the round, from 0.
    pub place: usize,
    /// Lateness of each wait by a clock reading after it, in nanoseconds.
    pub late: Vec<i64>,
    /// Periods whose deadline had passed when the wait was asked for.
    pub missed: usize,
    /// Processor time of the thread, without the work's.
    pub cpu: Nanos,
    pub wall: Nanos,
}

impl Round {
    fn cost(&self) -> f64 {
        self.cpu.as_f64() / self.late.len().max(1) as f64
    }
}

/// A value and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub error: f64,
}

impl Estimate {
    /// Returns whether this is higher than `other` by more than chance explains.
    pub fn is_above(self, other: Self) -> bool {
        self.value - other.value > APART * self.error.hypot(other.error)
    }

    /// Returns half the width of its interval.
    pub fn tolerance(self) -> f64 {
        APART * self.error
    }
}

/// One contender in one cell.
#[derive(Debug, Clone)]
pub struct Row {
    pub kind: Kind,
    pub rounds: Vec<Round>,
    pub late: Sorted,
    pub missed: usize,
}

impl Row {
    pub fn new(kind: Kind, rounds: Vec<Round>) -> Self {
        let late = Sorted::new(rounds.iter().flat_map(|round| round.late.iter().copied()).collect());
        let missed = rounds.iter().map(|round| round.missed).sum();
        Self { kind, rounds, late, missed }
    }

    pub fn waits(&self) -> usize {
        self.late.len()
    }

    pub fn early(&self) -> usize {
        self.late.count(i64::MIN, -1)
    }

    /// Returns the share of all periods, missed ones among them, whose wait ended at most this late and not early.
    pub fn within(&self, most: Nanos) -> Estimate {
        self.share(|round| round.late.iter().filter(|late| (0..=most.get()).contains(*late)).count())
    }

    /// Returns the share of periods that were missed.
    pub fn missed(&self) -> Estimate {
        self.share(|round| round.missed)
    }

    /// Returns a quantile of lateness, if enough samples lie beyond it.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        (self.waits() as f64 * (1.0 - share) >= BEYOND).then(|| self.late.quantile(share))
    }

    /// Returns the processor time of a wait in nanoseconds. Its error is that of the mean of rounds.
    pub fn cost(&self) -> Estimate {
        let cpu: Nanos = self.rounds.iter().map(|round| round.cpu).sum();
        let value = cpu.as_f64() / self.waits().max(1) as f64;
        Estimate { value, error: error_of_mean(self.rounds.iter().map(Round::cost)) }
    }

    /// Returns the processor time as a share of the time elapsed.
    pub fn processor(&self) -> f64 {
        let sum = |value: fn(&Round) -> Nanos| self.rounds.iter().map(value).sum::<Nanos>().as_f64();
        sum(|round| round.cpu) / sum(|round| round.wall).max(1.0)
    }

    /// Returns a share of periods. Its error is the greater of the binomial one and that of the mean of rounds: waits
    /// that follow each other are alike.
    fn share(&self, count: impl Fn(&Round) -> usize) -> Estimate {
        let periods = |round: &Round| (round.late.len() + round.missed).max(1) as f64;
        let all: f64 = self.rounds.iter().map(periods).sum();
        let counted = self.rounds.iter().map(&count).sum::<usize>() as f64;
        // One more of both kinds, so that neither 0 nor 1 is certain.
        let likely = (counted + 1.0) / (all + 2.0);
        let binomial = (likely * (1.0 - likely) / all.max(1.0)).sqrt();
        let spread = error_of_mean(self.rounds.iter().map(|round| count(round) as f64 / periods(round)));
        Estimate { value: counted / all.max(1.0), error: binomial.max(if spread.is_finite() { spread } else { 0.0 }) }
    }
}

/// Returns the standard error of the mean; infinite for a single value, whose spread is not known.
fn error_of_mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count() as f64;
    if n < 2.0 {
        return f64::INFINITY;
    }
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (variance / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(late: &[i64], missed: usize, cpu_us: i64) -> Round {
        Round { place: 0, late: late.to_vec(), missed, cpu: Nanos::from_micros(cpu_us), wall: Nanos::MILLISECOND }
    }

    #[test]
    fn missed_periods_and_early_waits_are_not_on_time() {
        let row = Row::new(Kind::Std, vec![round(&[-1, 0, 5_000, 5_001], 1, 8), round(&[0, 0, 0, 0], 1, 16)]);
        assert_eq!((row.waits(), row.missed, row.early()), (8, 2, 1));
        assert_eq!(row.within(Nanos::from_micros(5)).value, 0.6);
        assert_eq!(row.missed().value, 0.2);
        // Rounds at 2 and 4 µs: their mean is 3 with an error of 1.
        assert_eq!(row.cost(), Estimate { value: 3_000.0, error: 1_000.0 });
        assert_eq!(row.quantile(0.5), None);
    }

    #[test]
    fn alike_is_not_above_and_one_round_shows_no_spread() {
        let close = Estimate { value: 1.1, error: 0.1 };
        assert!(!close.is_above(Estimate { value: 1.0, error: 0.1 }));
        assert!(close.is_above(Estimate { value: 0.5, error: 0.1 }));
        let single = Row::new(Kind::Std, vec![round(&[0; 10], 0, 50)]);
        assert!(single.cost().error.is_infinite());
        assert!(single.within(Nanos::MICROSECOND).error < 0.1);
    }
}

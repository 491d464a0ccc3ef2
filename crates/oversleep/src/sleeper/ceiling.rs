//! What can stand in the way of a margin.

use std::fmt;

/// What kept a sleeper from waking as early as the share asked for needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ceiling {
    /// The share of the time slept that may be spent in fine waiting ([`cpu_ceiling`](crate::SleeperBuilder::cpu_ceiling)).
    Processor,
    /// The sleep is shorter than the margin it needs. Only waiting finely all the while would end it on time, and the
    /// processor ceiling, or the longest fine wait, does not allow that.
    ShortSleep,
    /// The longest single fine wait ([`spin_ceiling`](crate::SleeperBuilder::spin_ceiling)).
    FineWait,
    /// The longest single fine wait under a real-time policy
    /// ([`real_time_ceiling`](crate::SleeperBuilder::real_time_ceiling)).
    RealTime,
    /// The processor time that the thread's policy grants in each of its periods (`SCHED_DEADLINE`).
    PolicyBudget,
}

impl Ceiling {
    /// All of them, in the order in which they are counted.
    pub(super) const ALL: [Self; 5] =
        [Self::Processor, Self::ShortSleep, Self::FineWait, Self::RealTime, Self::PolicyBudget];

    /// Returns its name for programs: `processor`, `short-sleep`, `fine-wait`, `real-time` or `policy-budget`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::ShortSleep => "short-sleep",
            Self::FineWait => "fine-wait",
            Self::RealTime => "real-time",
            Self::PolicyBudget => "policy-budget",
        }
    }

    /// Returns its place in [`ALL`](Self::ALL).
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Ceiling {
    /// As the subject of a sentence: `the processor ceiling`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Processor => "the processor ceiling",
            Self::ShortSleep => "a sleep shorter than the margin it needs",
            Self::FineWait => "the longest fine wait allowed",
            Self::RealTime => "the longest fine wait allowed under a real-time policy",
            Self::PolicyBudget => "the processor time that the policy grants",
        })
    }
}

/// A ceiling and the sleeps whose margin it cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limit {
    /// The ceiling.
    pub ceiling: Ceiling,
    /// The sleeps whose margin it cut.
    pub sleeps: u64,
    /// Those of them that were on time all the same.
    pub on_time: u64,
}

impl Limit {
    /// Returns how many of them were late.
    pub fn late(&self) -> u64 {
        self.sleeps - self.on_time
    }

    /// Returns the share of those sleeps that were on time, 0 to 1: what can be had under this ceiling as the machine is.
    pub fn attainable(&self) -> f64 {
        self.on_time as f64 / self.sleeps.max(1) as f64
    }
}

impl fmt::Display for Limit {
    /// As a sentence: `the processor ceiling cut the margin of 120 sleeps, of which 91.7 % were on time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ceiling, sleeps, .. } = self;
        let share = 100.0 * self.attainable();
        write!(f, "{ceiling} cut the margin of {sleeps} sleeps, of which {share:.1} % were on time")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ceiling_is_at_its_place() {
        for (place, ceiling) in Ceiling::ALL.into_iter().enumerate() {
            assert_eq!(ceiling.index(), place);
        }
    }

    #[test]
    fn a_limit_reads_as_a_sentence() {
        let limit = Limit { ceiling: Ceiling::Processor, sleeps: 120, on_time: 110 };
        let text = "the processor ceiling cut the margin of 120 sleeps, of which 91.7 % were on time";
        assert_eq!((limit.to_string().as_str(), limit.late()), (text, 10));
    }
}

//! Ceilings: what can limit a margin.

use std::fmt;

/// What prevented a sleeper from waking as early as the requested share needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ceiling {
    /// One sleep more on time would cost more processor time than it is worth. Only without a requested share.
    Worth,
    /// Share of the time slept that may be spent in fine waiting ([`cpu_ceiling`](crate::SleeperBuilder::cpu_ceiling)).
    Processor,
    /// The sleep is shorter than the margin it needs. Only a fine wait of the whole length would end it on time, and
    /// the processor ceiling, or the longest fine wait, does not allow that.
    ShortSleep,
    /// Longest single fine wait ([`spin_ceiling`](crate::SleeperBuilder::spin_ceiling)).
    FineWait,
    /// Longest single fine wait under a real-time policy
    /// ([`real_time_ceiling`](crate::SleeperBuilder::real_time_ceiling)).
    RealTime,
    /// Processor time that the thread's policy allows per period (`SCHED_DEADLINE`).
    PolicyBudget,
    /// Other threads take the processor, during longer fine waits or after wake-ups, whatever the margin. The rest is
    /// slept in the kernel; and while the default gets as many sleeps on time as trying to keep the requested share,
    /// its ceilings are kept to.
    Interruptions,
}

impl Ceiling {
    /// Every ceiling, in the order in which they are counted.
    pub(super) const ALL: [Self; 7] = [
        Self::Worth,
        Self::Processor,
        Self::ShortSleep,
        Self::FineWait,
        Self::RealTime,
        Self::PolicyBudget,
        Self::Interruptions,
    ];

    /// Returns the name for programs: `worth`, `processor`, `short-sleep`, `fine-wait`, `real-time`, `policy-budget` or
    /// `interruptions`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worth => "worth",
            Self::Processor => "processor",
            Self::ShortSleep => "short-sleep",
            Self::FineWait => "fine-wait",
            Self::RealTime => "real-time",
            Self::PolicyBudget => "policy-budget",
            Self::Interruptions => "interruptions",
        }
    }

    /// Returns the index in [`ALL`](Self::ALL).
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Ceiling {
    /// Writes the ceiling as the subject of a sentence: `the processor ceiling`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Worth => "what one more sleep on time may cost",
            Self::Processor => "the processor ceiling",
            Self::ShortSleep => "a sleep shorter than the margin it needs",
            Self::FineWait => "the longest fine wait allowed",
            Self::RealTime => "the longest fine wait allowed under a real-time policy",
            Self::PolicyBudget => "the processor time that the policy grants",
            Self::Interruptions => "other threads that take the processor",
        })
    }
}

/// A ceiling, and the number of sleeps whose margin it cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limit {
    /// The ceiling.
    pub ceiling: Ceiling,
    /// Number of sleeps whose margin it cut.
    pub sleeps: u64,
    /// Of these, sleeps that were on time nevertheless.
    pub on_time: u64,
}

impl Limit {
    /// Returns the number of these sleeps that were late.
    pub fn late(&self) -> u64 {
        self.sleeps - self.on_time
    }

    /// Returns the share of these sleeps that were on time, 0 to 1: what this ceiling allows in the machine's present
    /// state.
    pub fn attainable(&self) -> f64 {
        self.on_time as f64 / self.sleeps.max(1) as f64
    }
}

impl fmt::Display for Limit {
    /// Writes a sentence: `the processor ceiling cut the margin of 120 sleeps, of which 91.7 % were on time`.
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

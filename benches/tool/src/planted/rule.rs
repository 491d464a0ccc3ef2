//! The twelve rules, as arithmetic on times in nanoseconds.

use clap::ValueEnum;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

const MS: i64 = 1_000_000;
/// Number of timers in a row after which short ones are clamped.
const NESTED: u64 = 5;
/// Length of a turn that others have first, in ns.
pub(crate) const TURN: i64 = 300_000;
/// Length of a garbage collection and time between two of them, in ns.
pub(crate) const PAUSE: i64 = 20 * MS;
pub(crate) const COLLECTIONS: i64 = 1_000 * MS;
/// Timer slack of the timer thread, in ns.
pub(crate) const SLACK: i64 = 50_000;

/// What the runtime does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    RoundsUp,
    Truncates,
    Clamps,
    ClampsNested,
    Coalesces,
    CachedClock,
    Adds,
    TimerThreadSlack,
    YieldsFirst,
    Collects,
    Drifts,
    Nothing,
}

/// When a sleep is due, and when its wait begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Due {
    /// Time until which others have their turns.
    pub(crate) busy_until: i64,
    /// Time at which the sleep is due.
    pub(crate) at: i64,
}

impl Rule {
    /// Returns when a sleep that starts at `start` is due; `index` is its number within the block.
    pub(crate) fn due(self, start: i64, requested: i64, index: u64, random: &mut Pcg64Mcg) -> Due {
        let due = |at: i64| Due { busy_until: start, at };
        match self {
            Self::RoundsUp => due(start + up(requested, MS)),
            Self::Truncates => due(start + requested / MS * MS),
            Self::Clamps => due(start + requested.max(MS)),
            Self::ClampsNested if index >= NESTED => due(start + requested.max(4 * MS)),
            Self::Coalesces => due(up(start + requested, 16 * MS)),
            Self::CachedClock => due(start / MS * MS + requested),
            Self::Adds => due(start + requested + MS),
            Self::YieldsFirst => {
                let busy_until = start + TURN * [0, 0, 1, 1, 2][random.random_range(0..5_usize)];
                Due { busy_until, at: busy_until + requested }
            }
            Self::ClampsNested | Self::TimerThreadSlack | Self::Collects | Self::Drifts | Self::Nothing => {
                due(start + requested)
            }
        }
    }
}

/// Returns a time rounded up to a multiple of the unit.
fn up(time: i64, unit: i64) -> i64 {
    (time + unit - 1) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn each_rule_is_due_when_it_says() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut due = |rule: Rule, start, requested, index| rule.due(start, requested, index, &mut random).at;
        assert_eq!(due(Rule::RoundsUp, 7, 1_500_000, 0), 2_000_007);
        assert_eq!(due(Rule::RoundsUp, 7, 1_000_000, 0), 1_000_007);
        assert_eq!(due(Rule::Truncates, 7, 1_999_999, 0), 1_000_007);
        assert_eq!(due(Rule::Truncates, 7, 100_000, 0), 7);
        assert_eq!(due(Rule::Clamps, 7, 100_000, 0), 1_000_007);
        assert_eq!((4..6).map(|at| due(Rule::ClampsNested, 0, 100_000, at)).collect::<Vec<_>>(), [100_000, 4_000_000]);
        assert_eq!(due(Rule::Coalesces, 1, 16_000_000, 0), 32_000_000);
        assert_eq!(due(Rule::CachedClock, 5_999_999, 1_500_000, 0), 6_500_000);
        assert_eq!(due(Rule::Adds, 0, 100_000, 0), 1_100_000);
        assert_eq!(due(Rule::Nothing, 3, 4, 0), 7);
        let yielding = Rule::YieldsFirst.due(0, 10, 0, &mut random);
        assert_eq!((yielding.at - yielding.busy_until, yielding.busy_until % TURN), (10, 0));
    }
}

//! One time axis for sleeps timed on different clocks.

use crate::Bracket;
use crate::plan::ClockName;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// How far each clock was ahead of the monotonic one when both were first read together. A clock that is set later does
/// not jump on this time axis.
#[derive(Debug, Clone, Default)]
pub struct ClocksAhead(BTreeMap<ClockName, i64>);

impl ClocksAhead {
    /// Takes readings of clocks, each together with the monotonic clock; the first of each clock counts.
    pub fn take(&mut self, brackets: &[Bracket]) {
        for bracket in brackets {
            self.0.entry(bracket.clock).or_insert(bracket.reading.saturating_sub(bracket.monotonic).get());
        }
    }

    /// Returns how many ns a clock is ahead of the monotonic one; `None` if they were never read together.
    pub fn offset(&self, clock: ClockName) -> Option<i64> {
        let known = self.0.get(&clock).copied();
        if clock == ClockName::Monotonic { known.or(Some(0)) } else { known }
    }

    /// Converts a clock's time to the monotonic clock's; leaves it unchanged where the two were never read together.
    pub fn monotonic(&self, clock: ClockName, time: Nanos) -> Nanos {
        Nanos::new(time.get().saturating_sub(self.offset(clock).unwrap_or(0)))
    }
}

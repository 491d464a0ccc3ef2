//! An absolute schedule: cyclictest's job.
//!
//! The k-th wake-up is due at start + k × period, whatever happened before. A wake-up so late that later
//! periods are over before it does not replay them: they are counted as skipped, and the schedule goes on with
//! the first deadline still ahead. The sample's number is its period's, so gaps in it are the skipped periods,
//! and what they would have felt can be computed afterwards (see `analysis::omission`).

use super::single::flags;
use super::worker::{Place, Tools};
use crate::recording::{Periods, Sample};
use oversleep_os::catalog::Mode;
use oversleep_os::fact::cpu;
use oversleep_os::method::Request;
use oversleep_os::units::Nanos;

/// Keeps a schedule of `count` periods, or until told to stop, and accounts for every one of them.
pub(super) fn keep(place: &mut Place, tools: &mut Tools, period: Nanos, count: u64) -> Periods {
    let mut account = Account { period, periods: Periods::default() };
    let origin = place.clock.now();
    if place.mode == Mode::Periodic {
        place.waiter.arm(Request::For(period));
    }
    let first = place.sequence;
    let (mut number, mut previous) = (1, origin);
    let mut cpu_start = cpu::current().unwrap_or(Sample::NO_CPU);
    while number <= count && !tools.stopped() {
        let deadline = origin + period * number.cast_signed();
        match place.mode {
            Mode::Absolute => place.waiter.arm(Request::Until(deadline)),
            Mode::Relative | Mode::Yield => place.waiter.arm(Request::For((deadline - previous).max(Nanos::ZERO))),
            Mode::Periodic => {}
        }
        let woken = place.waiter.wait();
        let end = place.clock.now();
        let cpu_end = cpu::current().unwrap_or(Sample::NO_CPU);
        tools.keep(Sample {
            cell: place.cell.id,
            thread: tools.thread,
            sequence: first + number - 1,
            requested: period,
            deadline: Some(deadline),
            // One reading serves as this period's end and the next one's start: what lies between is our own
            // accounting, some tens of nanoseconds.
            start: previous,
            end,
            // Likewise the processor.
            cpu_start,
            cpu_end,
            flags: flags(woken),
        });
        (previous, cpu_start) = (end, cpu_end);
        number += account.step(end - deadline, count - number);
    }
    place.sequence = first + account.periods.asked;
    account.periods
}

struct Account {
    period: Nanos,
    periods: Periods,
}

impl Account {
    /// Enters one wake-up that came `lateness` after its deadline, with `left` periods still to come.
    /// Returns how many periods on the next one is.
    fn step(&mut self, lateness: Nanos, left: u64) -> u64 {
        if lateness < Nanos::ZERO {
            self.periods.early += 1;
        }
        // The common case first, and without a division: it runs tens of thousands of times a second.
        let over = if lateness < self.period { 0 } else { (lateness.get() / self.period.get()).unsigned_abs() };
        let skipped = over.min(left);
        if over == 0 {
            self.periods.fresh += 1;
        } else {
            self.periods.late += 1;
        }
        self.periods.skipped += skipped;
        self.periods.asked += 1 + skipped;
        1 + skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account() -> Account {
        Account { period: Nanos::MILLISECOND, periods: Periods::default() }
    }

    #[test]
    fn a_stall_of_200_ms_skips_the_periods_it_covered() {
        let mut account = account();
        let mut number = 1;
        while number <= 3_000 {
            let lateness = if number == 1_000 { Nanos::from_micros(200_050) } else { Nanos::from_micros(50) };
            number += account.step(lateness, 3_000 - number);
        }
        let Periods { asked, fresh, late, skipped, early, .. } = account.periods;
        assert_eq!((asked, fresh, late, skipped, early), (3_000, 2_799, 1, 200, 0));
    }

    #[test]
    fn a_stall_at_the_end_skips_no_more_than_was_planned() {
        let mut account = account();
        assert_eq!(account.step(Nanos::SECOND, 3), 4);
        assert_eq!(account.periods.asked, 4);
        assert_eq!(account.periods.skipped, 3);
    }

    #[test]
    fn exactly_one_period_late_is_late_and_skips_it() {
        let mut account = account();
        assert_eq!(account.step(Nanos::MILLISECOND - Nanos::new(1), 9), 1);
        assert_eq!(account.periods.fresh, 1);
        assert_eq!(account.step(Nanos::MILLISECOND, 9), 2);
        assert_eq!((account.periods.late, account.periods.skipped), (1, 1));
    }

    #[test]
    fn early_wake_ups_are_counted_and_fresh() {
        let mut account = account();
        account.step(Nanos::new(-5), 9);
        assert_eq!((account.periods.early, account.periods.fresh), (1, 1));
    }
}

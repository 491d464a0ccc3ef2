//! An absolute schedule: cyclictest's job.
//!
//! The k-th wake-up is due at start + k × period, whatever happened before. A wake-up so late that later
//! periods are over before it does not replay them: they are counted as skipped, and the schedule goes on with
//! the first deadline still ahead. The sample's number is its period's, so gaps in it are the skipped periods,
//! and what they would have felt can be computed afterwards (see `analysis::omission`).

use super::ring::Run;
use super::single::flags;
use super::worker::{Place, Tools};
use crate::recording::{Flags, Periods, Sample, Wake};
use oversleep_os::catalog::Mode;
use oversleep_os::fact::cpu::Watch;
use oversleep_os::method::{Request, Waiter, Woken};
use oversleep_os::units::Nanos;

/// Keeps a schedule of `count` periods, or until told to stop, and accounts for every one of them.
pub(super) fn keep(place: &mut Place, tools: &mut Tools, period: Nanos, count: u64) -> Periods {
    let mode = place.mode;
    let schedule = Schedule { period, count };
    // One loop per form of the request, so that none is chosen in it.
    match mode {
        Mode::Absolute => schedule.keep(place, tools, |waiter, due, _| waiter.arm_and_wait(Request::Until(due))),
        Mode::Relative | Mode::Yield => schedule
            .keep(place, tools, |waiter, due, now| waiter.arm_and_wait(Request::For((due - now).max(Nanos::ZERO)))),
        Mode::Periodic => {
            place.waiter.arm(Request::For(period));
            schedule.keep(place, tools, |waiter, _, _| waiter.wait())
        }
    }
}

struct Schedule {
    period: Nanos,
    count: u64,
}

impl Schedule {
    /// `wait` gets the deadline and the time of the previous wake-up.
    #[inline]
    fn keep(
        &self,
        place: &mut Place,
        tools: &mut Tools,
        mut wait: impl FnMut(&mut dyn Waiter, Nanos, Nanos) -> Woken,
    ) -> Periods {
        let Self { period, count } = *self;
        let (clock, watch) = (place.clock, Watch::new());
        let first = place.sequence;
        let origin = clock.now();
        // The first deadline is one period on, so number 0 would have been due so long before the first.
        let mut run = Run::new(place.cell.id, period, origin + period - period * first.cast_signed());
        let mut aside = Aside::default();
        let (mut number, mut deadline) = (0, origin + period);
        // One reading serves as this period's end and the next one's start: what lies between is our own accounting,
        // some tens of nanoseconds. Likewise the processor.
        let (mut end, mut cpu) = (origin, watch.cpu().unwrap_or(Sample::NO_CPU));
        let mut running = false;
        while number < count && !tools.stopped() {
            let sequence = first + number;
            if !running {
                (run.start, run.cpu_start, run.sequence) = (end, cpu, sequence);
                running = tools.outlet.begin(run);
            }
            let woken = wait(&mut *place.waiter, deadline, end);
            end = clock.now();
            cpu = watch.cpu().unwrap_or(Sample::NO_CPU);
            let flags = if sequence == 0 { flags(woken).with(Flags::FIRST) } else { flags(woken) };
            #[allow(clippy::cast_possible_truncation)] // the lower half; the run has the rest
            let wake = Wake { end, sequence: sequence as u32, cpu, flags };
            if running {
                running = tools.outlet.wake(wake);
            } else {
                tools.outlet.lose(1);
            }
            // The common case first: it runs tens of thousands of times a second.
            let lateness = end - deadline;
            let periods = if Nanos::ZERO <= lateness && lateness < period {
                1
            } else {
                aside.step(lateness, period, count - number)
            };
            if periods > u64::from(u32::MAX) {
                running = false;
            }
            number += periods;
            deadline += period * periods.cast_signed();
        }
        tools.outlet.publish(end);
        place.sequence = first + number;
        aside.account(number)
    }
}

/// The periods that were not simply fresh.
#[derive(Default)]
struct Aside {
    early: u64,
    late: u64,
    skipped: u64,
}

impl Aside {
    /// Enters a wake-up with `left` periods to go, its own among them. Returns how many periods on the next one is.
    #[cold]
    fn step(&mut self, lateness: Nanos, period: Nanos, left: u64) -> u64 {
        let over = (lateness.get() / period.get()).max(0).unsigned_abs();
        let skipped = over.min(left - 1);
        self.early += u64::from(lateness < Nanos::ZERO);
        self.late += u64::from(over > 0);
        self.skipped += skipped;
        1 + skipped
    }

    /// The account of so many periods.
    fn account(self, asked: u64) -> Periods {
        let Self { early, late, skipped } = self;
        Periods { asked, fresh: asked - late - skipped, late, skipped, early, ..Periods::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Nanos = Nanos::MILLISECOND;

    #[test]
    fn a_stall_skips_the_periods_it_covered() {
        let mut aside = Aside::default();
        assert_eq!(aside.step(Nanos::from_micros(200_050), PERIOD, 2_000), 201);
        let Periods { asked, fresh, late, skipped, early, .. } = aside.account(3_000);
        assert_eq!((asked, fresh, late, skipped, early), (3_000, 2_799, 1, 200, 0));
    }

    #[test]
    fn a_stall_at_the_end_skips_no_more_than_was_planned() {
        let mut aside = Aside::default();
        assert_eq!(aside.step(Nanos::SECOND, PERIOD, 4), 4);
        assert_eq!(aside.account(4).skipped, 3);
    }

    #[test]
    fn exactly_one_period_late_is_late_and_skips_it() {
        let mut aside = Aside::default();
        assert_eq!(aside.step(PERIOD, PERIOD, 10), 2);
        let Periods { fresh, late, skipped, .. } = aside.account(3);
        assert_eq!((fresh, late, skipped), (1, 1, 1));
    }

    #[test]
    fn early_wake_ups_are_counted_and_fresh() {
        let mut aside = Aside::default();
        assert_eq!(aside.step(Nanos::new(-5), PERIOD, 10), 1);
        let Periods { early, fresh, .. } = aside.account(1);
        assert_eq!((early, fresh), (1, 1));
    }
}

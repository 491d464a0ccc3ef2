//! An absolute schedule, as in cyclictest.
//!
//! The k-th wake-up is due at start + k × period, whatever happened before. If a wake-up is so late that later periods
//! have ended, these are not replayed: they are counted as skipped, and the schedule goes on with the first deadline
//! that is still ahead. The sample's number is that of its period, so gaps in the numbers are skipped periods, and what
//! those would have felt can be computed afterwards (see `figures::omission`).

use super::ring::{STAGED_FOR, ScheduleRun};
use super::single::flags;
use super::worker::{OpenCell, Tools};
use crate::late::SleepCounters;
use oversleep_os::cpu::CpuReader;
use oversleep_os::method::{Request, Waiter, Woken};
use oversleep_recording::catalog::Mode;
use oversleep_recording::{Flags, Periods, Sample, Wake};
use oversleep_sys::units::Nanos;

/// Keeps a schedule of `count` periods, or until stopped, and counts every one of them.
pub(super) fn keep(place: &mut OpenCell, tools: &mut Tools, period: Nanos, count: u64) -> Periods {
    let schedule = Schedule { period, count };
    match tools.counters.take() {
        None => schedule.by_mode(place, tools, &mut ()),
        Some(mut counters) => {
            let periods = schedule.by_mode(place, tools, &mut counters);
            tools.counters = Some(counters);
            periods
        }
    }
}

/// What is done before and after each wait, outside of it.
trait Around {
    /// Returns whether something was done before the wait, which took time.
    fn before(&mut self) -> bool;
    fn after(&mut self, cell: u32, sequence: u64, lateness: Nanos);
}

/// Nothing is done.
impl Around for () {
    #[inline]
    fn before(&mut self) -> bool {
        false
    }

    #[inline]
    fn after(&mut self, _: u32, _: u64, _: Nanos) {}
}

impl Around for SleepCounters {
    #[inline]
    fn before(&mut self) -> bool {
        SleepCounters::before(self)
    }

    #[inline]
    fn after(&mut self, cell: u32, sequence: u64, lateness: Nanos) {
        SleepCounters::after(self, cell, sequence, lateness);
    }
}

struct Schedule {
    period: Nanos,
    count: u64,
}

impl Schedule {
    /// Keeps the schedule. There is one loop per form of the request, so that the form is not chosen within a loop; nor is what is done
    /// around each wait.
    fn by_mode(&self, place: &mut OpenCell, tools: &mut Tools, around: &mut impl Around) -> Periods {
        match place.mode {
            Mode::Absolute => self.keep(place, tools, around, |waiter, due, _| waiter.wait_until(due)),
            Mode::Relative | Mode::Yield => self.keep(place, tools, around, |waiter, due, now| {
                waiter.prepare(Request::For((due - now).max(Nanos::ZERO)));
                waiter.wait()
            }),
            Mode::Periodic => {
                place.waiter.prepare(Request::For(self.period));
                self.keep(place, tools, around, |waiter, _, _| waiter.wait())
            }
        }
    }

    /// Keeps the schedule. `wait` takes the deadline and the present time.
    #[inline]
    fn keep(
        &self,
        place: &mut OpenCell,
        tools: &mut Tools,
        around: &mut impl Around,
        mut wait: impl FnMut(&mut dyn Waiter, Nanos, Nanos) -> Woken,
    ) -> Periods {
        let Self { period, count } = *self;
        let (clock, cpu_reader) = (place.clock, CpuReader::new());
        let first = place.sequence;
        let origin = clock.now();
        // The deadline of this turn's first number is one period ahead; from it follows the deadline that number 0
        // would have had.
        let mut run = ScheduleRun::new(place.cell.id, period, origin + period - period * first.cast_signed());
        let mut counts = PeriodTally::default();
        let (mut sequence, last) = (first, first.saturating_add(count));
        let mut deadline = origin + period;
        let mut first_call = if first == 0 { Flags::FIRST } else { Flags::default() };
        // One reading is both this period's end and the next one's start: between them is only our own accounting, some
        // tens of nanoseconds. The same holds for the processor.
        let (mut end, mut cpu) = (origin, cpu_reader.read().unwrap_or(Sample::NO_CPU));
        let mut running = false;
        while sequence < last && !tools.stopped() {
            if !running {
                (run.start, run.cpu_start, run.sequence) = (end, cpu, sequence);
                running = tools.producer.begin(run);
            }
            let (mut follows, patience) = (true, end + STAGED_FOR);
            let room = usize::try_from(last - sequence).unwrap_or(usize::MAX);
            let burst = tools.producer.burst(room);
            let (most, mut taken) = (burst.len(), 0);
            while let Some(wake) = burst.get_mut(taken) {
                // A reading of counters takes time, which a request relative to the previous wake-up would add to the sleep.
                let now = if around.before() { clock.now() } else { end };
                let woken = wait(&mut *place.waiter, deadline, now);
                end = clock.now();
                let cpu = cpu_reader.read().unwrap_or(Sample::NO_CPU);
                let flags = flags(woken).with(std::mem::take(&mut first_call));
                #[allow(clippy::cast_possible_truncation)] // the lower half; the run has the rest
                let number = sequence as u32;
                *wake = Wake { end, sequence: number, cpu, flags };
                taken += 1;
                let lateness = end - deadline;
                around.after(run.cell, sequence, lateness);
                // One comparison for the common case: neither early nor a whole period late.
                if lateness.get().cast_unsigned() < period.get().cast_unsigned() {
                    sequence += 1;
                    deadline += period;
                    continue;
                }
                let periods = counts.step(lateness, period, last - sequence);
                sequence += periods;
                deadline += period * periods.cast_signed();
                // The numbers of a run stay within 2³² of its first, so another run begins after such a long gap.
                follows = u32::try_from(periods).is_ok();
                // The burst must not have room for more wake-ups than are left of the schedule.
                if last - sequence < most as u64 || end > patience || !follows {
                    break;
                }
            }
            cpu = taken.checked_sub(1).map_or(cpu, |last| burst[last].cpu);
            if running {
                running = tools.producer.publish(taken) && follows;
            } else {
                tools.producer.lose(taken as u64);
            }
        }
        place.sequence = sequence;
        counts.account(sequence - first)
    }
}

/// Counts of the periods that were not simply fresh.
#[derive(Default)]
struct PeriodTally {
    early: u64,
    late: u64,
    skipped: u64,
}

impl PeriodTally {
    /// Counts a wake-up when `left` periods are left, including its own. Returns how many periods ahead the next one
    /// is.
    #[cold]
    fn step(&mut self, lateness: Nanos, period: Nanos, left: u64) -> u64 {
        let over = (lateness.get() / period.get()).max(0).unsigned_abs();
        let skipped = over.min(left - 1);
        self.early += u64::from(lateness < Nanos::ZERO);
        self.late += u64::from(over > 0);
        self.skipped += skipped;
        1 + skipped
    }

    /// Returns the counts for this number of periods.
    fn account(self, asked: u64) -> Periods {
        let Self { early, late, skipped } = self;
        Periods { asked, fresh: asked - late - skipped, late, skipped, early, ..Periods::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ring::ring;
    use super::super::worker::open_one;
    use super::*;
    use oversleep_recording::plan::{Conditions, build};
    use std::sync::Arc;

    const PERIOD: Nanos = Nanos::MILLISECOND;

    const SHORT: Nanos = Nanos::from_micros(50);

    /// A method that wakes a number of periods after the deadline, taken from the end of its list.
    struct Late {
        periods: Vec<i64>,
    }

    impl Waiter for Late {
        fn prepare(&mut self, _: Request) {}

        fn wait(&mut self) -> Woken {
            Woken::TimedOut
        }

        fn wait_until(&mut self, deadline: Nanos) -> Woken {
            let until = deadline + SHORT * self.periods.pop().unwrap_or(0);
            while oversleep_sys::clock::monotonic() < until {
                std::hint::spin_loop();
            }
            Woken::TimedOut
        }
    }

    #[test]
    fn no_schedule_is_longer_than_was_asked_wherever_it_is_late() {
        for late_at in [1, 3, 40, 57, 60] {
            let row = oversleep_recording::catalog::MethodId::Spin.row();
            let cell = build::periodic(row, SHORT, 100, &Conditions::default(), 1).cells.remove(0);
            let (producer, mut consumer) = ring(0, [(&cell, 100)].into_iter());
            let mut periods = vec![45];
            periods.extend(vec![0; late_at]);
            let mut place = open_one(cell).unwrap_or_else(|(_, refusal)| panic!("{refusal}"));
            place.waiter = Box::new(Late { periods });
            let random = rand_pcg::Pcg64Mcg::new(1);
            let mut tools = Tools {
                thread: 0,
                random,
                producer,
                stop: Arc::default(),
                counters: None,
                run_queue: None,
                waited: None,
            };
            let account = keep(&mut place, &mut tools, SHORT, 100);
            assert_eq!((account.asked, account.fresh + account.late + account.skipped), (100, 100), "{late_at}");
            let mut last = 0;
            let wakes = consumer.follow(&mut |run| last = run.samples().last().map_or(last, |sample| sample.sequence));
            assert_eq!(wakes, account.fresh + account.late);
            assert!(last < 100, "{late_at}: {last}");
        }
    }

    #[test]
    fn a_stall_skips_the_periods_it_covered() {
        let mut counts = PeriodTally::default();
        assert_eq!(counts.step(Nanos::from_micros(200_050), PERIOD, 2_000), 201);
        let Periods { asked, fresh, late, skipped, early, .. } = counts.account(3_000);
        assert_eq!((asked, fresh, late, skipped, early), (3_000, 2_799, 1, 200, 0));
    }

    #[test]
    fn a_stall_at_the_end_skips_no_more_than_was_planned() {
        let mut counts = PeriodTally::default();
        assert_eq!(counts.step(Nanos::SECOND, PERIOD, 4), 4);
        assert_eq!(counts.account(4).skipped, 3);
    }

    #[test]
    fn exactly_one_period_late_is_late_and_skips_it() {
        let mut counts = PeriodTally::default();
        assert_eq!(counts.step(PERIOD, PERIOD, 10), 2);
        let Periods { fresh, late, skipped, .. } = counts.account(3);
        assert_eq!((fresh, late, skipped), (1, 1, 1));
    }

    #[test]
    fn early_wake_ups_are_counted_and_fresh() {
        let mut counts = PeriodTally::default();
        assert_eq!(counts.step(Nanos::new(-5), PERIOD, 10), 1);
        let Periods { early, fresh, .. } = counts.account(1);
        assert_eq!((early, fresh), (1, 1));
    }
}

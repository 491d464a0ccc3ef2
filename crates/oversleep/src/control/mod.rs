//! A control for tests that time something: how late the machine itself was meanwhile.

mod history;

use crate::machine::{Machine, ThisMachine};
use crate::{Moment, Nanos, now};
use history::{Gap, WakeHistory};
use oversleep_sys::affinity;
use std::io;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Threads that sleep during a test, and say afterwards how long the machine let nobody wake.
///
/// A test that asserts how long something took fails when the machine is stopped, and a fixed tolerance is too small one day and
/// hides a fault on all others. With a control, the tolerance is what the machine did during this run:
///
/// ```no_run
/// use oversleep::Control;
/// use std::time::{Duration, Instant};
///
/// # fn main() -> std::io::Result<()> {
/// let machine = Control::start()?;
/// let asked = Duration::from_millis(5);
/// let start = Instant::now();
/// std::thread::sleep(asked); // what is tested
/// let took = start.elapsed();
/// assert!(took <= asked + machine.worst(), "{took:?}; {}", machine.stood_still());
/// # Ok(())
/// # }
/// ```
///
/// A sleep is made late only by what happens from when it is due: where what is tested only sleeps, `machine.worst_between(start + asked,
/// end)` excuses no sleep for a stop that was over before. Beside more busy threads than there are processors it blames more honest
/// sleeps, one in 700, as these then wait longer in a run queue than the control does.
///
/// # Why the assertion holds
///
/// One thread per processor on which the calling thread may run sleeps 1 ms at a time, tied to that processor (Linux, FreeBSD,
/// Windows; elsewhere one thread that runs anywhere). [`worst`](Self::worst) is the longest time from when a wake-up of such a
/// thread was due to its next wake-up, the one that it waits for now included: not its lateness, but its lateness and the period.
/// Whatever stops a processor (its host, the kernel, a real-time thread, a quota of the cgroup, a stopped process) from *s* to *e*
/// lies within such a time, as the thread did not wake in between. A sleep that was due in it, on that processor, ends at *e*, late
/// by at most *e* − *s*. The period is left for what each wake-up costs besides (timer slack, interrupt, leaving idle: some tens of
/// microseconds).
///
/// The threads inherit policy, priority, niceness, timer slack, processors and cgroup of the thread that calls
/// [`start`](Self::start) (Linux: `clone(2)`, `sched(7)`, `prctl(2)`), so start the control where the test runs, after its thread
/// was set up. With another policy than the tested thread's it shows other delays.
///
/// # What it does not see
///
/// It sees the wake-ups of threads that do little else. A tested thread that has just computed may wait for its turn longer than the
/// control, which the scheduler runs first because it has used less: a wait in the run queue of that thread alone is not in
/// [`worst`](Self::worst). Of 54 781 sleeps of 100 ms beside four and eight busy threads on two processors (Linux 6.18), four were
/// later than it says, by up to 2.4 ms; of 54 900 beside none and two, none was. Nor does it see what the test does after its
/// wake-up: page faults, locks, disks, an interpreter's lock.
///
/// A fault smaller than the period is not seen, as nothing is told from the cost of a wake-up there. On many processors, a stop
/// of one that the test did not use makes the tolerance larger than necessary, never smaller.
///
/// It costs a wake-up per millisecond and processor, 1 to 2 % of each (1.7 % on that machine), and keeps processors from
/// idling deeply, so that wake-ups become a little earlier than without it. The threads end with the control, within a period of
/// its being dropped. In the child of a `fork` there are none: the control there still says what it saw until then, and a test in the
/// child needs one of its own.
#[derive(Debug)]
#[must_use = "a control that is dropped has seen nothing"]
pub struct Control {
    watches: Vec<Watch>,
    stop: Arc<AtomicBool>,
    /// The process whose threads they are.
    process: u32,
    period: Nanos,
    start: Moment,
    /// When it was stopped.
    end: Option<Moment>,
}

/// One control thread.
#[derive(Debug)]
struct Watch {
    /// The processor to which it is tied.
    cpu: Option<u32>,
    history: Arc<Mutex<WakeHistory>>,
    thread: Option<JoinHandle<()>>,
}

impl Control {
    /// Time for which the threads sleep, unless another is asked for. Each period less is more wake-ups, each more a larger tolerance.
    pub const PERIOD: Duration = Duration::from_millis(1);

    /// Starts the control: one thread for each processor on which the calling thread may run.
    ///
    /// # Errors
    /// If the system starts no more threads.
    pub fn start() -> io::Result<Self> {
        Self::every(Self::PERIOD)
    }

    /// Starts the control with another period, from 100 µs to 1 s.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] for another period; if the system starts no more threads.
    pub fn every(period: impl Into<Nanos>) -> io::Result<Self> {
        let period = period.into();
        if !(Nanos::from_micros(100)..=Nanos::SECOND).contains(&period) {
            let error = format!("a control's period must be 100 µs to 1 s, not {period}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
        }
        let cpus: Vec<Option<u32>> = affinity::read().unwrap_or_default().into_iter().map(Some).collect();
        let cpus = if cpus.is_empty() { vec![None] } else { cpus };
        let process = std::process::id();
        let mut control = Self { watches: Vec::new(), stop: Arc::default(), process, period, start: now(), end: None };
        for cpu in cpus {
            // A control of which a thread is missing is dropped here, and ends those that were started.
            control.watch(cpu)?;
        }
        Ok(control)
    }

    fn watch(&mut self, cpu: Option<u32>) -> io::Result<()> {
        let (period, stop) = (self.period, Arc::clone(&self.stop));
        let history = Arc::new(Mutex::new(WakeHistory::new(now())));
        let woken = Arc::clone(&history);
        let thread =
            thread::Builder::new().name("oversleep control".to_owned()).stack_size(STACK).spawn(move || {
                // A processor that was taken offline meanwhile: the thread then watches where the system runs it.
                let _ = cpu.map(|cpu| affinity::set(&[cpu]));
                watch(&ThisMachine, period, &woken, &stop);
            })?;
        self.watches.push(Watch { cpu, history, thread: Some(thread) });
        Ok(())
    }

    /// Returns the longest time, since the start, from when a wake-up of a control thread was due to its next: at least the period, once it
    /// has passed.
    pub fn worst(&self) -> Duration {
        self.worst_between(self.start, self.end_of_watch())
    }

    /// Returns the longest of those of which a part was between `from` and `to`, in either order. Long ago, it may be a longer one from shortly
    /// before or after (within a thousandth of the time since the start).
    pub fn worst_between(&self, from: impl Into<Moment>, to: impl Into<Moment>) -> Duration {
        let (from, to) = (from.into(), to.into());
        let (_, gap) = self.longest(from.min(to), from.max(to), self.end_of_watch());
        gap.length().to_duration().unwrap_or_default()
    }

    /// Returns whether the machine stood still since the start, and for how long, in a sentence for a failed assertion: `the machine
    /// stood still for 31.0 ms (processor 1, 2.41 s after the control's start)`, or `it was not the machine: …`.
    pub fn stood_still(&self) -> String {
        self.verdict(self.end_of_watch())
    }

    /// Ends the threads, within a period. What they have seen can still be asked for.
    pub fn stop(&mut self) {
        self.end = self.end.or_else(|| Some(now()));
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.watches.iter_mut().filter_map(|watch| watch.thread.take()) {
            if self.process == std::process::id() {
                // A control thread that panicked has nothing to tell here.
                let _ = thread.join();
            } else {
                // A thread of the parent does not exist in the child of a fork, where nothing would ever end it.
                mem::forget(thread);
            }
        }
    }

    /// Returns until when it watches: now, or when it was stopped.
    fn end_of_watch(&self) -> Moment {
        self.end.unwrap_or_else(now)
    }

    fn verdict(&self, now: Moment) -> String {
        if self.process != std::process::id() {
            return "the control is of the process that forked this one, and watches only that".to_owned();
        }
        let (cpu, gap) = self.longest(self.start, now, now);
        // A thread that slept as long again as it should have.
        if gap.length() <= self.period.saturating_mul(2) {
            let late = gap.length().saturating_sub(self.period);
            return format!("it was not the machine: its control woke at most {late} late");
        }
        let processor = cpu.map_or_else(String::new, |cpu| format!("processor {cpu}, "));
        format!(
            "the machine stood still for {} ({processor}{} after the control's start)",
            gap.length().saturating_sub(self.period),
            gap.from.saturating_since(self.start)
        )
    }

    /// Returns the processors that have a thread each; none where the one thread runs anywhere.
    pub fn processors(&self) -> impl Iterator<Item = u32> + '_ {
        self.watches.iter().filter_map(|watch| watch.cpu)
    }

    /// Returns the longest gap between two times, with its processor.
    fn longest(&self, from: Moment, to: Moment, now: Moment) -> (Option<u32>, Gap) {
        let longest_gap = |watch: &Watch| {
            if self.process == std::process::id() {
                return Some((watch.cpu, locked(&watch.history).longest(from, to, now)));
            }
            // In the child of a fork no further wake-up comes, and a lock held at the fork is never released.
            let history = watch.history.try_lock().ok()?;
            Some((watch.cpu, history.longest(from, to, history.last_due())))
        };
        let longest = self.watches.iter().filter_map(longest_gap).max_by_key(|(_, gap)| gap.length());
        longest.unwrap_or((None, Gap { from, to: from }))
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Stack of a control thread: it calls hardly anything, and there may be hundreds.
const STACK: usize = 64 << 10;

/// Locks a history. It is valid between any two statements, so a poisoned lock is used all the same.
fn locked(history: &Mutex<WakeHistory>) -> MutexGuard<'_, WakeHistory> {
    history.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sleeps for `period` again and again, and notes each wake-up, until `stop`.
fn watch(machine: &impl Machine, period: Nanos, history: &Mutex<WakeHistory>, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let due = machine.now().saturating_add(period);
        machine.sleep_until(due);
        let woke = machine.now();
        locked(history).add(due, woke);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Simulated;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn at(ns: i64) -> Moment {
        Moment::from_nanos(Nanos::new(ns))
    }

    /// Returns when a sleep ends that is due at `due` on a processor with these stops (from, to), in ns: after 60 µs, and not during a stop.
    fn woken(stops: &[(i64, i64)], due: i64) -> i64 {
        const COST: i64 = 60_000;
        let ready = due + COST;
        stops.iter().find(|stop| (stop.0..stop.1).contains(&ready)).map_or(ready, |stop| stop.1 + COST)
    }

    /// On simulated processors that are stopped at random, no honest sleep is later than the control says; and one that takes 10 % too
    /// long is detected unless the machine was stopped for as long.
    #[test]
    #[cfg_attr(miri, ignore = "two million simulated wake-ups")]
    fn no_sleep_on_time_is_later_than_its_control_and_a_late_one_is() {
        for seed in 0..20 {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let mut stops: Vec<(i64, i64)> = Vec::new();
            let mut from = 0;
            while from < 20_000_000_000 {
                from += random.random_range(1_000_000..400_000_000);
                let to = from + random.random_range(10_000..60_000_000);
                stops.push((from, to));
                from = to;
            }
            let stop = Arc::new(AtomicBool::new(false));
            let (of_machine, over) = (stops.clone(), Arc::clone(&stop));
            let machine = Simulated::new(move |_, due| {
                let end = woken(&of_machine, due.get());
                over.store(end > 20_000_000_000, Ordering::Relaxed);
                Nanos::new(end)
            });
            let period = Nanos::MILLISECOND;
            let history = Mutex::new(WakeHistory::new(machine.now()));
            watch(&machine, period, &history, &stop);
            let history = locked(&history);
            let (mut caught, mut excused) = (0, 0);
            for _ in 0..5_000 {
                let start = random.random_range(0..19_000_000_000);
                let asked = random.random_range(50_000..200_000_000);
                let due = start + asked;
                let end = woken(&stops, due);
                let worst = |to: i64| history.longest(at(start), at(to), at(20_000_000_000)).length().get();
                assert!(end - due <= worst(end), "seed {seed}: {start} {due} {end}");
                let slow = woken(&stops, due + asked / 10);
                if slow - due > worst(slow) {
                    caught += 1;
                } else {
                    excused += 1;
                }
                if worst(slow) < asked / 10 {
                    assert!(slow - due > worst(slow), "seed {seed}: {start} {due} {slow}");
                }
            }
            assert!(caught > 500 && excused > 0, "seed {seed}: {caught} and {excused}");
        }
    }

    #[test]
    fn a_control_watches_every_processor_of_its_thread_and_ends() {
        let mut control = Control::start().unwrap();
        let allowed = affinity::read().unwrap_or_default();
        assert_eq!(control.processors().collect::<Vec<_>>(), allowed);
        let histories: Vec<_> = control.watches.iter().map(|watch| Arc::clone(&watch.history)).collect();
        thread::sleep(Duration::from_millis(3));
        let (before, worst) = (now(), control.worst());
        assert!(worst >= Duration::from_millis(1) && worst <= control.worst(), "{worst:?}");
        assert!(control.worst_between(before, before) <= control.worst());
        assert!(control.worst_between(now(), control.start) >= worst, "in either order");
        control.stop();
        let worst = control.worst();
        thread::sleep(Duration::from_millis(3));
        assert_eq!(control.worst(), worst, "it has been stopped");
        drop(control);
        // The threads have ended: nobody else holds a history.
        assert!(histories.iter().all(|history| Arc::strong_count(history) == 1));
    }

    #[test]
    fn periods_beyond_reason_are_refused() {
        for period in [Nanos::ZERO, Nanos::from_micros(99), Nanos::from_secs(2), Nanos::MIN] {
            let error = Control::every(period).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{error}");
        }
    }

    #[test]
    fn a_stop_is_told_with_its_processor_and_none_is_denied() {
        let control = |late_ms: i64| {
            let mut history = WakeHistory::new(at(0));
            let mut now = 0;
            for late in [0, 0, late_ms, 0] {
                let due = now + 1_000_000;
                now = due + late * 1_000_000;
                history.add(at(due), at(now));
            }
            let watch = Watch { cpu: Some(1), history: Arc::new(Mutex::new(history)), thread: None };
            let control = Control {
                watches: vec![watch],
                process: std::process::id(),
                stop: Arc::default(),
                period: Nanos::MILLISECOND,
                start: at(0),
                end: None,
            };
            control.verdict(at(now))
        };
        assert_eq!(control(31), "the machine stood still for 31.0 ms (processor 1, 2.00 ms after the control's start)");
        assert_eq!(control(0), "it was not the machine: its control woke at most 0 ns late");
    }
}

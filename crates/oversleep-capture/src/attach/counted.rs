//! What the kernel counts of the threads of a program that may not be recorded.

use super::recorder::Recorder;
use super::run::Source;
use oversleep_os::program::{Program, ThreadCounts, read_counts};
use oversleep_recording::{AttachedCounts, AttachedProgram, SleepCost};
use oversleep_sys::Refusal;
use oversleep_sys::clock::{monotonic, thread_processor_time};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// How often counters are read: what a thread did after the last reading before its end is not known.
const READ: Nanos = Nanos::from_millis(500);
/// Readings take at most one part in this many of a processor, however many threads there are.
const SELDOM: i64 = 200;

/// The counters of a program's threads.
pub(super) struct Counted {
    program: Program,
    threads: BTreeMap<i32, Thread>,
    read_at: Nanos,
    /// Processor time of the last reading.
    reading: Nanos,
}

/// A thread's counters when it was first seen and when it was last seen.
struct Thread {
    first: Reading,
    last: Reading,
}

/// A thread's counters, when they were read, and how many of its timed waits had been recorded then.
#[derive(Clone)]
struct Reading {
    counts: ThreadCounts,
    at: Nanos,
    timed: u64,
}

impl Counted {
    /// Reads the counters for the first time.
    pub(super) fn new(program: Program) -> Result<Self, Refusal> {
        let mut counted = Self { program, threads: BTreeMap::new(), read_at: Nanos::ZERO, reading: Nanos::ZERO };
        counted.read(&Recorder::new(None));
        if counted.threads.is_empty() {
            let why = format!("the counters of process {} in /proc cannot be read", counted.program.pid);
            return Err(Refusal::Unavailable(why));
        }
        Ok(counted)
    }

    fn read(&mut self, recorder: &Recorder) {
        let (at, spent) = (monotonic(), thread_processor_time().unwrap_or_default());
        for counts in read_counts(self.program.threads()) {
            let (tid, timed) = (counts.tid, recorder.timed(counts.tid));
            let now = Reading { counts, at, timed };
            let thread = self.threads.entry(tid).or_insert_with(|| Thread { first: now.clone(), last: now.clone() });
            // Counts start again with another thread of the same number, and at the first wait: starting a program costs no wait.
            let is_another = now.counts.waits < thread.last.counts.waits || now.counts.ran < thread.last.counts.ran;
            if is_another || thread.first.timed == 0 && now.timed > 0 {
                thread.first = now.clone();
            }
            thread.last = now;
        }
        self.read_at = at;
        self.reading = thread_processor_time().unwrap_or_default() - spent;
    }

    /// Returns what a thread took of the processor from one of its timed waits to the next, its own work included.
    pub(super) fn cost(&self, tid: i32) -> Option<SleepCost> {
        let Thread { first, last } = self.threads.get(&tid)?;
        let (processor, wake_ups) = (last.counts.ran - first.counts.ran, last.counts.waits - first.counts.waits);
        let sleeps = last.timed.saturating_sub(first.timed);
        (sleeps > 0).then(|| SleepCost { sleeps, processor, wake_ups: Some(wake_ups), ..SleepCost::default() })
    }
}

impl Source for Counted {
    fn take(&mut self, now: Option<Nanos>, recorder: &mut Recorder) -> Result<(), Refusal> {
        let wait = READ.max(Nanos::new(self.reading.get() * SELDOM));
        if now.is_none_or(|now| now - self.read_at >= wait) {
            self.read(recorder);
        }
        Ok(())
    }

    fn count(&mut self, facts: &mut AttachedProgram) {
        facts.counts = self.threads.values().map(Thread::counts).collect();
    }
}

impl Thread {
    fn counts(&self) -> AttachedCounts {
        let (first, last) = (&self.first.counts, &self.last.counts);
        AttachedCounts {
            tid: last.tid,
            pid: last.pid,
            name: last.name.clone(),
            watched: self.last.at - self.first.at,
            waits: last.waits - first.waits,
            preempted: last.preempted.saturating_sub(first.preempted),
            ran: last.ran - first.ran,
            queued: (last.queued - first.queued).max(Nanos::ZERO),
            slack: last.slack,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_s_sleeps_are_counted_as_waits() {
        let Ok(mut counted) = Counted::new(Program::ours()) else { return println!("skipped: no counters in /proc") };
        let mut facts = AttachedProgram::default();
        (0..5).for_each(|_| std::thread::sleep(std::time::Duration::from_millis(1)));
        counted.take(None, &mut Recorder::new(None)).unwrap();
        counted.count(&mut facts);
        let ours = facts.counts.iter().find(|thread| thread.tid == oversleep_os::trace::thread_id()).unwrap();
        assert!(ours.waits >= 5 && ours.watched >= Nanos::from_millis(5), "{ours:?}");
        assert!(ours.ran > Nanos::ZERO && ours.ran <= ours.watched, "{ours:?}");
    }
}

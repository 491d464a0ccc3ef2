//! What the kernel counts of the threads of a program that may not be recorded.

use super::recorder::Recorder;
use super::run::Source;
use oversleep_os::program::{Program, ThreadCounts, read_counts};
use oversleep_recording::{AttachedCounts, AttachedProgram};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// How often counters are read: what a thread did after the last reading before its end is not known.
const READ: Nanos = Nanos::from_millis(500);

/// The counters of a program's threads.
pub(super) struct Counted {
    program: Program,
    threads: BTreeMap<i32, Thread>,
    read_at: Nanos,
}

/// A thread's counters when it was first seen and when it was last seen.
struct Thread {
    first: ThreadCounts,
    since: Nanos,
    last: ThreadCounts,
    until: Nanos,
}

impl Counted {
    /// Reads the counters for the first time.
    pub(super) fn new(program: Program) -> Result<Self, Refusal> {
        let mut counted = Self { program, threads: BTreeMap::new(), read_at: Nanos::ZERO };
        counted.read();
        if counted.threads.is_empty() {
            let why = format!("the counters of process {} in /proc cannot be read", counted.program.pid);
            return Err(Refusal::Unavailable(why));
        }
        Ok(counted)
    }

    fn read(&mut self) {
        let now = monotonic();
        self.read_at = now;
        for counts in read_counts(&self.program) {
            let first = || Thread { first: counts.clone(), since: now, last: counts.clone(), until: now };
            let thread = self.threads.entry(counts.tid).or_insert_with(first);
            // Another thread with the same number.
            if counts.waits < thread.last.waits || counts.ran < thread.last.ran {
                *thread = first();
            }
            (thread.last, thread.until) = (counts, now);
        }
    }
}

impl Source for Counted {
    fn take(&mut self, now: Option<Nanos>, _: &mut Recorder) -> Result<(), Refusal> {
        if now.is_none_or(|now| now - self.read_at >= READ) {
            self.read();
        }
        Ok(())
    }

    fn count(&mut self, facts: &mut AttachedProgram) {
        facts.counts = self.threads.values().map(Thread::counts).collect();
    }
}

impl Thread {
    fn counts(&self) -> AttachedCounts {
        let (first, last) = (&self.first, &self.last);
        AttachedCounts {
            tid: last.tid,
            pid: last.pid,
            name: last.name.clone(),
            watched: self.until - self.since,
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

//! What Linux counts of each thread and lets everybody read.

use crate::process::table::{Process, process};
use oversleep_sys::units::Nanos;
use std::fs;

/// Counters of a thread since its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadCounts {
    /// Thread ID.
    pub tid: i32,
    /// Process ID.
    pub pid: i32,
    /// Name of the thread.
    pub name: String,
    /// How often it left the processor to wait.
    pub waits: u64,
    /// How often it had to leave it to another thread.
    pub preempted: u64,
    /// Time on a processor.
    pub ran: Nanos,
    /// Time on a run queue, ready and not running.
    pub queued: Nanos,
    /// Of a process's first thread: processor time of the processes that it started and that have ended.
    pub children: Nanos,
    /// Its timer slack; root may read that of others.
    pub slack: Option<Nanos>,
}

/// Returns the counters of these threads. What cannot be read is left out.
pub fn read_counts(threads: Vec<i32>) -> Vec<ThreadCounts> {
    threads.into_iter().filter_map(of_thread).collect()
}

/// Returns the processor time of threads between two readings of their counters, and the number of their waits. All counts of a thread
/// that is new, and nothing of one that has ended; of processes that have ended the time, to 10 ms, and then no number.
pub fn taken(before: &[ThreadCounts], after: &[ThreadCounts]) -> (Nanos, Option<u64>) {
    let (mut ran, mut waits, mut children) = (Nanos::ZERO, 0, Nanos::ZERO);
    for now in after {
        let was = before.iter().find(|was| was.tid == now.tid && was.ran <= now.ran);
        ran += now.ran - was.map_or(Nanos::ZERO, |was| was.ran);
        waits += now.waits.saturating_sub(was.map_or(0, |was| was.waits));
        children += now.children - was.map_or(Nanos::ZERO, |was| was.children);
    }
    (ran + children, (children == Nanos::ZERO).then_some(waits))
}

fn of_thread(tid: i32) -> Option<ThreadCounts> {
    let read = |file: &str| fs::read_to_string(format!("/proc/{tid}/{file}")).ok();
    let slack = read("timerslack_ns").and_then(|text| text.trim().parse().ok()).map(Nanos::new);
    parsed(&process(tid)?, &read("status")?, &read("schedstat")?, slack)
}

/// Parses `/proc/TID/status`, and `/proc/TID/schedstat`: ns on a processor, ns on run queues, number of turns.
fn parsed(thread: &Process, status: &str, schedstat: &str, slack: Option<Nanos>) -> Option<ThreadCounts> {
    let field = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok());
    let mut times = schedstat.split_whitespace().map(|word| word.parse().ok().map(Nanos::new));
    let pid = field("Tgid:").and_then(|pid| i32::try_from(pid).ok())?;
    Some(ThreadCounts {
        tid: thread.id,
        pid,
        name: thread.name.clone(),
        waits: field("voluntary_ctxt_switches:")?,
        preempted: field("nonvoluntary_ctxt_switches:")?,
        ran: times.next()??,
        queued: times.next()??,
        children: if thread.id == pid { thread.children } else { Nanos::ZERO },
        slack,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(id: i32, status: &str, times: &str) -> Option<ThreadCounts> {
        let (state, children) = ('S', Nanos::from_millis(20));
        let thread = Process { id, name: "x".to_owned(), state, parent: 1, group: 7, flags: 0, children, began: 0 };
        parsed(&thread, status, times, None)
    }

    #[test]
    fn counters_are_read_by_their_names() {
        let status = "Name:\tx\nTgid:\t7\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";
        let found = counts(8, status, "500 60 15\n").unwrap();
        assert_eq!((found.pid, found.waits, found.preempted), (7, 12, 3));
        assert_eq!((found.ran, found.queued, found.slack), (Nanos::new(500), Nanos::new(60), None));
        assert_eq!(counts(8, status, ""), None, "a kernel without CONFIG_SCHED_INFO");
    }

    #[test]
    fn what_threads_took_is_counted_between_readings_and_with_ended_children() {
        let status = "Tgid:\t7\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";
        let was = counts(8, status, "500 60").unwrap();
        let now = ThreadCounts { ran: Nanos::new(800), waits: 14, ..was.clone() };
        let new = ThreadCounts { tid: 9, ran: Nanos::new(50), waits: 1, ..was.clone() };
        assert_eq!(taken(&[was], &[now, new]), (Nanos::new(350), Some(3)));
        let first = counts(7, status, "0 0").unwrap();
        let none = ThreadCounts { children: Nanos::ZERO, ..first.clone() };
        assert_eq!(taken(&[none], &[first]), (Nanos::from_millis(20), None), "its children ended");
    }
}

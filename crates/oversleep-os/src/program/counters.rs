//! What Linux counts of each thread and lets everybody read.

use super::Program;
use crate::process::table::process;
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
    /// Its timer slack; root may read that of others.
    pub slack: Option<Nanos>,
}

/// Returns the counters of all threads of a program and of those that it started. What cannot be read is left out.
pub fn read_counts(program: &Program) -> Vec<ThreadCounts> {
    program.threads().into_iter().filter_map(of_thread).collect()
}

fn of_thread(tid: i32) -> Option<ThreadCounts> {
    let read = |file: &str| fs::read_to_string(format!("/proc/{tid}/{file}")).ok();
    let slack = read("timerslack_ns").and_then(|text| text.trim().parse().ok()).map(Nanos::new);
    parsed(tid, &process(tid)?.name, &read("status")?, &read("schedstat")?, slack)
}

/// Parses `/proc/TID/status`, and `/proc/TID/schedstat`: ns on a processor, ns on run queues, number of turns.
fn parsed(tid: i32, name: &str, status: &str, schedstat: &str, slack: Option<Nanos>) -> Option<ThreadCounts> {
    let field = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok());
    let mut times = schedstat.split_whitespace().map(|word| word.parse().ok().map(Nanos::new));
    Some(ThreadCounts {
        tid,
        pid: field("Tgid:").and_then(|pid| i32::try_from(pid).ok())?,
        name: name.to_owned(),
        waits: field("voluntary_ctxt_switches:")?,
        preempted: field("nonvoluntary_ctxt_switches:")?,
        ran: times.next()??,
        queued: times.next()??,
        slack,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_by_their_names() {
        let status = "Name:\tx\nTgid:\t7\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";
        let found = parsed(8, "x", status, "500 60 15\n", None).unwrap();
        assert_eq!((found.pid, found.waits, found.preempted), (7, 12, 3));
        assert_eq!((found.ran, found.queued, found.slack), (Nanos::new(500), Nanos::new(60), None));
        assert_eq!(parsed(8, "x", status, "", None), None, "a kernel without CONFIG_SCHED_INFO");
    }
}

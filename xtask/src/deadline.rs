//! The end of a run's time: steps that it finds running are cut off, later ones do not start, and all of them are skipped by
//! name.

use std::collections::BTreeSet;
use std::fs;
use std::process::{self, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::outcome::Outcome;

/// The limit in minutes, once it is over; before, 0.
static OVER: AtomicU64 = AtomicU64::new(0);

/// Starts the time: when these minutes are over, the programs that this process started are ended.
pub fn begin(minutes: u64) {
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(60 * minutes));
        OVER.store(minutes.max(1), Ordering::Relaxed);
        // A step may start its next program before it fails.
        for signal in ["-TERM", "-KILL"].into_iter().chain(std::iter::repeat("-KILL")) {
            end(&descendants(process::id(), &processes()), signal);
            thread::sleep(Duration::from_secs(2));
        }
    });
}

/// Runs a step's work, unless the time is over; a failure after its end is the cut and no finding.
pub(crate) fn within(work: impl FnOnce() -> Outcome) -> Outcome {
    match OVER.load(Ordering::Relaxed) {
        0 => judged(work(), OVER.load(Ordering::Relaxed)),
        minutes => Outcome::Skipped(format!("not started: the {minutes} minutes of this run are over")),
    }
}

fn judged(outcome: Outcome, over: u64) -> Outcome {
    match outcome {
        Outcome::Failed(_) if over > 0 => {
            Outcome::Skipped(format!("cut off, unfinished: the {over} minutes of this run are over"))
        }
        outcome => outcome,
    }
}

/// Returns every process and its parent, where the system has them in `/proc`; elsewhere none, and programs run to their end.
fn processes() -> Vec<(u32, u32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name is in parentheses and may contain any others; then come state and parent.
        Some((pid, stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?))
    })
    .collect()
}

/// Returns the processes that `root` started, and those that they did.
fn descendants(root: u32, processes: &[(u32, u32)]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        let children = processes.iter().filter(|(pid, of)| *of == parent && *pid != root).map(|(pid, _)| *pid);
        parents.extend(children.filter(|pid| found.insert(*pid)).collect::<Vec<_>>());
    }
    found
}

fn end(processes: &BTreeSet<u32>, signal: &str) {
    if !processes.is_empty() {
        // Every shell has the command built in. A process that has just ended needs no signal: the error is ignored.
        let numbers: Vec<String> = processes.iter().map(u32::to_string).collect();
        let _ = Command::new("sh").args(["-c", &format!("kill {signal} {}", numbers.join(" "))]).output();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failure_after_the_end_is_a_cut() {
        let failed = Outcome::Failed("exit 1".to_owned());
        assert_eq!(judged(failed.clone(), 0), failed);
        assert_eq!(judged(Outcome::Passed, 70), Outcome::Passed);
        assert!(matches!(judged(failed, 70), Outcome::Skipped(why) if why.contains("the 70 minutes")));
    }

    #[test]
    fn descendants_are_children_and_theirs() {
        let processes = [(1, 0), (10, 1), (11, 10), (12, 11), (13, 10), (20, 1), (21, 20)];
        assert_eq!(descendants(10, &processes), BTreeSet::from([11, 12, 13]));
        assert_eq!(descendants(21, &processes), BTreeSet::new());
    }

    #[test]
    fn a_started_program_is_found_and_ended() -> std::io::Result<()> {
        if processes().is_empty() {
            eprintln!("not tested: this system has no /proc");
            return Ok(());
        }
        let mut shell = Command::new("sh").args(["-c", "sleep 600; exit 3"]).spawn()?;
        let found = loop {
            let found = descendants(shell.id(), &processes());
            if !found.is_empty() {
                break found;
            }
        };
        end(&found, "-KILL");
        end(&BTreeSet::from([shell.id()]), "-KILL");
        assert!(!shell.wait()?.success());
        Ok(())
    }
}

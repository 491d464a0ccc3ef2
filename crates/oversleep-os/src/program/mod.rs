//! Finds a running program, and its threads and those of its children, by the files of `/proc`.

mod counters;
mod preloaded;
#[allow(dead_code)] // the writer's parts
mod wait_file;

pub use counters::{ThreadCounts, read_counts, taken};
pub use preloaded::{PreloadedEnd, PreloadedWait, Waits};

use crate::process::table::{self, Process, process};
use oversleep_sys::Refusal;
use std::collections::HashSet;
use std::fs;

/// A running program that may be watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Process ID.
    pub pid: i32,
    /// Its command line, or its name where it has none.
    pub command: String,
    /// When it began, in ticks since boot: another process with the same ID began at another time.
    began: u64,
}

/// Flag of kernel threads in `/proc/PID/stat` (`PF_KTHREAD`, include/linux/sched.h).
const KERNEL_THREAD: u64 = 0x0020_0000;

/// Returns the program with this process ID, or of this name if it is not a number.
///
/// # Errors
/// In one line: what is wrong, and what to give instead.
pub fn find(pid_or_name: &str) -> Result<Program, Refusal> {
    if !cfg!(target_os = "linux") {
        let why = "this version of oversleep watches other programs on Linux alone";
        return Err(Refusal::Unavailable(why.to_owned()));
    }
    let refused = |why: String| Err(Refusal::Failed(why));
    let Ok(pid) = pid_or_name.parse::<i32>() else { return named(pid_or_name) };
    let Some(found) = process(pid).filter(|_| pid > 0) else { return refused(format!("there is no process {pid}")) };
    match process_of(pid) {
        _ if i32::try_from(std::process::id()) == Ok(pid) => {
            refused("that is oversleep itself; `oversleep trace` shows its own sleeps".to_owned())
        }
        Some(whole) if whole != pid => {
            let name = process(whole).map_or_else(String::new, |whole| whole.name);
            refused(format!("{pid} is a thread of process {whole} ({name}); attach to {whole}"))
        }
        _ if found.flags & KERNEL_THREAD != 0 => {
            refused(format!("{pid} is {}, a thread of the kernel, which makes no system calls", found.name))
        }
        _ if matches!(found.state, 'Z' | 'X') => refused(format!("process {pid} ({}) has ended", found.name)),
        _ => Ok(Program { pid, command: command(pid).unwrap_or(found.name), began: found.began }),
    }
}

/// Returns the only program of this name, or the one that started all others of this name; a script has the name of its file.
fn named(wanted: &str) -> Result<Program, Refusal> {
    let ours = i32::try_from(std::process::id()).unwrap_or(0);
    let all = table::processes();
    let others = || all.iter().filter(|process| process.id != ours && process.flags & KERNEL_THREAD == 0);
    let is_word = |process: &Process, index: usize| {
        let line = command(process.id).unwrap_or_default();
        line.split(' ').nth(index).is_some_and(|word| word.rsplit('/').next() == Some(wanted))
    };
    let mut found: Vec<&Process> = others().filter(|process| process.name == wanted || is_word(process, 0)).collect();
    if found.is_empty() {
        // `python3 loop.py` is loop.py.
        found = others().filter(|process| is_word(process, 1)).collect();
    }
    let is_first = |process: &&&Process| found.iter().all(|other| other.id != process.parent);
    match found.iter().filter(is_first).map(|process| process.id).collect::<Vec<_>>()[..] {
        [] => Err(Refusal::Failed(format!("no process is called '{wanted}'"))),
        [pid] => find(&pid.to_string()),
        ref many => {
            let list: Vec<String> = many.iter().take(8).map(ToString::to_string).collect();
            let more = if many.len() > list.len() { ", …" } else { "" };
            let why =
                format!("{} processes are called '{wanted}'; attach to one: {}{more}", many.len(), list.join(", "));
            Err(Refusal::Failed(why))
        }
    }
}

impl Program {
    /// Returns the program that was just started as this process.
    pub fn started(pid: i32, command: String) -> Self {
        Self { pid, command, began: process(pid).map_or(0, |found| found.began) }
    }

    /// Returns this program.
    pub fn ours() -> Self {
        Self::started(i32::try_from(std::process::id()).unwrap_or(-1), String::new())
    }

    /// Returns whether it is stopped, by a signal or a debugger: then it waits for nothing until it goes on.
    pub fn is_stopped(&self) -> bool {
        process(self.pid).is_some_and(|found| matches!(found.state, 'T' | 't'))
    }

    /// Returns whether it has ended.
    pub fn has_ended(&self) -> bool {
        process(self.pid).is_none_or(|found| found.began != self.began || matches!(found.state, 'Z' | 'X'))
    }

    /// Returns the IDs of all its threads, and of those of all processes that it started.
    pub fn threads(&self) -> Vec<i32> {
        let mut found = HashSet::from([self.pid]);
        table::add_descendants(&mut found, &table::processes());
        found.into_iter().flat_map(table::threads).collect()
    }
}

/// Returns the process that a thread belongs to.
pub fn process_of(thread: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
}

/// Returns a process's command line, its words separated by blanks; `None` if it has none.
fn command(pid: i32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes).replace('\0', " ");
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_watched_is_refused_in_one_line() {
        let refused = |text: &str| find(text).unwrap_err().to_string();
        assert!(refused("999999999").contains("there is no process 999999999"));
        assert!(refused("-3").contains("there is no process -3"));
        assert!(refused("no-such-program").contains("no process is called 'no-such-program'"));
        assert!(refused(&std::process::id().to_string()).contains("oversleep itself"));
        let thread = std::thread::spawn(move || refused(&crate::trace::thread_id().to_string())).join().unwrap();
        assert!(thread.contains(&format!("attach to {}", std::process::id())), "{thread}");
        if process(2).is_some_and(|found| found.flags & KERNEL_THREAD != 0) {
            assert!(refused("2").contains("a thread of the kernel"), "{}", refused("2"));
        }
    }
}

//! Finds a running program, and its threads and those of its children, by the files of `/proc`.

use oversleep_sys::Refusal;
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

/// What `/proc/PID/stat` says of a process.
struct Stat {
    name: String,
    state: char,
    parent: i32,
    flags: u64,
    began: u64,
}

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
    let Some(stat) = stat(pid).filter(|_| pid > 0) else { return refused(format!("there is no process {pid}")) };
    match process_of(pid) {
        _ if i32::try_from(std::process::id()) == Ok(pid) => {
            refused("that is oversleep itself; `oversleep trace` shows its own sleeps".to_owned())
        }
        Some(process) if process != pid => {
            refused(format!("{pid} is a thread of process {process} ({}); attach to {process}", name(process)))
        }
        _ if stat.flags & KERNEL_THREAD != 0 => {
            refused(format!("{pid} is {}, a thread of the kernel, which makes no system calls", stat.name))
        }
        _ if matches!(stat.state, 'Z' | 'X') => refused(format!("process {pid} ({}) has ended", stat.name)),
        _ => Ok(Program { pid, command: command(pid).unwrap_or(stat.name), began: stat.began }),
    }
}

/// Returns the only program of this name, or the one that started all others of this name.
fn named(wanted: &str) -> Result<Program, Refusal> {
    let ours = i32::try_from(std::process::id()).unwrap_or(0);
    let is_it = |pid: &i32| {
        let first = command(*pid).and_then(|line| line.split(' ').next().map(str::to_owned)).unwrap_or_default();
        let base = first.rsplit('/').next() == Some(wanted);
        *pid != ours && (name(*pid) == wanted || base) && stat(*pid).is_some_and(|stat| stat.flags & KERNEL_THREAD == 0)
    };
    let found: Vec<i32> = numbers("/proc").into_iter().filter(is_it).collect();
    let is_first = |pid: &&i32| stat(**pid).is_none_or(|stat| !found.contains(&stat.parent));
    match found.iter().filter(is_first).collect::<Vec<_>>()[..] {
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
        Self { pid, command, began: stat(pid).map_or(0, |stat| stat.began) }
    }

    /// Returns whether it has ended.
    pub fn has_ended(&self) -> bool {
        stat(self.pid).is_none_or(|stat| stat.began != self.began || matches!(stat.state, 'Z' | 'X'))
    }

    /// Returns the IDs of all its threads, and of those of all processes that it started.
    pub fn threads(&self) -> Vec<i32> {
        let parents: Vec<(i32, i32)> =
            numbers("/proc").into_iter().filter_map(|pid| Some((pid, stat(pid)?.parent))).collect();
        let mut processes = vec![self.pid];
        let mut at = 0;
        while let Some(&process) = processes.get(at) {
            processes.extend(parents.iter().filter(|(_, parent)| *parent == process).map(|(pid, _)| *pid));
            at += 1;
        }
        processes.iter().flat_map(|process| numbers(&format!("/proc/{process}/task"))).collect()
    }
}

/// Returns the process that a thread belongs to.
pub fn process_of(thread: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
}

fn name(pid: i32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).map_or_else(|_| String::new(), |name| name.trim_end().to_owned())
}

/// Returns a process's command line, its words separated by blanks; `None` if it has none.
fn command(pid: i32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes).replace('\0', " ");
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

fn stat(pid: i32) -> Option<Stat> {
    parsed(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Parses `number (name) state parent …`, where the name may contain anything; the fields are those of proc(5).
fn parsed(text: &str) -> Option<Stat> {
    let (before, after) = text.rsplit_once(')')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    Some(Stat {
        name: before.split_once('(')?.1.to_owned(),
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        flags: fields.get(6)?.parse().ok()?,
        began: fields.get(19)?.parse().ok()?,
    })
}

/// Returns the entries of a folder whose names are numbers.
fn numbers(folder: &str) -> Vec<i32> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let text = "7 (a) 1 2 (b) S 3 5 5 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987 1 2";
        let found = parsed(text).unwrap();
        assert_eq!((&*found.name, found.state, found.parent), ("a) 1 2 (b", 'S', 3));
        assert_eq!((found.flags, found.began), (4_194_304, 987));
        assert!(parsed("7 (a) S 3").is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_cannot_be_watched_is_refused_in_one_line() {
        let refused = |text: &str| find(text).unwrap_err().to_string();
        assert!(refused("999999999").contains("there is no process 999999999"));
        assert!(refused("-3").contains("there is no process -3"));
        assert!(refused("no-such-program").contains("no process is called 'no-such-program'"));
        assert!(refused(&std::process::id().to_string()).contains("oversleep itself"));
        let thread = std::thread::spawn(move || refused(&crate::trace::thread_id().to_string())).join().unwrap();
        assert!(thread.contains(&format!("attach to {}", std::process::id())), "{thread}");
        if stat(2).is_some_and(|stat| stat.flags & KERNEL_THREAD != 0) {
            assert!(refused("2").contains("a thread of the kernel"), "{}", refused("2"));
        }
    }
}

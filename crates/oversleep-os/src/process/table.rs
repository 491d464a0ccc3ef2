//! The processes of this machine, as the files of Linux' `/proc` list them; none on other systems.

use oversleep_sys::units::Nanos;
use std::collections::HashSet;
use std::fs;

/// Unit of processor times in `/proc/PID/stat`: `USER_HZ` is 100 (include/asm-generic/param.h; Alpha's is 1024).
const TICK: Nanos = Nanos::from_millis(10);

/// What `/proc/PID/stat` says of a process; its fields are those of proc(5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// Process ID.
    pub(crate) id: i32,
    /// Name, which may contain anything.
    pub(crate) name: String,
    /// State: `R`, `S`, `Z`, …
    pub(crate) state: char,
    /// Process ID of its parent.
    pub(crate) parent: i32,
    /// Process group.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "groups are ended on Linux by this"))]
    pub(crate) group: i32,
    /// Flags of the kernel, `PF_*`.
    pub(crate) flags: u64,
    /// Processor time of the processes that it started and that have ended.
    pub(crate) children: Nanos,
    /// When it began, in ticks since boot.
    pub(crate) began: u64,
}

/// Returns every process.
pub(crate) fn processes() -> Vec<Process> {
    numbers("/proc").into_iter().filter_map(process).collect()
}

/// Returns the process, or the thread, with this ID.
pub(crate) fn process(id: i32) -> Option<Process> {
    parsed(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

/// Returns the IDs of a process's threads.
pub(crate) fn threads(id: i32) -> Vec<i32> {
    numbers(&format!("/proc/{id}/task"))
}

/// Adds to these processes all that they started, and those started.
pub(crate) fn add_descendants(found: &mut HashSet<i32>, all: &[Process]) {
    loop {
        let more = all.iter().filter(|process| found.contains(&process.parent) && !found.contains(&process.id));
        let more: Vec<i32> = more.map(|process| process.id).collect();
        if more.is_empty() {
            return;
        }
        found.extend(more);
    }
}

/// Returns the entries of a folder whose names are numbers.
pub(crate) fn numbers(folder: &str) -> Vec<i32> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Parses `number (name) state parent group …`.
fn parsed(id: i32, text: &str) -> Option<Process> {
    let (before, after) = text.rsplit_once(')')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    Some(Process {
        id,
        name: before.split_once('(')?.1.to_owned(),
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        flags: fields.get(6)?.parse().ok()?,
        children: TICK * (fields.get(13)?.parse::<i64>().ok()? + fields.get(14)?.parse::<i64>().ok()?),
        began: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let text = "7 (a) 1 2 (b) S 3 5 5 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987 1 2";
        let found = parsed(7, text).unwrap();
        assert_eq!((&*found.name, found.state, found.parent, found.group), ("a) 1 2 (b", 'S', 3, 5));
        assert_eq!((found.flags, found.began, found.children), (4_194_304, 987, Nanos::from_millis(150)));
        assert!(parsed(7, "7 (a) S 3").is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_among_all() {
        let ours = i32::try_from(std::process::id()).expect("a number");
        assert!(processes().iter().any(|process| process.id == ours));
    }
}

//! Processes that a child started, also those in another group or session: the children of its processes, and whatever
//! inherited its entry of the environment. One that has neither, because its parent ended and it was given another
//! environment, is not found.

use std::collections::HashSet;
use std::fs;

/// Number of times that new processes are sought while those found are killed.
const ROUNDS: usize = 8;

/// A process of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
}

/// Returns the processes of this machine.
pub(super) fn processes() -> Vec<Process> {
    let read = |id: i32| parsed(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?);
    numbers("/proc").into_iter().filter_map(read).collect()
}

/// Parses `number (name) state parent group …`, where the name may contain anything.
fn parsed(id: i32, stat: &str) -> Option<Process> {
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace().skip(1);
    let mut next = || rest.next()?.parse().ok();
    Some(Process { id, parent: next()?, group: next()? })
}

/// Returns the entries of a folder whose names are numbers.
pub(super) fn numbers(folder: &str) -> Vec<i32> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Returns what the process `root` started, without itself.
pub(super) fn of(root: u32, mark: &str) -> HashSet<i32> {
    let Ok(root) = i32::try_from(root) else { return HashSet::new() };
    let all = processes();
    let mut found: HashSet<i32> = all.iter().map(|process| process.id).filter(|&id| is_marked(id, mark)).collect();
    found.insert(root);
    loop {
        let more = all.iter().filter(|process| found.contains(&process.parent) && !found.contains(&process.id));
        let more: Vec<i32> = more.map(|process| process.id).collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    found.remove(&root);
    found
}

/// Kills these processes, and those with this mark that were started meanwhile.
pub(super) fn kill(mut found: HashSet<i32>, mark: &str) {
    let mut killed = HashSet::new();
    for _ in 0..ROUNDS {
        found.retain(|id| !killed.contains(id));
        if found.is_empty() {
            return;
        }
        for &id in &found {
            // SAFETY: no memory is involved; the process was found a moment ago among those of the child.
            let _ = unsafe { libc::kill(id, libc::SIGKILL) };
        }
        killed.extend(found.drain());
        found = numbers("/proc").into_iter().filter(|&id| is_marked(id, mark)).collect();
    }
}

/// Returns whether a process inherited this entry of the environment.
fn is_marked(id: i32, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let found = parsed(7, "7 (a) 1 2 (b) S 3 5 5 0 -1");
        assert_eq!(found, Some(Process { id: 7, parent: 3, group: 5 }));
        assert_eq!(parsed(7, "7 (a) S"), None);
        let ours = i32::try_from(std::process::id()).expect("a number");
        assert!(processes().iter().any(|process| process.id == ours));
    }
}

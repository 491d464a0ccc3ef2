//! Processes that a child started, also those in another group or session: the children of its processes, and whatever
//! inherited its entry of the environment. One that has neither, because its parent ended and it was given another
//! environment, is not found.

use super::table;
use std::collections::HashSet;
use std::fs;

/// Number of times that new processes are sought while those found are killed.
const ROUNDS: usize = 8;

/// Returns what the process `root` started, without itself.
pub(super) fn find(root: u32, mark: &str) -> HashSet<i32> {
    let Ok(root) = i32::try_from(root) else { return HashSet::new() };
    let all = table::processes();
    let mut found: HashSet<i32> = all.iter().map(|process| process.id).filter(|&id| is_marked(id, mark)).collect();
    found.insert(root);
    table::add_descendants(&mut found, &all);
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
        found = table::numbers("/proc").into_iter().filter(|&id| is_marked(id, mark)).collect();
    }
}

/// Returns whether a process inherited this entry of the environment.
fn is_marked(id: i32, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
}

//! A tracefs instance of our own: created, removed on drop, and removed later if its process was killed.

use super::mount::{self, Tracefs};
use oversleep_sys::Refusal;
use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = "oversleep-";

/// An instance; it and everything it recorded are removed on drop.
#[derive(Debug)]
pub(super) struct Instance {
    path: PathBuf,
    pub(super) tracefs: Tracefs,
}

impl Instance {
    /// Creates an instance on the monotonic clock, without recording yet.
    pub(super) fn create(buffer_kib: u32) -> Result<Self, Refusal> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let tracefs = mount::find()?;
        reap_in(&tracefs.root);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Two tracers of one process each need their own; the number after the process ID does not affect the later
        // removal.
        let name = match number {
            0 => format!("{PREFIX}{}", std::process::id()),
            _ => format!("{PREFIX}{}-{number}", std::process::id()),
        };
        let path = tracefs.root.join("instances").join(name);
        fs::create_dir(&path).map_err(|error| Refusal::from_os(&path.to_string_lossy(), &error))?;
        let instance = Self { path, tracefs };
        instance.write("tracing_on", "0")?;
        instance.write("trace_clock", "mono")?;
        instance.write("buffer_size_kb", &buffer_kib.to_string())?;
        Ok(instance)
    }

    /// Writes a file of the instance.
    pub(super) fn write(&self, file: &str, text: &str) -> Result<(), Refusal> {
        fs::write(self.path.join(file), text).map_err(|error| Refusal::from_os(&format!("tracefs {file}"), &error))
    }

    /// Adds to a file of the instance that is a list.
    pub(super) fn append(&self, file: &str, text: &str) -> Result<(), Refusal> {
        let opened = fs::OpenOptions::new().append(true).open(self.path.join(file));
        opened
            .and_then(|mut list| list.write_all(text.as_bytes()))
            .map_err(|error| Refusal::from_os(&format!("tracefs {file}"), &error))
    }

    /// Reads a file of the instance.
    pub(super) fn read(&self, file: &str) -> Result<String, Refusal> {
        fs::read_to_string(self.path.join(file)).map_err(|error| Refusal::from_os(&format!("tracefs {file}"), &error))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // The removal fails while a descriptor of a file below is open; the owner closes them first.
        let _ = self.write("tracing_on", "0");
        let _ = fs::remove_dir(&self.path);
    }
}

/// Removes the instances of processes that have ended: a killed run's instance remains and continues to record. Returns
/// their names. Called whenever a tracer is opened; without rights or tracefs it removes nothing.
pub fn reap() -> Vec<String> {
    mount::find().map_or_else(|_| Vec::new(), |tracefs| reap_in(&tracefs.root))
}

/// A process that removes instances if this one ends without doing so, by `kill -9`.
#[derive(Debug)]
pub(super) struct Guard(Child);

/// Waits until its input is closed, then removes the named folders; while other files of this process are being closed, they
/// cannot be removed.
const REMOVE: &str = "read -r _
for name; do
    tries=0
    while [ -d \"$name\" ] && [ $tries -lt 50 ]; do rmdir \"$name\" || sleep 0.1; tries=$((tries + 1)); done
done";

impl Guard {
    /// Starts it, in a process group of its own, so that Ctrl-C does not end it. Without a shell there is none.
    pub(super) fn start(instances: &[&Path]) -> Option<Self> {
        let folder = instances.first()?.parent()?;
        let names = instances.iter().filter_map(|path| path.file_name());
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", REMOVE, "sh"]).args(names).current_dir(folder).process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.spawn().ok().map(Self)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn reap_in(root: &Path) -> Vec<String> {
    let folder = root.join("instances");
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let dead = names.filter(|name| owner(name).is_some_and(|pid| !alive(pid)));
    dead.filter(|name| fs::remove_dir(folder.join(name)).is_ok()).collect()
}

/// Returns the process that an instance belongs to, if its name is `oversleep-PID` or `oversleep-PID-NUMBER`.
fn owner(name: &str) -> Option<i32> {
    let rest = name.strip_prefix(PREFIX)?;
    let pid = rest.split('-').next()?;
    pid.parse().ok().filter(|pid| *pid > 0)
}

fn alive(pid: i32) -> bool {
    // SAFETY: signal 0 is never sent; the call only checks.
    let answer = unsafe { libc::kill(pid, 0) };
    answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_have_an_owner() {
        assert_eq!(owner("oversleep-123"), Some(123));
        assert_eq!(owner("oversleep-123-4"), Some(123));
        assert_eq!(owner("oversleep-"), None);
        assert_eq!(owner("oversleep-0"), None);
        assert_eq!(owner("oversleep-mine"), None);
        assert_eq!(owner("trace-cmd-7"), None);
    }

    #[test]
    fn a_guard_removes_what_its_process_left_once_its_input_is_closed() {
        let root = std::env::temp_dir().join(format!("guard-test-{}", std::process::id()));
        let (one, two) = (root.join("one"), root.join("two words"));
        for path in [&one, &two] {
            fs::create_dir_all(path).unwrap();
        }
        let mut guard = Guard::start(&[&one, &two]).unwrap();
        assert!(guard.0.try_wait().unwrap().is_none(), "it waits as long as this process lives");
        drop(guard.0.stdin.take());
        assert!(guard.0.wait().unwrap().success());
        assert!(!one.exists() && !two.exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn the_living_are_not_reaped() {
        let root = std::env::temp_dir().join(format!("reap-test-{}", std::process::id()));
        // No process has this ID: it is above any pid_max (4 194 304).
        let (mine, dead) = (format!("{PREFIX}{}", std::process::id()), format!("{PREFIX}999999999"));
        for name in [&mine, &dead, &"other".to_owned()] {
            fs::create_dir_all(root.join("instances").join(name)).unwrap();
        }
        assert_eq!(reap_in(&root), [dead]);
        assert!(root.join("instances").join(mine).exists() && root.join("instances/other").exists());
        fs::remove_dir_all(root).unwrap();
    }
}

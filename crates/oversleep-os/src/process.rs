//! Child processes that leave nothing behind: each leads a process group of its own, which is ended as a whole.

use std::io;
#[cfg(unix)]
use std::mem::MaybeUninit;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// A running child and everything that it started; all of it is ended when this is dropped.
#[derive(Debug)]
pub struct Group {
    child: Child,
    /// Whether the child was waited for: its process ID may have been reused since.
    ended: bool,
}

impl Group {
    /// Starts the command. On Linux the kernel ends the child together with the calling thread, even if that is killed:
    /// the thread must live as long as the child is needed.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        end_with_parent(command);
        Ok(Self { child: command.spawn()?, ended: false })
    }

    /// Returns the child, to take its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Returns the IDs of all threads of the group, on Linux; elsewhere none.
    pub fn threads(&self) -> Vec<i32> {
        #[cfg(target_os = "linux")]
        return threads_of(self.child.id());
        #[cfg(not(target_os = "linux"))]
        Vec::new()
    }

    /// Ends the whole group, after giving the child `patience` to end by itself. Returns the child's exit status.
    pub fn end(mut self, patience: Duration) -> io::Result<ExitStatus> {
        let until = Instant::now() + patience;
        while Instant::now() < until && !self.has_ended() {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kill();
        self.ended = true;
        self.child.wait()
    }

    /// Returns whether the child has ended. Does not wait for it, so that its ID, which is the group's, stays reserved.
    #[cfg(unix)]
    fn has_ended(&self) -> bool {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // An unsigned or signed 32-bit number, or a 64-bit one: it differs from system to system.
        #[allow(clippy::unnecessary_cast, clippy::cast_possible_wrap, clippy::cast_lossless)]
        let id = self.child.id() as libc::id_t;
        // SAFETY: the structure outlives the call and may stay as it is.
        let answer = unsafe { libc::waitid(libc::P_PID, id, info.as_mut_ptr(), options) };
        // SAFETY: zeroed or filled in; zero is a value of every field.
        let info = unsafe { info.assume_init() };
        answer != 0 || info.si_signo != 0
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: no memory is involved; the group is the child's own, and its ID is reserved until the child is
            // waited for.
            let _ = unsafe { libc::kill(-id, libc::SIGKILL) };
        }
        let _ = self.child.kill();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        self.kill();
        let _ = self.child.wait();
    }
}

/// Returns the threads of every process in this group.
#[cfg(target_os = "linux")]
fn threads_of(group: u32) -> Vec<i32> {
    let numbers = |folder: &str| -> Vec<i32> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
    };
    let is_member = |process: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // `number (name) state parent group …`, where the name may contain anything.
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        rest.split_whitespace().nth(2).and_then(|id| id.parse().ok()) == Some(group)
    };
    let members = numbers("/proc").into_iter().filter(is_member);
    members.flat_map(|process| numbers(&format!("/proc/{process}/task"))).collect()
}

#[cfg(target_os = "linux")]
fn end_with_parent(command: &mut Command) {
    let ask = || {
        // SAFETY: the call takes numbers alone, and may be made between fork and exec.
        match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: the closure allocates nothing and makes one call that is allowed after fork.
    unsafe { std::os::unix::process::CommandExt::pre_exec(command, ask) };
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    fn is_there(id: &str) -> bool {
        Command::new("sh").args(["-c", &format!("kill -0 {id} 2>/dev/null")]).status().expect("a shell").success()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_group_s_threads_are_those_of_all_its_processes() {
        let mut command = crate::command::of_line("sleep 1000 & echo $!; wait");
        let mut group = Group::start(command.stdout(Stdio::piped())).expect("a shell");
        let mut said = String::new();
        let out = group.child().stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut said).expect("a number");
        let threads = group.threads();
        let child = i32::try_from(group.child().id()).expect("a number");
        assert!(threads.contains(&child) && threads.contains(&said.trim().parse().expect("a number")), "{threads:?}");
        assert!(!threads.contains(&i32::try_from(std::process::id()).expect("a number")));
    }

    #[test]
    fn what_a_child_started_ends_with_it() {
        for line in ["sleep 1000 & echo $!; wait", "sleep 1000 & echo $!"] {
            let mut command = crate::command::of_line(line);
            let mut group = Group::start(command.stdout(Stdio::piped())).expect("a shell");
            let mut said = String::new();
            let out = group.child().stdout.take().expect("a pipe");
            BufReader::new(out).read_line(&mut said).expect("a number");
            let grandchild = said.trim();
            assert!(is_there(grandchild));
            drop(group);
            let ended = (0..500).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(10));
                !is_there(grandchild)
            });
            assert!(ended, "{line}");
        }
    }
}

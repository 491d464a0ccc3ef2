//! Child processes that leave nothing behind: each leads a process group of its own, which is ended as a whole. On Linux
//! processes that left the group are found, too (`descendants`).

#[cfg(target_os = "linux")]
mod descendants;
pub(crate) mod table;

use std::io;
#[cfg(unix)]
use std::mem::MaybeUninit;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The children that run now. [`end_all`] ends them where no destructor does.
static RUNNING: Mutex<Vec<Member>> = Mutex::new(Vec::new());

/// Returns the list of them, also after another thread panicked while it held it: each change leaves it whole.
fn running() -> MutexGuard<'static, Vec<Member>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running child and everything that it started; all of it is ended when this is dropped.
#[derive(Debug)]
pub struct ProcessTree {
    child: Child,
    member: Member,
    /// Whether the child was waited for: its process ID may have been reused since.
    ended: bool,
}

/// What identifies a child's processes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Member {
    id: u32,
    /// Entry of its environment, which its own children inherit.
    mark: String,
}

impl ProcessTree {
    /// Starts the command. On Linux the kernel ends the child together with the calling thread, even if that is killed:
    /// the thread must live as long as the child is needed.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        end_with_parent(command);
        let value = mark();
        command.env(MARK, &value);
        // Locked until the child is listed, so that no other thread can end all of them in between.
        let mut members = running();
        let child = command.spawn()?;
        let member = Member { id: child.id(), mark: format!("{MARK}={value}") };
        members.push(member.clone());
        Ok(Self { child, member, ended: false })
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

    /// Waits until the child has ended by itself, but no longer than `patience`; returns whether it has.
    pub fn wait(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// Ends the child and everything that it started, after giving the child `patience` to end by itself. Returns the child's exit status.
    pub fn end(mut self, patience: Duration) -> io::Result<ExitStatus> {
        self.wait(patience);
        self.kill();
        self.collect()
    }

    /// Waits for the child, which was killed.
    fn collect(&mut self) -> io::Result<ExitStatus> {
        // Its ID may be another process's as soon as it was waited for.
        let mut members = running();
        members.retain(|member| *member != self.member);
        drop(members);
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
        self.member.kill();
        let _ = self.child.kill();
    }
}

impl Member {
    /// Kills all its processes. The child must not have been waited for.
    fn kill(&self) {
        // Those that left the group are sought first: their parents show whose they are.
        #[cfg(target_os = "linux")]
        let strays = descendants::find(self.id, &self.mark);
        self.kill_group();
        #[cfg(target_os = "linux")]
        descendants::kill(strays, &self.mark);
    }

    #[cfg_attr(not(unix), expect(clippy::unused_self, reason = "other systems have no process groups to kill"))]
    fn kill_group(&self) {
        #[cfg(unix)]
        if let Ok(id) = libc::pid_t::try_from(self.id) {
            // SAFETY: no memory is involved; the group is the child's own, and its ID is reserved until the child is
            // waited for.
            let _ = unsafe { libc::kill(-id, libc::SIGKILL) };
        }
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        self.kill();
        let _ = self.collect();
    }
}

/// Kills every running child with everything that it started, for a process that is about to exit without unwinding.
/// Children that are started later are not ended.
pub fn end_all() {
    let members = running();
    for member in &*members {
        member.kill();
    }
}

/// Variable of the environment in which each child has a value of its own.
const MARK: &str = "OVERSLEEP_PROCESS_GROUP";

/// Returns a value that no other child has.
fn mark() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{SystemTime, UNIX_EPOCH};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{}-{}-{now}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the threads of every process in this group.
#[cfg(target_os = "linux")]
fn threads_of(group: u32) -> Vec<i32> {
    let members = table::processes().into_iter().filter(|process| process.group.cast_unsigned() == group);
    members.flat_map(|process| table::threads(process.id)).collect()
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
        let mut group = ProcessTree::start(command.stdout(Stdio::piped())).expect("a shell");
        let mut said = String::new();
        let out = group.child().stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut said).expect("a number");
        let threads = group.threads();
        let child = i32::try_from(group.child().id()).expect("a number");
        assert!(threads.contains(&child) && threads.contains(&said.trim().parse().expect("a number")), "{threads:?}");
        assert!(!threads.contains(&i32::try_from(std::process::id()).expect("a number")));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_left_the_group_ends_with_it_too() {
        if Command::new("setsid").arg("true").status().is_err() {
            return println!("skipped: there is no `setsid`");
        }
        for line in [
            "setsid sh -c 'echo $$; exec sleep 1000' & wait",
            // Its parent ends at once, so that only its environment shows whose it is.
            "(setsid sh -c 'echo $$; exec sleep 1000' &)",
            "env -i setsid sh -c 'echo $$; exec sleep 1000' & wait",
        ] {
            let mut command = crate::command::of_line(line);
            let mut group = ProcessTree::start(command.stdout(Stdio::piped())).expect("a shell");
            let mut said = String::new();
            let out = group.child().stdout.take().expect("a pipe");
            BufReader::new(out).read_line(&mut said).expect("a number");
            let stray = said.trim();
            assert!(is_there(stray), "{line}");
            drop(group);
            assert!(ends(stray), "{line}");
        }
    }

    fn ends(id: &str) -> bool {
        (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            !is_there(id)
        })
    }

    #[test]
    fn what_a_child_started_ends_with_it() {
        for line in ["sleep 1000 & echo $!; wait", "sleep 1000 & echo $!"] {
            let mut command = crate::command::of_line(line);
            let mut group = ProcessTree::start(command.stdout(Stdio::piped())).expect("a shell");
            let mut said = String::new();
            let out = group.child().stdout.take().expect("a pipe");
            BufReader::new(out).read_line(&mut said).expect("a number");
            let grandchild = said.trim();
            assert!(is_there(grandchild));
            drop(group);
            assert!(ends(grandchild), "{line}");
        }
    }
}

//! Busy threads of another process, and where they and this process stand with the scheduler: in which session and
//! control group. Only on Linux; another process restores what was changed, also when this one is killed.

use clap::ValueEnum;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// How the measured thread and the busy ones are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// Nothing is changed: one session, and autogroup as the system has it.
    AsIs,
    /// Autogroup off.
    NoAutogroup,
    /// Autogroup on, the busy threads in the session of the measured one.
    Autogroup,
    /// Autogroup on, the busy threads in another session.
    Sessions,
    /// The busy threads in the control group of the measured one.
    Cgroup,
    /// The busy threads in another control group.
    Cgroups,
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::AsIs => "groups as they are",
            Self::NoAutogroup => "no autogroup",
            Self::Autogroup => "one autogroup",
            Self::Sessions => "two autogroups",
            Self::Cgroup => "one cgroup",
            Self::Cgroups => "two cgroups",
        })
    }
}

const AUTOGROUP: &str = "/proc/sys/kernel/sched_autogroup_enabled";
/// Places of the control groups of processor time: the only hierarchy of version 2, the one in addition to version 1, and the one
/// of version 1.
const HIERARCHIES: [&str; 3] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu"];
/// Real-time budget of a new control group of version 1, which has none at first, in microseconds a second.
const REAL_TIME_US: &str = "450000";

/// Busy threads of another process, in their places until it is dropped.
pub struct Beside {
    // Dropped in this order: what is in a control group ends before the group is removed.
    _busy: Option<Ended>,
    _restored: Option<Ended>,
}

impl Beside {
    /// Starts busy threads and groups them.
    pub fn start(group: Group, busy: usize) -> Result<Self, String> {
        let mut steps = Vec::new();
        if let Some(wanted) = group.autogroup() {
            let before = fs::read_to_string(AUTOGROUP).map_err(|error| format!("{AUTOGROUP}: {error}"))?;
            if before.trim() != wanted {
                steps.push(format!("echo {} > {AUTOGROUP}", before.trim()));
            }
        }
        let groups = group.control_groups()?;
        let made: Vec<_> = match &groups {
            None => Vec::new(),
            Some((mine, theirs)) if mine == theirs => vec![mine],
            Some((mine, theirs)) => vec![mine, theirs],
        };
        if let Some((mine, _)) = &groups {
            // Back to where this process was, that the groups are empty.
            steps.push(format!("echo {} > {}/cgroup.procs", std::process::id(), current_group(mine)?.display()));
        }
        for path in &made {
            // The busy process may be ending still.
            let path = path.display();
            steps.push(format!("for n in 1 2 3 4 5 6 7 8 9; do rmdir {path} 2>/dev/null && break; sleep 0.1; done"));
        }
        let restored = if steps.is_empty() { None } else { Some(restore_later(&steps.join("\n"))?) };
        if let Some(wanted) = group.autogroup() {
            write(Path::new(AUTOGROUP), wanted)?;
        }
        for path in &made {
            make(path)?;
        }
        let busy = if busy == 0 { None } else { Some(spin(group, busy)?) };
        if let Some((mine, theirs)) = &groups {
            write(&mine.join("cgroup.procs"), &std::process::id().to_string())?;
            if let Some(busy) = &busy {
                write(&theirs.join("cgroup.procs"), &busy.0.id().to_string())?;
            }
        }
        Ok(Self { _busy: busy, _restored: restored })
    }
}

impl Group {
    fn autogroup(self) -> Option<&'static str> {
        match self {
            Self::NoAutogroup => Some("0"),
            Self::Autogroup | Self::Sessions => Some("1"),
            Self::AsIs | Self::Cgroup | Self::Cgroups => None,
        }
    }

    /// Returns the control groups of this process and of the busy one, if any are asked for.
    fn control_groups(self) -> Result<Option<(PathBuf, PathBuf)>, String> {
        if !matches!(self, Self::Cgroup | Self::Cgroups) {
            return Ok(None);
        }
        let top = hierarchy()?;
        let [mine, theirs] =
            ["measured", "busy"].map(|role| top.join(format!("bench-library-{}-{role}", std::process::id())));
        Ok(Some(if self == Self::Cgroup { (mine.clone(), mine) } else { (mine, theirs) }))
    }
}

/// Returns the hierarchy of control groups that shares out processor time.
fn hierarchy() -> Result<PathBuf, String> {
    let shares = |at: &Path| {
        let controllers = fs::read_to_string(at.join("cgroup.controllers")).unwrap_or_default();
        controllers.split_whitespace().any(|name| name == "cpu") || at.join("cpu.shares").exists()
    };
    let found = HIERARCHIES.iter().map(PathBuf::from).find(|path| shares(path));
    found.ok_or_else(|| format!("none of {} is a control group of processor time", HIERARCHIES.join(", ")))
}

/// Returns the control group in which this process is, in the hierarchy of `group`.
fn current_group(group: &Path) -> Result<PathBuf, String> {
    let top = group.parent().unwrap_or(group);
    let text = fs::read_to_string("/proc/self/cgroup").map_err(|error| format!("/proc/self/cgroup: {error}"))?;
    let version_1 = top.join("cpu.shares").exists();
    let path = text.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let fits = if version_1 { controllers.split(',').any(|name| name == "cpu") } else { controllers.is_empty() };
        fits.then(|| path.trim_start_matches('/'))
    });
    Ok(top.join(path.unwrap_or_default()))
}

fn make(group: &Path) -> Result<(), String> {
    let top = group.parent().unwrap_or(group);
    if top.join("cgroup.subtree_control").exists() {
        write(&top.join("cgroup.subtree_control"), "+cpu")?;
    }
    fs::create_dir(group).map_err(|error| format!("{}: {error}", group.display()))?;
    let real_time = group.join("cpu.rt_runtime_us");
    if real_time.exists() { write(&real_time, REAL_TIME_US) } else { Ok(()) }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{text} to {}: {error}", path.display()))
}

/// A process that ends when its standard input does, which is awaited on drop.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Starts a process in a session of its own that waits for the end of this one, or for the drop, and then runs the steps.
fn restore_later(steps: &str) -> Result<Ended, String> {
    let script = format!("trap '' INT TERM HUP\ncat >/dev/null\n{steps}");
    start(Command::new("setsid").args(["sh", "-c", &script]))
}

fn spin(group: Group, busy: usize) -> Result<Ended, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = if group == Group::Sessions {
        let mut command = Command::new("setsid");
        command.arg(this);
        command
    } else {
        Command::new(this)
    };
    let mut spinning = start(command.args(["--spin", &busy.to_string()]).stdout(Stdio::piped()))?;
    // It says when its threads run.
    let mut byte = [0];
    let ready = spinning.0.stdout.as_mut().map(|output| output.read_exact(&mut byte));
    ready.transpose().map_err(|error| format!("the busy process: {error}"))?;
    Ok(spinning)
}

fn start(command: &mut Command) -> Result<Ended, String> {
    let started = command.stdin(Stdio::piped()).spawn();
    started.map(Ended).map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))
}

/// Spins on `threads` threads until the standard input ends: what the busy process does.
pub fn spin_until_end_of_input(threads: usize) {
    for _ in 0..threads {
        std::thread::spawn(|| {
            let mut work = 0_u64;
            loop {
                work = std::hint::black_box(work.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
            }
        });
    }
    println!();
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

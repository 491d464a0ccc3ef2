//! The plants: threads, signals and settings that make sleeps late, with a log of when they did.

use super::control_group::ControlGroup;
use crate::bench::tool;
use oversleep_os::cpu;
use oversleep_os::settings::{Guard, Policy, affinity, nice, policy, timer_slack};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use std::hint::black_box;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A planted cause of lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plant {
    /// Nothing.
    Nothing,
    /// A thread that spins with this niceness.
    Busy(i32),
    /// A thread that spins under the policy `idle`.
    BusyIdle,
    /// A control group that may use 10 ms in 100 ms, which the sleeper shares with a process that spins.
    Quota,
    /// The sleeper's process is stopped at intervals.
    Stop,
    /// The sleeper is started with the timer slack [`SLACK`].
    Slack,
    /// The sleeper is traced by `strace`.
    Ptrace,
    /// A real-time thread that spins for the first number of µs in every period of the second.
    Hog(u64, u64),
    /// A thread that sleeps for 20 µs, over and over.
    Timers,
    /// Two threads that wake each other.
    Switches,
    /// Two threads that walk 256 MiB each.
    Memory,
}

/// Every plant, in the order of the table.
pub(super) const ALL: [Plant; 13] = [
    Plant::Nothing,
    Plant::Busy(0),
    Plant::Busy(19),
    Plant::BusyIdle,
    Plant::Quota,
    Plant::Stop,
    Plant::Slack,
    Plant::Ptrace,
    Plant::Hog(3_000, 100_000),
    Plant::Hog(700, 10_000),
    Plant::Timers,
    Plant::Switches,
    Plant::Memory,
];

/// The processor on which everything happens.
pub(super) const CPU: u32 = 0;
/// The planted timer slack.
pub(super) const SLACK: Nanos = Nanos::from_millis(2);
/// Length of a stop, and the time from its end to the next one.
const STOP: Duration = Duration::from_millis(60);
const STOP_EVERY: Duration = Duration::from_millis(300);
/// Memory that a thread walks, and the distance between two accesses, in words of 8 bytes.
const WORDS: usize = 256 << 17;
const STRIDE: usize = 8;
/// Accesses between two readings of the clock.
const ACCESSES: usize = 16;

/// Times from and until which a plant took the processor, on the monotonic clock, in order.
pub(super) type Log = Vec<(Nanos, Nanos)>;

impl Plant {
    /// Returns the plant's name in the table.
    pub(super) fn name(self) -> String {
        match self {
            Self::Nothing => "nothing".to_owned(),
            Self::Busy(nice) => format!("busy thread, nice {nice}"),
            Self::BusyIdle => "busy thread, policy idle".to_owned(),
            Self::Quota => "quota of 10 in 100 ms".to_owned(),
            Self::Stop => format!("stopped for {STOP:?} every {STOP_EVERY:?}"),
            Self::Slack => format!("slack of {SLACK}"),
            Self::Ptrace => "ptrace (strace)".to_owned(),
            Self::Hog(spin, period) => {
                format!("FIFO hog, {} in {}", Duration::from_micros(spin).as_secs_f64() * 1e3, period / 1_000) + " ms"
            }
            Self::Timers => "timer storm".to_owned(),
            Self::Switches => "switch storm".to_owned(),
            Self::Memory => "memory pressure".to_owned(),
        }
    }

    /// Runs a command together with the plant; returns its output, and when the plant had the processor, where that is known.
    pub(super) fn run_with(self, command: &[&str]) -> Result<(Output, Log), String> {
        let stop = Arc::new(AtomicBool::new(false));
        let group = if self == Self::Quota {
            Some(ControlGroup::create("oversleep-plant").map_err(|why| format!("not planted: {why}"))?)
        } else {
            None
        };
        let threads = self.threads(&stop)?;
        let wrapped = self.wrap(command, group.as_ref())?;
        let spinner = group.as_ref().map(spinner).transpose()?;
        let child = Command::new(&wrapped[0])
            .args(&wrapped[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let output = child.map_err(|error| format!("{}: {error}", wrapped[0])).and_then(|child| {
            let stopper = (self == Self::Stop).then(|| stopper(child.id(), &stop));
            let output = child.wait_with_output().map_err(|error| error.to_string());
            stop.store(true, Ordering::Relaxed);
            let log = stopper.map(|thread| thread.join().unwrap_or_default());
            output.map(|output| (output, log))
        });
        stop.store(true, Ordering::Relaxed);
        drop(spinner);
        let mut log = Log::new();
        for thread in threads {
            log.extend(thread.join().map_err(|_| "a plant's thread failed".to_owned())??);
        }
        let (output, stops) = output?;
        log.extend(stops.into_iter().flatten());
        log.sort_unstable();
        Ok((output, log))
    }

    /// Returns the command with what the plant puts in front of it.
    fn wrap(self, command: &[&str], group: Option<&ControlGroup>) -> Result<Vec<String>, String> {
        let before: Vec<String> = match (self, group) {
            (Self::Slack, _) => {
                let slack = format!("{}ns", SLACK.get());
                [command[0], "tune", "-q", "--no-latency-hold", "--slack", &slack, "--"].map(str::to_owned).to_vec()
            }
            (Self::Ptrace, _) => {
                tool::run(Path::new("strace"), &["-V"]).map_err(|why| format!("not planted: {why}"))?;
                ["strace", "-f", "-qq", "-o", "/dev/null"].map(str::to_owned).to_vec()
            }
            (_, Some(group)) => {
                let enter = format!("echo $$ > {} && exec \"$@\"", group.0.join("cgroup.procs").display());
                ["sh", "-c", &enter, "sh"].map(str::to_owned).to_vec()
            }
            _ => Vec::new(),
        };
        Ok(before.into_iter().chain(command.iter().map(|&word| word.to_owned())).collect())
    }

    /// Starts the plant's threads.
    fn threads(self, stop: &Arc<AtomicBool>) -> Result<Vec<JoinHandle<Result<Log, String>>>, String> {
        let start = |name: &str, work: fn(Plant, &AtomicBool) -> Result<Log, String>| {
            let stop = Arc::clone(stop);
            let thread = thread::Builder::new().name(name.to_owned()).spawn(move || work(self, &stop));
            thread.map_err(|error| error.to_string())
        };
        match self {
            Self::Busy(_) | Self::BusyIdle => Ok(vec![start("plant-busy", spin)?]),
            Self::Hog(..) => Ok(vec![start("plant-hog", hog)?]),
            Self::Timers => Ok(vec![start("plant-timers", timers)?]),
            Self::Memory => Ok(vec![start("plant-memory", walk)?, start("plant-memory", walk)?]),
            Self::Switches => {
                let ((to, from), (back, other)) = (channel(), channel());
                let partner = Arc::clone(stop);
                let (a, b) = (Arc::clone(stop), partner);
                let named = || thread::Builder::new().name("plant-switch".to_owned());
                let first = named().spawn(move || wake(&to, &other, &a, true));
                let second = named().spawn(move || wake(&back, &from, &b, false));
                Ok(vec![first.map_err(|error| error.to_string())?, second.map_err(|error| error.to_string())?])
            }
            Self::Nothing | Self::Quota | Self::Stop | Self::Slack | Self::Ptrace => Ok(Vec::new()),
        }
    }
}

fn pinned() -> Result<Guard<Vec<u32>>, String> {
    affinity::apply(&[CPU]).map_err(|refusal| refusal.to_string())
}

fn spin(plant: Plant, stop: &AtomicBool) -> Result<Log, String> {
    let _pinned = pinned()?;
    let text = |refusal: oversleep_sys::Refusal| refusal.to_string();
    let _nice = if let Plant::Busy(nice) = plant { Some(nice::apply(nice).map_err(text)?) } else { None };
    let _idle = if plant == Plant::BusyIdle { Some(policy::apply(Policy::Idle).map_err(text)?) } else { None };
    let mut stretches = Stretches::begin();
    while !stop.load(Ordering::Relaxed) {
        stretches.read();
    }
    Ok(stretches.end())
}

/// The times in which a thread that reads the clock over and over had the processor [`CPU`].
///
/// Where two readings are far from each other, the thread's processor time says whether it was off the processor or was
/// kept waiting by memory. Between two readings it is taken to have run first: a kernel that does not preempt itself lets
/// another thread run when a page fault has been dealt with.
struct Stretches {
    log: Log,
    from: Nanos,
    last: Reading,
}

/// What a thread reads.
#[derive(Clone, Copy)]
struct Reading {
    now: Nanos,
    /// Processor time of the thread.
    used: Nanos,
    here: bool,
}

/// Time between two readings up to which the thread ran throughout: a switch to another and back takes longer.
const AT_ONCE: Nanos = Nanos::from_micros(1);

impl Reading {
    /// Reads the clock, and processor time only if `last` is long ago: that is a system call.
    fn after(last: Option<Self>) -> Self {
        let (now, here) = (clock::monotonic(), cpu::current().map(u32::from) == Some(CPU));
        let used = match last {
            Some(last) if now - last.now <= AT_ONCE => last.used + (now - last.now),
            _ => clock::thread_processor_time().unwrap_or_default(),
        };
        Self { now, used, here }
    }
}

impl Stretches {
    fn begin() -> Self {
        let last = Reading::after(None);
        Self { log: Log::new(), from: last.now, last }
    }

    fn read(&mut self) {
        let (last, next) = (self.last, Reading::after(Some(self.last)));
        let ran = next.used - last.used;
        if (next.now - last.now) - ran > AT_ONCE || last.here != next.here {
            self.end_stretch(ran);
            self.from = next.now;
        }
        self.last = next;
    }

    /// Ends the stretch `ran` after the last reading.
    fn end_stretch(&mut self, ran: Nanos) {
        if self.last.here {
            self.log.push((self.from, self.last.now + ran));
        }
    }

    fn end(mut self) -> Log {
        self.end_stretch(Nanos::ZERO);
        self.log
    }
}

fn hog(plant: Plant, stop: &AtomicBool) -> Result<Log, String> {
    let Plant::Hog(spin, period) = plant else { return Ok(Log::new()) };
    let (spin, period) = (Nanos::from_micros(1) * i64::try_from(spin).unwrap_or(0), Duration::from_micros(period));
    let _pinned = pinned()?;
    let _policy = policy::apply(Policy::Fifo { priority: 80 }).map_err(|refusal| refusal.to_string())?;
    let mut log = Log::new();
    while !stop.load(Ordering::Relaxed) {
        let from = clock::monotonic();
        let mut now = from;
        while now - from < spin {
            now = clock::monotonic();
        }
        log.push((from, now));
        thread::sleep(period.saturating_sub(Duration::from_nanos(spin.get().unsigned_abs())));
    }
    Ok(log)
}

fn timers(_: Plant, stop: &AtomicBool) -> Result<Log, String> {
    let _pinned = pinned()?;
    let _slack = timer_slack::apply(Nanos::new(1)).map_err(|refusal| refusal.to_string())?;
    while !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_micros(20));
    }
    Ok(Log::new())
}

/// Runs one of two threads that wake each other until `stop` is set.
fn wake(to: &Sender<()>, from: &Receiver<()>, stop: &AtomicBool, first: bool) -> Result<Log, String> {
    let _pinned = pinned()?;
    if first {
        let _ = to.send(());
    }
    // The other thread may have ended.
    while !stop.load(Ordering::Relaxed) && from.recv_timeout(Duration::from_millis(100)).is_ok() {
        if to.send(()).is_err() {
            break;
        }
    }
    Ok(Log::new())
}

#[allow(clippy::unnecessary_wraps)] // one of several that run on a thread
fn walk(_: Plant, stop: &AtomicBool) -> Result<Log, String> {
    let mut words = vec![0u64; WORDS];
    let mut index = 0;
    let mut stretches = Stretches::begin();
    while !stop.load(Ordering::Relaxed) {
        for _ in 0..ACCESSES {
            words[index] = words[index].wrapping_add(1);
            index = (index + STRIDE) % WORDS;
        }
        stretches.read();
    }
    black_box(&words);
    Ok(stretches.end())
}

/// Stops and continues a process at intervals, on a thread that returns when it was stopped.
fn stopper(process: u32, stop: &Arc<AtomicBool>) -> JoinHandle<Log> {
    let (process, stop) = (process.to_string(), Arc::clone(stop));
    thread::spawn(move || {
        let mut log = Log::new();
        let signal = |name: &str| tool::run(Path::new("kill"), &["-s", name, &process]).is_ok();
        loop {
            thread::sleep(STOP_EVERY);
            if stop.load(Ordering::Relaxed) || !signal("STOP") {
                return log;
            }
            let from = clock::monotonic();
            thread::sleep(STOP);
            let until = clock::monotonic();
            // The process must be continued in any case.
            if !signal("CONT") {
                return log;
            }
            log.push((from, until));
        }
    })
}

/// Starts a process that spins in the control group, on the sleeper's processor.
fn spinner(group: &ControlGroup) -> Result<Spinner, String> {
    let _pinned = pinned()?;
    let line = format!("echo $$ > {} && while :; do :; done", group.0.join("cgroup.procs").display());
    let child = Command::new("sh").args(["-c", &line]).stdin(Stdio::null()).spawn();
    child.map(Spinner).map_err(|error| format!("sh: {error}"))
}

/// A process that is killed when this is dropped.
struct Spinner(Child);

impl Drop for Spinner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

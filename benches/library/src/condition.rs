//! Conditions of the measured thread: scheduling class and busy threads. Also processor time, and facts of the machine.

use clap::ValueEnum;
use oversleep::Nanos;
use oversleep_os::clock::{self, ClockId, OpenClock};
use oversleep_os::settings::limit_realtime;
use oversleep_os::settings::policy;
use oversleep_recording::plan::Policy;
use std::fs;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// A scheduling class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Class {
    /// Time sharing.
    Other,
    /// SCHED_FIFO 80.
    Fifo,
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Other => "other",
            Self::Fifo => "fifo",
        })
    }
}

/// Calls `measure` on a thread of its own in a scheduling class, while `busy` threads of the ordinary class are busy.
pub fn under<R: Send>(class: Class, busy: usize, measure: impl FnOnce() -> R + Send) -> Result<R, String> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                let mut work = 0_u64;
                while !stop.load(Ordering::Relaxed) {
                    work = black_box(work.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
                }
            });
        }
        let measured = scope.spawn(|| in_class(class, measure)).join();
        stop.store(true, Ordering::Relaxed);
        measured.unwrap_or_else(|_| Err("the measured thread panicked".to_owned()))
    })
}

fn in_class<R>(class: Class, measure: impl FnOnce() -> R) -> Result<R, String> {
    if class == Class::Other {
        return Ok(measure());
    }
    // The process is killed if it runs for two seconds without a sleep; no contender spins that long.
    let _limit = limit_realtime(Nanos::from_secs(2)).map_err(|refusal| refusal.to_string())?;
    let _policy = policy::apply(Policy::Fifo { priority: 80 }).map_err(|refusal| refusal.to_string())?;
    Ok(measure())
}

/// A clock of processor time. Windows has none that is fine enough for a single sleep: it counts in ticks of 15.6 ms.
#[derive(Clone, Copy)]
pub struct Cpu(Option<OpenClock>);

impl Cpu {
    /// Returns the processor time used so far; always zero on a system without such a clock.
    pub fn now(&self) -> Nanos {
        self.0.map_or(Nanos::ZERO, |probe| probe.now())
    }
}

/// Returns the clock of the calling thread's processor time.
pub fn thread_cpu() -> Cpu {
    Cpu(clock::open(ClockId::ThreadCputime).ok())
}

/// Returns the clock of the whole process's processor time, which includes that of contenders' helper threads.
pub fn process_cpu() -> Cpu {
    Cpu(clock::open(ClockId::ProcessCputime).ok())
}

/// Returns one line about the machine.
pub fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let release = read("/proc/sys/kernel/osrelease");
    let source = read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let load = read("/proc/loadavg");
    let cpus = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{} {release}, {cpus} processors, clocksource {source}, load before {load}", std::env::consts::OS)
}

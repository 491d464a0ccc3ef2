//! Busy threads that run during the sleeps as load.

use oversleep_os::method::{self, Request};
use oversleep_os::settings::{Guard, affinity, policy};
use oversleep_recording::document::late::BUSY_THREAD;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Load, LoadKind, Policy};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a thread may take to begin: on a processor that real-time threads keep, it may never run. One that begins later
/// finds that nobody waits for it, and ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Busy threads, which end when this is dropped.
pub(crate) struct Busy {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Busy {
    /// Starts the threads, with the calling thread's ordinary conditions, but never under a real-time policy that the
    /// program inherited: they would starve the machine, and the program that is to end them. Those of kind `Neighbour`
    /// run on the processors of the sleepers under `conditions`. They end by themselves at `until`: on a busy machine the
    /// thread that would drop this may get no time.
    pub(crate) fn start(load: Load, conditions: &Conditions, until: Option<Nanos>) -> Self {
        // Load within another program is started by that program.
        let load = Load { threads: if load.kind == LoadKind::Runtime { 0 } else { load.threads }, ..load };
        let stop = Arc::new(AtomicBool::new(false));
        let work = match load.kind {
            LoadKind::Spin | LoadKind::Neighbour | LoadKind::Runtime => spin,
            LoadKind::Memory => memory,
            LoadKind::Syscalls => syscalls,
            LoadKind::Timers => timers,
        };
        let cpus = conditions.affinity.clone().filter(|_| load.kind == LoadKind::Neighbour);
        let start = |number| {
            let ending = Ending { stop: Arc::clone(&stop), until };
            let cpus = cpus.clone();
            let (answer, begins) = channel();
            let live = move || {
                let may_run = leave_real_time();
                if answer.send(may_run).is_err() || !may_run {
                    return;
                }
                if let Some(cpus) = cpus {
                    give_way_on(&cpus);
                }
                work(&ending);
            };
            let thread = std::thread::Builder::new().name(format!("{BUSY_THREAD}{number}")).spawn(live).ok()?;
            Some((thread, begins))
        };
        let started: Vec<_> = (0..load.threads).filter_map(start).collect();
        let begun =
            |(thread, begins): (JoinHandle<()>, Receiver<bool>)| begins.recv_timeout(PATIENCE).ok()?.then_some(thread);
        let threads = started.into_iter().filter_map(begun).collect();
        Self { stop, threads }
    }

    /// Returns the number of threads that were started.
    pub(crate) fn threads(&self) -> u16 {
        u16::try_from(self.threads.len()).unwrap_or(u16::MAX)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Puts the calling thread under time sharing if it inherited a real-time policy. Returns whether it now gives way to others.
fn leave_real_time() -> bool {
    match policy::read() {
        Ok(inherited) if inherited.is_real_time() => policy::enter(Policy::Other).is_ok(),
        _ => true,
    }
}

/// When busy threads end.
struct Ending {
    stop: Arc<AtomicBool>,
    /// On the monotonic clock.
    until: Option<Nanos>,
}

impl Ending {
    /// Returns whether it is time to end.
    fn is_due(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| clock::monotonic() >= until)
    }
}

/// Moves the calling thread to these processors, with the lowest priority, for the rest of its life. If the system
/// refuses both, it is ordinary load, and the sleepers' own conditions say where they are.
fn give_way_on(cpus: &[u32]) {
    let _ = affinity::apply(cpus).map(Guard::keep);
    let _ = policy::enter(Policy::Idle);
}

/// Counts numbers, as O'Neill's threads did.
fn spin(ending: &Ending) {
    let mut count = 0_u64;
    while !ending.is_due() {
        for _ in 0..10_000 {
            count = black_box(count.wrapping_add(1));
        }
    }
}

/// Writes to 64 MiB, more than most caches hold, one cache line at a time.
fn memory(ending: &Ending) {
    let mut bytes = vec![0_u8; 64 << 20];
    while !ending.is_due() {
        for chunk in bytes.chunks_mut(1 << 20) {
            for byte in chunk.iter_mut().step_by(64) {
                *byte = black_box(byte.wrapping_add(1));
            }
            if ending.is_due() {
                return;
            }
        }
    }
}

/// Makes system calls as fast as it can, without sleeping.
fn syscalls(ending: &Ending) {
    while !ending.is_due() {
        // A query for a path that cannot exist is the cheapest call of the standard library on every system.
        black_box(std::fs::metadata("\u{1}/").is_ok());
    }
}

/// Sleeps for 50 µs, again and again.
fn timers(ending: &Ending) {
    let pause = Nanos::from_micros(50);
    let mut waiter = method::open(DEFAULT_METHODS.measure).ok();
    while !ending.is_due() {
        match &mut waiter {
            Some(waiter) => {
                waiter.prepare(Request::For(pause));
                waiter.wait();
            }
            None => std::thread::sleep(pause.to_duration().unwrap_or_default()),
        }
        black_box(clock::monotonic());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_leaves_the_real_time_policy_that_it_inherited() {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                if policy::enter(Policy::Fifo { priority: 1 }).is_err() {
                    println!("skipped: SCHED_FIFO is not permitted here");
                    return;
                }
                let inherited = || (policy::read(), leave_real_time(), policy::read());
                let (before, may_run, after) = std::thread::spawn(inherited).join().expect("thread");
                assert_eq!(before, Ok(Policy::Fifo { priority: 1 }));
                assert!(may_run);
                assert_eq!(after, Ok(Policy::Other));
            });
        });
    }

    /// Nobody drops them: as where the coordinator gets no time.
    #[test]
    fn busy_threads_end_by_themselves_when_their_time_is_over() {
        for kind in [LoadKind::Spin, LoadKind::Memory, LoadKind::Syscalls, LoadKind::Timers] {
            let load = Load { threads: 1, kind };
            let mut busy = Busy::start(load, &Conditions::default(), Some(clock::monotonic()));
            busy.threads.drain(..).for_each(|thread| thread.join().expect("the thread ended"));
            assert!(!busy.stop.load(Ordering::Relaxed));
        }
    }
}

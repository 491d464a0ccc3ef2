//! The cost of one reading while other threads read the same clock, which shows whether they delay each other.
//!
//! A counter that each processor has for itself costs the same; a shared counter, or a port that all send to, costs
//! more. With more threads than processors the loop also waits for its turn, so the number of threads is reported with
//! the cost.

use super::cost;
use oversleep_os::clock::OpenClock;
use oversleep_recording::LoadedClockCost;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread;

/// Calls between two checks of the stop flag: few enough for the slowest clock, many enough to dominate the time.
const BATCH: u64 = 64;

/// Times a loop of `calls` while other threads read: as many of the `readers` as could be started, all of them already
/// reading.
pub(super) fn time(probe: &OpenClock, calls: u64, readers: u16) -> LoadedClockCost {
    let (begun, stop) = (AtomicU16::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let read = || {
            begun.fetch_add(1, Ordering::Relaxed);
            while !stop.load(Ordering::Relaxed) {
                probe.repeat(BATCH);
            }
        };
        let start = |number| thread::Builder::new().name(format!("reader-{number}")).spawn_scoped(scope, read).ok();
        let started = u16::try_from((0..readers).filter_map(start).count()).unwrap_or(readers);
        while begun.load(Ordering::Relaxed) < started {
            thread::yield_now();
        }
        let cost = cost::time(probe, calls);
        stop.store(true, Ordering::Relaxed);
        LoadedClockCost { readers: started, cost }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_os::clock::{self, ClockId};

    #[test]
    fn readers_read_and_have_ended_afterwards() {
        let probe = clock::open(ClockId::StdInstant).unwrap();
        for readers in [0, 1, 3] {
            let loaded = time(&probe, 10_000, readers);
            assert_eq!((loaded.readers, loaded.cost.calls), (readers, 10_000));
            assert!(loaded.cost.total.get() > 0);
        }
        // The scope has joined the threads; the system may still list a thread for a moment after it has ended.
        let left = || {
            let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
            let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
            names.filter(|name| name.starts_with("reader-")).count()
        };
        assert!((0..6_000).any(|_| left() == 0 || {
            thread::sleep(std::time::Duration::from_millis(10));
            false
        }));
    }
}

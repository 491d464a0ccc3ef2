//! What one reading costs while other threads read the same clock: whether they stand in each other's way.
//!
//! A counter that each processor has for itself costs the same; one that all share, or a port that all send to, does not.
//! With more threads than processors the loop also waits for its turn, which is told beside the number.

use super::cost;
use oversleep_recording::LoadedClockCost;
use oversleep_sys::clock::Probe;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread;

/// Calls between two looks at whether to stop: few enough for the slowest clock, many enough to be what is measured.
const BATCH: u64 = 64;

/// Times a loop of `calls` beside as many readers as could be started, all of whom have begun.
pub(super) fn time(probe: &Probe, calls: u64, readers: u16) -> LoadedClockCost {
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
    use oversleep_sys::clock::{self, ClockId};

    #[test]
    fn readers_read_and_have_ended_afterwards() {
        let probe = clock::open(ClockId::StdInstant).unwrap();
        for readers in [0, 1, 3] {
            let loaded = time(&probe, 10_000, readers);
            assert_eq!((loaded.readers, loaded.cost.calls), (readers, 10_000));
            assert!(loaded.cost.total.get() > 0);
        }
        // The scope has joined them; the system may list a thread that has ended for a moment longer.
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

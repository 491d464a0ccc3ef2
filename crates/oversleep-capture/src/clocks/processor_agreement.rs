//! Checks whether two processors agree on the time.
//!
//! One thread publishes its readings; another loads the latest published reading and then reads the clock itself. If
//! its reading is below the published one, time ran backwards between the two processors. Each direction takes half of
//! the time.

use oversleep_os::clock::OpenClock;
use oversleep_os::cpu;
use oversleep_os::settings::affinity;
use oversleep_recording::{ClockAcross, ClockCompared};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;

/// Compares the readings of two busy threads for `time`.
pub(super) fn compare(probe: &OpenClock, time: Nanos) -> ClockAcross {
    if probe.id().row().counts.is_cpu_time() {
        return ClockAcross::Not("CPU time".to_owned());
    }
    let processors = affinity::read().unwrap_or_else(|_| cpu::online());
    let (&[.., last], Some(&first)) = (processors.as_slice(), processors.first()) else {
        return ClockAcross::Not("number of CPUs unknown".to_owned());
    };
    if processors.len() < 2 {
        return ClockAcross::Not("needs two CPUs".to_owned());
    }
    let half = Nanos::new(time.get() / 2);
    let (there, back) = (one_way(probe, first, last, half), one_way(probe, last, first, half));
    ClockAcross::Compared(ClockCompared {
        reads: there.reads + back.reads,
        earlier: there.earlier + back.earlier,
        worst_ticks: there.worst_ticks.max(back.worst_ticks),
        pinned: there.pinned && back.pinned,
    })
}

fn one_way(probe: &OpenClock, publisher: u32, reader: u32, time: Nanos) -> ClockCompared {
    let (latest, done) = (AtomicI64::new(i64::MIN), AtomicBool::new(false));
    let together = Barrier::new(2);
    thread::scope(|scope| {
        let publishing = scope.spawn(|| {
            let pinned = affinity::pin(publisher).is_ok();
            together.wait();
            while !done.load(Ordering::Relaxed) {
                latest.store(probe.read_ticks(), Ordering::Release);
            }
            pinned
        });
        let reading = scope.spawn(|| {
            let pinned = affinity::pin(reader).is_ok();
            together.wait();
            let found = read_against(probe, &latest, time);
            done.store(true, Ordering::Relaxed);
            ClockCompared { pinned, ..found }
        });
        let found = reading.join().unwrap_or_default();
        done.store(true, Ordering::Relaxed);
        ClockCompared { pinned: found.pinned && publishing.join().unwrap_or(false), ..found }
    })
}

fn read_against(probe: &OpenClock, latest: &AtomicI64, time: Nanos) -> ClockCompared {
    let mut found = ClockCompared::default();
    let start = clock::monotonic();
    while clock::monotonic() - start < time {
        for _ in 0..1_000 {
            let seen = latest.load(Ordering::Acquire);
            let now = probe.read_ticks();
            if now < seen {
                found.earlier += 1;
                found.worst_ticks = found.worst_ticks.max(now.abs_diff(seen));
            }
        }
        found.reads += 1_000;
    }
    found
}

//! Do two processors agree on the time?
//!
//! One thread publishes what it reads, another looks at what is published and then reads for itself: a reading
//! below one already published is time running backwards between two processors. Half of the time each way.

use oversleep_sys::clock::{self, Probe};
use oversleep_sys::cpu;
use oversleep_sys::settings::affinity;
use oversleep_sys::units::Nanos;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;

/// What comparing two processors gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Across {
    /// They were compared.
    Compared(Compared),
    /// They were not, for this reason.
    Not(&'static str),
}

/// Readings of one thread against those another had published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compared {
    /// Readings taken after looking.
    pub reads: u64,
    /// Of these, readings earlier than the one already published.
    pub earlier: u64,
    /// The furthest that one was earlier, in ticks of the clock.
    pub worst_ticks: u64,
    /// The same as a time.
    pub worst: Nanos,
    /// Whether each thread was held on a processor of its own.
    pub pinned: bool,
}

/// Compares for `time`, two threads busy.
pub(super) fn compare(probe: &Probe, time: Nanos) -> Across {
    if probe.id().row().counts.is_cpu_time() {
        return Across::Not("CPU time");
    }
    let processors = affinity::read().unwrap_or_else(|_| cpu::online());
    let (&[.., last], Some(&first)) = (processors.as_slice(), processors.first()) else {
        return Across::Not("number of CPUs unknown");
    };
    if processors.len() < 2 {
        return Across::Not("needs two CPUs");
    }
    let half = Nanos::new(time.get() / 2);
    let (there, back) = (one_way(probe, first, last, half), one_way(probe, last, first, half));
    let worst_ticks = there.worst_ticks.max(back.worst_ticks);
    Across::Compared(Compared {
        reads: there.reads + back.reads,
        earlier: there.earlier + back.earlier,
        worst_ticks,
        worst: probe.nanos(i64::try_from(worst_ticks).unwrap_or(i64::MAX)),
        pinned: there.pinned && back.pinned,
    })
}

fn one_way(probe: &Probe, publisher: u32, reader: u32, time: Nanos) -> Compared {
    let (latest, done) = (AtomicI64::new(i64::MIN), AtomicBool::new(false));
    let together = Barrier::new(2);
    thread::scope(|scope| {
        let publishing = scope.spawn(|| {
            let pinned = affinity::pin(publisher).is_ok();
            together.wait();
            while !done.load(Ordering::Relaxed) {
                latest.store(probe.ticks(), Ordering::Release);
            }
            pinned
        });
        let reading = scope.spawn(|| {
            let pinned = affinity::pin(reader).is_ok();
            together.wait();
            let found = read_against(probe, &latest, time);
            done.store(true, Ordering::Relaxed);
            Compared { pinned, ..found }
        });
        let found = reading.join().unwrap_or_default();
        done.store(true, Ordering::Relaxed);
        Compared { pinned: found.pinned && publishing.join().unwrap_or(false), ..found }
    })
}

fn read_against(probe: &Probe, latest: &AtomicI64, time: Nanos) -> Compared {
    let mut found = Compared::default();
    let start = clock::monotonic();
    while clock::monotonic() - start < time {
        for _ in 0..1_000 {
            let seen = latest.load(Ordering::Acquire);
            let now = probe.ticks();
            if now < seen {
                found.earlier += 1;
                found.worst_ticks = found.worst_ticks.max(now.abs_diff(seen));
            }
        }
        found.reads += 1_000;
    }
    found
}

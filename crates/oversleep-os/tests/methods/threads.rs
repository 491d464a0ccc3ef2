//! Methods opened on several threads at once do not disturb each other.

use crate::turn;
use crate::watchdog::Watchdog;
use oversleep_os::method::{MethodEntry, Request, Woken, entries, open};
use oversleep_recording::catalog::{Early, MethodId};
use oversleep_sys::clock::Reader;
use oversleep_sys::units::Nanos;
use std::sync::Barrier;
use std::thread;

const THREADS: usize = 4;

#[test]
fn every_method_works_on_several_threads_at_once() {
    let _turn = turn();
    for entry in entries() {
        let _watchdog = Watchdog::over(entry.id.name());
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| sleep_together(entry, &barrier));
            }
        });
    }
}

/// Sleeps three times on the method's own clock, all threads at once.
fn sleep_together(entry: &MethodEntry, barrier: &Barrier) {
    let row = entry.id.row();
    let waiter = open(entry.id);
    barrier.wait();
    let mut waiter = match waiter {
        Ok(waiter) => waiter,
        Err(refusal) => {
            let one_per_process = entry.id == MethodId::Setitimer && refusal.reason().contains("another thread");
            assert!(one_per_process || refusal.kind() != "failed", "{}: {refusal}", row.name);
            println!("{}: {refusal}", row.name);
            return;
        }
    };
    let clock = Reader::for_timer(row.clock).expect("its clock, since it opened");
    let request = Nanos::from_micros(300);
    for _ in 0..3 {
        let start = clock.now();
        waiter.prepare(Request::For(request));
        let woken = waiter.wait();
        let slept = clock.now() - start;
        assert!(!matches!(woken, Woken::Failed(_)), "{}: {woken:?}", row.name);
        if woken == Woken::TimedOut && row.early == Early::Never && row.unit.step().is_some() {
            assert!(slept >= request, "{}: asked {request}, slept {slept}", row.name);
        }
    }
}

//! Tests of the clocks' guarantees, on whatever machine they run.

use super::*;
use oversleep_recording::catalog::{Backwards, CLOCKS, ClockId, System};
use oversleep_sys::clock::{counter, monotonic};
use oversleep_sys::units::Nanos;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Rows of this system that deliberately have no code: deprecated, or counted in units that differ between releases.
const WITHOUT_CODE: &[ClockId] = &[ClockId::ClockGetTime, ClockId::ClockGetTimeCalendar, ClockId::Clock];

#[test]
fn rows_and_code_agree_on_this_system() {
    let Some(here) = System::HERE else {
        println!("skipped: a system without a row");
        return;
    };
    let coded: HashSet<_> = entries().map(|entry| entry.id).collect();
    assert_eq!(coded.len(), entries().count(), "two codes for one clock");
    for row in CLOCKS {
        let listed = row.systems.contains(&here);
        if coded.contains(&row.id) {
            assert!(listed, "{} has code but no {here} in its row", row.name);
        } else {
            assert!(!listed || WITHOUT_CODE.contains(&row.id), "{} has no code", row.name);
        }
    }
}

#[test]
fn what_is_not_here_says_where_it_is() {
    let foreign = if cfg!(windows) { ClockId::Gethrtime } else { ClockId::GetTickCount64 };
    let refusal = open(foreign).unwrap_err();
    assert_eq!(refusal.kind(), "unavailable");
    assert!(refusal.reason().contains("it is a clock of"), "{refusal}");
}

#[test]
fn clocks_that_promise_it_never_go_backwards_on_one_thread() {
    for probe in entries().filter_map(|entry| entry.open().ok()) {
        if probe.id().row().backwards != Backwards::Never {
            continue;
        }
        let mut last = probe.read_ticks();
        for _ in 0..20_000 {
            let now = probe.read_ticks();
            assert!(now >= last, "{}: {now} after {last}", probe.id().name());
            last = now;
        }
    }
}

#[test]
fn every_clock_counts_at_the_rate_it_states() {
    // Half to twice the time: enough to detect a wrong unit, loose enough for any machine. Clocks with steps above 1 ms
    // and clocks of CPU time are not tested here.
    let fine = |id: ClockId| !id.row().counts.is_cpu_time() && !matches!(id, ClockId::Time | ClockId::Times);
    for probe in entries().filter_map(|entry| entry.open().ok()).filter(|probe| fine(probe.id())) {
        let first = probe.bracket(4);
        thread::sleep(std::time::Duration::from_millis(40));
        let last = probe.bracket(4);
        let (went, by) = ((last.reading - first.reading).as_f64(), (last.middle() - first.middle()).as_f64());
        assert!((0.5..2.0).contains(&(went / by)), "{}: {went} ns in {by} ns", probe.id().name());
    }
}

/// Returns the number of exchanges between two threads in which the reader, after seeing a new time, read an earlier
/// one; limited in count and time. `None` if the threads hardly ran at the same time (one processor).
fn exchanges_backwards(read: fn() -> u64) -> Option<u64> {
    const EXCHANGES: u64 = 100_000;
    let (published, done) = (AtomicU64::new(read()), AtomicBool::new(false));
    let processors = crate::settings::affinity::read().unwrap_or_default();
    thread::scope(|scope| {
        scope.spawn(|| {
            let _ = processors.first().map(|&first| crate::settings::affinity::pin(first));
            while !done.load(Ordering::Relaxed) {
                published.store(read(), Ordering::Release);
            }
        });
        let reader = scope.spawn(|| {
            let _ = processors.last().map(|&last| crate::settings::affinity::pin(last));
            let (mut exchanges, mut backwards, mut last) = (0, 0, 0);
            let start = monotonic();
            while exchanges < EXCHANGES && monotonic() - start < Nanos::SECOND {
                for _ in 0..1_000 {
                    let seen = published.load(Ordering::Acquire);
                    backwards += u64::from((read().wrapping_sub(seen) as i64) < 0);
                    exchanges += u64::from(seen != last);
                    last = seen;
                }
            }
            done.store(true, Ordering::Relaxed);
            (exchanges, backwards)
        });
        let (exchanges, backwards) = reader.join().unwrap();
        (exchanges >= EXCHANGES / 10).then_some(backwards)
    })
}

#[test]
fn the_ordered_counter_never_goes_backwards_across_threads() {
    if !counter::support().is_ok_and(|support| support.trusted()) {
        println!("skipped: no counter here that is trusted across processors");
        return;
    }
    match exchanges_backwards(counter::ordered) {
        Some(backwards) => assert_eq!(backwards, 0),
        None => println!("skipped: the two threads did not run at once"),
    }
}

use oversleep_os::method::{self, Request};
use oversleep_os::trace::{Setup, Tracer, thread_id};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::trace::EventKind;
use oversleep_sys::units::Nanos;
use oversleep_sys::{Refusal, clock};
use std::path::Path;

/// Returns a tracer for the calling thread; prints a message if the rights are missing.
pub(crate) fn tracer(setup: Setup) -> Option<Tracer> {
    match Tracer::open(thread_id(), setup) {
        Ok(tracer) => Some(tracer),
        Err(refusal @ (Refusal::Forbidden(_) | Refusal::Unavailable(_))) => {
            println!("skipped: {refusal}");
            None
        }
        Err(failed) => panic!("{failed}"),
    }
}

fn nap(count: usize) {
    let mut waiter = method::open(MethodId::Nanosleep).unwrap();
    for _ in 0..count {
        waiter.prepare(Request::For(Nanos::from_micros(500)));
        waiter.wait();
    }
}

#[test]
fn events_lie_between_our_own_readings_of_the_clock_and_stop_when_told() {
    let Some(mut tracer) = tracer(Setup::default()) else { return };
    println!("not on this kernel: {:?}", tracer.missing());
    nap(3);
    assert!(tracer.drain().unwrap().events.is_empty(), "recorded before the start");
    let before = clock::monotonic();
    tracer.start().unwrap();
    nap(10);
    tracer.stop().unwrap();
    let after = clock::monotonic();
    let batch = tracer.drain().unwrap();
    // The kernel's fast reading of the clock may be off while that is updated (ktime_get_mono_fast_ns), by less than a tick.
    let tick = Nanos::from_millis(10);
    let strange: Vec<_> = batch.events.iter().filter(|e| !(before - tick..=after + tick).contains(&e.at)).collect();
    assert!(strange.is_empty(), "another clock than ours, {before} to {after}: {strange:?}");
    assert!(batch.events.windows(2).all(|two| two[0].at <= two[1].at));
    let armed = |kind: &EventKind| matches!(kind, EventKind::TimerStart { .. });
    let armed = batch.events.iter().filter(|event| armed(&event.kind) && event.thread == thread_id());
    assert!(armed.count() >= 10, "each nap arms a timer");
    nap(3);
    assert!(tracer.drain().unwrap().events.is_empty(), "recorded after the stop");
    // A stopped tracer can be started again.
    tracer.start().unwrap();
    nap(3);
    tracer.stop().unwrap();
    assert!(!tracer.drain().unwrap().events.is_empty());
}

#[test]
fn a_tracer_takes_its_instance_with_it() {
    let Some(mut tracer) = tracer(Setup::default()) else { return };
    let name = tracer.name();
    let there = || {
        ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"]
            .iter()
            .any(|root| Path::new(root).join("instances").join(&name).exists())
    };
    let was_there = there();
    tracer.start().unwrap();
    drop(tracer);
    assert!(!there());
    if !was_there {
        println!("the instance was in a private mount: its going cannot be seen from outside");
    }
}

#[test]
fn a_full_ring_says_what_it_lost() {
    let setup = Setup { buffer_kib: 8, explain: true };
    let Some(mut tracer) = tracer(setup) else { return };
    tracer.start().unwrap();
    let mut waiter = method::open(MethodId::Nanosleep).unwrap();
    for _ in 0..400 {
        waiter.prepare(Request::For(Nanos::from_micros(50)));
        waiter.wait();
    }
    tracer.stop().unwrap();
    let batch = tracer.drain().unwrap();
    assert!(!batch.gaps.is_empty(), "{} events in 8 KiB", batch.events.len());
    for gap in &batch.gaps {
        assert!(gap.from <= gap.until);
    }
}

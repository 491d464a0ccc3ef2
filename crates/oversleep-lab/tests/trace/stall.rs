//! A thread that is known to have had the processor is named as the cause of stalls, and the time is accounted for.

use crate::hog::hog;
use oversleep_lab::analysis::stalls::{Causes, Stalls};
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::capture::stalls::{StallOptions, plan, run};
use oversleep_os::cpu;
use oversleep_recording::plan::Policy;
use oversleep_recording::{Meta, Note, Origin, Recording};
use oversleep_sys::units::Nanos;
use std::thread;

/// Returns options for half of every 200 ms on processor 0, with priority over everything but the hog.
fn options() -> StallOptions {
    StallOptions {
        cpus: vec![0],
        duration: Nanos::from_millis(1_500),
        period: Nanos::from_millis(200),
        share: 0.5,
        threshold: Some(Nanos::from_micros(5)),
        policy: Some(Policy::Fifo { priority: 1 }),
        trace: true,
        stop: Stop::default(),
    }
}

fn watched(options: &StallOptions) -> (Recording, Note, Causes) {
    let meta = Meta::new("test", Origin::Live, plan(options));
    let stalls = Stalls::new(&meta);
    let mut sink = (Recording::new(meta), stalls);
    let left: Vec<u32> = cpu::online().into_iter().filter(|cpu| *cpu != 0).collect();
    run(options, &left, &mut sink, &mut |_| {}).unwrap();
    let (recording, stalls) = sink;
    let note = recording.note.clone();
    (recording, note, stalls.finish())
}

#[test]
fn the_hog_is_named_in_most_stalls_that_it_made() {
    if cpu::online().len() < 2 {
        return println!("skipped: there is one processor only");
    }
    let options = options();
    let stop = Stop::default();
    let hogs = stop.clone();
    let hog = thread::Builder::new().name("trace-hog".to_owned()).spawn(move || hog(&hogs)).unwrap();
    let (recording, note, causes) = watched(&options);
    stop.stop();
    let account = note.watched[0];
    assert_eq!(account.elapsed, account.spun + account.stalled + account.looked + account.paused);
    let listed: Nanos = recording.samples.iter().map(|sample| sample.end - sample.start).sum();
    // The ends of each stall are rounded to a nanosecond.
    assert!((listed - account.stalled).abs() <= Nanos::new(i64::try_from(recording.samples.len()).unwrap()));
    let spins = match hog.join().unwrap() {
        Ok(spins) => spins,
        Err(refusal) => return println!("skipped: {refusal}"),
    };
    let overlap = |from: Nanos, until: Nanos| -> Nanos {
        spins.iter().map(|spin| (spin.1.min(until) - spin.0.max(from)).max(Nanos::ZERO)).sum()
    };
    let made: Vec<_> = causes
        .worst
        .iter()
        .filter(|stall| stall.witness == "trace" && overlap(stall.at, stall.at + stall.length) * 2 > stall.length)
        .collect();
    if made.len() < 20 {
        return println!("skipped: {} stalls by the trace were the hog's; {:?}", made.len(), note.unavailable);
    }
    let named = made.iter().filter(|stall| stall.cause.starts_with("trace-hog")).count();
    println!("named in {named} of {} stalls that it made", made.len());
    assert!(named * 100 >= made.len() * 90, "{made:#?}");
}

//! A thread that is known to have had the processor is named as the cause.

use crate::{options, traced};
use oversleep_lab::analysis::attribution::{Breakdown, Owner, PartKind};
use oversleep_lab::analysis::stalls::{Causes, Stalls};
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::capture::stalls::{StallOptions, plan, run};
use oversleep_os::cpu;
use oversleep_os::settings::{Policy, affinity, policy};
use oversleep_recording::{Meta, Note, Origin, Recording};
use oversleep_sys::units::Nanos;
use oversleep_sys::{Refusal, clock};
use std::thread;
use std::time::Duration;

const SPIN: Nanos = Nanos::from_micros(700);
const PAUSE: Duration = Duration::from_micros(500);
/// How long the hog lives at most; the other processors remain free.
const LIFE: Nanos = Nanos::from_millis(1_800);

/// Spins and sleeps in turns, with priority over all others on processor 0; returns when it spun, on the monotonic
/// clock.
pub(crate) fn hog(stop: &Stop) -> Result<Vec<(Nanos, Nanos)>, Refusal> {
    let _affinity = affinity::apply(&[0])?;
    let _policy = policy::apply(Policy::Fifo { priority: 80 })?;
    let (born, mut spins) = (clock::monotonic(), Vec::new());
    while clock::monotonic() - born < LIFE && !stop.stopped() {
        let from = clock::monotonic();
        let mut now = from;
        while now - from < SPIN {
            now = clock::monotonic();
        }
        spins.push((from, now));
        thread::sleep(PAUSE);
    }
    // The sleeper on this processor need not go on after the hog has ended.
    stop.stop();
    Ok(spins)
}

/// Returns how long the hog spun while the sleeper could have run.
fn overlap(breakdown: &Breakdown, spins: &[(Nanos, Nanos)]) -> Nanos {
    let waits = (breakdown.deadline, breakdown.end);
    spins.iter().map(|spin| (spin.1.min(waits.1) - spin.0.max(waits.0)).max(Nanos::ZERO)).sum()
}

/// Returns the time attributed to the hog, in all parts except slack.
fn blamed(breakdown: &Breakdown) -> Nanos {
    let owned = breakdown.parts.iter().filter(|part| part.kind != PartKind::Slack).flat_map(|part| &part.owners);
    let hogs = owned.filter(|(owner, _)| matches!(owner, Owner::Task { comm, .. } if comm.starts_with("trace-hog")));
    hogs.map(|(_, time)| *time).sum()
}

#[test]
fn the_hog_is_named_in_most_sleeps_that_it_delayed() {
    let options = options(2_000);
    let stop = options.stop.clone();
    let hog = thread::Builder::new().name("trace-hog".to_owned()).spawn(move || hog(&stop)).unwrap();
    let run = traced(&options);
    options.stop.stop();
    let spins = match hog.join().unwrap() {
        Ok(spins) => spins,
        Err(refusal) => return println!("skipped: {refusal}"),
    };
    let Some(run) = run else { return };
    let delayed: Vec<_> = run
        .breakdowns
        .iter()
        .filter(|breakdown| breakdown.is_complete() && overlap(breakdown, &spins) >= Nanos::from_micros(100))
        .collect();
    if delayed.len() < 20 {
        return println!("skipped: the hog delayed {} sleeps only; this machine was too busy", delayed.len());
    }
    // Nobody waits during the slack, so the hog has no share of it. The rest includes the hog's own switches.
    let named = delayed.iter().filter(|breakdown| {
        let truth = overlap(breakdown, &spins) - breakdown.total(PartKind::Slack).min(overlap(breakdown, &spins));
        blamed(breakdown) * 2 >= truth && blamed(breakdown) > Nanos::ZERO
    });
    let named = named.count();
    println!("named in {named} of {} sleeps that it delayed, of {} traced", delayed.len(), run.breakdowns.len());
    assert!(named * 100 >= delayed.len() * 90);
}

/// Returns options for half of every 200 ms on processor 0, with priority over everything but the hog.
fn stall_options() -> StallOptions {
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
    let options = stall_options();
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

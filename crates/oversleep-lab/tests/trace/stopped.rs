//! A sleeper that was stopped is reported as stopped, not as late.

use oversleep_lab::analysis::attribution::{Owner, PartKind, TimedSleep, join};
use oversleep_os::method::{self, Request};
use oversleep_os::trace::{Setup, Tracer, thread_id};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::trace::ThreadCounters;
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use std::env;
use std::process::{self, Command};

#[test]
fn a_stopped_sleeper_is_named_as_stopped() {
    // The trace may hide a thread (see docs/TRACING.md), and then says so instead of *stopped*: such an answer does not
    // count.
    let (mut said, mut told) = (String::new(), None);
    for _ in 0..3 {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "stopped::sleeper", "--ignored", "--nocapture"])
            .output()
            .unwrap();
        said = String::from_utf8_lossy(&child.stdout).into_owned();
        let line = said.lines().find(|line| line.starts_with("stopped for") || line.starts_with("skipped"));
        println!("{}", line.unwrap_or("nothing was said"));
        assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
        told = line.map(str::to_owned);
        if !told.as_ref().is_some_and(|line| line.contains(HID)) {
            break;
        }
    }
    assert!(told.is_some(), "{said}");
}

const HID: &str = "the trace hid the sleeper";

#[test]
#[ignore = "the child of a_stopped_sleeper_is_named_as_stopped"]
fn sleeper() {
    println!();
    let mut tracer = match Tracer::open(thread_id(), Setup::default()) {
        Ok(tracer) => tracer,
        Err(refusal) => return println!("skipped: {refusal}"),
    };
    tracer.start().unwrap();
    let script = format!("sleep 0.15; kill -STOP {0}; sleep 0.6; kill -CONT {0}", process::id());
    let mut helper = match Command::new("sh").args(["-c", &script]).spawn() {
        Ok(helper) => helper,
        Err(error) => return println!("skipped: no shell: {error}"),
    };
    let requested = Nanos::from_millis(400);
    let mut waiter = method::open(MethodId::Nanosleep).unwrap();
    waiter.prepare(Request::For(requested));
    let start = clock::monotonic();
    let woken = waiter.wait();
    let end = clock::monotonic();
    helper.wait().unwrap();
    tracer.stop().unwrap();
    let counted = ThreadCounters::default();
    let slept =
        TimedSleep { sequence: 0, requested, deadline: None, relative_unit: None, start, end, slack: None, counted };
    let breakdown = join::join(&tracer.drain().unwrap(), &[], thread_id(), &[slept]).0.remove(0);
    if breakdown.oversleep() < Nanos::from_millis(100) {
        return println!("skipped: the stop came too late on this busy machine ({woken:?})");
    }
    let stopped = breakdown.total(PartKind::Stopped);
    let owners = breakdown.parts.iter().flat_map(|part| &part.owners);
    let hidden: Nanos = owners.filter(|(owner, _)| *owner == Owner::Hidden).map(|(_, time)| *time).sum();
    if hidden * 2 > breakdown.oversleep() {
        return println!("skipped: {HID} for {hidden} of {}", breakdown.oversleep());
    }
    assert!(breakdown.is_complete(), "{breakdown:?}");
    assert!(stopped * 2 > breakdown.oversleep(), "{breakdown:?}");
    println!("stopped for {stopped} of {}", breakdown.oversleep());
}

//! A process that holds every setting and is killed leaves nothing behind.

use crate::support::machine_wide;
use oversleep_os::settings::{Policy, affinity, latency_hold, limit_realtime, memory_lock, nice, policy, timer_slack};
use oversleep_sys::units::Nanos;
use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Returns the settings that a kill could leave changed: this thread's, and the one of the machine.
fn settings() -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        policy::read(),
        nice::read(),
        affinity::read(),
        timer_slack::read(),
        memory_lock::read(),
        latency_hold::read()
    )
}

#[test]
fn kill_minus_nine_leaves_everything_as_before() {
    let _turn = machine_wide();
    let before = settings();
    let latency = latency_hold::read();
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "killed::holder", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let held = lines.find(|line| line.starts_with("holding")).expect("the child holds what it can");
    println!("{held}");
    if latency.is_ok() {
        assert_eq!(latency_hold::read().unwrap(), Nanos::ZERO, "held by the child");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(settings(), before);
}

#[test]
#[ignore = "the child of kill_minus_nine_leaves_everything_as_before"]
fn holder() {
    let cpus = affinity::read().unwrap();
    let _affinity = affinity::apply(&cpus[..1]).unwrap();
    let _slack = timer_slack::apply(Nanos::new(1)).unwrap();
    let _limit = limit_realtime(Nanos::from_secs(1)).unwrap();
    let nice = nice::apply(5);
    let memory = memory_lock::apply(true);
    let latency = latency_hold::apply(Nanos::ZERO);
    let fifo = policy::apply(Policy::Fifo { priority: 1 });
    println!("\nholding {:?}", (&nice, &memory, &latency, &fifo));
    // Sleeps, so that it takes no processor time under FIFO; ends by itself if nobody kills it.
    thread::sleep(Duration::from_secs(20));
}

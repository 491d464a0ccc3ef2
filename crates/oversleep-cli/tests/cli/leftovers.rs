//! A killed run leaves no setting changed.

use crate::support::{holds_samples, oversleep, run};
use oversleep_os::settings::{affinity, latency_hold, memory_lock, nice, policy, timer_slack};
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::process::Stdio;

/// This process's own settings and the machine's.
fn here() -> String {
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

/// What a fresh run finds in force.
fn found() -> Value {
    let ran = run(&["measure", "-q", "--no-save", "-r", "50us", "-n", "5", "--json"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    document["cells"][0]["conditions"]["obtained"].clone()
}

#[test]
fn kill_minus_nine_in_the_middle_of_every_condition() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    let (before, found_before) = (here(), found());
    let held_before = latency_hold::read();
    let mut child = oversleep()
        .args(["measure", "-q", "-e", "periodic", "-n", "100000000", "--flush-every=2ms", "--slack=1ns", "--nice=3"])
        .args(["-p", "fifo:2", "-a", "0", "--mlock", "--latency-hold=7us", "--load=1", "--out"])
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(holds_samples(&path, &mut child), "the run kept nothing");
    // Another process may hold less; where nobody does, ours is what the machine says.
    match (&held_before, latency_hold::read()) {
        (Ok(before), Ok(held)) if *before > Nanos::from_micros(7) => assert_eq!(held, Nanos::from_micros(7)),
        (before, held) => println!("the latency hold could not be seen: {before:?} before, {held:?} during the run"),
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(here(), before);
    assert_eq!(found(), found_before);
}

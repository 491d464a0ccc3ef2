//! A killed run leaves no setting changed.

use crate::support::{found, holds_samples, is_released, of_the_machine, oversleep};
use oversleep_sys::units::Nanos;
use std::process::Stdio;

#[test]
fn kill_minus_nine_in_the_middle_of_every_condition() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    let (before, found_before) = (of_the_machine(), found());
    let mut child = oversleep()
        .args(["measure", "-q", "-e", "periodic", "-n", "100000000", "--flush-every=2ms", "--slack=1ns", "--nice=3"])
        .args(["-p", "fifo:2", "-a", "0", "--mlock", "--latency-hold=7us", "--load=1", "--out"])
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(holds_samples(&path, &mut child), "the run kept nothing");
    // If no other process holds a lower latency, the machine's value is the one of this run.
    match (&before, of_the_machine()) {
        (Ok(before), Ok(held)) if *before > Nanos::from_micros(7) => assert_eq!(held, Nanos::from_micros(7)),
        (before, held) => println!("the latency hold could not be seen: {before:?} before, {held:?} during the run"),
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_released(&before), "{before:?} before, {:?} after", of_the_machine());
    assert_eq!(found(), found_before);
}

//! Sleeps that never end: `simulate` reports them, the recording keeps them, `explain` names them.

use crate::support::{name, run};

/// A simulated kernel that rounds short sleeps to zero ticks, which it waits for without end.
const UNSAFE: &str = "freebsd-8-rizzo-fixed-unsafe";

#[test]
fn a_sweep_in_which_sleeps_hang_says_so_and_explain_names_them_with_their_share() {
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "hung.arrows");
    let ran = run(&["simulate", UNSAFE, "-m", "select", "-r", "1us,2us,30ms,50ms", "-n", "60", "--out", &file]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("2 sleeps never ended") && ran.out.contains("50.0 ms"), "{ran:?}");
    let ran = run(&["explain", &file]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("hung: 50.0 %, confidence 1.00"), "{}", ran.out);
    assert!(ran.out.contains("shortest 1.00 µs") && ran.out.contains("longest 2.00 µs"), "{}", ran.out);
}

#[test]
fn a_recording_in_which_every_sleep_hangs_is_explained_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "hung.arrows");
    let ran = run(&["simulate", UNSAFE, "-r", "1us", "-n", "60", "--out", &file]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let ran = run(&["explain", &file]);
    assert!(ran.code == Some(0) && ran.out.contains("hung: 100.0 %"), "{ran:?}");
}

#[test]
fn kernels_of_a_series_that_hang_are_counted() {
    let ran = run(&["simulate", UNSAFE, "-r", "1us", "-n", "20", "--vary", "hz=1000,2000"]);
    assert!(ran.code == Some(3) && ran.err.contains("never ended"), "{ran:?}");
}

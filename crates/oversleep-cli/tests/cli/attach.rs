//! `attach` refuses what it cannot watch, in one line.

use crate::support::{finish, oversleep};
use oversleep_recording::catalog::System;

fn refused(arguments: &[&str], expected: &str, code: i32) {
    let ran = finish(oversleep().arg("attach").args(arguments));
    assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
    assert_eq!(ran.err.lines().filter(|line| line.starts_with("oversleep: ")).count(), 1, "{}", ran.err);
    assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    assert!(ran.out.is_empty(), "{}", ran.out);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    if System::HERE != Some(System::Linux) {
        return refused(&["1"], "on Linux alone", 3);
    }
    refused(&["999999999"], "there is no process 999999999", 3);
    refused(&["no-such-program"], "no process is called 'no-such-program'", 3);
    refused(&["1", "--", "true"], "cannot be used with", 2);
    refused(&[], "PID|NAME", 2);
}

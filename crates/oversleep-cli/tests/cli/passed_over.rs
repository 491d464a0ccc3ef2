//! No option is accepted and then ignored: a check that was never made must not look like one that passed.

use crate::support::{name, recording, run};

#[test]
fn a_check_is_made_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path());
    let file = name(folder.path(), "short.arrows");
    for command in ["explain", "report"] {
        let ran = run(&[command, &file, "--fail-if", "p50>1ns"]);
        assert_eq!(ran.code, Some(1), "{command}: {}", ran.err);
        assert!(ran.err.contains("check failed"), "{command}: {}", ran.err);
    }
}

/// With a duration and no count, as many sleeps are planned as fit.
#[test]
fn a_duration_is_filled() {
    let lines = |arguments: &[&str]| run(&[&["simulate", "darwin-7", "--csv"], arguments].concat()).out.lines().count();
    assert_eq!(lines(&["-e", "periodic", "-i", "10ms", "-d", "2s"]), 201);
    assert_eq!(lines(&["-r", "10ms,30ms", "-d", "400ms"]), 21);
}

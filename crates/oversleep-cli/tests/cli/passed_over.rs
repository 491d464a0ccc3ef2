//! No option is taken and then passed over: a check that was never made must not look like one that passed.

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
    let sweep = ["simulate", "darwin-7", "--sweep", "hz=100,200", "-n", "9", "--fail-if", "p50>1ns"];
    let versus = ["simulate", "darwin-7", "--vs", "dragonfly-1.0", "-n", "9", "--fail-if", "p50>1ns"];
    let export = ["export", &file, "--fail-if", "p50>1ns"];
    for command in [&sweep[..], &versus, &export, &["list", "--fail-if", "p50>1ns"]] {
        let ran = run(command);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{command:?}: {}", ran.err);
        assert!(ran.err.contains("--fail-if is not for this command"), "{command:?}: {}", ran.err);
    }
}

#[test]
fn samples_are_written_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path());
    let file = name(folder.path(), "short.arrows");
    for command in [&["explain", &file, "--csv"][..], &["list", "--csv"], &["list", "presets", "--csv"]] {
        let ran = run(command);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{command:?}: {}", ran.err);
        assert!(ran.err.contains("--csv is not for this command"), "{command:?}: {}", ran.err);
    }
}

#[test]
fn what_has_no_timer_is_not_traced() {
    let ran = run(&["trace", "-m", "spin", "-n", "5"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains("nothing to trace"), "{}", ran.err);
}

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

/// An option that an experiment does not hear would seem to be in force.
#[test]
fn what_an_experiment_does_not_hear_is_refused() {
    for (arguments, option) in [
        (&["--period", "2ms"][..], "--period"),
        (&["-e", "periodic", "-r", "2ms"], "--request"),
        (&["-e", "herman", "-r", "2ms"], "--request"),
        (&["--from", "2ms"], "--from"),
        (&["-e", "rizzo", "-r", "1ms", "--to", "2ms"], "--to"),
        (&["--as-published"], "--as-published"),
        (&["-e", "rizzo", "--debug"], "--debug"),
        (&["--load-kind", "memory"], "--load-kind"),
        (&["-e", "periodic", "--slack", "1ns,1us"], "--slack"),
        (&["-e", "herman", "--policy", "batch,other"], "--policy"),
    ] {
        for command in [&["measure", "-q", "--no-save", "-n", "1"][..], &["simulate", "darwin-7", "-n", "1"]] {
            let ran = run(&[command, arguments].concat());
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
            assert!(ran.err.contains(option) && ran.err.lines().count() == 1, "{arguments:?}: {}", ran.err);
        }
    }
    let heard = ["simulate", "linux-2.4", "-e", "oneill", "-n", "1", "--load", "0,1", "--load-kind", "spin"];
    assert_eq!(run(&heard).code, Some(0));
}

#[test]
fn what_has_no_timer_is_not_traced() {
    let ran = run(&["trace", "-m", "spin", "-n", "5"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains("nothing to trace"), "{}", ran.err);
}

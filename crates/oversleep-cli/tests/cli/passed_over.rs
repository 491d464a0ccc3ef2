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
    let sweep = ["simulate", "darwin-7", "--vary", "hz=100,200", "-n", "9", "--fail-if", "p50>1ns"];
    let versus = ["simulate", "darwin-7", "--vs", "dragonfly-1.0", "-n", "9", "--fail-if", "p50>1ns"];
    for command in [&sweep[..], &versus] {
        let ran = run(command);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{command:?}: {}", ran.err);
        assert!(ran.err.contains("--fail-if cannot be used here"), "{command:?}: {}", ran.err);
    }
}

/// A command has only options that have an effect.
#[test]
fn options_of_other_commands_are_unknown() {
    for command in [
        &["explain", "x.arrows", "--csv"][..],
        &["explain", "x.arrows", "--quiet"],
        &["report", "x.arrows", "--quiet"],
        &["export", "x.arrows", "--fail-if", "p50>1ns"],
        &["list", "--csv"],
        &["list", "--fail-if", "p50>1ns"],
        &["simulate", "darwin-7", "--trace"],
        &["simulate", "darwin-7", "--mlock"],
        &["simulate", "darwin-7", "--cpus", "0"],
        &["clocks", "--csv"],
    ] {
        let ran = run(command);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{command:?}: {}", ran.err);
        assert!(ran.err.contains("unexpected argument"), "{command:?}: {}", ran.err);
    }
    assert!(run(&["list", "presets", "--all"]).err.contains("--all is for `oversleep list methods`"));
}

/// With a duration and no count, as many sleeps are planned as fit.
#[test]
fn a_duration_is_filled() {
    let lines = |arguments: &[&str]| run(&[&["simulate", "darwin-7", "--csv"], arguments].concat()).out.lines().count();
    assert_eq!(lines(&["-e", "periodic", "-i", "10ms", "-d", "2s"]), 201);
    assert_eq!(lines(&["-r", "10ms,30ms", "-d", "400ms"]), 21);
    for refused in [&["-d", "1s", "-n", "5"][..], &["-d", "1s", "-e", "sweep"]] {
        let ran = run(&[&["simulate", "darwin-7"], refused].concat());
        assert_eq!(ran.code, Some(2), "{refused:?}");
        assert!(ran.err.contains("--duration") && ran.err.contains("simulated kernel"), "{}", ran.err);
    }
}

/// An option that has no effect on an experiment is refused: it would seem to be in force.
#[test]
fn what_an_experiment_does_not_hear_is_refused() {
    for (arguments, option) in [
        (&["-e", "periodic", "-r", "2ms"][..], "--request"),
        (&["-e", "wall-second", "-i", "2ms"], "--interval"),
        (&["-e", "wall-second", "-r", "2ms"], "--request"),
        (&["--from", "2ms"], "--from"),
        (&["-e", "sweep", "-r", "1ms", "--to", "2ms"], "--to"),
        (&["--as-published"], "--as-published"),
        (&["-e", "sweep", "--debug"], "--debug"),
        (&["-e", "periodic", "--slack", "1ns,1us"], "--slack"),
        (&["-e", "wall-second", "--policy", "batch,other"], "--policy"),
    ] {
        for command in [&["measure", "-q", "--no-save", "-n", "1"][..], &["simulate", "darwin-7", "-n", "1"]] {
            let ran = run(&[command, arguments].concat());
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
            assert!(ran.err.contains(option) && ran.err.lines().count() == 1, "{arguments:?}: {}", ran.err);
        }
    }
    let ran = run(&["measure", "-q", "--no-save", "--load-kind", "memory"]);
    assert!(ran.code == Some(2) && ran.err.contains("--load-kind"), "{}", ran.err);
    let ran = run(&["measure", "-q", "--no-save", "--tier", "slack"]);
    assert!(ran.code == Some(2) && ran.err.contains("--tier needs --trace or --on-late"), "{}", ran.err);
}

#[test]
fn what_has_no_timer_is_not_traced() {
    let ran = run(&["trace", "-m", "spin", "-n", "5"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains("nothing to trace"), "{}", ran.err);
}

//! `bounds`: its verdict on simulated kernels, whose sleeps are known, what it refuses, and commands with a control beside them.

use crate::shown::same;
use crate::support::{has_shell, name, run};
use serde_json::Value;

/// Makes a recording of a simulated kernel; returns its path.
fn simulated(folder: &std::path::Path, file: &str, more: &[&str]) -> String {
    let path = name(folder, file);
    let fixed = ["simulate", "linux-2.6-hrtimer", "-q", "--out", &path];
    let ran = run(&[&fixed[..], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    path
}

#[test]
fn the_verdict_comes_first_and_says_what_it_rests_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = simulated(folder.path(), "a.arrows", &["-n", "20000"]);
    let ran = run(&["bounds", "1ms", &file, "--risk", "1e-3"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", ran.out);
    same("bounds", &ran.out);
    let json: Value = serde_json::from_str(&run(&["bounds", "1ms", &file, "--risk", "1e-3", "--json"]).out).unwrap();
    let bound = &json["cells"][0]["bound"];
    assert_eq!((&json["asked_ns"], &bound["basis"]["by"]), (&1_000_000.into(), &"samples".into()), "{json}");
    // The twentieth latest of twenty thousand is exceeded once in a thousand.
    let mut late: Vec<i64> = Vec::new();
    let csv = run(&["export", &file]).out;
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "oversleep_ns").unwrap();
    late.extend(csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().parse::<i64>().unwrap()));
    late.sort_unstable();
    assert_eq!(bound["late_ns"], late[late.len() - 20]);
    // Another duration is bounded by what was measured, which is said.
    let other = run(&["bounds", "100ms", &file, "--risk", "1e-3"]);
    assert!(other.out.contains("this timer's lateness does not depend on the duration"), "{}", other.out);
}

#[test]
fn what_few_sleeps_do_not_carry_is_refused_with_what_they_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = simulated(folder.path(), "few.arrows", &["-n", "100"]);
    let ran = run(&["bounds", "1ms", &file, "--risk", "1e-6"]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(
        ran.out.starts_with("how long a test of 1 ms may take is not known for 1 in 1 000 000 runs\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("the sleeps alone give 1 in "), "{}", ran.out);
    assert!(
        ran.err.starts_with("oversleep: 100 sleeps are too few for a risk of 0.000001: measure longer (about "),
        "{}",
        ran.err
    );
}

#[test]
fn conditions_have_a_bound_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = simulated(folder.path(), "two.arrows", &["-n", "4000", "--slack", "1ns,2ms"]);
    let ran = run(&["bounds", "1ms", &file, "--risk", "1%"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let verdict = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(verdict.starts_with("a test of 1 ms may take 1.") && verdict.contains("; slack 2.00 ms 3."), "{verdict}");
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = simulated(folder.path(), "a.arrows", &["-n", "10"]);
    for wrong in [
        &["bounds"][..],
        &["bounds", "1ms", "--risk", "2"],
        &["bounds", "1ms", &file, "-d", "5s"],
        &["bounds", "1ms", &file, "--no-save"],
        &["bounds", "1ms", &file, "-l", "2"],
        &["bounds", "1ms", "-m", "spin", "-d", "1s", "--no-save"],
        &["bounds", "1ms", "--most", "1ms"],
        &["bounds", "--json", "--", "true"],
        &["bounds", "-l", "2", "--", "true"],
    ] {
        let ran = run(wrong);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{wrong:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn a_short_measurement_is_kept_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "m.arrows");
    let ran = run(&["bounds", "2ms", "--risk", "10%", "-d", "1s", "-q", "-o", &file]);
    assert!([Some(0), Some(3)].contains(&ran.code), "{}", ran.err);
    let again = run(&["bounds", "2ms", &file, "--risk", "10%"]);
    assert_eq!((again.code, again.out), (ran.code, ran.out));
}

#[test]
fn a_command_s_status_is_passed_on_and_the_machine_is_judged_beside_it() {
    if !has_shell() {
        return;
    }
    let ran = run(&["bounds", "--", "sh", "-c", "echo out; exit 7"]);
    assert_eq!((ran.code, &*ran.out), (Some(7), "out\n"), "{}", ran.err);
    let verdict =
        ran.err.starts_with("it was not the machine: ") || ran.err.starts_with("the machine stood still for ");
    assert!(verdict && ran.err.lines().count() == 1, "{}", ran.err);
    let quiet = run(&["bounds", "-q", "--most", "1h", "--", "true"]);
    assert_eq!((quiet.code, &*quiet.err), (Some(0), ""));
    // The command stops this program, whose threads then do not wake either, and lets it go on.
    let stop = "(sleep 0.1; kill -CONT $PPID) & kill -STOP $PPID; wait";
    let over = run(&["bounds", "--most", "50ms", "--", "sh", "-c", stop]);
    let figure =
        |before: &str| over.err.split_once(before).and_then(|(_, after)| after.split_once(" ms")).map(|(ms, _)| ms);
    assert!(over.code == Some(1) && figure("check failed: stood still for ").is_some(), "{over:?}");
    assert_eq!(figure("check failed: stood still for "), figure("the machine stood still for "), "{over:?}");
    let short = run(&["bounds", "--most", "999us", "--", "true"]);
    assert!(short.code == Some(2) && short.err.contains("--most must be 1 ms or more"), "{short:?}");
    let missing = run(&["bounds", "--", "no-such-program"]);
    assert!(
        missing.code == Some(3) && missing.err.starts_with("oversleep: cannot run 'no-such-program'"),
        "{missing:?}"
    );
}

//! Requests that make no sense: one clear line, exit 2, no panic. Refused conditions: a notice, and the rest runs.

use crate::support::{Ran, finish, name, oversleep, recording, run};
use oversleep_recording::catalog::System;

/// A name of another language or of a manual is said to be measured as the call underneath.
#[test]
fn a_name_that_stands_for_another_is_said() {
    if System::HERE != Some(System::Linux) {
        return;
    }
    let Ran { code, err, .. } = run(&["measure", "--no-save", "-q", "-m", "time.sleep", "-r", "50us", "-n", "3"]);
    let said = "time.sleep is measured as clock-nanosleep-abs, the call underneath: clock_nanosleep(2) with CLOCK_MONOTONIC, \
                TIMER_ABSTIME; `oversleep runtimes --only python-time-sleep` measures Python's own\n";
    assert_eq!((code, err.as_str()), (Some(0), said));
    let Ran { err, .. } = run(&["measure", "--no-save", "-q", "-m", "clock_nanosleep()", "-r", "50us", "-n", "3"]);
    assert_eq!(err, "", "another spelling is not another name");
}

#[test]
fn a_period_alone_keeps_a_schedule() {
    let simulated =
        |more: &[&str]| run(&[&["simulate", "freebsd-4.9", "-i", "20ms", "-n", "50", "-q", "--json"], more].concat());
    let (alone, named) = (simulated(&[]), simulated(&["-e", "periodic"]));
    assert_eq!((alone.code, &alone.out), (Some(0), &named.out), "{}", alone.err);
    assert!(alone.out.contains("\"period"), "{}", alone.out);
}

/// The work of a period needs a period that is longer.
#[test]
fn work_without_time_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let sleeps = super::support::recording(folder.path()).display().to_string();
    let schedule = folder.path().join("s.arrows").display().to_string();
    let asked = ["-i", "5ms", "-n", "400"];
    let made = run(&[&["simulate", "openbsd", "-o", &schedule], &asked[..]].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    for (arguments, reason) in [
        (
            &[&sleeps[..], "--work", "1ms"][..],
            "it counts periods of a schedule (measure --interval), and this recording has none",
        ),
        (&[&schedule, "--work", "5ms"], "s.arrows: the work of a period must be shorter than the period, 5 ms"),
        (&[&schedule, "--work", "3ms", "--plot", "time"], "--work counts periods, which no plot shows"),
    ] {
        let Ran { code, out, err } = run(&[&["report"], arguments].concat());
        assert_eq!((code, &*out), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains(reason), "{arguments:?}: {err}");
    }
    // A recording says what the run said.
    let live = run(&[&["simulate", "openbsd", "--work", "3ms"], &asked[..]].concat()).out;
    let read = run(&["report", &schedule, "--work", "3ms"]).out;
    let sentence = |text: &str| text.lines().find(|line| line.starts_with("left ")).map(str::to_owned);
    assert_eq!(
        sentence(&read).as_deref(),
        Some("left 3.00 ms or more for work in 25.0 % of periods (100 of 400); least 0 ns of 5.00 ms")
    );
    assert_eq!(sentence(&live), sentence(&read));
    for (check, code) in [("left<1ms", 1), ("p50 left>1us", 0), ("p99.9 left<1ms", 3)] {
        assert_eq!(run(&["report", &schedule, "--fail-if", check]).code, Some(code), "{check}");
    }
}

/// The help of an option that needs another option says so.
#[test]
fn help_names_what_an_option_needs() {
    for (command, needs) in [
        (
            &["measure", "--help"][..],
            vec!["With --on-late: then", "With --on-late: examine", "With --trace or --on-late: the best"],
        ),
        (&["measure", "--help"], vec!["With --cpus:"]),
        (&["every", "--help"], vec!["With --align:"]),
    ] {
        let text = run(command).out;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(needs.iter().all(|words| text.contains(words)), "{needs:?}: {text}");
    }
}

/// A plan of any length is ready at once and can be interrupted.
#[test]
fn more_sleeps_than_anybody_has_time_for() {
    for experiment in [
        &["-r", "50us"][..],
        &["-e", "wall-second", "-m", "nanosleep"],
        &["-e", "sweep", "--from", "1us", "--to", "5us"],
    ] {
        let limited = ["measure", "-q", "--no-save", "-n", "18446744073709551615", "--duration", "1500ms"];
        let ran = run(&[&limited, experiment].concat());
        assert_eq!(ran.code, Some(0), "{experiment:?}: {}", ran.err);
    }
}

#[test]
fn a_processor_that_is_not_there_is_said_and_the_rest_runs() {
    let ran = run(&["measure", "-q", "--no-save", "-n", "20", "-r", "50us", "-a", "65000"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<_> = ran.out.lines().filter(|line| line.contains("affinity")).collect();
    assert_eq!(lines.len(), 1, "{}", ran.out);
    assert!(lines[0].contains("65000"), "{}", lines[0]);
    assert!(ran.out.contains("nanosleep"), "{}", ran.out);
    let ran = run(&["measure", "-q", "--no-save", "-n", "20", "-r", "50us", "-a", "65000", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["unavailable"][0]["what"], "affinity");
    assert_eq!(document["cells"][0]["n"], 20);
    assert_ne!(document["cells"][0]["conditions"]["obtained"]["affinity"], serde_json::json!([65000]));
}

#[test]
fn a_method_of_another_system_alone_is_nothing_measured() {
    let here = oversleep_os::method::entries().map(|entry| entry.id).collect::<Vec<_>>();
    let elsewhere = |row: &&oversleep_recording::catalog::MethodRow| {
        !here.contains(&row.id) && System::HERE.is_none_or(|system| !row.systems.contains(&system))
    };
    let absent = oversleep_recording::catalog::ROWS.iter().find(elsewhere).expect("no system has them all");
    let alone = run(&["measure", "-q", "--no-save", "-n", "5", "-m", absent.name]);
    assert_eq!((alone.code, alone.out.as_str(), alone.err.lines().count()), (Some(3), "", 1), "{alone:?}");
    assert!(alone.err.contains(&format!("{} is a method of ", absent.name)), "{alone:?}");
    let with_another =
        run(&["measure", "-q", "--no-save", "-n", "5", "-r", "50us", "-m", &format!("{},nanosleep", absent.name)]);
    assert_eq!(with_another.code, Some(0), "{}", with_another.err);
    assert!(with_another.out.contains(absent.name), "{}", with_another.out);
    let csv = run(&["measure", "-q", "--no-save", "-n", "5", "-m", absent.name, "--csv"]);
    assert_eq!(csv.code, Some(3), "{}", csv.err);
}

/// A limit means nothing if the conditions are not those asked for.
#[test]
fn a_condition_that_is_refused_fails_the_check() {
    let short = ["measure", "-q", "--no-save", "-n", "20", "-r", "50us", "--fail-if", "min>100s"];
    assert_eq!(run(&short).code, Some(0));
    let ran = run(&[&short[..], &["-a", "65000"]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("check failed: affinity refused"), "{}", ran.err);
    assert!(ran.out.contains("WARNING: affinity refused") && ran.out.contains("(asked 65000)"), "{}", ran.out);
    let here = oversleep_os::method::entries().map(|entry| entry.id).collect::<Vec<_>>();
    let absent = oversleep_recording::catalog::ROWS.iter().find(|row| !here.contains(&row.id)).unwrap();
    let ran = run(&[&short[..], &["-m", &format!("nanosleep,{}", absent.name)]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains(&format!("check failed: {} was not measured", absent.name)), "{}", ran.err);
}

#[test]
fn a_check_that_fails_is_exit_1_with_every_output() {
    for output in [&[][..], &["--json"], &["--csv"]] {
        let ran =
            run(&[&["measure", "-q", "--no-save", "-n", "20", "-r", "50us", "--fail-if", "min>1ns"], output].concat());
        assert_eq!(ran.code, Some(1), "{output:?}: {}", ran.err);
        assert!(ran.err.contains("check failed: nanosleep: min"), "{}", ran.err);
        assert!(!ran.out.is_empty());
    }
}

/// A schedule that skips three of four periods, for the kernel has a tick of 10 ms: what they felt is shorter than how late
/// the wake-ups are.
#[test]
fn a_check_is_of_wake_ups_or_of_every_period() {
    let schedule = ["simulate", "openbsd", "-e", "periodic", "-i", "5ms", "-n", "400"];
    let checked = |of: &[&str], check: &str| run(&[of, &["-q", "--json", "--fail-if", check]].concat());
    let ran = checked(&schedule, "max>1s");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let cell = &serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()["cells"][0];
    let (raw, corrected) = (cell["p50_ns"].as_i64().unwrap(), cell["corrected"]["p50_ns"].as_i64().unwrap());
    assert!(raw != corrected, "{cell}");
    // A limit between the two figures, and the one that is above it.
    let limit = i64::midpoint(raw, corrected);
    for (figure, is_above) in [("p50", raw > limit), ("corrected p50", corrected > limit)] {
        let ran = checked(&schedule, &format!("{figure} > {limit}ns"));
        assert_eq!(ran.code, Some(i32::from(is_above)), "{figure}: {}", ran.err);
        assert_eq!(ran.err.contains(&format!("check failed: clock-nanosleep-abs: {figure} ")), is_above, "{}", ran.err);
    }
}

/// In every command, a check with too few samples is neither failed nor passed.
#[test]
fn a_check_that_too_few_samples_decide_is_exit_3() {
    let few = ["simulate", "darwin-7", "-n", "20", "-q"];
    let ran = run(&[&few[..], &["--fail-if", "p99>1ms"]].concat());
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(
        ran.err.contains("a check cannot be decided: nanosleep: p99 needs 299 samples (-n 299); only 20"),
        "{}",
        ran.err
    );
    // A failed check counts more than an undecided one.
    let ran = run(&[&few[..], &["--fail-if", "p99>1ms", "--fail-if", "min>1ns"]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
}

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

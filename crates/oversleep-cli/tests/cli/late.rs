//! `--on-late`: late sleeps stop a run, are kept in the recording, and start a command.

use crate::support::{name, run};
use oversleep_recording::catalog::System;
use serde_json::Value;
use std::fs;

fn json(arguments: &[&str]) -> Value {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// Requires that planned sleeps = slept + cut off, and that the run stopped at the first late sleep.
fn stopped(account: &Value, planned: u64) {
    let of = |key: &str| account[key].as_u64().unwrap();
    assert_eq!(account["stopped"], true, "{account}");
    assert_eq!((of("planned"), of("found")), (planned, 1), "{account}");
    assert_eq!(of("planned"), of("slept") + of("cut"), "{account}");
    assert!(of("cut") > 0 && of("after_stop") < of("slept"), "{account}");
}

#[test]
fn a_run_stops_at_the_first_late_sleep_and_says_how_many_were_cut() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "run.arrows");
    let arguments = ["measure", "-n", "20000", "-r", "200us", "-q", "--json", "--on-late=1ns", "--then=stop"];
    let document = json(&[&arguments[..], &["--out", &out]].concat());
    let late = &document["late"];
    stopped(&late["account"], 20_000);
    assert_eq!(document["cells"][0]["n"], late["account"]["slept"]);
    let sleep = &late["sleeps"][0];
    // The first sleep is late: nanosleep never wakes early, and no machine wakes within a nanosecond.
    assert_eq!((&sleep["sequence"], &sleep["thread"]), (&Value::from(0), &Value::from(0)));
    assert_eq!(late["account"]["after_stop"].as_u64().unwrap() + 1, late["account"]["slept"].as_u64().unwrap());
    match sleep["trace"].as_str() {
        Some(file) => assert!(fs::read_to_string(file).unwrap().contains("# times count from the deadline")),
        None => println!("no kernel events here: {}", sleep["refused"]),
    }
    assert!(!sleep["explanation"].as_str().unwrap().is_empty());
    // The recording has the same.
    let kept = json(&["report", &out, "--json"]);
    assert_eq!(kept["late"], *late);
}

#[test]
fn the_sleepers_count_where_no_kernel_events_are_recorded() {
    if System::HERE != Some(System::Linux) {
        return println!("skipped: only Linux counts how long a thread waits");
    }
    for asked in [&["-r", "200us"][..], &["-i", "500us"]] {
        let on_late = ["--on-late=1ns", "--tier=counters", "-n", "50", "-q", "--no-save", "--json"];
        let document = json(&[&["measure"], asked, &on_late].concat());
        let sleeps = document["late"]["sleeps"].as_array().unwrap();
        // Each of the ten latest so far.
        assert!((10..50).contains(&sleeps.len()), "{document}");
        for sleep in sleeps {
            assert_eq!((&sleep["witness"], &sleep["refused"]), (&Value::from("counters"), &Value::Null), "{sleep}");
            let parts = sleep["breakdown"]["parts"].as_array().unwrap();
            let sum: i64 = parts.iter().map(|part| part["time_ns"].as_i64().unwrap()).sum();
            assert_eq!(sleep["length_ns"], sum, "{sleep}");
        }
    }
}

#[test]
fn a_traced_run_stops_within_its_block() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::support::oversleep();
    command.current_dir(folder.path()).args(["trace", "-n", "50", "--json", "--on-late=1ns", "--then=stop"]);
    let ran = crate::support::finish(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    stopped(&document["late"]["account"], 100);
    assert_eq!(document["late"]["account"]["slept"], 1);
}

#[test]
fn a_command_gets_the_finding() {
    if std::process::Command::new("sh").args(["-c", "true"]).status().is_err() {
        println!("skipped: there is no POSIX shell here to write the command for");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (out, seen) = (name(folder.path(), "run.arrows"), name(folder.path(), "seen"));
    let then = format!(
        r#"--then=run=printf '%s|' "$OVERSLEEP_METHOD" "$OVERSLEEP_LATE_NS" "$OVERSLEEP_EXPLANATION" "$OVERSLEEP_TRACE_FILE" >>'{seen}'"#
    );
    let arguments = ["measure", "-n", "300", "-q", "--json", "--on-late=1ns", "--late-limit=1", &then, "--out", &out];
    let document = json(&arguments);
    let sleep = &document["late"]["sleeps"][0];
    let text = fs::read_to_string(seen).unwrap();
    let words: Vec<&str> = text.split('|').collect();
    // The command runs for every sleep that was the latest until then; the first is in the document too.
    assert_eq!(words[0], "nanosleep");
    assert_eq!(words[1], sleep["length_ns"].to_string());
    assert_eq!(words[2], sleep["explanation"].as_str().unwrap());
    assert_eq!(words[3], sleep["trace"].as_str().unwrap_or_default());
    // Without a stop the run goes on.
    assert_eq!(document["late"]["account"]["slept"], 300);
}

#[test]
fn a_simulated_run_stops_exactly_there() {
    // A kernel with a tick of 10 ms: every sleep of 1 ms is milliseconds late.
    let arguments = ["simulate", "linux-2.4", "-n", "100", "-q", "--json", "--on-late=5ms", "--then=stop"];
    let document = json(&arguments);
    let account = &document["late"]["account"];
    stopped(account, 100);
    assert_eq!((&account["after_stop"], &account["late"]), (&Value::from(0), &Value::from(1)));
    let last = account["slept"].as_u64().unwrap() - 1;
    assert_eq!(document["late"]["sleeps"][0]["sequence"], last, "the last sleep is the late one");
    assert_eq!(document["cells"][0]["n"], last + 1);
    assert_eq!(json(&arguments), document, "and again");
    // No sleep is that late, so none is cut off.
    let never = json(&["simulate", "linux-2.4", "-n", "100", "-q", "--json", "--on-late=1h", "--then=stop"]);
    assert_eq!((&never["late"]["account"]["cut"], &never["late"]["account"]["late"]), (&0.into(), &0.into()));
}

#[test]
fn nonsense_is_refused_in_one_line() {
    for arguments in [
        &["measure", "--then=stop"][..],
        &["measure", "--on-late=1ms", "--then=halt"],
        &["measure", "--on-late=soon"],
        &["measure", "--on-late=1ms", "--late-limit=0"],
        &["measure", "--on-late=1ms", "--tier=best"],
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.lines().count() == 1, "{arguments:?}: {}", ran.err);
    }
}

//! Output for other programs: JSON, CSV, lists, completions, manual pages.

use crate::support::{name, recording, run};
use serde_json::Value;
use std::fs;

const HEADER: &str = "method,thread,cpu,load,clock,sequence,requested_ns,deadline_ns,start_ns,end_ns,oversleep_ns,flags,cell,pattern,\
     policy,priority,nice,cpus,timer_slack_ns,memory_locked,latency_hold_ns,timer_resolution_ns,priority_class,\
     multimedia_task,qos,unthrottled,load_kind,threads,asked_policy,asked_priority,asked_nice,asked_cpus,\
     one_cpu_each,asked_timer_slack_ns,asked_memory_locked,asked_latency_hold_ns,asked_timer_resolution_ns,\
     asked_priority_class,asked_multimedia_task,asked_qos,asked_unthrottled,asked_load,asked_load_kind,\
     asked_threads,phase,traced,condition,periods";

fn json(arguments: &[&str]) -> Value {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
}

fn has(object: &Value, keys: &[&str]) {
    for key in keys {
        assert!(object.get(key).is_some(), "no {key} in {object:#}");
    }
}

const FIGURES: [&str; 12] = [
    "n",
    "early",
    "min_ns",
    "mean_ns",
    "sd_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "p999_ns",
    "max_ns",
    "p50_low_ns",
    "p50_high_ns",
];

#[test]
fn json_has_the_agreed_keys() {
    let document = json(&["measure", "-q", "--no-save", "-r", "50us", "-n", "50", "--json"]);
    has(&document, &["format", "tool", "machine", "cells", "unavailable"]);
    let cell = &document["cells"][0];
    has(cell, &["method", "requested_ns", "absolute", "conditions"]);
    has(cell, &FIGURES);
    has(&cell["conditions"], &["asked", "obtained"]);
    assert_eq!(document["format"], 1);
    assert_eq!((&cell["method"], &cell["requested_ns"], &cell["n"]), (&"nanosleep".into(), &50_000.into(), &50.into()));
    assert!(cell["p50_ns"].is_i64() && cell["p90_ns"].is_i64());
    assert!(cell["p99_ns"].is_null() && cell["p999_ns"].is_null(), "50 samples carry neither: {cell:#}");
}

#[test]
fn json_of_a_schedule_has_its_account_and_both_series() {
    let asked = ["measure", "-q", "--no-save", "-e", "periodic", "--interval", "500us", "-n", "400", "--json"];
    let document = json(&asked);
    let cell = &document["cells"][0];
    has(&cell["periods"], &["asked", "fresh", "late", "skipped", "early"]);
    has(&cell["corrected"], &FIGURES);
    let count = |key: &str| cell["periods"][key].as_u64().unwrap();
    assert_eq!(count("asked"), 400);
    assert_eq!(count("asked"), count("fresh") + count("late") + count("skipped"));
    assert_eq!(cell["n"].as_u64().unwrap(), count("fresh") + count("late"));
    // The corrected figures are of every period, including those skipped.
    assert_eq!(cell["corrected"]["n"].as_u64().unwrap(), count("asked"));
}

#[test]
fn threads_of_a_schedule_have_their_own_figures_which_add_up() {
    let asked = ["measure", "-q", "--no-save", "-e", "periodic", "-i", "500us", "-n", "2000", "-t", "3", "--json"];
    let document = json(&asked);
    let cell = &document["cells"][0];
    let threads = cell["threads"].as_array().unwrap();
    let names: Vec<_> = threads.iter().map(|thread| thread["thread"].as_u64().unwrap()).collect();
    assert_eq!(names, [0, 1, 2]);
    let sum = |of: &dyn Fn(&Value) -> u64| threads.iter().map(of).sum::<u64>();
    assert_eq!(sum(&|thread| thread["n"].as_u64().unwrap()), cell["n"].as_u64().unwrap());
    for count in ["asked", "fresh", "late", "skipped", "early"] {
        assert_eq!(sum(&|thread| thread["periods"][count].as_u64().unwrap()), cell["periods"][count].as_u64().unwrap());
    }
    let worst = threads.iter().map(|thread| thread["max_ns"].as_i64().unwrap()).max();
    assert_eq!(worst, cell["max_ns"].as_i64());
}

#[test]
fn csv_is_one_line_per_sample() {
    let ran = run(&["measure", "-q", "--no-save", "-m", "nanosleep,select", "-r", "50us", "-n", "30", "--csv"]);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!((lines[0], lines.len()), (HEADER, 61));
    for line in &lines[1..] {
        let fields: Vec<_> = line.split(',').collect();
        let number = |place: usize| fields[place].parse::<i64>().unwrap();
        assert!(fields.len() >= HEADER.split(',').count(), "{line}");
        assert_eq!(number(9) - number(8) - number(6), number(10), "{line}");
    }
}

#[test]
fn a_recording_says_what_the_run_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "run.arrows");
    let csv = run(&["measure", "-q", "-m", "nanosleep,poll", "-r", "50us,2ms", "-n", "30", "--csv", "--out", &out]);
    assert_eq!(run(&["export", &out]).out, csv.out);
    assert_eq!(run(&["export", "--csv", &out]).out, csv.out);

    let out = name(folder.path(), "again.arrows");
    let now = json(&[
        "measure",
        "-q",
        "-e",
        "periodic",
        "--interval",
        "1ms",
        "-n",
        "50",
        "--threads",
        "2",
        "--json",
        "--out",
        &out,
    ]);
    assert_eq!(json(&["report", "--json", &out]), now);
    assert_eq!(json(&["export", "--json", &out]), now);
}

#[test]
fn the_table_of_a_recording_is_the_run_s() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "run.arrows");
    let now = run(&["measure", "-q", "-m", "nanosleep,poll", "-r", "100us", "-n", "30", "--out", &out]);
    assert_eq!(run(&["report", &out]).out, now.out);
}

#[test]
fn methods_are_listed() {
    let table = run(&["list"]);
    assert_eq!(table.code, Some(0));
    assert!(table.out.starts_with("method") && table.out.contains("\nnanosleep "), "{}", table.out);
    let here = json(&["list", "--json"]);
    let all = json(&["list", "--json", "--all"]);
    let count = |document: &Value| document["methods"].as_array().unwrap().len();
    assert_eq!(count(&all), oversleep_recording::catalog::ROWS.len());
    assert!(count(&here) < count(&all));
    for row in all["methods"].as_array().unwrap() {
        has(
            row,
            &["method", "call", "here", "systems", "mode", "unit_ns", "clock", "may_wake_early", "promise", "source"],
        );
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        // Options, and where the shell's script has values, methods and presets.
        let with_values = ["bash", "zsh", "fish"].contains(&shell);
        let words = if with_values { &["request", "nanosleep", "linux-2.6-hrtimer"][..] } else { &["request"] };
        assert!(words.iter().all(|word| ran.out.contains(word)), "{shell}");
    }
    assert_eq!(run(&["completions", "cobol"]).code, Some(2));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", &folder.path().display().to_string()]).code, Some(0));
    let page = fs::read_to_string(folder.path().join("oversleep-measure.1")).unwrap();
    for section in ["count", ".SH EXAMPLES", ".SH \"EXIT STATUS\"", ".SH FILES"] {
        assert!(page.contains(section), "{section}: {page}");
    }
    assert_eq!(run(&["man", &name(folder.path(), "of/no/folder/yet")]).code, Some(0));
    assert_eq!(run(&["man", &name(folder.path(), "oversleep-measure.1/pages")]).code, Some(3));
}

#[test]
fn herman_prints_one_signed_error_per_line() {
    let ran = run(&["measure", "-q", "--no-save", "-e", "wall-second", "-m", "nanosleep", "-n", "2", "--as-published"]);
    let errors: Vec<_> = ran.out.lines().filter(|line| line.trim().parse::<f64>().is_ok()).collect();
    assert_eq!(errors.len(), 2, "{}", ran.out);
    assert!(errors.iter().all(|line| line.trim().split_once('.').is_some_and(|(_, digits)| digits.len() == 6)));
}

#[test]
fn without_a_terminal_there_is_no_colour_and_no_bar() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let mut command = crate::support::oversleep();
    let ran = crate::support::finish(command.env_remove("NO_COLOR").args(["report"]).arg(&path));
    let next = format!("next: oversleep explain {}\n", path.display());
    assert!(!ran.out.contains('\u{1b}') && ran.err == next, "{ran:?}");
}

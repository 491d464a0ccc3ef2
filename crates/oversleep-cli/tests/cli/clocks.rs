//! `clocks`: keeps its readings, and the recording shows what the run showed.

use crate::support::{Ran, finish, name, oversleep, run};
use oversleep_recording::catalog::System;
use oversleep_recording::catalog::{CLOCKS, ClockRow};
use serde_json::Value;
use std::fs::{self, File};

/// Two clocks that every system has, and the shortest time for drift.
const BRIEF: [&str; 4] = ["clocks", "--quick", "--clock=std-instant,std-system-time", "--duration=200ms"];

fn brief(more: &[&str]) -> Ran {
    let ran = run(&[&BRIEF[..], &["-q"], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran
}

#[test]
fn the_recording_shows_what_the_run_showed() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "clocks.arrows");
    let ran = run(&[&BRIEF[..], &["--out", &out]].concat());
    assert!(ran.err.starts_with("readings kept in ") && !ran.err.contains("samples"), "{}", ran.err);
    assert!(ran.out.contains("std-instant") && ran.out.contains("Drift between clocks"), "{}", ran.out);
    for command in ["report", "explain"] {
        let again = run(&[command, &out]);
        assert_eq!((again.code, again.out.as_str()), (Some(0), ran.out.as_str()), "{command}: {}", again.err);
    }
    let piped = finish(oversleep().args(["explain", "-"]).stdin(File::open(&out).unwrap()));
    assert_eq!((piped.code, piped.out), (Some(0), ran.out));
    let json = run(&["report", &out, "--json"]);
    let document: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(document["clocks"].as_array().unwrap().len(), 2, "{document:#}");
    assert_eq!((&document["drift"][0]["confidence"], &document["stopped"]), (&0.95.into(), &false.into()));
    for again in [run(&["explain", &out, "--json"]), run(&["export", &out, "--json"])] {
        assert_eq!((again.code, again.out.as_str()), (Some(0), json.out.as_str()), "{}", again.err);
    }
}

#[test]
fn json_of_the_run_is_that_of_its_recording() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "clocks.arrows");
    let ran = brief(&["--json", "--out", &out]);
    assert_eq!(run(&["report", &out, "--json"]).out, ran.out);
}

/// A survey of clocks has no sleeps: what needs some takes the last recording that has them, and says so.
#[test]
fn the_last_recording_of_sleeps_is_exported_and_compared_after_a_survey() {
    let state = tempfile::tempdir().unwrap();
    let here = |arguments: &[&str]| finish(oversleep().args(arguments).env("XDG_STATE_HOME", state.path()));
    for _ in 0..2 {
        assert_eq!(here(&["measure", "-q", "-r", "50us", "-n", "5"]).code, Some(0));
    }
    assert_eq!(here(&BRIEF).code, Some(0));
    let exported = here(&["export"]);
    assert_eq!((exported.code, exported.out.lines().count()), (Some(0), 6), "{}", exported.err);
    assert!(
        exported.err.starts_with("recordings of clocks are passed over: they have no sleeps\n"),
        "{}",
        exported.err
    );
    // What shows a survey too says that it is one.
    for command in ["explain", "report"] {
        let shown = here(&[command]);
        assert!(shown.err.starts_with("the last recording, a survey of clocks: "), "{}", shown.err);
        assert!(shown.err.contains("arrows; for one of sleeps name its file, as `oversleep list"), "{}", shown.err);
    }
    let compared = here(&["compare"]);
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    let listed = here(&["list", "recordings"]).out;
    let rows: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..6], ["recording", "size", "kind", "planned", "asked", "conditions"], "{listed}");
    assert_eq!(rows[2][3..], ["measure", "5", "50.0", "µs", "default", "nanosleep"], "{listed}");
}

#[test]
fn what_a_survey_of_clocks_lacks_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "clocks.arrows");
    brief(&["--out", &out]);
    let csv = run(&["export", &out]);
    assert_eq!((csv.code, csv.out.lines().count()), (Some(0), 1), "{}", csv.err);
    assert!(csv.err.contains("has no samples") && csv.err.contains("--json"), "{}", csv.err);
    let checked = run(&["report", &out, "--fail-if", "p99>1ms"]);
    assert_eq!((checked.code, checked.out.as_str()), (Some(2), ""), "{}", checked.err);
    // An existing file is not replaced without --force.
    let again = run(&[&BRIEF[..], &["-q", "--out", &out]].concat());
    assert_eq!(again.code, Some(3), "{}", again.err);
    brief(&["--out", &out, "--force"]);
}

#[test]
fn nothing_is_kept_if_nothing_can_be_read_or_nobody_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "clocks.arrows");
    let of_another = |row: &&ClockRow| System::HERE.is_none_or(|here| !row.systems.contains(&here));
    let elsewhere = CLOCKS.iter().find(of_another).unwrap().name;
    let ran = run(&["clocks", "-q", "--clock", elsewhere, "--out", &out]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains("unavailable: "), "{}", ran.err);
    let quiet = finish(oversleep().args(BRIEF).args(["-q", "--no-save"]).current_dir(folder.path()));
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

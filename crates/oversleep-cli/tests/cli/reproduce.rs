//! `reproduce`: the publications, number by number. Time is simulated, so all numbers are exact.

use crate::support::{name, run};
use serde_json::Value;
use std::fs;

#[test]
fn the_five_lines_come_out_exactly_by_default() {
    let ran = run(&["simulate", "dragonfly-1.0", "-e", "wall-second", "-n", "5", "--as-published"]);
    assert_eq!(ran.out, "0.019496\n0.019506\n0.019516\n0.019525\n0.019535\n", "{}", ran.err);
    let ran = run(&["reproduce", "herman", "--json"]);
    let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    let claims = document["publications"][0]["claims"].as_array().expect("claims");
    let lines = claims.iter().find(|claim| claim["number"] == 4).expect("the five lines");
    for figure in lines["figures"].as_array().expect("figures") {
        assert_eq!((&figure["verdict"], &figure["simulated"]), (&Value::from("exact"), &figure["low"]), "{figure}");
    }
}

#[test]
fn it_is_the_same_every_time_and_asks_for_no_file() {
    let [first, second] = [(); 2].map(|()| run(&["reproduce", "clocks"]));
    assert_eq!((first.code, &first.out), (Some(0), &second.out));
    assert!(first.out.contains("27. clock_get_time costs 2.3 to 2.4 µs"), "{}", first.out);
}

#[test]
fn what_is_written_goes_by_the_ending() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, begins) in [("html", "<!doctype html>"), ("svg", "<svg "), ("md", "## ")] {
        let out = name(folder.path(), &format!("herman.{ending}"));
        let ran = run(&["reproduce", "herman", "-q", "-o", &out]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
        assert!(fs::read_to_string(&out).unwrap().starts_with(begins), "{ending}");
    }
    let out = name(folder.path(), "clocks.svg");
    let ran = run(&["reproduce", "clocks", "-o", &out]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), "oversleep: this publication has no pictures\n"));
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn a_fix_is_shown_between_none_and_all() {
    let ran = run(&["reproduce", "rizzo", "--fix", "clock"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let at = |text: &str| ran.out.find(&format!("\n{text} ")).unwrap_or_else(|| panic!("{text}: {}", ran.out));
    assert!(at("no fix") < at("clock") && at("clock") < at("all three"));
    assert!(!ran.out.contains("\ncalibration"), "{}", ran.out);
}

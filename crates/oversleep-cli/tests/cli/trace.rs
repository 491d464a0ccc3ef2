//! `trace`: every tier works for any user, and the results name the tier used.

use crate::support::{finish, name, oversleep, run};
use serde_json::Value;
use std::fs::File;
use std::process::Command;

#[test]
fn each_tier_gives_one_document_that_names_it_or_says_why_not() {
    for tier in ["events", "switches", "counters", "slack"] {
        let ran = run(&["trace", "-n", "10", "--block", "5", "--tier", tier, "--json", "--every"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let refused = document["higher_tiers"].as_array().unwrap();
        if document["tier"] != tier {
            println!("{tier} cannot be had here: {refused:?}");
            assert_eq!(refused[0]["tier"], tier);
        }
        for sleep in document["sleeps"].as_array().unwrap().iter().filter(|sleep| sleep["complete"] == "complete") {
            let parts = sleep["parts"].as_array().unwrap().iter().map(|part| part["time_ns"].as_i64().unwrap());
            let late = sleep["end_ns"].as_i64().unwrap() - sleep["deadline_ns"].as_i64().unwrap();
            assert_eq!(parts.sum::<i64>(), late);
        }
    }
}

#[test]
fn what_cannot_be_traced_is_refused_in_one_line() {
    for (arguments, code) in
        [(["-m", "nap"], 2), (["--tier", "best"], 2), (["-r", "-1ms"], 2), (["-n", "0"], 2), (["-m", "rcvtimeo"], 3)]
    {
        let ran = run(&[&["trace"], &arguments[..]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty(), "{arguments:?}: {}", ran.out);
    }
}

/// Makes a traced recording of two requests; returns its path and what the run printed.
fn kept(folder: &std::path::Path, more: &[&str]) -> (String, String) {
    let path = name(folder, "traced.arrows");
    let fixed = ["measure", "--trace", "-q", "-n", "20", "--block", "10", "-r", "100us,1ms", "--force", "--out", &path];
    let ran = run(&[&fixed[..], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    (path, ran.out)
}

/// Returns what stands between the verdict and the facts of the run; all of a document.
fn evidence(told: &str) -> &str {
    let between = told.split_once("\n\n").and_then(|(_, below)| below.rsplit_once("\n\n"));
    between.filter(|_| !told.starts_with('{')).map_or(told, |(evidence, _)| evidence)
}

#[test]
fn a_traced_recording_explains_itself_as_its_run_did() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&[][..], &["--json"], &["--tier", "switches"], &["--tier", "slack"]] {
        let (path, told) = kept(folder.path(), more);
        let json = more.iter().filter(|word| **word == "--json").copied();
        let again: Vec<&str> = ["explain", &path].into_iter().chain(json).collect();
        let explained = run(&again).out;
        if let Ok(document) = serde_json::from_str::<Value>(&told) {
            assert_eq!(without_findings(&explained), without_findings(&told));
            let requests = |at: usize| document["breakdowns"][at]["requested_ns"].as_i64();
            assert_eq!((requests(0), requests(1)), (Some(100_000), Some(1_000_000)));
            continue;
        }
        // `explain` also says what the untraced sleeps show.
        assert!(explained.contains(evidence(&told)), "{more:?}: {explained}");
    }
}

/// Returns a document without what only `explain` adds, and the words that depend on it.
fn without_findings(document: &str) -> Value {
    let mut document: Value = serde_json::from_str(document).unwrap();
    let drop_from = |value: &mut Value, names: &[&str]| {
        value.as_object_mut().into_iter().for_each(|of| of.retain(|name, _| !names.contains(&name.as_str())));
    };
    drop_from(&mut document, &["headline", "advice", "findings", "machine_findings", "undecided"]);
    document["breakdowns"].as_array_mut().into_iter().flatten().for_each(|trace| drop_from(trace, &["findings"]));
    document
}

/// A user who may not trace can still read somebody else's traced recording.
#[test]
fn a_traced_recording_explains_itself_to_an_ordinary_user() {
    let folder = tempfile::tempdir().unwrap();
    let (path, told) = kept(folder.path(), &[]);
    let mut other = Command::new("setpriv");
    other.args(["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_oversleep"), "explain", "-"]);
    other.env("NO_COLOR", "1").current_dir("/").stdin(File::open(&path).unwrap());
    match other.output() {
        Ok(output) if output.status.success() => {
            let explained = String::from_utf8(output.stdout).unwrap();
            assert!(explained.contains(evidence(&told)), "{explained}");
        }
        Ok(output) => println!("not tested: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => println!("not tested: no setpriv here: {error}"),
    }
}

#[test]
fn a_traced_recording_has_the_figures_of_both_kinds_of_sleeps() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = kept(folder.path(), &[]);
    let ran = run(&["report", "--json", &path]);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let of = |at: usize| {
        let cell = &document["cells"][at];
        (cell["n"].as_u64(), cell["conditions"]["asked"]["traced"].as_bool(), cell["requested_ns"].as_i64())
    };
    assert_eq!((of(0), of(1)), ((Some(20), None, Some(100_000)), (Some(20), None, Some(1_000_000))));
    assert_eq!((of(2), of(3)), ((Some(20), Some(true), Some(100_000)), (Some(20), Some(true), Some(1_000_000))));
    let text = run(&["report", &path]).out;
    assert!(text.contains("traced"), "{text}");
    assert_eq!(run(&["export", &path]).out.lines().count(), 81, "a header and every sleep");
}

#[test]
fn late_sleeps_of_a_traced_run_are_told_again_by_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, told) = kept(folder.path(), &["--on-late=1ns", "--late-limit=3", "--json"]);
    let document: Value = serde_json::from_str(&told).unwrap();
    let late = &document["late"];
    let sleeps = late["sleeps"].as_array().unwrap().len();
    assert_eq!(late["account"]["found"], sleeps);
    assert!(sleeps >= 3, "{late}");
    let explanation = late["sleeps"][0]["explanation"].as_str().unwrap();
    assert!(explanation.contains(" late: "), "{explanation}");
    let explained = run(&["explain", "--json", &path]).out;
    assert_eq!(without_findings(&explained), without_findings(&told));
    let report: Value = serde_json::from_str(&run(&["report", "--json", &path]).out).unwrap();
    assert_eq!(&report["late"], late);
}

#[test]
fn what_a_traced_measurement_cannot_do_is_refused_in_one_line() {
    let refused = |arguments: &[&str], code: i32| {
        let ran = finish(oversleep().args(["measure", "--trace", "--no-save"]).args(arguments));
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.lines().count() == 1, "{arguments:?}: {}{}", ran.out, ran.err);
    };
    let wrong: [&[&str]; 6] = [
        &["-e", "periodic"],
        &["-t", "2"],
        &["-r", "1ms..2ms"],
        &["--phase", "random"],
        &["-n", "100001"],
        &["--tier", "best"],
    ];
    for arguments in wrong {
        refused(arguments, 2);
    }
    let said = |arguments: &[&str]| run(&[&["measure", "--trace", "--no-save"], arguments].concat()).err;
    let many = said(&["-n", "100001"]);
    assert!(many.ends_with("takes at most 100000 sleeps; give a smaller --count\n"), "{many}");
    let range = said(&["-r", "1ms..2ms"]);
    assert!(range.ends_with("takes single requests, not ranges; give single requests\n"), "{range}");
    refused(&["-m", "rcvtimeo"], 3);
    assert_eq!(run(&["measure", "--no-save", "--marks-only"]).code, Some(2));
    assert_eq!(run(&["simulate", "linux-2.4", "--trace"]).code, Some(2));
}

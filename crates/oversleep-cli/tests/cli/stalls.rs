//! `stalls`: its times add up, it keeps a recording, and it never takes every processor.

use crate::support::{finish, name, oversleep, run};
use oversleep_os::settings::affinity;
use serde_json::Value;
use std::fs::File;

/// A share that works on any machine: one with a single processor can be watched only for a part of the time.
const SHARE: &str = "--share=25%";

#[test]
fn time_is_accounted_for_and_the_recording_shows_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let out = name(folder.path(), "stalls.arrows");
    let ran = run(&["stalls", "-d=300ms", "--interval=100ms", SHARE, "-q", "--json", "--out", &out]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let processors = document["stalls"]["processors"].as_array().unwrap();
    assert!(!processors.is_empty());
    for (account, cell) in processors.iter().zip(document["cells"].as_array().unwrap()) {
        let of = |key: &str| account[key].as_i64().unwrap();
        assert_eq!(of("elapsed_ns"), of("spun_ns") + of("stalled_ns") + of("looked_ns") + of("paused_ns"), "{account}");
        assert!(of("spun_ns") >= 0 && of("paused_ns") > 0 && of("readings") > 0, "{account}");
        assert_eq!(of("stalls"), cell["n"].as_i64().unwrap() + of("unlisted"), "{account}");
        assert!(cell["min_ns"].as_i64().is_none_or(|min| min >= of("threshold_ns") - 1), "{account}");
    }
    let kept = run(&["report", &out, "--json"]);
    let kept: Value = serde_json::from_str(&kept.out).unwrap();
    assert_eq!(kept["stalls"], document["stalls"]);
    assert_eq!(kept["cells"], document["cells"]);
    let shown = run(&["explain", &out]);
    assert!(shown.out.contains("watched = spun + stalled"), "{}", shown.out);
    assert_eq!(run(&["report", &out]).out, shown.out);
    // The recording can be read from a pipe.
    let piped = finish(oversleep().args(["explain", "-"]).stdin(File::open(&out).unwrap()));
    assert_eq!((piped.code, piped.out), (Some(0), shown.out));
    let csv = run(&["export", &out]);
    let listed: i64 = document["cells"].as_array().unwrap().iter().map(|cell| cell["n"].as_i64().unwrap()).sum();
    assert_eq!(csv.out.lines().count(), usize::try_from(listed).unwrap() + 1, "{}", csv.err);
    // The times by what took the processor add up, to the nanosecond, to the lengths of the listed stalls.
    let took: i64 =
        document["stalls"]["took"].as_array().unwrap().iter().map(|took| took["time_ns"].as_i64().unwrap()).sum();
    let lengths = csv.out.lines().skip(1).map(|line| line.split(',').nth(10).unwrap().parse::<i64>().unwrap());
    assert_eq!(took, lengths.sum::<i64>());
}

#[test]
fn nothing_that_long_is_a_result_too() {
    let ran = run(&["stalls", "-d=50ms", SHARE, "-q", "--no-save", "--threshold=1h", "--no-trace"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("no stall longer than "), "{}", ran.out);
}

#[test]
fn all_processors_are_never_taken() {
    let allowed = affinity::read().unwrap();
    let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
    let ran = run(&["stalls", "-d=50ms", "--no-save", "--cpus", &list.join(",")]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.out.is_empty() && ran.err.lines().count() == 1, "{}", ran.err);
    // With an affinity of one processor, that is all there is to watch.
    let _one = affinity::apply(&allowed[..1]).unwrap();
    let ran = run(&["stalls", "-d=50ms", "--no-save"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--share 25%"), "{}", ran.err);
    let ran = run(&["stalls", "-d=50ms", "--no-save", "-q", SHARE]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn nonsense_is_refused_in_one_line() {
    for arguments in [
        &["--share=0"][..],
        &["--share=110%"],
        &["--interval=1h"],
        &["-d=-1s"],
        &["--threshold=0"],
        &["--cpus=64000"],
        &["-p=fifo:1", "--share=95%"],
        &["-p=fifo:1", "--interval=2s"],
        &["-p=deadline:1ms/10ms"],
    ] {
        let ran = run(&[&["stalls", "--no-save"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.lines().count() == 1, "{arguments:?}: {}", ran.err);
    }
}

//! Errors of commands that compare, export, show and simulate, compared whole with those committed in `snapshots/`.

use crate::shown::same;
use crate::support::{finish, oversleep};
use oversleep_recording::catalog::System;
use std::fs;
use std::path::Path;

/// Returns each command line with what it writes to standard error and its exit status. The commands run in `folder`,
/// where no recording is kept.
fn errors(folder: &Path, lines: &[&str]) -> String {
    let said = lines.iter().map(|line| {
        let arguments = line.split(' ').filter(|word| !word.is_empty());
        let state = folder.join("state");
        let ran = finish(oversleep().args(arguments).current_dir(folder).env("XDG_STATE_HOME", state));
        assert_eq!((ran.out.as_str(), ran.err.lines().count()), ("", 1), "{line}: {}{}", ran.out, ran.err);
        assert_ne!(ran.code, Some(0), "{line}");
        let err = ran.err.replace(&folder.display().to_string(), "FOLDER");
        format!("$ oversleep {line}\n{err}[{}]\n\n", ran.code.unwrap_or(-1))
    });
    said.collect()
}

const HEAD: &str = "method,requested_ns,start_ns,end_ns";
const ROW: &str = "a,1000000,0,1058000";

/// Writes the files that the command lines name.
fn write_files(folder: &Path) {
    let files = [
        ("a.csv", format!("{HEAD}\n{ROW}\na,1000000,2000000,3058000\n")),
        ("no-rows.csv", format!("{HEAD}\n")),
        ("back.csv", format!("{HEAD}\na,1000000,5,3\n")),
        ("comments.csv", "# one\n# two\n".to_owned()),
        ("no-end.csv", format!("{HEAD}\n{ROW}")),
        ("array.jsonl", "{\"requested_ns\":1000000,\"start_ns\":0,\"end_ns\":1058000}\n[1]\n".to_owned()),
        ("locked.csv", format!("{HEAD},memory_locked\n{ROW},perhaps\n")),
        ("policy.csv", format!("{HEAD},policy\n{ROW},fast\n")),
        ("load.csv", format!("{HEAD},load,load_kind\n{ROW},1,disco\n")),
        ("pattern.csv", format!("{HEAD},pattern\n{ROW},zigzag\n")),
        ("large.toml", "#".repeat((1 << 20) + 1)),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn errors_of_recordings() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let said = errors(
        folder.path(),
        &[
            "explain",
            "report",
            "export",
            "watch",
            "compare",
            "compare a.csv",
            "compare -- a.csv",
            "compare a.csv x.csv",
            "compare --run --slack 1ns",
            "compare --run --slack 1ns -- --out x.arrows",
            "compare --rounds 5 a.csv -- a.csv",
            "explain no-rows.csv",
            "explain back.csv",
            "explain comments.csv",
            "explain no-end.csv",
            "explain array.jsonl",
            "explain locked.csv",
            "explain policy.csv",
            "explain load.csv",
            "explain pattern.csv",
            "explain a.csv --columns end=end_ns:lightyears",
            "export a.csv -o x.foo",
            "export a.csv --format arrows",
            "export a.csv --format recording",
            "measure -n 1 --out a.csv",
            "measure -n 1 --out none/x.arrows",
            "report a.csv -o x.foo",
            "report a.csv -o x.html --markdown",
            "report a.csv -o x.html --plot time",
            "report a.csv --plot time --markdown",
            "watch a.csv",
        ],
    );
    if System::HERE == Some(System::Linux) {
        same("errors-recordings", &said);
    }
}

#[test]
fn errors_of_kernels_and_tools() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let said = errors(
        folder.path(),
        &[
            "simulate darwin-7 --vs openbsd --csv",
            "simulate darwin-7 --vary hz=100..200/1",
            "simulate darwin-7 --vary hz=a..200/3",
            "simulate darwin-7 --vary hz=1..2/many",
            "simulate darwin-7 --set hz=ten",
            "simulate darwin-7 --set tick_phase=2",
            "simulate darwin-7 --set tc=ticks --set ntp_ppm=3",
            "simulate darwin-7 --set source=pll --set tc=ticks",
            "simulate large.toml",
            "stalls --share 0%",
            "stalls -p deadline:1ms/2ms/4ms",
            "stalls -p 1 -i 2s",
            "trace -r 1ms,2ms",
            "trace -m spin",
            "trace -m sched-yield",
            "trace -m wall",
            "diagnose -m spin",
            "runtimes cobol",
            "runtimes --only cobol",
            "measure -m Sleep",
            "measure --trace --flush-every 1s",
            "measure --command true --tier slack",
            "measure --command true --trace --tier slack",
            "measure --command true -t 2",
            "measure --command true -p 80",
            "measure --command true -r 1ms,2ms --load 0,2",
            "measure --command true -e sweep",
            "serve --listen nowhere",
            "pace 0B/s",
            "pace 1.5.5lines/s",
            "pace 10lines/s --burst 1.5",
            "tune",
            "list recordings --all",
        ],
    );
    if System::HERE == Some(System::Linux) {
        same("errors-kernels-and-tools", &said);
    }
}

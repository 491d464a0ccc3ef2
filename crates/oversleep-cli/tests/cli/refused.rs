//! Errors of commands that compare, export, show and simulate, compared whole with those committed in `snapshots/`.

use crate::shown::same;
use crate::support::{finish, oversleep};
use oversleep_recording::catalog::System;
use std::fs;
use std::path::Path;

/// Returns each command line with what it writes to standard error and its exit status. The commands run in `folder`,
/// where no recording is kept.
pub(crate) fn errors(folder: &Path, lines: &[&str]) -> String {
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
        ("b.csv", format!("{HEAD}\nb,1000000,0,1058000\n")),
        ("copy.csv", format!("{HEAD}\n{ROW}\na,1000000,2000000,3058000\n")),
        ("counts.txt", "T: 0 (11543) P:80 I:1000 C:    981 Min:     15 Act:   64 Avg:   81 Max:    2064\n".to_owned()),
        ("other-base.toml", "base = \"minix\"\n".to_owned()),
        ("other-key.toml", "base = \"darwin-7\"\nhz = 100\n".to_owned()),
        ("value.toml", "base = \"darwin-7\"\n[parameters]\nhz = [1]\n".to_owned()),
        ("broken.toml", "base = \n".to_owned()),
        ("there.md", String::new()),
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

#[test]
fn errors_of_outputs_and_comparisons() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let said = errors(
        folder.path(),
        &[
            "report a.csv b.csv --plot time",
            "report a.csv b.csv --json",
            "report a.csv --plot time,load",
            "report a.csv --plot load",
            "report a.csv --plot drift",
            "report a.csv --plot breakdown",
            "report a.csv --plot processors",
            "report a.csv -o a.csv",
            "report a.csv a.csv --markdown",
            "report a.csv copy.csv --markdown",
            "report a.csv --open --json",
            "report a.csv -o none/x.html",
            "report a.csv --fail-if p99",
            "report a.csv --fail-if corrected",
            "report a.csv --fail-if late>soon",
            "report counts.txt --plot time",
            "report counts.txt --columns start=t0",
            "report -- --json",
            "explain a.csv b.csv",
            "explain counts.txt --columns start=t0",
            "export counts.txt",
            "export counts.txt -o x.hlog",
            "export counts.txt -o x.pftrace",
            "export a.csv -o a.csv",
            "export a.csv -o copy.csv",
            "report a.csv -o there.md",
            "reproduce herman -o there.md",
            "export a.csv -o none/x.csv",
            "export a.csv --json --csv",
            "compare a.csv a.csv",
            "compare a.csv copy.csv",
            "compare a.csv -- b.csv copy.csv",
            "compare --paired a.csv -- b.csv copy.csv",
            "compare --fail-if p99>+10us a.csv -- none.csv",
            "compare --fail-if p98>10us a.csv -- b.csv",
            "compare --fail-if p99>10XX a.csv -- b.csv",
            "compare --fail-if p99>NaN% a.csv -- b.csv",
            "compare --resolve 1us a.csv -- b.csv",
            "compare -d 1s a.csv -- b.csv",
            "compare -d 0 --run --slack 1ns -- --slack 50us",
            "compare --slack 1ns -- --slack 50us",
            "compare a.csv --run -n 1 -- -n 1",
            "compare --run --json -- --slack 1ns",
            "compare --run -n -- -n 1",
            "reproduce -o x.html --json",
            "reproduce herman -o none.txt",
            "reproduce herman --fix speed",
            "completions",
            "man",
            "list methods presets",
            "watch --partial",
        ],
    );
    if System::HERE == Some(System::Linux) {
        same("errors-outputs", &said);
    }
}

#[test]
fn errors_of_options() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let said = errors(
        folder.path(),
        &[
            "simulate",
            "simulate other-base.toml",
            "simulate other-key.toml",
            "simulate value.toml",
            "simulate broken.toml",
            "simulate darwin-7 --set hz=1 --set source=i8254",
            "simulate freebsd-4.9 --set hz=5",
            "simulate freebsd-4.9 --set round=up",
            "simulate freebsd-4.9 --set round=hzto44 --set hz=5000",
            "simulate freebsd-4.9 --vs none",
            "simulate freebsd-4.9 --vary herz=1,2",
            "simulate freebsd-4.9 --vary hz=2..1",
            "simulate freebsd-4.9 --at 1s",
            "simulate freebsd-4.9 --at 1s hz=5",
            "simulate freebsd-4.9 --at 1s ntp_ppm=999999",
            "simulate freebsd-4.9 --at 1s ntp_ppm=fast",
            "simulate freebsd-4.9 -e sweep -d 1s",
            "simulate freebsd-4.9 -m select,nap",
            "simulate freebsd-4.9 --slack 1,2ns",
            "simulate freebsd-4.9 -l 300",
            "simulate freebsd-4.9 -t 0",
            "simulate freebsd-4.9 --seed -1",
            "simulate freebsd-4.9 -p fifo:0",
            "simulate freebsd-4.9 -p fifo:80,rr:100",
            "simulate freebsd-4.9 -o none/x.arrows",
            "simulate freebsd-4.9 -o a.csv",
            "simulate freebsd-4.9 --force",
            "trace -r 1ms..2ms",
            "trace -r 1,5ms",
            "trace -r 1h30m",
            "trace -m nanosleep,select",
            "trace -p fifo:80,other",
            "trace --slack 1ns,50us",
            "trace -l 0,1",
            "trace -n 0",
            "trace --block 0",
            "trace --tier best",
            "trace --every",
            "diagnose -r 1ms,2ms",
            "diagnose -d 1ms",
            "diagnose -m nanosleep,select",
            "diagnose -l 9999",
            "stalls -d 0",
            "stalls --threshold 0ns",
            "stalls -a 0-",
            "stalls --share 200%",
            "clocks -d 2d",
            "runtimes --only python-",
            "runtimes --only setTimeout,time",
            "runtimes --native nanosleep",
            "runtimes --load-kind spin",
            "runtimes -p 80",
            "measure -p fifo:0",
            "measure -p other,rr:0",
            "measure -p fifo:100",
            "measure -p deadline:1us/1ms",
            "watch -p fifo:0",
            "trace -p fifo:0",
            "diagnose -p rr:0",
            "runtimes -r 0ms",
            "runtimes -n 0",
            "measure --command true --interval 1ms",
            "measure --command true --phase random",
            "measure --command true --mlock",
            "measure --command true --one-cpu-each",
            "measure --command true --latency-hold 0us",
            "measure --command true -r 1ms..2ms",
            "measure --command true -m nanosleep",
            "measure --load 1 --load-kind runtime",
            "measure --qos loud",
            "measure --slack 1ns,x",
            "measure -d 1.5",
            "measure -n 5 -d",
            "measure -d 500",
            "measure -i 1000",
            "measure -i 0Hz",
            "measure -i fastHz",
            "measure -i 64/48kHz",
            "measure -t",
            "measure -a",
            "measure --cpu-dma-latency 0",
            "measure --distance 500",
            "measure --nice 0,10",
            "measure --fail-if max>=1ms",
            "simulate freebsd-4.9 -o x.html",
            "trace -i 1ms",
            "diagnose --interval 1ms",
            "stalls -i 5kHz",
        ],
    );
    if System::HERE == Some(System::Linux) {
        same("errors-options", &said);
    }
}

#[test]
fn errors_of_schedules_and_servers() {
    let folder = tempfile::tempdir().unwrap();
    let said = errors(
        folder.path(),
        &[
            "every 1s -n -1 -- true",
            "every 1s --offset 1s -- true",
            "every 1s --missed never -- true",
            "every -1s -- true",
            "every 400d -- true",
            "pace",
            "pace -1MB/s",
            "pace 10MB/h",
            "pace 1e99",
            "pace 0.0000000001",
            "pace 99999999999999GB/s",
            "pace 10lines/s --burst 0",
            "pace 10lines/s --burst 10lines/s",
            "pace 10lines/s --burst many",
            "pace 10MB/s --burst 10lines",
            "pace 10MB/s --burst 1bit",
            "tune --slack 0ns -- true",
            "tune --latency-hold -1us -- true",
            "tune -a none -- true",
            "tune -q -- no-such-program",
            "tune --no-latency-hold --latency-hold 1us -- true",
            "serve --save-on-late 1ms --no-save",
            "serve --folder x --no-save",
            "serve -r 0ms",
            "serve -m nap",
            "serve -m nanosleep -r 1ms,soon",
            "serve --listen 127.0.0.1",
            "serve --stall-threshold 0ns",
            "serve --listen 203.0.113.1:1",
            "watch --command true",
        ],
    );
    if System::HERE == Some(System::Linux) {
        same("errors-schedules-and-servers", &said);
    }
}

/// Arguments with blanks or without a letter, which a line split at blanks cannot have.
#[test]
fn errors_of_empty_arguments() {
    let lines: [&[&str]; 18] = [
        &[""],
        &["measure", "--command", ""],
        &["measure", "--command", "  "],
        &["runtimes", "--command", ""],
        &["runtimes", "--only", ""],
        &["measure", "-m", ""],
        &["measure", "-r", ""],
        &["measure", "--out", ""],
        &["measure", "--on-late", "1ms", "--then", "run="],
        &["measure", "--fail-if", "corrected skipped>0"],
        &["simulate", ""],
        &["simulate", "darwin-7", "--at", "1s  "],
        &["report", ""],
        &["export", "--out", ""],
        &["every", "1s", "--", ""],
        &["tune", "-q", "--", "true && true"],
        &["pace", ""],
        &["serve", "--folder", ""],
    ];
    let said = lines.iter().map(|line| {
        let ran = finish(oversleep().args(*line));
        assert_eq!((ran.out.as_str(), ran.err.lines().count()), ("", 1), "{line:?}: {}{}", ran.out, ran.err);
        assert_ne!(ran.code, Some(0), "{line:?}");
        format!("{line:?}\n{}[{}]\n\n", ran.err, ran.code.unwrap_or(-1))
    });
    let said: String = said.collect();
    if System::HERE == Some(System::Linux) {
        same("errors-empty-arguments", &said);
    }
}

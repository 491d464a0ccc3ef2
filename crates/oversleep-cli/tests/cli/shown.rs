//! Texts for people, compared completely with those committed in `snapshots/`: help, errors, and the output of commands on
//! simulated kernels, which is the same every time. To accept a change, set `INSTA_UPDATE=always` and read the diff.

use crate::support::{Ran, finish, name, oversleep, run};
use insta::Settings;
use oversleep_recording::catalog::System;
use std::fs;
use std::path::Path;

/// Compares a text with the committed snapshot of that name.
pub(crate) fn same(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn at(columns: u16, arguments: &[&str]) -> Ran {
    finish(oversleep().args(arguments).env("COLUMNS", columns.to_string()))
}

const COMMANDS: [&str; 22] = [
    "attach",
    "bounds",
    "measure",
    "compare",
    "serve",
    "explain",
    "diagnose",
    "runtimes",
    "stalls",
    "clocks",
    "simulate",
    "report",
    "reproduce",
    "watch",
    "export",
    "trace",
    "tune",
    "every",
    "pace",
    "list",
    "completions",
    "man",
];

/// Lines of `-h` at 100 columns at most: about a screen.
const SCREEN: usize = 72;

#[test]
fn the_short_help_is_a_screen_and_names_only_what_the_whole_has() {
    same("help", &at(80, &["--help"]).out);
    for command in COMMANDS {
        let (long, short) = (at(100, &[command, "--help"]).out, at(100, &[command, "-h"]).out);
        assert!(short.lines().count() <= SCREEN, "{command}: {} lines", short.lines().count());
        let options = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.trim_start().starts_with('-'));
            lines
                .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
                .map(str::to_owned)
                .collect()
        };
        let whole = options(&long);
        assert!(options(&short).iter().all(|option| whole.contains(option)), "{command}");
    }
}

/// Prose fits the terminal. Only examples may be longer, so that they can be copied.
#[test]
fn help_fits_the_terminal() {
    for columns in [60, 80, 120] {
        for command in COMMANDS {
            let text = at(columns, &[command, "--help"]).out;
            let long =
                text.lines().find(|line| line.chars().count() > columns.into() && !line.contains("  oversleep "));
            let example = long.is_none_or(|line| line.contains("oversleep"));
            assert!(example, "{command} at {columns}: {long:?}");
        }
    }
}

/// Returns each command line with what it writes to standard error and its exit status.
fn errors(lines: &[&[&str]]) -> String {
    let said = lines.iter().map(|line| {
        let ran = run(line);
        assert_eq!((ran.out.as_str(), ran.err.lines().count()), ("", 1), "{line:?}: {}{}", ran.out, ran.err);
        format!("$ oversleep {}\n{}[{}]\n\n", line.join(" "), ran.err, ran.code.unwrap_or(-1))
    });
    said.collect()
}

#[test]
fn errors_of_requests() {
    let text = errors(&[
        &["measrue"],
        &["measure", "--mehtod", "nanosleep"],
        &["measure", "-m", "nap"],
        &["measure", "-m", "nanoslep"],
        &["measure", "-m", "thread.sleep"],
        &["measure", "-r", "5"],
        &["measure", "-r", "soon"],
        &["measure", "-r", "-1ms"],
        &["measure", "-r", "2ms..1ms"],
        &["measure", "-n", "0"],
        &["measure", "-n", "many"],
        &["measure", "-d", "0"],
        &["measure", "-d", "soon"],
        &["measure", "-p", "realtime"],
        &["measure", "-p", "100"],
        &["measure", "-p", "fifo:high"],
        &["measure", "-p", "deadline:1ms"],
        &["measure", "-p", "80", "-m", "spin"],
        &["measure", "-a", "3-1"],
        &["measure", "--one-cpu-each"],
        &["measure", "--slack", "0ns"],
        &["measure", "--nice", "40"],
        &["measure", "--phase", "full-moon"],
        &["measure", "--load-kind", "memory"],
        &["-p", "80"],
        &["cyclictest"],
        &["Cargo.toml"],
        &["measure", "-m"],
        &["measure", "-m", "asyncio.sleep"],
        &["measure", "-i", "1ms", "--trace"],
        &["measure", "-i", "1ms", "-r", "2ms"],
        &["measure", "--from", "1ms"],
        &["measure", "-i", "1ms", "-h", "400"],
        &["measure", "-e", "hermann"],
        &["measure", "-e", "wall-second", "-m", "nanosleep,select"],
        &["measure", "-e", "wall-second", "-r", "1ms"],
        &["measure", "-e", "periodic", "-i", "0ms"],
        &["measure", "-e", "periodic", "-m", "sched-yield"],
        &["measure", "-e", "periodic", "-i", "1s", "-n", "18446744073709551615"],
        &["measure", "-e", "periodic", "--slack", "1ns,1us"],
        &["measure", "-e", "sweep", "--from", "2s", "--to", "1s"],
        &["measure", "--as-published"],
        &["measure", "--fail-if", "p98>1us"],
        &["measure", "--fail-if", "p99>fast"],
        &["measure", "--fail-if", "corrected skipped>0"],
        &["measure", "--json", "--csv"],
        &["measure", "--out", "-"],
        &["measure", "--force"],
        &["measure", "--then", "stop"],
        &["measure", "--on-late", "1ms", "--then", "halt"],
        &["measure", "--tier", "slack"],
        &["measure", "--trace", "--tier", "best"],
        &["measure", "--trace", "-t", "2"],
        &["diagnose", "-d", "NaN"],
        &["diagnose", "-d", "1s", "-r", "1s"],
        &["stalls", "--share", "half"],
        &["stalls", "-i", "1h"],
        &["stalls", "-p", "1", "--share", "99%"],
        &["clocks", "-c", "sundial"],
        &["clocks", "-d", "1ms"],
        &["every", "0s", "--", "true"],
        &["every", "1s"],
        &["every", "1s", "true"],
        &["every", "1s", "--offset", "1s", "--", "true"],
        &["every", "1ms", "-n", "1", "--", "no-such-program"],
        &["pace", "fast"],
        &["pace", "10XB/s"],
        &["pace", "10lines/s", "--burst", "64KiB"],
        &["reproduce", "newton"],
        &["reproduce", "herman", "--fix", "clock"],
        &["reproduce", "-o", "x.pdf"],
        &["watch"],
        &["watch", "run.arrows", "-m", "nanosleep"],
        &["watch", "-e", "wall-second"],
        &["list", "presets", "--all"],
        &["list", "everything"],
        &["completions", "cobol"],
    ]);
    // Which methods are suggested depends on the system.
    if System::HERE == Some(System::Linux) {
        same("errors-requests", &text);
    }
}

#[test]
fn errors_of_files_and_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let of = |file: &str, bytes: &[u8]| {
        let path = name(folder.path(), file);
        fs::write(&path, bytes).unwrap();
        path
    };
    let head = "method,requested_ns,start_ns,end_ns\n";
    let (empty, text) = (of("empty", b""), of("text.csv", b"just some text\n"));
    let (short, no_number) =
        (of("short.csv", format!("{head}a,1\n").as_bytes()), of("x.csv", format!("{head}a,x,1,2\n").as_bytes()));
    let (no_column, zeros) = (of("no.csv", b"method,start_ns,end_ns\na,1,2\n"), of("zeros.arrows", &[0; 64]));
    let kernel = of("kernel.toml", b"base = \"darwin-7\"\n[parameters]\nhertz = 5\n");
    let folder_name = folder.path().display().to_string();
    let missing = name(folder.path(), "missing.arrows");
    let said = errors(&[
        &["report", &missing],
        &["report", &folder_name],
        &["explain", &empty],
        &["explain", &text],
        &["explain", &short],
        &["explain", &no_number],
        &["explain", &no_column],
        &["explain", &zeros],
        &["export", &short, "-o", "x.parquet"],
        &["man", &missing],
        &["simulate", "darwin-77"],
        &["simulate", &kernel],
        &["simulate", "darwin-7", "--set", "hz"],
        &["simulate", "darwin-7", "--set", "hz=0"],
        &["simulate", "darwin-7", "--set", "herz=100"],
        &["simulate", "darwin-7", "--vary", "hz"],
        &["simulate", "darwin-7", "--vary", "hz=100,200", "--csv"],
        &["simulate", "darwin-7", "--vary", "hz=100,200", "--fail-if", "p99>1ms"],
        &["simulate", "darwin-7", "--vary", "hz=100,200", "--vs", "openbsd"],
        &["simulate", "darwin-7", "--at", "soon", "ntp_ppm=1"],
        &["simulate", "darwin-7", "-d", "1s", "-n", "5"],
        &["simulate", "darwin-7", "--cpus", "0"],
    ]);
    same("errors-files-and-kernels", &said.replace(&folder_name, "FOLDER"));
}

/// Returns a command's output at three widths, one below the other.
fn widths(arguments: &[&str]) -> String {
    let shown = [60_u16, 80, 120].map(|columns| {
        let ran = at(columns, arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        format!("──── {columns} columns\n{}", ran.out)
    });
    shown.concat()
}

#[test]
fn tables_of_simulated_kernels() {
    for (shown, arguments) in [
        ("simulate", &["simulate", "freebsd-4.9", "-m", "nanosleep,select", "-r", "1ms,15ms", "-n", "300"][..]),
        (
            "simulate-conditions",
            &["simulate", "linux-2.6-hrtimer", "-r", "1ms", "--slack", "1ns,50us", "-l", "0,2", "-n", "99"],
        ),
        ("simulate-wall-second", &["simulate", "dragonfly-1.0", "-e", "wall-second", "-d", "8s"]),
        (
            "simulate-as-published",
            &["simulate", "dragonfly-1.0", "-e", "wall-second", "-n", "5", "--as-published", "--debug"],
        ),
        ("simulate-sweep", &["simulate", "freebsd-8-hz1000", "-e", "sweep", "--to", "10ms", "-n", "9"]),
        ("simulate-load", &["simulate", "windows-98", "-e", "load", "-n", "5"]),
        ("simulate-periodic", &["simulate", "openbsd", "-e", "periodic", "-i", "5ms", "-n", "400"]),
        ("simulate-work", &["simulate", "openbsd", "-i", "5ms", "-n", "400", "--work", "3ms"]),
        (
            "simulate-schedules",
            &["simulate", "openbsd", "-m", "clock-nanosleep-abs,nanosleep", "-i", "5ms", "-n", "400", "--work", "3ms"],
        ),
        ("simulate-vary", &["simulate", "darwin-7", "--vary", "hz=100,1000", "-r", "3ms", "-n", "50"]),
        ("simulate-vs", &["simulate", "linux-2.4", "--vs", "linux-2.6-hrtimer", "-r", "1ms", "-n", "50"]),
    ] {
        same(shown, &widths(arguments));
    }
    same("list-presets", &run(&["list", "presets"]).out);
}

/// Simulates a kernel; returns the output of `explain` and of `report` for its recording.
fn explained(folder: &Path, preset: &str, plan: &[&str]) -> (String, String) {
    let path = name(folder, "r.arrows");
    let made = run(&[&["simulate", preset, "-q", "--force", "--out", &path], plan].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    (widths(&["explain", &path]), widths(&["report", &path]))
}

#[test]
fn explanations_of_simulated_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let random = ["-r", "200us..60ms", "-n", "300", "--phase", "random"];
    for preset in ["freebsd-4.9", "linux-2.6-hrtimer", "windows-nt-15.6ms"] {
        let (explained, reported) = explained(folder.path(), preset, &random);
        same(&format!("explain-{preset}"), &explained);
        same(&format!("report-{preset}"), &reported);
    }
    let (undecided, _) = explained(folder.path(), "darwin-7", &["-r", "10ms", "-n", "60"]);
    same("explain-undecided", &undecided);
}

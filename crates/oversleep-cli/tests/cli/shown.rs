//! Texts for people, compared completely with those committed in `snapshots/`: help, errors, and the output of commands on
//! simulated kernels, which is the same every time. To accept a change, set `INSTA_UPDATE=always` and read the diff.

use crate::support::{Ran, finish, name, oversleep, run};
use insta::Settings;
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

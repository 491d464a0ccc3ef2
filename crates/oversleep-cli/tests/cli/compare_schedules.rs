//! `compare` of schedules: shares of late, skipped and missed periods, with checks of them.
//!
//! OpenBSD wakes every fourth period of 5 ms, 16.4 ms late: 100 of 400 periods are late, 300 skipped, and 300 leave less than 3 ms.

use crate::support::{Ran, name, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const LINUX: &str = "linux-2.6-hrtimer";

/// Simulates a kernel with a schedule once with each seed; returns the recordings' paths.
fn schedules(folder: &Path, kernel: &str, seeds: std::ops::Range<u32>, periods: &str) -> Vec<String> {
    let one = |seed: u32| {
        let path = name(folder, &format!("{kernel}-{seed}.arrows"));
        let made = ["simulate", kernel, "-q", "-i", "5ms", "-n", periods, "--seed", &seed.to_string(), "-o", &path];
        let ran = run(&made);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        path
    };
    seeds.map(one).collect()
}

/// Compares two sides with these options.
fn compared(options: &[&str], a: &[String], b: &[String]) -> Ran {
    let words = |side: &[String]| -> Vec<String> { side.to_vec() };
    let (a, b) = (words(a), words(b));
    let side = |side| -> Vec<&str> { <[String]>::iter(side).map(String::as_str).collect() };
    run(&[&["compare"][..], options, &side(&a), &["--"], &side(&b)].concat())
}

#[test]
fn shares_of_periods_decide_the_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (schedules(folder.path(), LINUX, 1..5, "400"), schedules(folder.path(), "openbsd", 1..5, "400"));
    let same = schedules(folder.path(), LINUX, 5..9, "400");
    let failed = |row: &str| format!("check failed: clock-nanosleep-abs: {row}\n");
    let passed = |row: &str| format!("check passed: clock-nanosleep-abs: {row}\n");
    for (check, code, said) in [
        ("late>+1%", 1, failed("late +25.12 points (+25 to +25.25 points), beyond late>+1%")),
        ("skipped>+0.1%", 1, failed("skipped +74.88 points (+74.75 to +75 points), beyond skipped>+0.1%")),
        ("skipped>+75%", 0, passed("skipped +74.88 points (+74.75 to +75 points), not skipped>+75%")),
        ("missed>+1%", 1, failed("missed +93.75 points (+75 to +100 points), beyond missed>+1%")),
        ("missed<-1%", 0, passed("missed +93.75 points (+75 to +100 points), not missed<-1%")),
        (
            "missed>+80%",
            3,
            "oversleep: a check cannot be decided: clock-nanosleep-abs: missed +93.75 points (+75 to +100 points), somewhere between +75 \
             points and +100 points, so missed>+80% may hold or not; more recordings a side narrow that\n"
                .to_owned(),
        ),
    ] {
        let ran = compared(&["--work", "3ms", "--fail-if", check], &a, &b);
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), said.as_str()), "{check}");
    }
    let ran = compared(&["--work", "3ms", "--fail-if", "missed>+1%", "--fail-if", "late>+1%"], &a, &same);
    assert_eq!((ran.code, ran.err.matches("check passed: clock-nanosleep-abs: ").count()), (Some(0), 2), "{}", ran.err);
    // 1600 periods without one that is late do not rule out one of a thousand.
    let ran = compared(&["--fail-if", "late>+0.1%"], &a, &same);
    let few = "clock-nanosleep-abs: late>+0.1% needs 2995 periods of side B to be ruled out; only 1600\n";
    assert!(ran.code == Some(3) && ran.err.ends_with(few), "{}", ran.err);
    let ran = compared(&["--work", "3ms", "--fail-if", "missed>+1%"], &a[..1], &b[..1]);
    let single = "clock-nanosleep-abs: missed +75 points, from too few recordings to tell; give 4 a side, or measure with --run\n";
    assert!(ran.code == Some(3) && ran.err.ends_with(single), "{}", ran.err);
}

#[test]
fn missed_periods_are_in_every_form_of_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (schedules(folder.path(), LINUX, 1..2, "400"), schedules(folder.path(), "openbsd", 1..2, "400"));
    let shown = |options: &[&str]| {
        let ran = compared(options, &a, &b);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let left = "left 3.00 ms or more for work: A 100.0 % of periods (400 of 400); B 25.0 % of periods (100 of 400)\n";
    let text = shown(&["--work", "3ms"]);
    assert!(text.contains(left), "{text}");
    assert!(text.contains("\nmissed periods       0 %     75 %  (+75 points) "), "{text}");
    let markdown = shown(&["--work", "3ms", "--markdown"]);
    assert!(markdown.contains(left), "{markdown}");
    assert!(markdown.contains("\n| missed periods | 0 % | 75 % | (+75 points) | none | – | unknown |\n"), "{markdown}");
    let document: Value = serde_json::from_str(&shown(&["--work", "3ms", "--json"])).unwrap();
    let periods = &document["cells"][0]["periods"];
    assert_eq!(periods["b"]["work"], json!({"time_ns": 3_000_000, "enough": 100, "missed": 300}));
    let of = |at: usize| (periods["shares"][at]["periods"].as_str(), periods["shares"][at]["size_points"].as_f64());
    assert_eq!(
        [of(0), of(1), of(2)],
        [(Some("late"), Some(25.0)), (Some("skipped"), Some(75.0)), (Some("missed"), Some(75.0))]
    );
    // Nothing is missed unless it is said how long the work takes.
    assert!(!shown(&[]).contains("missed"), "{}", shown(&[]));
}

#[test]
fn what_is_asked_of_periods_needs_a_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let kept = schedules(folder.path(), LINUX, 1..2, "400").remove(0);
    let sleeps = name(folder.path(), "sleeps.arrows");
    assert_eq!(run(&["simulate", LINUX, "-q", "-n", "20", "-o", &sleeps]).code, Some(0));
    let none = "'late' is a share of a schedule's periods (measure --interval); this recording has no schedule";
    let no_work = "it counts periods of a schedule (measure --interval), and this recording has none";
    for (arguments, said) in [
        (&["--fail-if", "late>+1%", &kept, &sleeps][..], format!("--fail-if 'late>+1%': {sleeps}: {none}")),
        (&["--work", "1ms", &kept, &sleeps], format!("--work: {sleeps}: {no_work}")),
        (
            &["--work", "5ms", &kept, &sleeps],
            format!("--work: {kept}: the work of a period must be shorter than the period, 5 ms"),
        ),
        (
            &["--fail-if", "missed>+1%", &kept, &sleeps],
            "--fail-if 'missed>+1%' counts the periods that leave less time than --work says".to_owned(),
        ),
        (&["--work", "1ms", "--run", "-n", "5", "--", "-n", "5"], format!("--work: side A: {no_work}")),
        (
            &["-q", "--fail-if", "late>+1%", "--run", "-i", "1ms", "-n", "5", "--", "-n", "5"],
            format!("--fail-if 'late>+1%': side B: {none}"),
        ),
    ] {
        let ran = run(&[&["compare"], arguments].concat());
        assert_eq!((ran.code, &*ran.out, ran.err.lines().count()), (Some(2), "", 1), "{arguments:?}: {}", ran.err);
        assert!(ran.err.starts_with(&format!("oversleep: {said}")), "{arguments:?}: {}", ran.err);
    }
}

/// The option of `compare` stands before `--run`, and holds for both sides.
#[test]
fn sides_measured_in_turns_are_compared_by_their_missed_periods() {
    let side = ["-i", "2ms", "-n", "20"];
    let ran =
        run(&[&["compare", "-q", "--json", "-d", "1ms", "--work", "1us", "--run"], &side[..], &["--"], &side].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let periods = &document["cells"][0]["periods"];
    assert_eq!(periods["a"]["work"]["time_ns"], 1_000);
    let missed = &periods["shares"][2];
    assert_eq!(missed["periods"], "missed");
    assert!(missed["low_points"].is_number() && missed["p"].is_number(), "{missed}");
}

/// Writes a table of forty sleeps in each row's own columns; returns its path.
fn table(folder: &Path, file: &str, head: &str, row: impl Fn(u64) -> String) -> String {
    let path = name(folder, file);
    fs::write(&path, format!("{head}\n{}", (0..40).map(row).collect::<String>())).unwrap();
    path
}

#[test]
fn the_columns_named_are_those_of_all_tables_among_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let of = |file: &str, late: u64| {
        let row = |n: u64| format!("1000,{},{}\n", n * 2_000, n * 2_000 + 1_000 + late + n % 2);
        table(folder.path(), file, "asked,t0,t1", row)
    };
    let (a, b) = (of("a.csv", 60), of("b.csv", 160));
    let recording = name(folder.path(), "c.arrows");
    let simulated =
        ["simulate", "linux-2.6-hrtimer", "-q", "-m", "nanosleep", "-r", "1ms", "-n", "40", "-o", &recording];
    assert_eq!(run(&simulated).code, Some(0));
    let columns = ["--columns", "requested=asked:us,start=t0:us,end=t1:us"];
    let compared = |files: &[&str]| run(&[&["compare", "--json"], &columns[..], files].concat());
    let ran = compared(&[&a, &b]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["cells"][0]["shifts"][0]["size_ns"], 100_000.0);
    let ran = compared(&[&recording, &b]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap()["cells"][0]["n_b"], 40);
    let other = name(folder.path(), "d.arrows");
    fs::copy(&recording, &other).unwrap();
    let ran = compared(&[&recording, &other]);
    let said = "oversleep: --columns names the columns of tables, and none of these files is one\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), said));
    let ran = run(&["compare", &a, &b]);
    assert!(ran.code == Some(3) && ran.err.contains("--columns"), "{}", ran.err);
}

/// A colleague's table says how many threads were busy, and not what they did, nor policy and slack.
#[test]
fn conditions_that_a_table_does_not_state_do_not_keep_its_rows_alone() {
    let folder = tempfile::tempdir().unwrap();
    let head = "method,requested_ns,start_ns,end_ns,load";
    let conditions = ",load_kind,policy,timer_slack_ns";
    // Each file's sleeps are later by another time: alike, they would be copies of one recording.
    let row = |n: u64, late: u64, more: &str| {
        let start = n * 2_000_000;
        format!("nap,1000000,{start},{},{}{more}\n", start + 1_060_000 + late + n % 7, 1 + n % 2)
    };
    let full = table(folder.path(), "full.csv", &format!("{head}{conditions}"), |n| row(n, 0, ",memory,batch,1"));
    let short = table(folder.path(), "short.csv", head, |n| row(n, 100, ""));
    let other =
        table(folder.path(), "other.csv", &format!("{head}{conditions}"), |n| row(n, 200, ",memory,batch,50000"));
    let paired = |a: &str, b: &str| {
        let ran = run(&["compare", a, b, "--json"]);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let cells = document["cells"].as_array().unwrap().clone();
        cells.iter().map(|cell| cell["paired_by"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paired(&full, &short), ["unstated", "unstated"]);
    assert_eq!(paired(&short, &full), ["unstated", "unstated"]);
    // Rows that state another value are different rows.
    assert_eq!(paired(&full, &other), Vec::<String>::new());
    let ran = run(&["compare", &full, &short]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let note = "A … | B …: B does not state kind of load, policy and timer slack; otherwise they are the same\n";
    assert_eq!(ran.out.matches(note).count(), 1, "{}", ran.out);
    assert!(
        run(&["compare", &short, &full, "--markdown"])
            .out
            .contains(": A does not state kind of load, policy and timer slack; otherwise")
    );
}

//! `compare` of other programs' tables: columns with names of their own, and conditions that they do not state.

use crate::support::{name, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

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

//! Errors of tables that cannot be read, compared completely with those committed: `report` says what to correct in which
//! line, and exits with 3, or with 2 if its options are wrong.

use crate::shown::same;
use crate::support::{name, run};
use std::fs;
use std::path::Path;

/// Returns each text with what `report` says of a table that holds it; with these options, if any.
fn refused(folder: &Path, file: &str, tables: &[(&[u8], &[&str])]) -> String {
    let path = name(folder, file);
    let said = tables.iter().map(|(table, options)| {
        fs::write(&path, table).unwrap();
        let ran = run(&[&["report", &*path][..], options].concat());
        let shown = String::from_utf8_lossy(&table[..table.len().min(160)]).into_owned();
        assert!(ran.out.is_empty() && ran.code.is_some_and(|code| code > 0), "{shown}: {ran:?}");
        let err = ran.err.replace(&folder.display().to_string(), "FOLDER");
        let heading = [&[&*format!("{shown:?}")][..], options].concat().join(" ");
        format!("{heading}\n{err}[{}]\n\n", ran.code.unwrap_or(-1))
    });
    said.collect()
}

/// Returns a table of forty sleeps whose starts, ends and requests count in these units, in ns.
fn in_units(start: u64, end: u64, requested: u64) -> Vec<u8> {
    let row = |n: u64| {
        let (begins, lasts) = (1_000_000_000_000 + n * 2_000_000_000, 1_000_000_000);
        format!("{},{},{}\n", lasts / requested, begins / start, (begins + lasts + 60_000) / end)
    };
    let rows: String = (0..40).map(row).collect();
    format!("requested_ns,start_ns,end_ns\n{rows}").into_bytes()
}

#[test]
fn errors_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let head = "method,requested_ns,start_ns,end_ns";
    let with = |columns: &str, values: &str| format!("{head},{columns}\na,1000000,0,1058000,{values}\n").into_bytes();
    let row = |text: &str| format!("{head}\n{text}\n").into_bytes();
    let table = row("a,1000000,0,1058000");
    let many_methods: String = (0..1_100).map(|n| format!("m{n},1,0,1\n")).collect();
    let tables: [(Vec<u8>, &[&str]); 40] = [
        (b"one line of text\n".to_vec(), &[]),
        (b"a;b;c\n1;2;3\n".to_vec(), &[]),
        (format!("{}\n", "column,".repeat(40)).into_bytes(), &[]),
        (format!("{head}\n").into_bytes(), &[]),
        (row("a,1000000,0"), &[]),
        (row("a,1000000,0,1058000,5"), &[]),
        (row("a,1000000,,1058000"), &[]),
        (row("a,1000000,soon,1058000"), &[]),
        (row("a,1000000,0.5,1058000"), &[]),
        (b"requested_us,start_us,end_us\n1000,x,2\n".to_vec(), &[]),
        (b"requested_ms,start_ms,end_ms\n1,x,2\n".to_vec(), &[]),
        (b"requested_s,start_s,end_s\n1,x,2\n".to_vec(), &[]),
        (row("a,-5,0,1058000"), &[]),
        (row("a,1000000,5,3"), &[]),
        (row("a,1000000,0,9000000000000000000"), &[]),
        (row("a,1000000,0,99999999999999999999"), &[]),
        (row("a,1000000,0,1058000\na,1000000,0,1058000").into_iter().chain(*b"a,1").collect(), &[]),
        (b"requested_ns,start_ns,end_ns\n1,0,\xFF\n".to_vec(), &[]),
        (row("\"a,1000000,0,1058000"), &[]),
        (format!("{head}\n{},1,0,1\n", "m".repeat(5_000)).into_bytes(), &[]),
        (format!("{head}\n{many_methods}").into_bytes(), &[]),
        (with("end_ns", "1058000"), &[]),
        (with("end_us", "1058"), &[]),
        (with("thread", "x"), &[]),
        (with("thread", "70000"), &[]),
        (with("sequence", "-1"), &[]),
        (with("flags", "many"), &[]),
        (with("phase", "full-moon"), &[]),
        (with("traced", "perhaps"), &[]),
        (with("nice", "x"), &[]),
        (with("cpus", "3-1"), &[]),
        (with("timer_slack_ns", "x"), &[]),
        (in_units(1_000, 1_000, 1), &[]),
        (in_units(1, 1_000, 1), &[]),
        (table.clone(), &["--columns", "start"]),
        (table.clone(), &["--columns", "begin=a"]),
        (table.clone(), &["--columns", "start=t0,start=t1"]),
        (table.clone(), &["--columns", "start=t0"]),
        (table.clone(), &["--columns", "start=end_ns"]),
        (b"[1]\n".to_vec(), &["--columns", "start=t0"]),
    ];
    let tables: Vec<(&[u8], &[&str])> = tables.iter().map(|(table, options)| (&**table, *options)).collect();
    same("errors-tables", &refused(folder.path(), "table.csv", &tables));
}

#[test]
fn errors_of_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    let first = "{\"requested_ns\":1000000,\"start_ns\":0,\"end_ns\":1058000}\n";
    let after = |second: &str| format!("{first}{second}").into_bytes();
    let keys: String = (0..1_100).map(|n| format!("\"k{n}\":1,")).collect();
    let tables = [
        after("[1]\n"),
        after("{\"requested_ns\":1000000\n"),
        after("{\"requested_ns\":1,\"requested_ns\":1}\n"),
        after("{\"more\":1}\n"),
        after("{\"requested_ns\":[1]}\n"),
        after("{\"start_ns\":0,\"end_ns\":1058000}\n"),
        after("{\"requested_ns\":\"x\",\"start_ns\":0,\"end_ns\":1058000}\n"),
        format!("{{\"requested_ns\":1,{keys}\"start_ns\":0,\"end_ns\":1}}\n").into_bytes(),
    ];
    let tables: Vec<(&[u8], &[&str])> = tables.iter().map(|table| (&**table, &[][..])).collect();
    same("errors-json-lines", &refused(folder.path(), "table.jsonl", &tables));
}

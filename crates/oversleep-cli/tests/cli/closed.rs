//! If its reader goes away (`| head -1`), the program ends without a message.

use crate::support::oversleep;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

const SHORT: [&str; 7] = ["measure", "--no-save", "-q", "-r", "50us", "-n", "3000"];

fn commands() -> Vec<Vec<&'static str>> {
    let short = |extra: &[&'static str]| [&SHORT[..], extra].concat();
    vec![
        vec!["list", "--all"],
        vec!["list", "--json", "--all"],
        vec!["completions", "bash"],
        vec!["--help"],
        short(&[]),
        short(&["--json"]),
        short(&["--csv"]),
        vec!["measure", "--no-save", "-q", "-e", "wall-second", "-m", "nanosleep", "-n", "1"],
    ]
}

#[test]
fn nobody_reads_the_results() {
    for command in commands() {
        let mut child = oversleep().args(&command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), err.as_str()), (Some(0), ""), "{command:?}");
    }
}

#[test]
fn somebody_reads_one_line() {
    for command in commands() {
        let mut child = oversleep().args(&command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{command:?}");
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{command:?}");
    }
}

#[test]
fn nobody_reads_the_notes() {
    // Nobody reads where the recording is or that a check failed; the run ends as it would otherwise.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run.arrows");
    let mut child = oversleep()
        .args(["measure", "-q", "-r", "50us", "-n", "9", "--fail-if", "min>1ns", "--out"])
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    let mut shown = String::new();
    child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
    assert!(shown.contains("nanosleep"), "{shown}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

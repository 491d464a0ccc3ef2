//! Input through a pipe, which can be read only once.

use crate::support::{Ran, finish, name, oversleep, recording, run, send_times};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};

/// Starts the program with pipes as its three standard streams.
fn piped(arguments: &[&str]) -> Child {
    let mut command = oversleep();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the output of `explain` for bytes that come through a pipe.
fn explained(bytes: &[u8]) -> String {
    let mut child = piped(&["explain", "/dev/stdin"]);
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_recording_and_a_table_are_explained_from_a_pipe_as_from_a_file() {
    if !Path::new("/dev/stdin").exists() {
        println!("skipped: this system has no /dev/stdin");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let of_file = run(&["explain", path.to_str().unwrap()]);
    assert_eq!(explained(&fs::read(&path).unwrap()), of_file.out, "{}", of_file.err);
    let table = run(&["export", path.to_str().unwrap()]);
    let csv = folder.path().join("run.csv");
    File::create(&csv).unwrap().write_all(table.out.as_bytes()).unwrap();
    let of_table = run(&["explain", csv.to_str().unwrap()]);
    assert!(of_table.out.contains("nanosleep"), "{}{}", of_table.out, of_table.err);
    // Only the name differs.
    let but_name = |text: &str| {
        text.lines().filter(|line| !line.starts_with("imported from")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(but_name(&explained(table.out.as_bytes())), but_name(&of_table.out));
}

#[test]
fn an_interrupted_copy_does_not_look_whole() {
    let mut child = piped(&["pace", "1MB/s"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(&[7; 1_000]).unwrap();
    // Once the first byte has come through, the program handles signals. Its input stays open.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    if !send_times("INT", &child, 1) {
        child.kill().unwrap();
        child.wait().unwrap();
        return;
    }
    let output = child.wait_with_output().unwrap();
    drop(input);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("interrupted after"), "{err}");
}

/// Runs a command with a file as its standard input.
fn fed(arguments: &[&str], file: &Path) -> Ran {
    finish(oversleep().args(arguments).stdin(File::open(file).unwrap()))
}

#[test]
fn a_dash_is_standard_input_wherever_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let file = path.to_str().unwrap();
    for command in ["report", "explain", "export"] {
        let (of_file, of_stream) = (run(&[command, file]), fed(&[command, "-"], &path));
        assert_eq!((of_stream.code, of_stream.out), (of_file.code, of_file.out), "{command}: {}", of_stream.err);
    }
    let kernel = folder.path().join("kernel.toml");
    fs::write(&kernel, "base = \"darwin-7\"\n").unwrap();
    let ran = fed(&["simulate", "-", "-n", "9"], &kernel);
    assert_eq!(
        (ran.code, ran.out),
        (Some(0), run(&["simulate", "darwin-7", "-n", "9"]).out.replace("darwin-7", "standard input")),
        "{}",
        ran.err
    );
}

#[test]
fn nothing_is_kept_under_the_name_of_a_dash() {
    let folder = tempfile::tempdir().unwrap();
    for command in [&["measure", "-q", "-n", "5", "--out", "-"][..], &["simulate", "darwin-7", "-n", "5", "--out", "-"]]
    {
        let ran = finish(oversleep().current_dir(&folder).args(command));
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(2), "", 1), "{}", ran.err);
        assert!(ran.err.contains("name a file"), "{}", ran.err);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // A file called `-` can be written and read by its path.
    let there = name(folder.path(), "-");
    assert_eq!(run(&["measure", "-q", "-r", "50us", "-n", "9", "--out", &there]).code, Some(0));
    assert_eq!(run(&["report", &there]).code, Some(0));
}

#[test]
fn a_full_disk_and_a_folder_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["explain", &folder.path().display().to_string()]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("it is a folder") && ran.err.contains(&*folder.path().to_string_lossy()), "{}", ran.err);
    let full = Path::new("/dev/full");
    if !full.exists() {
        println!("skipped: this system has no /dev/full");
        return;
    }
    let short = ["measure", "-q", "--no-save", "-r", "50us", "-n", "9"];
    let herman = ["measure", "-q", "--no-save", "-e", "wall-second", "-m", "nanosleep", "-n", "1", "--as-published"];
    for command in
        [&short[..], &[&short[..], &["--csv"]].concat(), &herman, &["list"], &["completions", "bash"], &["--help"]]
    {
        let output = File::options().write(true).open(full).unwrap();
        let ran = oversleep().args(command).stdout(output).output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!((ran.status.code(), err.lines().count()), (Some(3), 1), "{command:?}: {err}");
        assert!(err.contains("cannot write to standard output"), "{command:?}: {err}");
    }
    let ran = finish(oversleep().args(["pace", "1k"]).stdin(File::open(folder.path()).unwrap()));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("cannot read standard input"), "{}", ran.err);
}

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

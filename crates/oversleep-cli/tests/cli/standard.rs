//! `-` means standard input, and errors name the stream that they are about.

use crate::support::{Ran, finish, name, oversleep, recording, run};
use std::fs::{self, File};
use std::path::Path;

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

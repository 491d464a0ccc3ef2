//! Input through a pipe, which can be read only once.

use crate::support::{oversleep, recording, run, send_times};
use std::fs::{self, File};
use std::io::{Read, Write};
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
    // Only the name in the first line differs.
    let below = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(below(&explained(table.out.as_bytes())), below(&of_table.out));
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

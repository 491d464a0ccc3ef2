//! `every`: exit statuses of the command are counted, and the schedule ends when nobody reads its output.

use crate::support::{oversleep, run};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Returns whether the child ended within a minute; kills it if not.
fn ends(child: &mut Child) -> bool {
    let patience = Instant::now() + Duration::from_secs(60);
    while Instant::now() < patience {
        if child.try_wait().expect("a child can be asked").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("a child can be ended");
    false
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        println!("skipped: this system has no {program}");
    }
    found
}

#[test]
fn a_frequency_is_a_period() {
    if !has("true") {
        return;
    }
    let ran = run(&["every", "500Hz", "-n", "3", "--", "true"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
}

/// Three commands: one killed by SIGPIPE; a shell that replaces itself by one; one that ignores the signal and fails.
#[test]
fn it_ends_quietly_with_its_reader() {
    let shell = ["sh", "-c", "trap '' PIPE; echo said || exit 1"];
    for command in [&["echo", "said"][..], &["sh", "-c", "echo said; exec echo more"], &shell] {
        if !has("sh") {
            return;
        }
        let mut child = oversleep()
            .args(["every", "1ms", "--"])
            .args(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "said\n");
        assert!(ends(&mut child), "{command:?} goes on without a reader");
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let ours: Vec<_> = err.lines().filter(|line| line.contains("oversleep")).collect();
        assert_eq!((child.wait().unwrap().code(), ours), (Some(0), vec![]), "{command:?}");
    }
}

#[test]
fn runs_that_fail_are_counted_and_all_of_them_are_trouble() {
    if !has("sh") {
        return;
    }
    let ran = run(&["every", "1ms", "--count", "3", "--", "sh", "-c", "exit 7"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    assert!(ran.err.contains("every one of 3 runs failed, the last with") && ran.err.contains('7'), "{}", ran.err);
    let folder = tempfile::tempdir().unwrap();
    // Succeeds the first time and fails from then on.
    let line = format!("[ ! -e {0} ] && : > {0}", folder.path().join("been").display());
    let ran = run(&["every", "1ms", "--count", "3", "--jitter-report", "--", "sh", "-c", &line]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("3 runs") && ran.err.contains("2 of 3 runs failed"), "{}", ran.err);
    let ran = run(&["every", "1ms", "--count", "3", "--", "sh", "-c", "exit 0"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn a_command_that_cannot_be_started_ends_it_at_once() {
    let ran = run(&["every", "1h", "--", "/no/such/command"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    assert!(ran.err.contains("cannot run '/no/such/command'") && !ran.err.contains("quotes"), "{}", ran.err);
    let ran = run(&["every", "1h", "--", "echo hello"]);
    assert!(ran.err.contains("cannot run 'echo hello'") && ran.err.contains("leave the quotes out"), "{}", ran.err);
    let ran = run(&["every", "1h", "echo", "hello"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{}", ran.err);
    assert!(ran.err.contains("the command goes after --"), "{}", ran.err);
}

/// Ctrl-C reaches the command too. A run that ends by it did not fail.
#[test]
fn an_interrupted_run_did_not_fail() {
    if !has("sh") {
        return;
    }
    let mut child = oversleep()
        .args(["every", "1h", "--", "sh", "-c", "echo began; kill -s INT $PPID; kill -s INT $$; exec sleep 60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(ends(&mut child), "a signal is not heard");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

/// After a signal to oversleep alone, the command is asked to end and waited for, and no further run starts.
#[test]
fn a_run_under_way_ends_with_the_schedule() {
    if !has("sh") {
        return;
    }
    let line = "echo began; trap 'echo asked; exit 0' TERM; kill -s TERM $PPID; while :; do sleep 0.05; done";
    let mut child = oversleep()
        .args(["every", "1ms", "--", "sh", "-c", line])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(ends(&mut child), "the run is waited for, and ends");
    let read = |from: &mut dyn Read| {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(read(&mut child.stdout.take().unwrap()), "began\nasked\n");
    assert_eq!((child.wait().unwrap().code(), read(&mut child.stderr.take().unwrap())), (Some(0), String::new()));
}

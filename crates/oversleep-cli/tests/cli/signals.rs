//! After Ctrl-C, SIGTERM or SIGHUP, what was measured is kept and reported.

use crate::support::{grows_beyond, has_shell, holds_samples, name, oversleep, read, rows_for_arrow, send_times};
use oversleep_recording::End;
use oversleep_recording::file::Tail;
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const ENDLESS: [&str; 7] = ["measure", "-r", "50us", "-n", "100000000", "--flush-every=2ms", "--out"];

fn start(arguments: &[&str], path: &Path) -> Child {
    let mut command = oversleep();
    command.args(arguments).arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends a signal twice in a row, as `timeout` does.
fn send(signal: &str, child: &Child) -> bool {
    send_times(signal, child, 2)
}

#[test]
fn an_interrupted_run_is_reported_and_kept() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.arrows");
        let mut child = start(&ENDLESS, &path);
        assert!(holds_samples(&path, &mut child), "the run kept nothing");
        if !send(signal, &child) {
            child.kill().unwrap();
            return;
        }
        let output = child.wait_with_output().unwrap();
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(0), "{signal}: {err}");
        assert!(err.contains("interrupted") && err.contains("samples kept in"), "{signal}: {err}");
        assert!(out.contains("nanosleep"), "{signal}: {out}");
        let (recording, tail) = read(&path);
        assert_eq!((tail, recording.note.end), (Tail::Closed, Some(End::Interrupted)), "{signal}");
        assert!(err.contains(&format!("{} samples kept", recording.samples.len())), "{err}");
        assert!(recording.samples.iter().zip(0..).all(|(sample, number)| sample.sequence == number));
        assert_eq!(rows_for_arrow(&path), Some(recording.samples.len()));
    }
}

/// Ctrl-C does not wait for a sleep of an hour. Nothing was measured, and the exit code says so.
#[test]
fn a_long_sleep_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    let mut child = start(&["measure", "-q", "-r", "1h", "--flush-every=2ms", "--out"], &path);
    assert!(grows_beyond(0, &path, &mut child), "the run began no file");
    if !send("INT", &child) {
        child.kill().unwrap();
        child.wait().unwrap();
        return;
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The process is stopped for 200 ms in a schedule of 1500 × 1 ms. Every period is counted, and the raw and the
/// corrected figures differ.
#[test]
fn a_stopped_process_accounts_for_the_periods_it_missed() {
    let mut child = oversleep()
        .args(["measure", "-q", "--no-save", "-e", "periodic", "--interval=1ms", "-n", "1500", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(600));
    if !send("STOP", &child) {
        child.kill().unwrap();
        child.wait().unwrap();
        return;
    }
    sleep(Duration::from_millis(200));
    assert!(send("CONT", &child));
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cell = &document["cells"][0];
    let count = |key: &str| cell["periods"][key].as_u64().unwrap();
    assert_eq!(count("asked"), 1_500);
    assert_eq!(count("fresh") + count("late") + count("skipped"), 1_500);
    assert_eq!(cell["n"].as_u64().unwrap(), count("fresh") + count("late"));
    assert_eq!(cell["corrected"]["n"], 1_500);
    // The stop lasts at least 200 ms from when it takes effect, which may be late on a busy machine.
    assert!(count("skipped") >= 150, "{cell:#}");
    assert!(cell["corrected"]["p90_ns"].as_i64() > cell["p90_ns"].as_i64(), "{cell:#}");
    assert_eq!(cell["corrected"]["max_ns"], cell["max_ns"]);
}

/// A program and its child that no polite signal ends. After the first Ctrl-C they have some seconds to end by themselves;
/// the second one, within these, ends them and this process at once.
#[test]
fn a_second_ctrl_c_while_programs_end_leaves_no_process_and_keeps_what_was_measured() {
    if !has_shell() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    // A duration for which nothing else on this machine sleeps, so that `ps` finds only these processes by it.
    let mark = format!("87654.{}", std::process::id());
    let probe = format!(
        "trap '' INT TERM HUP; echo '# oversleep-probe 1 clock=own'; t=0; while read -r r n; do if [ $r = anchor ]; then echo '# \
         anchor 0'; continue; fi; i=0; while [ $i -lt $n ]; do echo $r,$t,$((t+=r)); i=$((i+1)); done; echo; [ -z \"$k\" ] || \
         {{ sleep {mark} & sleep {mark}; sleep {mark}; }}; k=1; done"
    );
    let temporary = name(folder.path(), "temporary");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = oversleep();
    command.env("TMPDIR", &temporary).args(["measure", "-q", "-n", "1000", "--command", &probe, "--out"]).arg(&path);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(holds_samples(&path, &mut child), "the run kept nothing");
    while child.try_wait().unwrap().is_none() {
        if !send_times("INT", &child, 1) {
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        }
        sleep(Duration::from_millis(100));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let (recording, _) = read(&path);
    assert!(
        !recording.samples.is_empty() && recording.samples.iter().all(|sample| sample.requested == Nanos::MILLISECOND)
    );
    let left = || {
        let line = "ps -eo args | grep -F \"sleep $0\" | grep -v grep";
        let found = Command::new("sh").args(["-c", line, &mark]).output().expect("ps");
        String::from_utf8_lossy(&found.stdout).into_owned()
    };
    // What was killed is there until it has been collected.
    let all_ended = (0..500).any(|_| {
        sleep(Duration::from_millis(10));
        left().is_empty()
    });
    assert!(all_ended, "{}", left());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "the folder of scripts is left");
}

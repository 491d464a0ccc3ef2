//! Places where a recording cannot be kept: one line says so, and the run goes on unless `--out` named the place.

use crate::support::{Ran, finish, has_shell, holds_samples, name, oversleep, recording, rows_for_arrow, run, series};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SHORT: [&str; 6] = ["measure", "-q", "-r", "50us", "-n", "40"];

/// Requires that sleeps were measured and shown, with one line that says why no recording was kept.
fn shown_but_not_kept(ran: &Ran, reason: &str) {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("nanosleep"), "{}", ran.out);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains(reason) && ran.err.contains("measuring without keeping"), "{}", ran.err);
}

/// Requires exit 3 with one line that says why, and no results.
fn refused(ran: &Ran, reason: &str) {
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    assert!(ran.err.contains(reason) && ran.out.is_empty(), "{}{}", ran.err, ran.out);
}

#[test]
fn a_file_that_exists_is_kept_unless_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let before = fs::read(&path).unwrap();
    let out = name(folder.path(), "short.arrows");
    refused(&run(&[&SHORT[..], &["--out", &out]].concat()), "exists already");
    assert_eq!(fs::read(&path).unwrap(), before);
    let replaced = run(&[&SHORT[..], &["--out", &out, "--force"]].concat());
    assert_eq!(replaced.code, Some(0), "{}", replaced.err);
    assert!(replaced.err.is_empty(), "{}", replaced.err);
    assert_ne!(fs::read(&path).unwrap(), before);
}

/// What is to be replaced stays if nothing was measured.
#[test]
fn a_file_stays_as_it_is_if_nothing_was_measured() {
    if !has_shell() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let before = fs::read(&path).unwrap();
    let out = path.display().to_string();
    for (command, programs) in [
        (&["measure", "-q", "-n", "5", "--command", "exit 3"][..], "/bin:/usr/bin"),
        (&["runtimes", "-q", "-n", "5", "--command", "exit 3"], "/bin:/usr/bin"),
        (&["runtimes", "-q", "-n", "5", "--only", "perl,shell"], "/nowhere"),
    ] {
        let ran = finish(oversleep().env("PATH", programs).args(command).args(["--out", &out, "--force"]));
        assert_eq!(ran.code, Some(3), "{command:?}: {}", ran.err);
        let said = "nothing was measured; ";
        assert!(ran.err.contains(said) && ran.err.contains("stays as it was"), "{command:?}: {}", ran.err);
        assert_eq!(fs::read(&path).unwrap(), before, "{command:?}");
    }
}

#[test]
fn folders_that_are_not_there_or_may_not_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let missing = name(folder.path(), "no/such/run.arrows");
    refused(&run(&[&SHORT[..], &["--out", &missing]].concat()), "cannot create");
    let Some(read_only) = read_only(folder.path()) else {
        println!("not tested: no folder here is read-only for this user");
        return;
    };
    let out = name(&read_only, "oversleep-test.arrows");
    refused(&run(&[&SHORT[..], &["--out", &out]].concat()), "cannot create");
    shown_but_not_kept(&finish(oversleep().args(SHORT).env("XDG_STATE_HOME", &read_only)), "cannot create");
}

/// Returns a folder that this user cannot write to. Root may write to any ordinary folder, but not to the kernel's own.
fn read_only(folder: &Path) -> Option<PathBuf> {
    let closed = folder.join("closed");
    fs::create_dir(&closed).unwrap();
    let mut permissions = fs::metadata(&closed).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&closed, permissions).unwrap();
    let refuses = |folder: &PathBuf| folder.is_dir() && File::create(folder.join("oversleep-try")).is_err();
    [closed, PathBuf::from("/sys/kernel"), PathBuf::from("/proc")].into_iter().find(refuses)
}

/// Runs that begin within the same second each keep a recording.
#[test]
fn runs_that_begin_together_keep_a_file_each() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("oversleep");
    let mut measure = oversleep();
    measure.args(["measure", "-q", "-r", "50us", "-n", "9"]).env("XDG_STATE_HOME", folder.path());
    let mut runs = || measure.stderr(std::process::Stdio::null()).spawn().unwrap();
    let runs: Vec<_> = (0..4).map(|_| runs()).collect();
    for mut child in runs {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(std::fs::read_dir(&state).unwrap().count(), 4);
}

/// Nothing is written into the current folder without `--out`; commands without a file read the last recording.
#[test]
fn recordings_are_kept_in_the_state_folder_and_the_last_is_found_again() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let here = |arguments: &[&str]| {
        finish(oversleep().args(arguments).env("XDG_STATE_HOME", folder.path()).current_dir(&elsewhere))
    };
    let none = here(&["report"]);
    assert_eq!((none.code, none.err.lines().count()), (Some(3), 1), "{}", none.err);
    assert!(none.err.contains("there is no recording in ") && none.err.contains("measure first"), "{}", none.err);
    assert!(here(&["list", "recordings"]).out.starts_with("no recordings in "));
    for count in ["30", "40"] {
        assert_eq!(here(&["measure", "-q", "-m", "poll", "-r", "50us", "-n", count]).code, Some(0));
    }
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    let last = here(&["export"]);
    assert!(last.err.starts_with("the last recording: ") && last.err.contains("arrows"), "{}", last.err);
    assert_eq!(last.out.lines().count(), 41);
    let table = here(&["list", "recordings"]).out;
    assert_eq!(table.lines().filter(|line| line.contains("measure") && line.contains("poll")).count(), 2, "{table}");
    let document: serde_json::Value = serde_json::from_str(&here(&["list", "recordings", "--json"]).out).unwrap();
    assert_eq!(document["recordings"][1]["methods"], serde_json::json!(["poll"]));
}

/// A run that measured nothing keeps no recording: commands without a file go on reading the one before.
#[test]
fn what_measured_nothing_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let here = |arguments: &[&str]| {
        finish(oversleep().args(arguments).env("XDG_STATE_HOME", folder.path()).env("PATH", "/nowhere"))
    };
    assert_eq!(here(&["measure", "-q", "-m", "poll", "-r", "50us", "-n", "9"]).code, Some(0));
    let nothing: [&[&str]; 2] = [&["runtimes", "--only", "perl"], &["measure", "--command", "/not/there"]];
    for arguments in nothing {
        let ran = here(arguments);
        assert_eq!(ran.code, Some(3), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("is not kept\n") && !ran.err.contains("next: "), "{arguments:?}: {}", ran.err);
    }
    let out = name(folder.path(), "empty.arrows");
    let named = here(&["measure", "--command", "/not/there", "--out", &out]);
    assert!(named.err.contains("0 samples kept in ") && !named.err.contains("next: "), "{}", named.err);
    assert_eq!(here(&["export"]).out.lines().count(), 10);
}

#[test]
fn a_full_disk_from_the_beginning() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: this system has no /dev/full");
        return;
    }
    refused(&run(&[&SHORT[..], &["--out", "/dev/full", "--force"]].concat()), "cannot create /dev/full");
}

/// If results cannot be written, the exit status is 3, with one line that says so.
#[test]
fn results_that_cannot_be_written_are_trouble() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        println!("skipped: this system has no /dev/full");
        return;
    };
    let commands: [&[&str]; 6] = [
        &["list"],
        &["list", "--json"],
        &["completions", "bash"],
        &["measure", "--no-save", "-q", "-r", "50us", "-n", "9"],
        &["measure", "--no-save", "-q", "-r", "50us", "-n", "9", "--json"],
        &["measure", "--no-save", "-q", "-r", "50us", "-n", "9", "--csv"],
    ];
    for command in commands {
        let output = oversleep().args(command).stdout(full.try_clone().unwrap()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.lines().count()), (Some(3), 1), "{command:?}: {err}");
    }
}

/// Returns the command that runs the program with a limit on file sizes, in blocks of 512 bytes, which stands for a full
/// disk; `None` where the shell sets none.
pub(crate) fn limited(blocks: u32) -> Option<Command> {
    let limit = format!("trap '' XFSZ; ulimit -f {blocks}");
    if Command::new("sh").args(["-c", &limit]).status().is_ok_and(|status| !status.success()) {
        println!("skipped: this system's shell sets no limit on file sizes");
        return None;
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit} && exec \"$@\""), "sh", env!("CARGO_BIN_EXE_oversleep")]);
    Some(command)
}

/// The folder is as it was: an empty file would be in the way of the next run, and be the newest recording.
#[test]
fn a_recording_that_cannot_be_begun_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut command) = limited(0) else { return };
    let ran = finish(command.args(&SHORT[..]).arg("--out").arg(folder.path().join("full.arrows")));
    refused(&ran, "cannot create");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The run, planned for minutes, ends when the disk is full.
#[test]
fn a_disk_that_gets_full_on_the_way_ends_the_run_and_loses_nothing_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("full.arrows");
    let Some(mut command) = limited(2048) else { return };
    command.args(["measure", "-q", "-r", "20us", "-n", "4000000", "--flush-every=5ms", "--out"]).arg(&path);
    let ran = finish(&mut command);
    refused(&ran, "writing");
    let words: Vec<_> = ran.err.split_whitespace().collect();
    let after = words.iter().position(|word| *word == "after").expect("it says after how many samples");
    let written: usize = words[after + 1].parse().unwrap();
    assert!(written > 0 && written < 4_000_000, "{}", ran.err);
    let (series, _) = series(&path);
    assert_eq!(series.values().map(Vec::len).sum::<usize>(), written);
    assert_eq!(rows_for_arrow(&path), Some(written));
}

/// The second run says why it is refused, before anything is measured, and does not touch the first one's file.
#[test]
fn of_two_runs_into_one_file_the_second_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.arrows");
    let out = path.display().to_string();
    let mut first = oversleep();
    first.args(["measure", "-q", "-r", "1ms", "-n", "100000", "--flush-every=5ms", "--out", &out]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    assert!(holds_samples(&path, &mut first));
    refused(&run(&[&SHORT[..], &["--out", &out, "--force"]].concat()), "is being written by another run");
    first.kill().unwrap();
    first.wait().unwrap();
    let (series, _) = series(&path);
    assert!(series.values().map(Vec::len).sum::<usize>() > 0);
    // The file of a killed run is no longer locked.
    let replaced = run(&[&SHORT[..], &["--out", &out, "--force"]].concat());
    assert!(replaced.code == Some(0) && replaced.err.is_empty(), "{}", replaced.err);
}

//! Files that commands write: never over what they read, never through a link that leads nowhere.

use crate::support::{finish, name, oversleep, recording, run};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// Makes a symbolic link; prints a line and returns false where that cannot be.
fn link(target: &str, path: &str) -> bool {
    let made = Command::new("ln").args(["-s", target, path]).status().is_ok_and(|status| status.success());
    if !made {
        println!("skipped: no symbolic links here");
    }
    made
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let page = name(folder.path(), "recording.html");
    fs::rename(recording(folder.path()), &page).unwrap();
    let before = fs::read(&page).unwrap();
    let refused = |ran: crate::support::Ran| {
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{}", ran.err);
        assert!(ran.err.contains("would be written over itself; name another file"), "{}", ran.err);
        assert_eq!(fs::read(&page).unwrap(), before);
    };
    let other = name(folder.path(), "other.html");
    for arguments in [
        &["report", &page, "-o", &page][..],
        &["export", &page, "-o", &page, "-f", "csv"],
        &["export", &page, "-o", &page, "-f", "recording"],
    ] {
        refused(run(arguments));
    }
    if link(&page, &other) {
        refused(run(&["report", &page, "-o", &other]));
        refused(run(&["report", &other, "-o", &page]));
    }
    // The same file by standard input, where that has a name.
    if Path::new("/dev/stdin").exists() && fs::canonicalize("/dev/fd").is_ok_and(|real| real.starts_with("/proc")) {
        let redirected = |arguments: &[&str]| finish(oversleep().args(arguments).stdin(File::open(&page).unwrap()));
        refused(redirected(&["report", "-", "-o", &page]));
        refused(redirected(&["export", "-", "-f", "csv", "-o", &page]));
    }
    // Another name is fine.
    let made = name(folder.path(), "made.html");
    assert_eq!(run(&["report", &page, "-o", &made]).code, Some(0));
}

#[test]
fn the_last_recording_is_not_written_over_when_it_is_left_out() {
    let state = tempfile::tempdir().unwrap();
    let here = |arguments: &[&str]| finish(oversleep().args(arguments).env("XDG_STATE_HOME", state.path()));
    assert_eq!(here(&["measure", "-q", "-r", "50us", "-n", "9"]).code, Some(0));
    let kept = fs::read_dir(state.path().join("oversleep")).unwrap().next().unwrap().unwrap().path();
    let before = fs::read(&kept).unwrap();
    let ran = here(&["export", "-f", "csv", "-o", &kept.display().to_string()]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("would be written over itself"), "{}", ran.err);
    assert_eq!(fs::read(&kept).unwrap(), before);
}

#[test]
fn a_model_is_not_written_over_by_its_simulation() {
    let folder = tempfile::tempdir().unwrap();
    let model = name(folder.path(), "kernel.toml");
    fs::write(&model, "base = \"darwin-7\"\n").unwrap();
    let ran = run(&["simulate", &model, "-q", "-n", "5", "-o", &model, "--force"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("would be written over itself"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&model).unwrap(), "base = \"darwin-7\"\n");
}

#[test]
fn a_link_that_leads_nowhere_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (path, dangling) = (recording(folder.path()).display().to_string(), name(folder.path(), "dangling.html"));
    if !link("/nowhere/page.html", &dangling) {
        return;
    }
    let ran = run(&["report", &path, "-o", &dangling]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    assert!(ran.err.contains("it is a symbolic link to a file that does not exist"), "{}", ran.err);
    assert!(Path::new(&dangling).is_symlink());
    let parts = fs::read_dir(&folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(parts.count(), 0);
}

/// What a device takes cannot be read again, and it is not said to be kept.
#[test]
fn a_device_keeps_nothing() {
    if !Path::new("/dev/null").exists() {
        return println!("skipped: this system has no /dev/null");
    }
    let ran = run(&["measure", "-r", "50us", "-n", "5", "-o", "/dev/null", "--force"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("5 samples written to /dev/null") && !ran.err.contains("kept"), "{}", ran.err);
    assert!(!ran.err.contains("oversleep explain /dev/null"), "{}", ran.err);
}

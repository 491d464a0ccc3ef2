//! `watch` on a pseudo-terminal, which `script` of util-linux gives it: what it draws, and that it gives the terminal back.

use crate::support::{finish, name, oversleep, run};
use std::process::Command;

/// The keys typed, and how long to wait before each: the window is long enough for the slowest machine to begin.
const KEYS: &str = "sleep 2; printf ' '; sleep 1; printf 'nr'; sleep 1; printf q";

#[test]
fn a_replay_is_drawn_and_the_terminal_given_back() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("not tested: no `script` to give it a terminal");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "run.arrows");
    let made = run(&["simulate", "linux-2.6-hrtimer", "-q", "-r", "1ms", "-n", "500", "-o", &file]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let watch = format!("stty rows 24 cols 80; {} watch {file}; echo ended $?", env!("CARGO_BIN_EXE_oversleep"));
    let mut shell = Command::new("sh");
    shell.env("WATCH", watch).env("TERM", "xterm").env("NO_COLOR", "1");
    shell.args(["-c", &format!("({KEYS}) | script -qec \"$WATCH\" /dev/null")]);
    let ran = finish(&mut shell);
    // Word by word: blanks are not drawn.
    for expected in ["oversleep", "linux-2.6-hrtimer", "nanosleep", "paused", "ended 0"] {
        assert!(ran.out.contains(expected), "{expected}: {:?}", ran.out);
    }
    let (on, off) = (ran.out.find("\u{1b}[?1049h"), ran.out.rfind("\u{1b}[?1049l"));
    assert!(on.is_some() && on < off, "the other screen is left again: {:?}", ran.out);
    assert!(!ran.out.contains("\u{1b}[34m") && !ran.out.contains("\u{1b}[38;5;4m"), "no colour was asked for");
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let ran = finish(oversleep().args(["watch"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("draws on a terminal") && ran.err.lines().count() == 1, "{}", ran.err);
}

#[test]
fn a_signal_gives_the_terminal_back_whatever_is_watched() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("not tested: no `script` to give it a terminal");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "run.arrows");
    let made = run(&["simulate", "linux-2.6-hrtimer", "-q", "-r", "1ms", "-n", "500", "-o", &file]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    for what in [format!("watch {file}"), "watch --no-save".to_owned()] {
        for signal in ["INT", "TERM", "HUP"] {
            let (program, pid) = (env!("CARGO_BIN_EXE_oversleep"), name(folder.path(), "pid"));
            let later = format!("(sleep 2; kill -{signal} $(cat {pid})) &");
            let begin = format!("sh -c 'echo $$ > {pid}; exec {program} {what}'");
            let watch = format!("stty rows 24 cols 80; {later} {begin}; echo ended $?");
            let mut shell = Command::new("sh");
            shell.env("WATCH", watch).env("TERM", "xterm").env("NO_COLOR", "1");
            shell.args(["-c", "sleep 6 | script -qec \"$WATCH\" /dev/null"]);
            let ran = finish(&mut shell);
            assert!(ran.out.contains("ended 0"), "{what}, {signal}: {:?}", ran.out);
            let (on, off) = (ran.out.find("\u{1b}[?1049h"), ran.out.rfind("\u{1b}[?1049l"));
            assert!(on.is_some() && on < off, "{what}, {signal}: the other screen is left again: {:?}", ran.out);
        }
    }
}

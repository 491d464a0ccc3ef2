//! What ends `watch` other than its keys: signals and the loss of its terminal, which `script` of util-linux provides.

use crate::support::{Ran, finish, name, oversleep, run};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Makes a simulated recording in the folder; returns its path.
fn recording(folder: &Path) -> String {
    let file = name(folder, "run.arrows");
    let made = run(&["simulate", "linux-2.6-hrtimer", "-q", "-r", "1ms", "-n", "500", "-o", &file]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    file
}

/// Runs a shell command on a terminal of 80 columns and 24 rows, where nothing is typed for six seconds. Requires that
/// the alternate screen is entered and left again. Returns `None` if there is no `script` to provide a terminal.
fn on_a_terminal(line: &str) -> Option<Ran> {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: no `script` to give it a terminal");
        return None;
    }
    let mut shell = Command::new("sh");
    shell.env("LINE", format!("stty rows 24 cols 80; {line}; echo ended $?")).env("TERM", "xterm").env("NO_COLOR", "1");
    let ran = finish(shell.args(["-c", "sleep 6 | script -qec \"$LINE\" /dev/null"]));
    let (on, off) = (ran.out.find("\u{1b}[?1049h"), ran.out.rfind("\u{1b}[?1049l"));
    assert!(on.is_some() && on < off, "{line}: the other screen is left again: {:?}", ran.out);
    Some(ran)
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let ran = finish(oversleep().args(["watch"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("needs a terminal") && ran.err.lines().count() == 1, "{}", ran.err);
}

#[test]
fn a_signal_gives_the_terminal_back_whatever_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let replay = format!("watch {}", recording(folder.path()));
    let signalled = |number: usize, what: &str, signal: &str| {
        let pid = name(folder.path(), &format!("{number}.{signal}"));
        let later = format!("(sleep 2; kill -{signal} $(cat {pid})) &");
        let line = format!("{later} sh -c 'echo $$ > {pid}; exec {} {what}'", env!("CARGO_BIN_EXE_oversleep"));
        let ran = on_a_terminal(&line);
        assert!(ran.as_ref().is_none_or(|ran| ran.out.contains("ended 0")), "{what}, {signal}: {ran:?}");
    };
    // All run at once, because each waits most of the time.
    thread::scope(|scope| {
        for (number, what) in [replay.as_str(), "watch --no-save"].into_iter().enumerate() {
            for signal in ["INT", "TERM", "HUP"] {
                scope.spawn(move || signalled(number, what, signal));
            }
        }
    });
}

/// Long enough for the slowest machine to notice that a terminal is gone.
const NOTICED: Duration = Duration::from_secs(60);

#[test]
fn it_ends_when_its_terminal_is_gone_even_if_it_hears_no_hangup() {
    let folder = tempfile::tempdir().unwrap();
    let (began, ended) = (folder.path().join("began"), folder.path().join("ended"));
    let what = format!("{} watch {}", env!("CARGO_BIN_EXE_oversleep"), recording(folder.path()));
    let line = format!(r#"trap "" HUP; : > {}; {what}; echo $? > {}"#, began.display(), ended.display());
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").stdin(Stdio::piped());
    let Ok(mut terminal) = script.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        println!("skipped: no `script` to give it a terminal");
        return;
    };
    let exists = |file: &Path| {
        let until = Instant::now() + NOTICED;
        while !file.exists() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
        file.exists()
    };
    assert!(exists(&began), "the shell begins");
    thread::sleep(Duration::from_secs(2));
    assert!(!ended.exists(), "it draws until the terminal is taken away");
    // The terminal goes with the program that made it, whose SIGKILL leaves no time for a word.
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    assert!(exists(&ended), "it still runs {NOTICED:?} after its terminal has gone");
}

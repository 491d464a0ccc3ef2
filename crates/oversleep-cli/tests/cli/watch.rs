//! What ends `watch` other than its keys: signals and the loss of its terminal, which `script` of util-linux provides.

use super::shown::same;
use super::terminal::{Size, Terminal};
use crate::support::{Ran, finish, name, oversleep, run};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vt100::Color;

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
    let replay = format!("watch {}", recording(folder.path(), "linux-2.6-hrtimer", &["-r", "1ms", "-n", "500"]));
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
    let what = format!(
        "{} watch {}",
        env!("CARGO_BIN_EXE_oversleep"),
        recording(folder.path(), "linux-2.6-hrtimer", &["-r", "1ms", "-n", "500"])
    );
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

/// Shown once everything has been replayed.
const OVER: &str = "end of the recording";

/// End of the help line where the window is too narrow for the whole one.
const SHORT_HELP: &str = "+/-  ↑/↓";

/// Simulates a kernel; returns the path of the recording.
fn recording(folder: &Path, preset: &str, plan: &[&str]) -> String {
    let file = name(folder, "run.arrows");
    let made = run(&[&["simulate", preset, "-q", "--seed", "7", "-o", &file], plan].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    file
}

/// Returns a recording of about four seconds with four rows, all late by less than a millisecond.
fn short(folder: &Path) -> String {
    recording(folder, "linux-2.6-hrtimer", &["-m", "usleep,select", "-r", "1ms,5ms", "-n", "300"])
}

/// Returns a recording that takes longer to replay than any test.
fn long(folder: &Path) -> String {
    recording(folder, "linux-2.6-hrtimer", &["-r", "10ms", "-n", "60000"])
}

/// Replays a recording to its end, compares the screen, and quits. Returns everything that was written.
fn replayed(folder: &Path, file: &str, size: Size, variables: &[(&str, &str)], snapshot: &str) -> Option<Vec<u8>> {
    let mut terminal = Terminal::start(folder, size, variables, &["watch", file])?;
    same(snapshot, &terminal.once_shown(OVER));
    Some(quit(terminal))
}

/// Quits and requires exit status 0, with nothing left on the screen. Returns everything that was written.
fn quit(mut terminal: Terminal) -> Vec<u8> {
    terminal.press("q");
    let ended = terminal.end();
    assert_eq!((ended.code, ended.left.trim()), (Some(0), ""));
    ended.written
}

/// Returns the colours of the screen's text, each once.
fn colours(terminal: &Terminal) -> Vec<Color> {
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let cells = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
    let mut found: Vec<Color> = Vec::new();
    for cell in cells.filter_map(|(row, column)| screen.cell(row, column)) {
        if !found.contains(&cell.fgcolor()) {
            found.push(cell.fgcolor());
        }
    }
    found
}

/// Returns the sequences that set a colour.
fn colour_sequences(written: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(written);
    let parameters = text.split("\u{1b}[").skip(1).filter_map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && !";:".contains(letter))?;
        (rest[end..].starts_with('m')).then(|| rest[..end].to_owned())
    });
    let is_colour = |part: &str| matches!(part.parse(), Ok(30..=49 | 58 | 59 | 90..=107_u8));
    parameters.filter(|all| all.split([';', ':']).any(is_colour)).collect()
}

#[test]
fn a_replay_ends_with_the_same_screen_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = short(folder.path());
    let Some(mut terminal) = Terminal::start(folder.path(), (80, 24), &[], &["watch", &file]) else { return };
    same("watch-terminal-80x24", &terminal.once_shown(OVER));
    assert_eq!(colours(&terminal), [Color::Default, Color::Idx(4)], "sleeps late by less than 1 ms are blue");
    // A key that changes the picture: twice as much time in a column.
    terminal.press("-");
    same("watch-terminal-80x24-wider", &terminal.once_shown("500 ms a column"));
    let written = quit(terminal);
    assert!(!colour_sequences(&written).is_empty(), "colours are set by sequences");
}

#[test]
fn a_large_window_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let plan = ["-m", "nanosleep,select", "-r", "1ms,15ms", "-n", "40"];
    let file = recording(folder.path(), "freebsd-4.9", &plan);
    let Some(mut terminal) = Terminal::start(folder.path(), (120, 40), &[], &["watch", &file]) else { return };
    same("watch-terminal-120x40", &terminal.once_shown(OVER));
    assert_eq!(colours(&terminal), [Color::Default, Color::Idx(3)], "sleeps late by 1 ms and more are yellow");
    quit(terminal);
}

#[test]
fn without_colour_no_sequence_sets_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = short(folder.path());
    // The text is that of a terminal with colours.
    for (size, snapshot) in [((80, 24), "watch-terminal-80x24"), ((60, 20), "watch-terminal-60x20")] {
        let variables = [("NO_COLOR", "1"), ("TERM", "vt100")];
        let Some(written) = replayed(folder.path(), &file, size, &variables, snapshot) else { return };
        assert_eq!(colour_sequences(&written), [""; 0], "{size:?}");
    }
}

#[test]
fn a_window_made_smaller_is_drawn_whole_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = short(folder.path());
    let Some(mut terminal) = Terminal::start(folder.path(), (80, 24), &[], &["watch", &file]) else { return };
    terminal.once_shown("oversleep watch");
    terminal.resize((60, 20));
    terminal.once_shown(SHORT_HELP);
    // The same as in a window that had this size from the beginning.
    same("watch-terminal-60x20", &terminal.once_shown(OVER));
    quit(terminal);
}

#[test]
fn keys_pause_step_reset_and_save() {
    let folder = tempfile::tempdir().unwrap();
    let file = long(folder.path());
    let Some(mut terminal) = Terminal::start(folder.path(), (80, 24), &[], &["watch", &file]) else { return };
    terminal.once_shown("replay");
    terminal.press(" ");
    let paused = terminal.once_shown("paused");
    // The key → goes on by a quarter of a second: by more sleeps, which the third line counts.
    terminal.press("\u{1b}[C");
    let state = |shown: &str| shown.lines().nth(2).unwrap_or_default().to_owned();
    let stepped = terminal.once("a step", |shown| state(shown) != state(&paused));
    assert!(state(&stepped).starts_with("paused") && sleeps(&stepped) > sleeps(&paused) + 20, "{paused}{stepped}");
    terminal.press("r");
    let reset = terminal.once_shown("waiting for the first sleeps");
    assert_eq!(sleeps(&reset), 0, "{reset}");
    terminal.press("s");
    terminal.once_shown("what is shown is in ");
    let kept = fs::read_dir(folder.path().join("state/oversleep")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<String> = kept.map(|file| fs::read_to_string(file).unwrap()).collect();
    assert_eq!(kept, [reset]);
    terminal.press("r");
    terminal.once_shown("q quit");
    // Even a view that is paused is drawn again when the window changes.
    terminal.resize((60, 20));
    let small = terminal.once_shown(SHORT_HELP);
    assert!(small.starts_with("oversleep watch") && small.ends_with(&format!("{SHORT_HELP}\n")), "{small}");
    assert!(state(&small).starts_with("paused") && sleeps(&small) == 0, "{small}");
    terminal.press(" ");
    terminal.once_shown("replay");
    quit(terminal);
}

/// Returns the number of sleeps in the third line.
fn sleeps(shown: &str) -> u64 {
    let words: Vec<&str> = shown.lines().nth(2).unwrap_or_default().split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("sleeps")).expect("a number of sleeps");
    words[at - 1].parse().expect("a number")
}

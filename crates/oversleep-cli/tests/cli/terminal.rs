//! A pseudo-terminal that `script` of util-linux opens, with an emulator that makes a screen of what a program writes there.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use vt100::{Parser, Screen};

/// Long enough for the slowest machine to draw, to replay a few seconds, or to end.
const PATIENCE: Duration = Duration::from_secs(120);

/// Every drawing ends by hiding the cursor, so after these bytes the screen is whole.
const DRAWN: &[u8] = b"\x1b[?25l";

/// Enters the other screen, which is left again at the end.
const OTHER_SCREEN: &[u8] = b"\x1b[?1049h";

/// Number of columns and of rows.
pub(crate) type Size = (u16, u16);

/// The program as it runs on a terminal.
pub(crate) struct Terminal {
    /// What is run, for messages.
    line: String,
    /// Where the shell writes the terminal's name, and its settings before and after the program.
    folder: PathBuf,
    script: Child,
    keys: ChildStdin,
    output: Receiver<Vec<u8>>,
    /// Everything written so far.
    pub(crate) written: Vec<u8>,
    emulator: Parser,
}

/// How the program ended, and what it left on the terminal.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// Everything that was written.
    pub(crate) written: Vec<u8>,
    /// Whether the other screen was entered.
    pub(crate) was_drawn: bool,
    /// Text of the normal screen.
    pub(crate) left: String,
}

impl Terminal {
    /// Starts the program with these arguments and variables on a terminal of this size. The folder takes its recordings and
    /// standard error (`err`). Returns `None` if there is no `script`, and prints a line.
    pub(crate) fn start(folder: &Path, size: Size, variables: &[(&str, &str)], arguments: &[&str]) -> Option<Self> {
        if Command::new("script").arg("--version").output().is_err() {
            println!("skipped: no `script` to give it a terminal");
            return None;
        }
        let (columns, rows) = size;
        // The recordings' names may have blanks: the shell gets them as variables.
        let words: String = (0..arguments.len()).map(|number| format!(" \"$WORD{number}\"")).collect();
        let line = format!(
            "cd \"$FOLDER\"; stty rows {rows} cols {columns}; tty > tty; stty -g > before; \
             \"$OVERSLEEP\"{words} 2> err; code=$?; stty -g > after; exit $code"
        );
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).env("OVERSLEEP", env!("CARGO_BIN_EXE_oversleep"));
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "LINES"] {
            script.env_remove(variable);
        }
        script.env("SHELL", "/bin/sh").env("FOLDER", folder).env("XDG_STATE_HOME", folder.join("state"));
        script.env("TERM", "xterm-256color").envs(variables.iter().copied());
        script.envs(arguments.iter().enumerate().map(|(number, word)| (format!("WORD{number}"), word)));
        let mut script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (keys, mut out) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut bytes) {
                let _ = sender.send(bytes[..count].to_vec());
            }
        });
        let emulator = Parser::new(length(rows), length(columns), 0);
        let (line, folder) = (arguments.join(" "), folder.to_owned());
        Some(Self { line, folder, script, keys, output, written: Vec::new(), emulator })
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Changes the size of the window, as its frame does when it is dragged.
    pub(crate) fn resize(&mut self, (columns, rows): Size) {
        self.emulator.set_size(length(rows), length(columns));
        let line = format!("stty rows {rows} cols {columns} < \"$(cat tty)\"");
        let status = Command::new("sh").args(["-c", &line]).current_dir(&self.folder).status().unwrap();
        assert!(status.success(), "{line}: {status}");
    }

    /// Returns the screen once a whole drawing shows this text.
    pub(crate) fn once_shown(&mut self, text: &str) -> String {
        self.once(text, |shown| shown.contains(text))
    }

    /// Returns the screen once a whole drawing is as wanted; `wanted` says how that is.
    pub(crate) fn once(&mut self, wanted: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let shown = shown(self.emulator.screen());
            if self.written.ends_with(DRAWN) && is_wanted(&shown) {
                return shown;
            }
            let come = self.next(until);
            assert!(come.is_ok(), "{}: no {wanted:?} ({come:?}) on the screen:\n{shown}", self.line);
        }
    }

    /// Returns the emulated screen, with its colours.
    pub(crate) fn screen(&self) -> &Screen {
        self.emulator.screen()
    }

    /// Waits for the program's end as [`Terminal::end`] does, and types keys once this text is shown.
    pub(crate) fn end_with(mut self, text: &str, keys: &str) -> Ended {
        let until = Instant::now() + PATIENCE;
        while let Ok(()) = self.next(until) {
            if shown(self.emulator.screen()).contains(text) {
                self.press(keys);
                break;
            }
        }
        self.end()
    }

    /// Waits for the program's end. Requires that it left the other screen, the cursor visible and the settings as they were.
    pub(crate) fn end(mut self) -> Ended {
        let until = Instant::now() + PATIENCE;
        while let Ok(()) = self.next(until) {}
        assert!(Instant::now() < until, "{}: it did not end:\n{}", self.line, shown(self.emulator.screen()));
        let code = self.script.wait().unwrap().code();
        let screen = self.emulator.screen();
        assert!(!screen.alternate_screen(), "{}: the other screen is left again", self.line);
        assert!(!screen.hide_cursor(), "{}: the cursor is shown again", self.line);
        let settings = ["before", "after"].map(|file| fs::read_to_string(self.folder.join(file)).unwrap());
        assert_eq!(settings[0], settings[1], "{}: the terminal's settings", self.line);
        let left = shown(screen);
        let written = std::mem::take(&mut self.written);
        let was_drawn = written.windows(OTHER_SCREEN.len()).any(|window| window == OTHER_SCREEN);
        Ended { code, written, was_drawn, left }
    }

    /// Passes the next output to the emulator.
    fn next(&mut self, until: Instant) -> Result<(), RecvTimeoutError> {
        let bytes = self.output.recv_timeout(until.saturating_duration_since(Instant::now()))?;
        self.emulator.process(&bytes);
        self.written.extend(bytes);
        Ok(())
    }
}

/// Takes the terminal away, which ends the program too.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

fn length(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a screen has cells")
}

/// Returns every row of a screen, without the blanks at its end.
fn shown(screen: &Screen) -> String {
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).map(|row| row.trim_end().to_owned() + "\n").collect()
}

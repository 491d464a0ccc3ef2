//! Measures with every method, the check-up, a smaller load experiment, several timer resolutions, and the clocks;
//! reads the recordings with this machine's build.

use std::fs;
use std::process::Stdio;

use xtask::child;
use xtask::outcome::passed;

use super::{TARGET, Wine};
use crate::build::UNOPTIMISED;

/// Measurements to record: a name, options of `measure`, and a text that the report must contain.
const RECORDED: &[(&str, &[&str], &str)] = &[
    ("every-method", &["-m", "all", "-r", "1ms", "-n", "40"], "waitable-timer"),
    ("load", &["--experiment", "load", "-n", "3", "--load", "0,1,5"], "sleep"),
    ("resolutions", &["-m", "sleep,waitable-timer", "-n", "40", "--timer-resolution", "1ms,5ms,15.6ms"], "resolution"),
    (
        "conditions",
        &["-n", "20", "--priority-class", "high", "--multimedia-task", "Pro Audio", "--no-throttling", "-a", "0"],
        "class high",
    ),
];

/// Commands, and a text that their output must contain.
const SHOWN: &[(&[&str], &str)] = &[
    (&[], "waitable-timer"),
    (&["list"], "nt-delay-execution"),
    (&["measure", "-m", "sleep", "-r", "200us", "-n", "5", "--no-save"], "asked for as 1.00 ms by sleep"),
    (&["clocks", "--quick"], "query-performance-counter"),
    (&["measure", "-m", "nanosleep", "-n", "1"], "cannot be measured here"),
];

impl Wine {
    /// Runs the Windows program, and this machine's on its recordings.
    pub(super) fn measures(&self) -> Result<(), String> {
        let build =
            [&["cargo", "build", "--quiet", "--target", TARGET, "-p", "oversleep-cli"][..], &UNOPTIMISED].concat();
        passed(child::run(self.within(&build)), "cargo build")?;
        let own = ["cargo", "build", "--quiet", "--workspace", "--bin", "oversleep"];
        passed(child::run(child::command(&self.root, &own)), "cargo build")?;
        for (name, asked, word) in RECORDED {
            let recording = self.folder.join(format!("{name}.arrows"));
            let _ = fs::remove_file(&recording);
            let recording = recording.display().to_string();
            self.oversleep(&[&["measure"], *asked, &["--out", &recording]].concat(), word)?;
            self.oversleep(&["explain", &recording], "")?;
            self.read_here(&["report", &recording], word)?;
            self.read_here(&["explain", &recording], "")?;
        }
        SHOWN.iter().try_for_each(|(words, word)| self.oversleep(words, word))
    }

    /// Runs the Windows program; its output must contain `word`.
    fn oversleep(&self, words: &[&str], word: &str) -> Result<(), String> {
        let program = self.built().join("oversleep.exe").display().to_string();
        let mut command = self.within(&[&["wine", &program], words].concat());
        let name = format!("oversleep.exe {}", words.join(" "));
        let output = command.stderr(Stdio::piped()).output().map_err(|error| format!("{name}: {error}"))?;
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        println!("{name}\n{text}");
        // If something cannot be measured, the exit code is 3, and the output says why. There is no code if Wine's
        // server killed a process whose threads did not end in time; then its output counts (seen once, on a busy
        // machine, after the last line).
        let ended = output.status.success() || matches!(output.status.code(), Some(3) | None);
        if !ended {
            return Err(format!("{name}: {}", output.status));
        }
        if text.contains(word) { Ok(()) } else { Err(format!("{name} says nothing of {word}")) }
    }

    /// Runs this machine's build; its output must contain `word`.
    fn read_here(&self, words: &[&str], word: &str) -> Result<(), String> {
        let program = self.root.join("target").join("debug").join("oversleep").display().to_string();
        let text = child::output(&self.root, &[&[program.as_str()], words].concat())?;
        println!("here: oversleep {}\n{text}", words.join(" "));
        if text.contains(word) { Ok(()) } else { Err(format!("here, {} says nothing of {word}", words.join(" "))) }
    }
}

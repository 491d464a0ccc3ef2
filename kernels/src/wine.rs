//! Runs the Windows build under Wine: the tests, the C library, measurements, recordings that this machine's build
//! reads again, and the sleep library beside similar ones.
//!
//! Wine is not Windows: its clocks, timers and scheduler are this machine's. A pass means that calls are made correctly
//! and that missing ones are reported. It says nothing about lateness on Windows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build;
use xtask::child;
use xtask::outcome::{Outcome, passed};
use xtask::toolchain;

mod c_library;
mod measures;
mod peers;

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Arguments of `cargo test`. The tests `settings` and `trace` of oversleep-os are left out: they test what Windows
/// does not have.
const TESTS: [&str; 10] =
    ["-p", "oversleep-sys", "-p", "oversleep-os", "-p", "oversleep", "--lib", "--test", "methods", "--test=simulated"];

pub(crate) fn check(root: &Path) -> Outcome {
    let wine = match ready(root).and_then(|()| Wine::prepare(root)) {
        Ok(wine) => wine,
        Err(why) => return Outcome::Skipped(why),
    };
    let outcome =
        wine.tests().and_then(|()| wine.c_library()).and_then(|()| wine.measures()).and_then(|()| wine.peers());
    wine.end();
    outcome.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

/// Checks for the tools that the step needs; the error is the reason for a skip.
fn ready(root: &Path) -> Result<(), String> {
    for (tool, package) in [("wine", "wine wine64"), (COMPILER, "gcc-mingw-w64-x86-64")] {
        child::output(root, &[tool, "--version"])
            .map_err(|_| format!("this machine has no {tool} (Debian: apt-get install {package})"))?;
    }
    toolchain::target(root, TARGET)
}

/// A Wine prefix for this check alone, kept from run to run; the user's is not touched.
struct Wine {
    root: PathBuf,
    folder: PathBuf,
}

impl Wine {
    fn prepare(root: &Path) -> Result<Self, String> {
        let wine = Self { root: root.to_path_buf(), folder: root.join("target").join("wine") };
        fs::create_dir_all(wine.libraries()).map_err(|e| format!("{}: {e}", wine.folder.display()))?;
        let library = wine.libraries().join("bcryptprimitives.dll").display().to_string();
        let words = [COMPILER, "-shared", "-O", "-o", &library, "kernels/wine/bcryptprimitives.c", "-ladvapi32"];
        child::output(root, &words)?;
        // Fills the prefix and waits for what that starts: a program started meanwhile failed once (Wine 8).
        wine.done(&["wineboot", "--init"])?;
        wine.done(&["wineserver", "--wait"])?;
        wine.done(&["wine", "cmd", "/c", "ver"])?;
        Ok(wine)
    }

    /// Returns the folder of our libraries, in which programs look for them.
    fn libraries(&self) -> PathBuf {
        self.folder.join("libraries")
    }

    /// Returns the folder of the programs and libraries that were built.
    fn built(&self) -> PathBuf {
        build::folder(&self.root).join(TARGET).join("debug")
    }

    /// Runs one of Wine's programs to its end.
    fn done(&self, words: &[&str]) -> Result<(), String> {
        let output = self.within(words).output().map_err(|error| format!("{}: {error}", words[0]))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default();
        Err(format!("`{}` does not run here: {}; {last}", words.join(" "), output.status))
    }

    /// Returns a command that runs in this prefix.
    fn within(&self, words: &[&str]) -> Command {
        let mut command = child::command(&self.root, words);
        command
            .env("WINEPREFIX", self.folder.join("prefix"))
            // This path is searched last, so a Wine that has the library uses its own.
            .env("WINEPATH", format!("Z:{}", self.libraries().display().to_string().replace('/', "\\")))
            .env("WINEDEBUG", "-all")
            // Wine does not offer to download components that no program here needs.
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
            .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine")
            .env("CARGO_TARGET_DIR", build::folder(&self.root))
            // Programs are built for one run, so they are built as quickly as possible.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("PROPTEST_CASES", "32");
        command
    }

    fn tests(&self) -> Result<(), String> {
        let words = [&["cargo", "test", "--quiet", "--target", TARGET][..], &build::UNOPTIMISED, &TESTS].concat();
        passed(child::run(self.within(&words)), "cargo test")
    }

    /// Ends the server of this prefix, which would go on for a few seconds.
    fn end(&self) {
        let _ = self.within(&["wineserver", "--kill"]).status();
    }
}

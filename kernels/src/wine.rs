//! The Windows build, run under Wine: the tests, the C library, measurements, recordings that this machine's own build
//! reads again, and the sleep library beside its peers.
//!
//! Wine is not Windows: its clocks, timers and scheduler are this machine's. What passes here says that our calls are made
//! as they should be and that what is missing is told; nothing about how late Windows is.

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
/// Not `settings` and `trace` of the operating system's crate: what they test, Windows does not have.
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

/// What the step needs and the machine may lack.
fn ready(root: &Path) -> Result<(), String> {
    for (tool, package) in [("wine", "wine wine64"), (COMPILER, "gcc-mingw-w64-x86-64")] {
        child::output(root, &[tool, "--version"])
            .map_err(|_| format!("this machine has no {tool} (Debian: apt-get install {package})"))?;
    }
    toolchain::target(root, TARGET)
}

/// A Windows of the check's own, kept from run to run: nothing of it reaches the user's.
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
        // Fills the prefix, and waits for what that starts: a program begun meanwhile was once seen to fail (Wine 8).
        wine.done(&["wineboot", "--init"])?;
        wine.done(&["wineserver", "--wait"])?;
        wine.done(&["wine", "cmd", "/c", "ver"])?;
        Ok(wine)
    }

    /// Libraries of ours that programs find there.
    fn libraries(&self) -> PathBuf {
        self.folder.join("libraries")
    }

    /// Where the build leaves programs and libraries.
    fn built(&self) -> PathBuf {
        build::folder(&self.root).join(TARGET).join("debug")
    }

    /// Runs one of Wine's own programs to its end.
    fn done(&self, words: &[&str]) -> Result<(), String> {
        let output = self.within(words).output().map_err(|error| format!("{}: {error}", words[0]))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default();
        Err(format!("`{}` does not run here: {}; {last}", words.join(" "), output.status))
    }

    /// A command in whose Wine our programs run.
    fn within(&self, words: &[&str]) -> Command {
        let mut command = child::command(&self.root, words);
        command
            .env("WINEPREFIX", self.folder.join("prefix"))
            // Found last: a Wine that has the library uses its own.
            .env("WINEPATH", format!("Z:{}", self.libraries().display().to_string().replace('/', "\\")))
            .env("WINEDEBUG", "-all")
            // No offer to download what no program here needs.
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
            .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine")
            .env("CARGO_TARGET_DIR", build::folder(&self.root))
            // Built for one run: what compiles soonest.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("PROPTEST_CASES", "32");
        command
    }

    fn tests(&self) -> Result<(), String> {
        let words = [&["cargo", "test", "--quiet", "--target", TARGET][..], &build::UNOPTIMISED, &TESTS].concat();
        passed(child::run(self.within(&words)), "cargo test")
    }

    /// Ends the server of this prefix, which would linger for a few seconds.
    fn end(&self) {
        let _ = self.within(&["wineserver", "--kill"]).status();
    }
}

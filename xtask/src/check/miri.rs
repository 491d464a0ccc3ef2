//! Runs the tests of the precise-sleep library under Miri, as far as it supports them.
//!
//! Miri has no inline assembly, no `prctl` and no real processor, so the tests of the counter and of plain sleeps run
//! on the real machine alone.

use std::path::Path;

use crate::outcome::Outcome;
use crate::{child, toolchain};

const TOOLCHAIN: &str = "nightly";

/// Beginnings of the names of tests that need what Miri lacks, or take it minutes: a million readings of a clock, which
/// loom tests as well, and simulated machines with ten thousand sleeps. Neither has unsafe code.
const BEYOND: [&str; 4] = ["clock::counter", "clock::disciplined", "sleep::tests", "sleeper::controller"];

/// Runs the tests in a target folder of their own; skipped on a machine without the toolchain.
pub(super) fn check(root: &Path) -> Outcome {
    let wanted = ["rustup", "toolchain", "install", TOOLCHAIN, "--profile", "minimal", "--component", "miri,rust-src"];
    let there = child::output(root, &["rustup", "run", TOOLCHAIN, "cargo-miri", "miri", "--version"]);
    if there.is_err()
        && let Err(why) = toolchain::install(root, "Miri", &wanted)
    {
        return Outcome::Skipped(why);
    }
    let mut words = vec!["cargo", "+nightly", "miri", "test", "-p", "oversleep", "--lib", "--"];
    for name in BEYOND {
        words.extend(["--skip", name]);
    }
    let mut command = child::command(root, &words);
    command.env("CARGO_TARGET_DIR", root.join("target").join("miri"));
    // The tests read the real clocks, and generated cases take a hundred times as long under Miri.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "2");
    child::run(command)
}

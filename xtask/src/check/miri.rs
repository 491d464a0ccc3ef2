//! The precise-sleep library under Miri, as far as that interpreter goes.
//!
//! It has no inline assembly, no `prctl` and no processor of its own: the counter's and the plain sleeps' own tests are
//! left to the real machine.

use std::path::Path;

use crate::outcome::Outcome;
use crate::{child, toolchain};

const TOOLCHAIN: &str = "nightly";

/// Tests by the start of their names that need what Miri lacks, or of which one takes it minutes: a million readings of a
/// clock, which have no unsafe code and are left to loom, and made-up machines of ten thousand sleeps, which have none either.
const BEYOND: [&str; 4] = ["clock::counter", "clock::disciplined", "sleep::tests", "sleeper::controller"];

/// In a target folder of its own. A machine without the toolchain skips it.
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
    // The tests read the real clocks; generated cases take a hundred times as long here.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "2");
    child::run(command)
}

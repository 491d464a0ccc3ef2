//! Lints the workspace for every supported system. A pass says "compiles"; nothing is run.

use std::path::Path;

use crate::child;
use crate::outcome::{self, Outcome, Row};

const TARGETS: [&str; 8] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-unknown-freebsd",
    "x86_64-unknown-netbsd",
    "x86_64-unknown-illumos",
];

/// One row per target.
pub(crate) fn run(root: &Path) -> Vec<Row> {
    TARGETS.iter().map(|target| outcome::timed(&format!("compiles: {target}"), || one(root, target))).collect()
}

/// Adds the target's standard library where it is missing.
pub(crate) fn add(root: &Path, target: &str) -> Result<(), String> {
    let installed = child::output(root, &["rustup", "target", "list", "--installed"]);
    if installed.is_ok_and(|list| list.lines().any(|line| line == target)) {
        return Ok(());
    }
    child::output(root, &["rustup", "target", "add", target]).map(drop)
}

fn one(root: &Path, target: &str) -> Outcome {
    if let Err(why) = add(root, target) {
        return Outcome::Skipped(why);
    }
    // The usual target folder: each target has its own place in it, and the build scripts and macros that run on this
    // machine are shared with the other steps.
    let words =
        ["cargo", "clippy", "--quiet", "--workspace", "--all-targets", "--target", target, "--", "-D", "warnings"];
    child::run(child::command(root, &words))
}

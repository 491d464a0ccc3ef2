//! Lints what knows platforms for every other supported system. A pass says "compiles"; nothing is run.

use std::path::Path;

use crate::outcome::{self, Outcome, Row};
use crate::{child, toolchain};

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

/// The crates whose code differs from system to system, and those that are built on nothing else: what all others may not
/// say, the steps `platforms` and `arrows` see to.
const CRATES: [&str; 4] = ["oversleep-sys", "oversleep-os", "oversleep", "oversleep-capi"];

/// Returns one row per target but this machine's own, which the step `clippy` lints.
pub(crate) fn run(root: &Path) -> Vec<Row> {
    let host = host(root);
    let others = TARGETS.iter().filter(|target| host.as_deref() != Some(**target));
    others.map(|target| outcome::timed(&format!("compiles: {target}"), || one(root, target))).collect()
}

fn host(root: &Path) -> Option<String> {
    let told = child::output(root, &["rustc", "--version", "--verbose"]).ok()?;
    told.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
}

fn one(root: &Path, target: &str) -> Outcome {
    if let Err(why) = toolchain::target(root, target) {
        return Outcome::Skipped(why);
    }
    // The usual target folder: each target has its own place in it, and the build scripts and macros that run on this
    // machine are shared with the other steps.
    let mut words = vec!["cargo", "clippy", "--quiet", "--all-targets", "--target", target];
    words.extend(CRATES.iter().flat_map(|name| ["--package", name]));
    words.extend(["--", "-D", "warnings"]);
    child::run(child::command(root, &words))
}

//! The steps that run a command of cargo.

use std::path::Path;
use std::process::Stdio;

use crate::outcome::Outcome;
use crate::{child, toolchain};

pub(super) fn format(root: &Path) -> Outcome {
    if let Err(why) = toolchain::component(root, &["cargo", "fmt", "--version"], "rustfmt") {
        return Outcome::Skipped(why);
    }
    child::run(child::command(root, &["cargo", "fmt", "--all", "--check"]))
}

pub(super) fn clippy(root: &Path) -> Outcome {
    if let Err(why) = toolchain::component(root, &["cargo", "clippy", "--version"], "clippy") {
        return Outcome::Skipped(why);
    }
    let words = ["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    match child::run(child::command(root, &words)) {
        Outcome::Passed => apart(root, FUZZ),
        failed => failed,
    }
}

/// Packages outside the workspace, so that the libraries that they measure, or loom, are not dependencies of the workspace.
const PEERS: [&str; 3] = ["benches/library/Cargo.toml", "probes/rust/Cargo.toml", LOOM];
/// The files of the library that threads share, with loom's atomics.
const LOOM: &str = "interleavings/Cargo.toml";
/// The fuzzing targets, which only a nightly compiler builds; any compiler checks them. A change of what they call is
/// seen in the quick tier, minutes before they would be built.
const FUZZ: &str = "fuzz/Cargo.toml";
/// Variable that says where libFuzzer is, so that its build script does not compile it. Nothing is linked for lints.
const LIBFUZZER: (&str, &str) = ("CUSTOM_LIBFUZZER_PATH", "none/libnone.a");

/// Checks that every lock file fits its manifest. That of a package outside the workspace is easily forgotten when a
/// dependency changes.
pub(super) fn locks(root: &Path) -> Outcome {
    for manifest in ["Cargo.toml", FUZZ].into_iter().chain(PEERS) {
        let words = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", manifest];
        let mut command = child::command(root, &words);
        command.stdout(Stdio::null());
        match child::run(command) {
            Outcome::Passed => {}
            Outcome::Failed(_) => {
                return Outcome::Failed(format!(
                    "to update it, run: cargo metadata --manifest-path {manifest} > /dev/null"
                ));
            }
            skipped @ Outcome::Skipped(_) => return skipped,
        }
    }
    Outcome::Passed
}

pub(super) fn peers(root: &Path) -> Outcome {
    let mut outcome = Outcome::Passed;
    for manifest in PEERS {
        outcome = apart(root, manifest);
        if !matches!(outcome, Outcome::Passed) {
            return outcome;
        }
    }
    outcome
}

/// Checks the format and the lints of a package outside the workspace.
fn apart(root: &Path, manifest: &str) -> Outcome {
    let format = child::run(child::command(root, &["cargo", "fmt", "--manifest-path", manifest, "--check"]));
    if !matches!(format, Outcome::Passed) {
        return format;
    }
    let lints = ["cargo", "clippy", "--manifest-path", manifest, "--target-dir", "target", "--all-targets", "--locked"];
    let mut command = child::command(root, &[&lints[..], &["--", "-D", "warnings"]].concat());
    command.env(LIBFUZZER.0, LIBFUZZER.1);
    child::run(command)
}

pub(super) fn docs(root: &Path) -> Outcome {
    let mut command = child::command(root, &["cargo", "doc", "--no-deps", "--workspace"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    child::run(command)
}

/// Diagnoses every recording whose true causes are known. The tests take a quarter of them (`tests/diagnose/depth.rs`).
pub(super) fn truth(root: &Path) -> Outcome {
    let words = ["cargo", "test", "--workspace", "--test", "diagnose"];
    let mut command = child::command(root, &words);
    command.env("OVERSLEEP_DEPTH", "full");
    child::run(command)
}

/// Tests every interleaving of threads that share a clock, within loom's bounds.
pub(super) fn loom(root: &Path) -> Outcome {
    let words = ["cargo", "test", "--manifest-path", LOOM, "--target-dir", "target", "--release", "--locked", "models"];
    child::run(child::command(root, &words))
}

//! Lints the crates with platform code for every other supported system. A pass means that it compiles; nothing is run.

use std::path::Path;

use crate::outcome::{self, Outcome, StepResult};
use crate::{child, toolchain};

const TARGETS: [&str; 10] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-unknown-freebsd",
    "x86_64-unknown-netbsd",
    "x86_64-unknown-illumos",
];

/// Targets whose standard library cannot be downloaded; the nightly toolchain builds it.
const BUILT: [&str; 2] = ["x86_64-unknown-dragonfly", "x86_64-unknown-openbsd"];

/// Crates whose code differs from system to system, and those built on nothing else. The steps `platforms` and `arrows`
/// make sure that all others have no platform code.
const CRATES: [&str; 4] = ["oversleep-sys", "oversleep-os", "oversleep", "oversleep-capi"];

/// Returns a row for each target except this machine's own, which the step `clippy` lints.
pub(crate) fn run(root: &Path) -> Vec<StepResult> {
    let host = host(root);
    let others = TARGETS.iter().filter(|target| host.as_deref() != Some(**target));
    let ready = others.map(|target| outcome::timed(&format!("compiles: {target}"), || one(root, target)));
    let built =
        BUILT.iter().map(|target| outcome::timed(&format!("compiles: {target}"), || with_library(root, target)));
    ready.chain(built).collect()
}

fn host(root: &Path) -> Option<String> {
    let told = child::output(root, &["rustc", "--version", "--verbose"]).ok()?;
    told.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
}

fn one(root: &Path, target: &str) -> Outcome {
    if let Err(why) = toolchain::target(root, target) {
        return Outcome::Skipped(why);
    }
    lint(root, &["cargo", "clippy"], target, &["-D", "warnings"])
}

/// Lints with a standard library built for the purpose, where the nightly toolchain has its sources. The compiler's
/// warnings are errors. Clippy's lints and new deprecations are allowed: they change with the nightly version, and the
/// other targets are checked for them.
fn with_library(root: &Path, target: &str) -> Outcome {
    for (component, name) in [("rust-src", "rust-src"), ("clippy", "clippy-")] {
        let list = ["rustup", "component", "list", "--toolchain", "nightly", "--installed"];
        match child::output(root, &list) {
            Ok(installed) if installed.lines().any(|line| line.starts_with(name)) => {}
            _ => {
                let add = ["rustup", "component", "add", component, "--toolchain", "nightly"];
                if let Err(why) = toolchain::install(root, &format!("the nightly toolchain's {component}"), &add) {
                    return Outcome::Skipped(why);
                }
            }
        }
    }
    let allowed =
        ["deprecated", "clippy::all", "clippy::pedantic", "clippy::nursery"].iter().flat_map(|lint| ["-A", lint]);
    let warnings: Vec<&str> = ["-D", "warnings"].into_iter().chain(allowed).collect();
    lint(root, &["cargo", "+nightly", "clippy", "-Zbuild-std"], target, &warnings)
}

/// Runs the lints in the usual target folder: each target has a folder of its own there, and build scripts and macros,
/// which run on this machine, are shared with the other steps.
fn lint(root: &Path, clippy: &[&str], target: &str, warnings: &[&str]) -> Outcome {
    let mut words = [clippy, &["--quiet", "--all-targets", "--target", target]].concat();
    words.extend(CRATES.iter().flat_map(|name| ["--package", name]));
    words.push("--");
    words.extend(warnings);
    child::run(child::command(root, &words))
}

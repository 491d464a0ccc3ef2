//! Lints the crates with platform code for every other supported system. A pass means that it compiles; nothing is run.

use super::Root;
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

/// Lints for all targets but this machine's own, which the step `clippy` lints. With a standard library built for the
/// purpose, clippy's lints and new deprecations are allowed: they change with the nightly version, and the other
/// targets are checked for them.
pub(super) fn check(root: &Root) -> Result<(), String> {
    let host = child::output(root, &["rustc", "--version", "--verbose"])?;
    let others: Vec<&str> = TARGETS.into_iter().filter(|target| !host.contains(&format!("host: {target}\n"))).collect();
    let installed = child::output(root, &["rustup", "target", "list", "--installed"])?;
    let missing: Vec<&str> =
        others.iter().copied().filter(|target| !installed.lines().any(|line| line == *target)).collect();
    if !missing.is_empty() {
        toolchain::rust(root, &missing.join(", "), &["false"], &[&["rustup", "target", "add"], &missing[..]].concat())?;
    }
    lint(root, &["clippy"], &others, &["-D", "warnings"])?;
    let sources = [
        "rustup",
        "run",
        "nightly",
        "sh",
        "-c",
        "cargo clippy --version && ls $(rustc --print sysroot)/lib/rustlib/src",
    ];
    toolchain::nightly(root, &sources, "clippy,rust-src")?;
    let allowed =
        ["-D", "warnings", "-A", "deprecated", "-A", "clippy::all", "-A", "clippy::pedantic", "-A", "clippy::nursery"];
    lint(root, &["+nightly", "clippy", "-Zbuild-std"], &BUILT, &allowed)
}

/// Lints for several targets at once in the usual target folder, in which each has a folder of its own; build scripts
/// and macros, which run on this machine, are shared with the other steps. Libraries only: what tests depend on would
/// be compiled for every target too, and the steps `wine` and `arm64` compile tests.
fn lint(root: &Root, clippy: &[&str], targets: &[&str], lints: &[&str]) -> Result<(), String> {
    let mut words = [clippy, &["--quiet", "--lib", "--keep-going"]].concat();
    words.extend(targets.iter().flat_map(|target| ["--target", target]));
    words.extend(CRATES.iter().flat_map(|name| ["--package", name]));
    child::cargo(root, &[&words[..], &["--"], lints].concat())
}

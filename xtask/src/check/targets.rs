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

/// Targets that are only for the sleep library.
const FOR_THE_LIBRARY: [&str; 5] = [
    "aarch64-linux-android",
    "armv7-linux-androideabi",
    "aarch64-apple-ios",
    "armv7-unknown-linux-gnueabihf",
    "riscv64gc-unknown-linux-gnu",
];

/// Targets without what a sleep needs, for which the library gives one error that says what to use instead.
const WITHOUT_SLEEP: [&str; 2] = ["wasm32-unknown-unknown", "wasm32-wasip1"];

/// Crates whose code differs from system to system, and those built on nothing else. The steps `platforms` and `arrows`
/// make sure that all others have no platform code.
const CRATES: [&str; 4] = ["oversleep-os", "oversleep-sys", "oversleep", "oversleep-capi"];

/// Lints for all targets but this machine's own, which the step `clippy` lints. With a standard library built for the
/// purpose, clippy's lints and new deprecations are allowed: they change with the nightly version, and the other
/// targets are checked for them.
pub(super) fn check(root: &Root) -> Result<(), String> {
    let host = child::output(root, &["rustc", "--version", "--verbose"])?;
    let others: Vec<&str> = TARGETS.into_iter().filter(|target| !host.contains(&format!("host: {target}\n"))).collect();
    let installed = child::output(root, &["rustup", "target", "list", "--installed"])?;
    let wanted = others.iter().chain(&FOR_THE_LIBRARY).chain(&WITHOUT_SLEEP).copied();
    let missing: Vec<&str> = wanted.filter(|target| !installed.lines().any(|line| line == *target)).collect();
    if !missing.is_empty() {
        toolchain::rust(root, &missing.join(", "), &["false"], &[&["rustup", "target", "add"], &missing[..]].concat())?;
    }
    lint(root, &["clippy"], &others, &CRATES, &["-D", "warnings"])?;
    lint(root, &["clippy"], &FOR_THE_LIBRARY, &CRATES[1..], &["-D", "warnings"])?;
    WITHOUT_SLEEP.iter().try_for_each(|target| says_what_to_use(root, target))?;
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
    lint(root, &["+nightly", "clippy", "-Zbuild-std"], &BUILT, &CRATES, &allowed)
}

/// Lints for several targets at once in the usual target folder, in which each has a folder of its own; build scripts
/// and macros, which run on this machine, are shared with the other steps. Libraries only: what tests depend on would
/// be compiled for every target too, and the steps `wine` and `arm64` compile tests.
fn lint(root: &Root, clippy: &[&str], targets: &[&str], crates: &[&str], lints: &[&str]) -> Result<(), String> {
    let mut words = [clippy, &["--quiet", "--lib", "--keep-going"]].concat();
    words.extend(targets.iter().flat_map(|target| ["--target", target]));
    words.extend(crates.iter().flat_map(|name| ["--package", name]));
    child::cargo(root, &[&words[..], &["--"], lints].concat())
}

/// Checks that compiling for a target without sleep ends with one error, the library's own.
fn says_what_to_use(root: &Root, target: &str) -> Result<(), String> {
    let words = ["cargo", "check", "--quiet", "--package", "oversleep", "--target", target];
    let output = child::command(root, &words).output().map_err(|error| format!("cargo: {error}"))?;
    one_refusal(&String::from_utf8_lossy(&output.stderr)).map_err(|why| format!("{target}: {why}"))
}

fn one_refusal(stderr: &str) -> Result<(), String> {
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
    match errors[..] {
        [own, last] if own.contains("under WASI std::thread::sleep") && last.contains("could not compile") => Ok(()),
        _ => Err(format!("not one error that says what to use instead: {}", errors.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_error_of_the_librarys_own_passes_and_no_other() {
        let ours = "error: oversleep sleeps with …, under WASI std::thread::sleep.\n --> lib.rs\n";
        let last = "error: could not compile `oversleep-sys` (lib) due to 1 previous error\n";
        assert_eq!(one_refusal(&format!("{ours}{last}")), Ok(()));
        for other in ["", ours, last, &format!("{ours}error[E0433]: no module\n{last}")] {
            assert!(one_refusal(other).is_err(), "{other}");
        }
    }
}

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

/// Targets for the sleep library alone.
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

/// Returns a row for each target except this machine's own, which the step `clippy` lints.
pub(crate) fn run(root: &Path) -> Vec<StepResult> {
    let host = host(root);
    let timed =
        |target: &str, lint: &dyn Fn(&str) -> Outcome| outcome::timed(&format!("compiles: {target}"), || lint(target));
    let others = TARGETS.iter().filter(|target| host.as_deref() != Some(**target));
    let everything = others.map(|target| timed(target, &|target| one(root, target, &CRATES)));
    let built = BUILT.iter().map(|target| timed(target, &|target| with_library(root, target)));
    let library = FOR_THE_LIBRARY.iter().map(|target| timed(target, &|target| one(root, target, &CRATES[1..])));
    let refused = WITHOUT_SLEEP.iter().map(|target| {
        outcome::timed(&format!("says what to use instead: {target}"), || says_what_to_use(root, target))
    });
    everything.chain(built).chain(library).chain(refused).collect()
}

fn host(root: &Path) -> Option<String> {
    let told = child::output(root, &["rustc", "--version", "--verbose"]).ok()?;
    told.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
}

fn one(root: &Path, target: &str, crates: &[&str]) -> Outcome {
    if let Err(why) = toolchain::target(root, target) {
        return Outcome::Skipped(why);
    }
    lint(root, &["cargo", "clippy"], target, crates, &["-D", "warnings"])
}

/// Checks that compiling for a target without sleep ends with one error, the library's own.
fn says_what_to_use(root: &Path, target: &str) -> Outcome {
    if let Err(why) = toolchain::target(root, target) {
        return Outcome::Skipped(why);
    }
    let words = ["cargo", "check", "--quiet", "--package", "oversleep", "--target", target];
    match child::command(root, &words).output() {
        Ok(output) => judge_refusal(&String::from_utf8_lossy(&output.stderr)),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

fn judge_refusal(stderr: &str) -> Outcome {
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
    match errors[..] {
        [own, last] if own.contains("under WASI std::thread::sleep") && last.contains("could not compile") => {
            Outcome::Passed
        }
        _ => Outcome::Failed(format!("not one error that says what to use: {}", errors.join("; "))),
    }
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
    lint(root, &["cargo", "+nightly", "clippy", "-Zbuild-std"], target, &CRATES, &warnings)
}

/// Runs the lints in the usual target folder: each target has a folder of its own there, and build scripts and macros,
/// which run on this machine, are shared with the other steps.
fn lint(root: &Path, clippy: &[&str], target: &str, crates: &[&str], warnings: &[&str]) -> Outcome {
    let mut words = [clippy, &["--quiet", "--all-targets", "--target", target]].concat();
    words.extend(crates.iter().flat_map(|name| ["--package", name]));
    words.push("--");
    words.extend(warnings);
    child::run(child::command(root, &words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_error_of_the_librarys_own_passes_and_no_other() {
        let own = "error: oversleep sleeps with …, under WASI std::thread::sleep.\n --> lib.rs\n";
        let last = "error: could not compile `oversleep-sys` (lib) due to 1 previous error\n";
        assert_eq!(judge_refusal(&format!("{own}{last}")), Outcome::Passed);
        for other in ["", own, last, &format!("{own}error[E0433]: no module\n{last}")] {
            assert!(matches!(judge_refusal(other), Outcome::Failed(_)), "{other}");
        }
    }
}
